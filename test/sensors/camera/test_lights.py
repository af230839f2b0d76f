# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Lamps, highlights, own light, normal maps and the air, by both renderers and closed forms."""

from dataclasses import replace
import math

from making import simulate
import numpy as np
import pytest
from small_scenes import (
    box, Drawer, Drawers, pixels_of, place, scene_of, sheet, view_from)

from mvsim_ros2.errors import PhysicsError, WorldFileError
from mvsim_ros2.scene.camera_view import CameraFrame
from mvsim_ros2.scene.lamps import Lamps
from mvsim_ros2.scene.lighting import lighting_of
from mvsim_ros2.scene.scene import Lighting, Material, Scene, Texture
from mvsim_ros2.world.spec.common import MaterialSpec
from mvsim_ros2.world.spec.lights import LightsSpec, PointLightSpec, SpotLightSpec
from mvsim_ros2.world.spec.weather import WeatherSpec
from mvsim_ros2.world.spec.world import WorldSpec

DARK = Lighting(sky_colour=(0.0, 0.0, 0.0), ambient_colour=(0.0, 0.0, 0.0),
                light_colour=(0.0, 0.0, 0.0), light_specular=(0.0, 0.0, 0.0))
DOWN = view_from((0, 0, 4), yaw=np.pi / 2, pitch=np.pi / 2)  # onto the floor
GREY = Material((0.6, 0.6, 0.6, 1.0))

LIGHTS = """
  <lights>
    <light_elevation_deg>40</light_elevation_deg>
    <point_light position="-1 2 1.5" color="#ff4020" range="6" cast_shadows="true"/>
    <spot_light position="4 -3 3" direction="-0.3 0.4 -1" color="#80a0ff" diffuse="2"
                inner_cutoff_deg="15" outer_cutoff_deg="25" cast_shadows="true"/>
  </lights>
  <element class="horizontal_plane"><color>#b0a890</color></element>
  <for var="i" from="0" to="5">
    <block name="b${i}"><init_pose>$f{i*1.1-1} $f{sin(i*2)*2.5} $f{i*31}</init_pose>
      <static>true</static><color>#c08050</color><zmax>$f{0.5+i*0.2}</zmax>
      <material specular="0.5" shininess="40"/></block>
  </for>
  <block name="ball"><init_pose>1 0.5 0</init_pose><geometry type="sphere" radius="0.5"/>
    <static>true</static><color>#2060c0</color><material specular="0.8" shininess="60"/></block>
  <block name="sign"><init_pose>0 -2 0</init_pose><zmax>0.3</zmax><color>#202020</color>
    <static>true</static><material emissive="#30ff60"/>
    <light_group name="glow" initially_on="false">
      <point_light position="0 0 1" diffuse="3"/></light_group></block>
  <weather fog_visibility="60"/>
"""


def scene_with(lamps: list[PointLightSpec], *things: tuple[object, ...],
               lighting: Lighting = DARK) -> Scene:
    """Return a scene with lamps in the world."""
    scene = scene_of([*things], lighting=lighting)  # type: ignore[list-item]
    spots = tuple(lamp for lamp in lamps if isinstance(lamp, SpotLightSpec))
    points = tuple(lamp for lamp in lamps if not isinstance(lamp, SpotLightSpec))
    scene.lamps = Lamps(
        WorldSpec(lights=LightsSpec(point_lights=points, spot_lights=spots)), (), ())
    scene.lamps.place(np.eye(4)[None], {})
    return scene


def floor_colours(frame: CameraFrame, xs: np.ndarray) -> np.ndarray:
    """Return the red of the floor at some x, seen by `DOWN`, 0 to 1."""
    at = np.rint(pixels_of(DOWN, np.stack([xs, 0 * xs, 0 * xs], axis=1))).astype(int)
    return frame.colour[at[:, 1], at[:, 0], 0] / 255


def test_point_lights_fall_off_with_distance_and_angle(drawer: Drawer) -> None:
    lamp = PointLightSpec(position=(0.3, 0.0, 1.5), diffuse=0.9, reach=3.0)
    scene = scene_with([lamp], (sheet(9.0, GREY), np.eye(4)))
    xs = np.linspace(-1.8, 1.8, 13)
    away = np.hypot(xs - 0.3, 1.5)
    share = 0.9 / (1.0 + 0.09 * away + 0.032 * away ** 2) * np.clip(
        1.0 - (away / 3.0) ** 4, 0, 1) ** 2 * 1.5 / away
    measured = floor_colours(drawer(scene)(DOWN, ('colour',)), xs)
    np.testing.assert_allclose(measured, 0.6 * np.sqrt(share), atol=0.008)


def test_spot_lights_fade_between_their_angles(drawer: Drawer) -> None:
    lamp = SpotLightSpec(
        position=(0.0, 0.0, 2.0), diffuse=1.0, attenuation_linear=0.0, attenuation_quadratic=0.0,
        inner_cutoff=math.radians(15), outer_cutoff=math.radians(30))
    scene = scene_with([lamp], (sheet(9.0, GREY), np.eye(4)))
    xs = np.linspace(-1.8, 1.8, 13)
    cosine = 2.0 / np.hypot(xs, 2.0)
    inner, outer = math.cos(math.radians(15)), math.cos(math.radians(30))
    expected = np.clip((cosine - outer) / (inner - outer), 0, 1) * cosine
    measured = floor_colours(drawer(scene)(DOWN, ('colour',)), xs)
    np.testing.assert_allclose(measured, 0.6 * np.sqrt(expected), atol=0.012)
    assert measured[0] == measured[-1] == 0.0


@pytest.mark.parametrize('kind', ['point', 'narrow spot', 'wide spot'])
def test_things_throw_shadows_in_the_light_of_lamps(drawer: Drawer, kind: str) -> None:
    lamp = PointLightSpec(position=(0.0, 0.0, 3.0), cast_shadows=True)
    if kind != 'point':
        half = math.radians(50 if kind == 'narrow spot' else 75)
        lamp = SpotLightSpec(position=(0.0, 0.0, 3.0), inner_cutoff=half,
                             outer_cutoff=half + 0.02, cast_shadows=True)
    things = (sheet(9.0, GREY), np.eye(4)), (box(GREY), place((1.0, 0, 0.75), (0.4, 0.4, 0.1)))
    view = replace(DOWN, hide_vehicle=True, vehicle=0)
    seen = []
    for casts in (True, False):
        scene = scene_with([replace(lamp, cast_shadows=casts)], *things)
        scene.owner = np.array([-1, 0], np.int32)  # the camera sees only the shadow of the box
        seen.append(floor_colours(
            drawer(scene)(view, ('colour',)), np.array([1.2, 1.4, 1.55, 1.9, -1.3])))
    dark, bright = seen
    # from 0.8 m at a height of 0.7 m to 1.2 m at 0.8 m: 1.04 to 1.64 m on the floor
    assert (dark[:3] == 0.0).all() and (bright[:3] > 0.3).all()
    np.testing.assert_array_equal(dark[3:], bright[3:])


def test_highlights_are_those_of_blinn(drawer: Drawer) -> None:
    lamp = PointLightSpec(position=(1.0, 0.0, 3.0), diffuse=0.0, specular=0.8,
                          attenuation_linear=0.0, attenuation_quadratic=0.0)
    shiny = replace(GREY, matter=MaterialSpec(specular=0.7, shininess=20.0))
    xs = np.linspace(-1.5, 1.5, 11)
    points = np.stack([xs, 0 * xs, 0 * xs], axis=1)
    towards, back = ((end - points) / np.linalg.norm(end - points, axis=1)[:, None]
                     for end in (np.array([1.0, 0, 3]), np.array([0.0, 0, 4])))
    half = towards + back
    cosine = half[:, 2] / np.linalg.norm(half, axis=1)
    scene = scene_with([lamp], (sheet(9.0, shiny), np.eye(4)))
    measured = floor_colours(drawer(scene)(DOWN, ('colour',)), xs)
    np.testing.assert_allclose(measured, np.sqrt(0.7 * 0.8 * cosine ** 20), atol=0.01)


def test_what_gives_off_light_has_its_colour_in_the_dark(drawer: Drawer) -> None:
    neon = replace(GREY, matter=MaterialSpec(emissive=(0.2, 1.0, 0.4, 1.0)))
    frame = drawer(scene_of([(sheet(9.0, neon), np.eye(4))], lighting=DARK))(DOWN, ('colour',))
    np.testing.assert_allclose(frame.colour[120, 160] / 255, (0.2, 1.0, 0.4), atol=0.004)


def test_details_multiply_colours(drawer: Drawer) -> None:
    # four stripes in a texture that is repeated thrice, over a square of 2 m
    pixels = np.full((4, 4, 4), 255, np.uint8)
    pixels[..., :3] = np.array([64, 128, 64, 192], np.uint8)[:, None]
    material = replace(GREY, detail=Texture(pixels), detail_scale=(3.0, 1.0))
    day = replace(DARK, ambient_colour=(1.0, 1.0, 1.0))
    draw = drawer(scene_of([(sheet(1.0, material), place((0, 0, 0)))], lighting=day))
    row = draw(DOWN, ('colour',)).colour[120, :, 0].astype(float) / 255
    inside = row[row > 0.1]
    for least, most in ((0.3, 0.45), (0.6, 0.8)):  # of 0.6 times 2 * 64 / 255, 2 * 192 / 255
        assert ((inside > least) & (inside < most)).sum() > 10
    plain = drawer(scene_of([(sheet(1.0, GREY), place((0, 0, 0)))], lighting=day))
    assert draw(DOWN, ('colour',)).colour[120, 160].mean() != plain(
        DOWN, ('colour',)).colour[120, 160].mean()


def test_normal_maps_tilt_the_light(drawer: Drawer) -> None:
    tilt = np.array([0.5, 0.3, 0.0])  # to the right and to the top of the image
    tilt[2] = math.sqrt(1.0 - tilt @ tilt)
    pixels = np.full((4, 4, 4), 255, np.uint8)
    pixels[..., :3] = np.rint(127.5 + 127.5 * tilt)
    rough = replace(GREY, bumps=Texture(pixels))
    towards = np.array([0.6, 0.2, 0.77])
    towards /= np.linalg.norm(towards)
    sun = replace(DARK, towards_light=tuple(towards.tolist()), light_colour=(1.0, 1.0, 1.0))
    draw = drawer(scene_of([(sheet(1.0, rough), place((0, 0, 0), yaw=0.7))], lighting=sun))
    turned = np.array([math.cos(0.7) * tilt[0] - math.sin(0.7) * tilt[1],
                       math.sin(0.7) * tilt[0] + math.cos(0.7) * tilt[1], tilt[2]])
    expected = 0.6 * math.sqrt(turned @ towards)
    assert draw(DOWN, ('colour',)).colour[120, 160, 0] / 255 == pytest.approx(expected, abs=0.01)


def test_ambient_light_leans_from_the_sky_to_the_sun(drawer: Drawer) -> None:
    lighting = lighting_of(WorldSpec(lights=LightsSpec(light_diffuse=0.0)))
    things = [(sheet(0.4, GREY), place((0, y, 0), roll=roll)) for y, roll in (
        (-1.0, 0.0), (0.0, 1.2), (1.0, -1.2))]
    view = view_from((0, 0, 4), yaw=np.pi / 2, pitch=np.pi / 2)
    colour = drawer(scene_of(things, lighting=lighting))(view, ('colour',)).colour
    seen = []
    for (_, pose), y in zip(things, (-1.0, 0.0, 1.0)):
        (u, v), = np.rint(pixels_of(view, [(0.0, y, 0.0)])).astype(int)
        normal = pose[:3, 2]
        expected = np.array(lighting.ambient_colour) + normal @ np.array(
            lighting.ambient_axis) * np.array(lighting.ambient_lean)
        np.testing.assert_allclose(colour[v, u] / 255, 0.6 * np.sqrt(expected), atol=0.006)
        seen.append(colour[v, u, 0])
    assert len(set(seen)) == 3  # faces at different angles are told apart without the sun


def test_equal_colours_of_sky_and_ground_are_even_light() -> None:
    flat = LightsSpec(ambient_sky_color=(0.8, 0.8, 0.8, 1.0),
                      ambient_ground_color=(0.8, 0.8, 0.8, 1.0))
    assert lighting_of(WorldSpec(lights=flat)).ambient_lean == (0.0, 0.0, 0.0)


def lit_by(height: float, weather: WeatherSpec | None = None, **lights: float) -> Lighting:
    """Return the lighting of a world whose sun has a height [deg]."""
    return lighting_of(WorldSpec(
        lights=replace(LightsSpec(light_elevation=math.radians(height)), **lights),
        weather=weather or WeatherSpec()))


@pytest.mark.parametrize('height', [30.0, 45.0, 70.0, 90.0])
def test_a_high_sun_in_clear_air_is_as_the_world_says(height: float) -> None:
    lighting, plain = lit_by(height), Lighting()
    assert lighting.light_colour == pytest.approx((0.75, 0.75, 0.72), rel=1e-15)
    assert lighting.sky_colour == lighting.air_colour == plain.sky_colour
    assert lighting.ambient_colour == lit_by(70.0).ambient_colour


def test_sky_and_sun_follow_the_height_of_the_sun() -> None:
    """
    A low sun is weak and red, twilight ends, and the sky darkens with it.

    :reference: air mass at 10 degrees (Kasten and Young, 1989), daylight of IES RP-21 (1984)
    """
    low, high = lit_by(10.0), lit_by(60.0)
    np.testing.assert_allclose(
        np.divide(low.light_colour, high.light_colour),
        np.exp(-np.array([0.158, 0.207, 0.328]) * (5.59 - 1.994)), rtol=0.005)
    share = (0.8 + 15.5 * math.sin(math.radians(10)) ** 0.5) / (0.8 + 15.5 * 0.5 ** 0.5)
    np.testing.assert_allclose(np.divide(low.ambient_colour, high.ambient_colour), share)
    np.testing.assert_allclose(
        (np.divide(low.sky_colour, high.sky_colour)) ** 2.2, share, rtol=1e-6)
    lights = [lit_by(height) for height in (-12.0, -6.0, -3.0, 0.0, 3.0, 10.0, 30.0)]
    assert all(np.diff([each.sky_colour[2] for each in lights]) > 0.0)
    assert all(np.diff([each.ambient_colour[2] for each in lights]) > 0.0)
    assert lights[1].ambient_colour[0] / lights[3].ambient_colour[0] == pytest.approx(3.4 / 800)
    assert [each.shadows for each in lights] == [False] * 3 + [True] * 4
    assert lights[2].light_colour == lights[2].light_specular == (0.0, 0.0, 0.0)


SCENES_OF_LIGHT = [
    pytest.param({}, None, (0.53, 0.70, 0.92), True, id='day'),
    pytest.param({'light_ambient': 0.02, 'light_diffuse': 0.0}, None, (0.12, 0.16, 0.21), False,
                 id='night'),
    pytest.param({}, WeatherSpec(fog_visibility=60.0), (0.77, 0.77, 0.77), False, id='fog'),
    pytest.param({'light_ambient': 0.02}, WeatherSpec(fog_visibility=60.0), (0.2, 0.2, 0.2),
                 False, id='fog at night'),
    pytest.param({}, WeatherSpec(rain=5.0), (0.77, 0.77, 0.77), False, id='rain'),
    pytest.param({}, WeatherSpec(snow=2.0), (0.77, 0.77, 0.77), False, id='snow')]


@pytest.mark.parametrize(('lights', 'weather', 'sky', 'shadow'), SCENES_OF_LIGHT)
def test_sky_fog_and_shadows_follow_light_and_weather(
        drawer: Drawer, lights: dict[str, float], weather: WeatherSpec | None,
        sky: tuple[float, float, float], shadow: bool) -> None:
    """By night the sky is dark, fog and overcast skies are grey, and shadows end in them."""
    draw = drawer(scene_of(
        [(sheet(6.0, GREY), place((0, 0, 0))), (sheet(0.5, GREY), place((0, 0, 1)))],
        lighting=lit_by(70.0, weather, **lights)))
    seen = draw(view_from((0, 0, 0.5)), ('colour',)).colour[5, 160] / 255
    np.testing.assert_allclose(seen, sky, atol=0.025)
    ground = draw(view_from((-3, 0, 3), pitch=np.pi / 4), ('colour',)).colour / 255
    light = np.asarray(ground, float)[..., 0] ** 2
    fallen = view_from((-3, 0, 3), pitch=np.pi / 4)
    towards = np.array(lit_by(70.0).towards_light)
    (u, v), (x, y) = np.rint(pixels_of(fallen, [
        -np.array([*towards[:2] / towards[2], 0.0]), (-1.0, 1.0, 0.0)])).astype(int)
    assert (light[v, u] < 0.6 * light[y, x]) == shadow
    if not shadow and weather:
        assert light[v, u] > 0.8 * light[y, x]


def test_fog_takes_away_contrast_as_koschmieder_says(drawer: Drawer) -> None:
    weather = WeatherSpec(fog_visibility=20.0)
    even = replace(lighting_of(WorldSpec(weather=weather)), light_colour=(0.0, 0.0, 0.0),
                   ambient_colour=(1.0, 1.0, 1.0), ambient_lean=(0.0, 0.0, 0.0))
    distances = np.array([3.0, 10.0, 20.0, 40.0])
    things = [(sheet(0.15 * x, Material((0.0, 0.0, 0.0, 1.0))),
               place((x, 0.35 * x * (i - 1.5), 0), pitch=-np.pi / 2))
              for i, x in enumerate(distances)]
    view = view_from((0, 0, 0))
    colour = drawer(scene_of(things, lighting=even))(view, ('colour',)).colour / 255
    sky = colour[5, 160] ** 2
    for i, x in enumerate(distances):
        middle = (x, 0.35 * x * (i - 1.5), 0.0)
        (u, v), = np.rint(pixels_of(view, [middle])).astype(int)
        left = math.exp(-weather.extinction() * math.hypot(*middle))
        np.testing.assert_allclose(colour[v, u] ** 2, (1.0 - left) * sky, atol=0.012)


def test_renderers_agree_on_all_of_it(drawers: Drawers) -> None:
    both = drawers(simulate(LIGHTS).scene())
    for view in (view_from((-5, -3, 2.5), 0.45, 0.3), view_from((5, 3, 2), -2.5, 0.25)):
        one, other = (draw(view, ('colour',)).colour.astype(int) for draw in both)
        error = np.abs(one - other).max(axis=-1)
        assert error.mean() < 1.0 and (error > 24).mean() < 0.008


def test_groups_are_switched_and_cameras_see_it() -> None:
    simulation = simulate(LIGHTS)
    sign = simulation.blocks['sign']
    assert sign.lights == {'glow': False} and simulation.blocks['ball'].lights == {}
    view = view_from((-5, -3, 2.5), 0.45, 0.3)
    before = simulation.render(view, ('colour',)).colour.astype(int)
    state = simulation.snapshot()
    sign.set_light('glow', True)
    assert sign.lights == {'glow': True}
    after = simulation.render(view, ('colour',)).colour
    assert (after - before).max() > 20 and (after - before).min() > -2
    simulation.restore(state)
    assert sign.lights == {'glow': False}
    sign.set_light('glow', True)
    simulation.reset()
    assert simulation.blocks['sign'].lights == {'glow': False}
    with pytest.raises(PhysicsError, match="no group of lamps 'glim', only glow"):
        sign.set_light('glim', True)


@pytest.mark.parametrize(('text', 'message'), [
    ('<lights><spot_light inner_cutoff_deg="30" outer_cutoff_deg="20"/></lights>',
     'inner_cutoff_deg is more than outer_cutoff_deg'),
    ('<lights><spot_light direction="0 0 0"/></lights>', 'give the direction in which it points'),
    ('<block><init_pose>0 0 0</init_pose><light_group name="a"/><light_group name="a"/></block>',
     "two of its light groups are named 'a'"),
    ('<block><init_pose>0 0 0</init_pose><light_group/></block>', 'lacks <name>')])
def test_impossible_lamps_are_refused(text: str, message: str) -> None:
    with pytest.raises(WorldFileError, match=message):
        simulate(text)
