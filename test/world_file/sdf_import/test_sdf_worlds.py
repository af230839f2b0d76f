# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Worlds of Gazebo: ground, light, scenery, includes, and their conversion to a file."""

import logging
import math
from pathlib import Path

import numpy as np
from PIL import Image
import pytest
from test_sdf_models import cart

from mvsim_ros2 import load_world, Simulation, top_view
from mvsim_ros2.cli import main
from mvsim_ros2.world.file.load import load_world_text
from mvsim_ros2.world.spec import ElevationMapSpec, HorizontalPlaneSpec, WorldSpec
from mvsim_ros2.world.spec.outlines import placed

GROUND = """<model name="ground"><static>1</static><link name="l"><collision name="c"><geometry>
  <plane><normal>0 0 1</normal></plane></geometry></collision><visual name="v"><geometry><plane>
  <size>30 20</size></plane></geometry><material><diffuse>1 0 0 1</diffuse></material></visual>
  </link></model>"""
# as in worlds of a benchmark of navigation: upright cylinders that do not move
PILLAR = """<model name="unit_cylinder_{n}"><pose frame=''>{x} {y} 0 0 -0 0</pose>
  <static>1</static><link name="link"><collision name="c"><geometry><cylinder><radius>0.2</radius>
  <length>1</length></cylinder></geometry></collision><visual name="v"><geometry><cylinder>
  <radius>0.2</radius><length>1</length></cylinder></geometry><material><script><name>Gazebo/Green</name></script>
  </material></visual><self_collide>0</self_collide></link></model>"""
CRATE = """<?xml version="1.0"?><sdf version="1.6"><model name="crate"><static>true</static>
  <pose>0 0 0.25 0 0 0</pose><link name="l"><collision name="c"><geometry><box><size>0.5 0.5 0.5
  </size></box></geometry></collision></link></model></sdf>"""


def world_of(inside: str, version: str = '1.9') -> WorldSpec:
    return load_world_text(f'<sdf version="{version}"><world name="w">{inside}</world></sdf>',
                           'w.sdf')


def test_a_world_of_cylinders_stands_and_is_scanned() -> None:
    """
    A robot of SDF stands among cylinders of SDF.

    :claim: A LiDAR sees the cylinders of an SDF world at their positions
    :reference: positions and sizes in the file
    """
    pillars = ''.join(PILLAR.format(n=n, x=2.0 + n, y=0.5 * n) for n in range(3))
    eye = cart().split('<model')[1].partition('>')[2].rpartition('</model>')[0]
    robot = f'<model name="cart">{eye.replace("1 2 0 0 0 1.5", "0 0 0 0 0 0")}</model>'
    world = world_of(GROUND + pillars + robot, '1.9')
    (ground,) = world.elements
    assert isinstance(ground, HorizontalPlaneSpec)
    assert (ground.x_min, ground.x_max, ground.y_max, ground.color[:2]) == (-15, 15, 10, (1, 0))
    assert [(block.name, block.init_pose.x, block.init_pose.y, block.static, block.zmin,
             block.zmax) for block in world.blocks] == [
        (f'unit_cylinder_{n}', 2.0 + n, 0.5 * n, True, -0.5, 0.5) for n in range(3)]
    scan = Simulation(world).measure('cart/eye')
    # the eye is 0.1 m ahead of the cart, the first pillar 0.2 m thick at 2 m
    assert min(scan.ranges) == pytest.approx(2.0 - 0.2 - 0.1, abs=0.01)


def test_sensors_of_models_that_stand_are_in_the_world() -> None:
    eye = cart().partition('<sensor')[2].partition('</sensor>')[0]
    post = f"""<model name="post"><static>1</static><pose>1 0 0 0 0 0</pose><link name="l"><visual
      name="v"><geometry><sphere><radius>0.3</radius></sphere></geometry></visual><sensor{eye}
      </sensor></link></model>"""
    ball = post.replace('"post"', '"ball"').replace('<static>1</static><pose>1', '<pose>-9')
    world = world_of(post + PILLAR.format(n=0, x=3, y=0) + ball.replace('visual', 'collision'))
    (sensor,) = world.sensors
    assert (sensor.name, sensor.pose.x, sensor.pose.z) == ('post_eye', 1.1, 0.05)
    # it does not see its own housing; the pillar is 0.2 m thick at 3 m
    scan = Simulation(world).measure('post_eye')
    assert min(scan.ranges) == pytest.approx(3.0 - 0.2 - 1.1, abs=0.01)
    assert any('on a block that moves is left out' in each.message for each in world.warnings)


LIGHTS = """<light name="sun" type="directional"><direction>-1 0 -1</direction><diffuse>0.4 0.4
  0.2 1</diffuse><cast_shadows>true</cast_shadows></light><light name="lamp" type="point">
  <pose>1 2 3 0 0 0</pose><attenuation><range>9</range><constant>0.5</constant></attenuation>
  </light><light name="spot" type="spot"><pose>0 0 4 0 1.5707963267948966 0</pose><spot>
  <inner_angle>0.2</inner_angle><outer_angle>0.8</outer_angle></spot></light>"""


def test_a_body_without_an_area_is_left_out() -> None:
    flat = CRATE.partition('.6">')[2].rpartition('</sdf>')[0].replace('true', 'false')
    world = world_of(flat.replace('0.5 0.5 0.5', '1 0 0') + PILLAR.format(n=0, x=3, y=0))
    (warning,) = world.warnings
    assert 'has no area or its meshes' in warning.message and len(world.blocks) == 1


def test_lights_shine_as_they_are_set() -> None:
    lights = world_of(LIGHTS).lights
    assert (math.degrees(lights.light_azimuth), math.degrees(lights.light_elevation)) == (
        pytest.approx(0.0, abs=1e-6), pytest.approx(45.0))
    assert lights.light_diffuse == pytest.approx(0.4)
    assert lights.light_color[:3] == pytest.approx((1.0, 1.0, 0.5), abs=0.003)
    (lamp,), (spot,) = lights.point_lights, lights.spot_lights
    assert (lamp.position, lamp.reach, lamp.attenuation_constant) == ((1.0, 2.0, 3.0), 9.0, 0.5)
    assert spot.direction == pytest.approx((-1.0, 0.0, 0.0), abs=1e-6)
    assert (spot.inner_cutoff, spot.outer_cutoff) == pytest.approx((0.1, 0.4))


def test_gravity_place_and_people_are_those_of_the_world() -> None:
    world = world_of("""<gravity>0 0 -3.7</gravity><spherical_coordinates><latitude_deg>36.7
      </latitude_deg><longitude_deg>-4.5</longitude_deg><elevation>20</elevation>
      </spherical_coordinates><actor name="walker"><pose>1 0 1 0 0 0</pose><script><trajectory
      id="0" type="walk"><waypoint><time>0</time><pose>1 0 1 0 0 0</pose></waypoint><waypoint>
      <time>2</time><pose>3 4 1 0 0 0</pose></waypoint></trajectory></script></actor>""")
    assert world.gravity == 3.7 and world.georeference is not None
    assert (world.georeference.latitude, world.georeference.height) == (36.7, 20.0)
    (walker,) = world.actors
    assert walker.animation is not None
    last = walker.animation.keys[-1]
    assert (walker.init_pose.x, last.time, last.pose.x, last.pose.y) == (1.0, 2.0, 2.0, 4.0)


def test_the_columns_of_a_height_map_run_along_x(tmp_path: Path) -> None:
    grey = np.zeros((5, 5), np.uint8)
    grey[0, 4] = 255  # top right: the largest x and y
    Image.fromarray(grey).save(tmp_path / 'hill.png')
    (tmp_path / 'w.sdf').write_text("""<sdf version="1.9"><world name="w"><model name="hill">
      <static>1</static><link name="l"><collision name="c"><geometry><heightmap><uri>hill.png</uri>
      <size>8 8 3</size></heightmap></geometry></collision></link></model></world></sdf>""")
    (hill,) = load_world(tmp_path / 'w.sdf').elements
    assert isinstance(hill, ElevationMapSpec) and hill.heights is not None
    assert (hill.resolution, hill.heights.x_min, hill.heights.y_min) == (2.0, -4.0, -4.0)
    assert hill.heights.values[4, 4] == 3.0 and np.count_nonzero(hill.heights.values) == 1


@pytest.mark.parametrize(('uri', 'folder', 'variable'), [
    pytest.param('model://crate', 'models/crate', '', id='beside the file'),
    pytest.param('crates/crate', 'crates/crate', '', id='relative'),
    pytest.param('model://crate', 'far/crate', 'GZ_SIM_RESOURCE_PATH', id='resource path'),
    pytest.param('model://crate', 'far/crate', 'GAZEBO_MODEL_PATH', id='path of Gazebo classic'),
    pytest.param('https://fuel.gazebosim.org/1.0/Open/models/The Crate',
                 'cache/fuel.gazebosim.org/open/models/the%20crate/3', 'GZ_FUEL_CACHE_PATH',
                 id='cache of Fuel'),
    pytest.param('https://fuel.gazebosim.org/1.0/Open/models/The Crate/2', 'models/the_crate', '',
                 id='Fuel beside the file')])
def test_included_models_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, uri: str,
                                   folder: str, variable: str) -> None:
    place = tmp_path / folder
    place.mkdir(parents=True)
    (place / 'model.config').write_text(
        '<model><sdf version="1.4">old.sdf</sdf><sdf version="1.6">new.sdf</sdf></model>')
    (place / 'old.sdf').write_text('<sdf/>')
    (place / 'new.sdf').write_text(CRATE)
    if variable:
        monkeypatch.setenv(variable, str(tmp_path / folder.partition('/')[0]))
    (tmp_path / 'w.world').write_text(f"""<sdf version="1.9"><world name="w"><frame name="f">
      <pose>1 0 0 0 0 0</pose></frame><include><uri>{uri}</uri></include><include><uri>{uri}</uri>
      <name>second</name><pose relative_to="f">2 3 0.25 0 0 0</pose></include></world></sdf>""")
    first, second = load_world(tmp_path / 'w.world', strict=True).blocks
    assert (first.name, first.init_pose.x, first.init_pose.z) == ('crate', 0.0, 0.25)
    assert (second.name, second.init_pose.x, second.init_pose.y) == ('second', 3.0, 3.0)


@pytest.mark.parametrize(('uri', 'said'), [
    pytest.param('model://shelf', "'model://shelf' is not found beside the file", id='model'),
    pytest.param('https://fuel.gazebosim.org/1.0/Open/models/Shelf', 'gz fuel download -u https',
                 id='Fuel')])
def test_a_model_that_is_not_on_the_machine_is_left_out(uri: str, said: str) -> None:
    world = world_of(''.join(f'<include><uri>{each}</uri></include>' for each in (
        uri, 'model://sun', 'model://ground_plane')))
    (warning,) = world.warnings
    assert said in warning.message and len(world.elements) == 1


def test_a_merged_model_is_a_part_of_the_other(tmp_path: Path) -> None:
    (tmp_path / 'wheel.sdf').write_text("""<sdf version="1.9"><model name="wheel"><frame name="f">
      <pose>0 0 1 0 0 0</pose></frame><link name="tip"><pose relative_to="f">0 1 0 0 0 0</pose>
      <collision name="c"><geometry><box><size>1 1 1</size></box></geometry></collision></link>
      <link name="low"><collision name="c"><pose relative_to="__model__">0 0 -2 0 0 0</pose>
      <geometry><box><size>1 1 1</size></box></geometry></collision></link></model></sdf>""")
    (tmp_path / 'w.sdf').write_text("""<sdf version="1.9"><model name="m"><static>1</static>
      <link name="base"/><include merge="true"><uri>wheel.sdf</uri><pose>1 0 5 0 0
      1.5707963267948966</pose></include><joint name="j" type="fixed"><parent>base</parent>
      <child>tip</child></joint></model></sdf>""")
    tip, low = load_world(tmp_path / 'w.sdf', strict=True).blocks
    corners = np.array([(*np.mean(placed(block.shape, block.init_pose), axis=0),
                         block.init_pose.z + 0.5 * (block.zmin + block.zmax))
                        for block in (tip, low)
                        if block.shape and block.zmin is not None and block.zmax is not None])
    assert corners == pytest.approx(np.array([(0.0, 0.0, 6.0), (1.0, 0.0, 3.0)]), abs=1e-6)


def facets(*boxes: tuple[float, float, float, float]) -> str:
    """Return an STL of boxes from x0 y0 to x1 y1, 2 m high, without floor and roof."""
    text = []
    for x0, y0, x1, y1 in boxes:
        ring = [(x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0)]
        for (ax, ay), (bx, by) in zip(ring, ring[1:], strict=False):
            for corners in (((ax, ay, 0), (bx, by, 0), (bx, by, 2)),
                            ((ax, ay, 0), (bx, by, 2), (ax, ay, 2))):
                lines = ''.join(f'vertex {x} {y} {z}\n' for x, y, z in corners)
                text.append(f'facet normal 0 0 1\nouter loop\n{lines}endloop\nendfacet\n')
    return f'solid s\n{"".join(text)}endsolid s\n'


@pytest.mark.parametrize(('boxes', 'solid', 'free'), [
    pytest.param([(-4, -4, 4, -3.8), (-4, 3.8, 4, 4), (-4, -4, -3.8, 4), (3.8, -4, 4, 4)],
                 [(-4, 0), (0, 3.8), (4, 3)], [(0, 0), (3, 3.79), (4.01, 0)], id='room'),
    pytest.param([(-0.5, -0.25, 0.5, 0.25)], [(0, 0), (0.45, 0.2)], [(0.6, 0)], id='crate')])
def test_meshes_are_solid_where_they_are(tmp_path: Path, boxes: list[tuple[float, ...]],
                                         solid: list[tuple[float, float]],
                                         free: list[tuple[float, float]]) -> None:
    (tmp_path / 'a.stl').write_text(facets(*boxes))  # type: ignore[arg-type]
    (tmp_path / 'w.sdf').write_text("""<sdf version="1.9"><model name="m"><static>1</static><pose>
      10 0 0 0 0 0</pose><link name="l"><collision name="c"><geometry><mesh><uri>a.stl</uri></mesh>
      </geometry></collision></link></model></sdf>""")
    world = load_world(tmp_path / 'w.sdf', strict=True)

    def is_solid(x: float, y: float) -> bool:
        boxes = [np.array(block.shape) for block in world.blocks]
        return any(((box.min(axis=0) < (x, y)) & ((x, y) < box.max(axis=0))).all()
                   for box in boxes)
    assert [is_solid(*place) for place in (*solid, *free)] == [True] * len(solid) + [False] * len(
        free)
    assert {block.zmax for block in world.blocks} == {2.0} and len(world.blocks) < 20


def test_panes_are_drawn_from_above(tmp_path: Path) -> None:
    (tmp_path / 'a.stl').write_text(facets((0, 0, 2, 0)))
    (tmp_path / 'w.sdf').write_text("""<sdf version="1.9"><model name="m"><static>1</static><link
      name="l"><visual name="v"><geometry><mesh><uri>a.stl</uri></mesh></geometry></visual>
      <collision name="c"><geometry><box><size>1 1 1</size></box></geometry></collision></link>
      <link name="lamp"><visual name="v"><geometry><box><size>2 4 6</size></box></geometry>
      </visual></link></model></sdf>""")
    world = load_world(tmp_path / 'w.sdf', strict=True)
    picture = top_view(Simulation(world))
    assert picture.getextrema() != ((255, 255),) * 3
    lamp = world.blocks[1]  # only seen, it is outlined all the same
    assert (lamp.intangible, lamp.zmin, lamp.zmax) == (True, -3.0, 3.0)
    assert np.abs(lamp.shape or ()).max(axis=0).tolist() == [1.0, 2.0]


def test_what_has_no_effect_is_said_once(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        world = world_of('<gui/><scene/>' + PILLAR.format(n=0, x=1, y=0)
                         + PILLAR.format(n=1, x=3, y=0))
    assert world.warnings == ()
    (said,) = caplog.messages
    assert '<gui> in <world> (line 1), <scene> in <world> (line 1), <self_collide> in <link>' in (
        said)


def test_conversion_writes_a_world_or_a_class(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                              capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    model, lost = cart(), '<include><uri>model://lost</uri></include>'
    Path('cart.sdf').write_text(model.replace('<link', f'{lost}<link', 1))
    assert main(['convert-sdf', 'cart.sdf', '-o', 'cart.xml']) == 0
    said = capsys.readouterr().err
    assert 'receipt: straight: 0.5' in said and said.count('model://lost') == 1
    Path('w.world').write_text(
        f'<sdf version="1.9"><world name="w">{PILLAR.format(n=0, x=5, y=0)}'
        f'{model.partition(">")[2].rpartition("</sdf>")[0]}</world></sdf>')
    assert main(['convert-sdf', 'w.world', '-o', 'w.xml']) == 0
    drive = 'receipt: drive: differential, by the plugin gz-sim-diff-drive-system ('
    assert drive + 'cart.sdf:' in said and drive + 'w.world:' in capsys.readouterr().err
    assert main(['check', 'w.world']) == 0
    plain, made = load_world('w.world'), load_world('w.xml', strict=True)
    assert [block.shape for block in made.blocks] == [block.shape for block in plain.blocks]
    assert made.vehicles[0].dynamics.wheels[0].pos == plain.vehicles[0].dynamics.wheels[0].pos
    Path('named.world.xml').write_text(
        '<mvsim_world><include file="cart.xml"/><vehicle name="a" class="cart"><init_pose>0 0 0'
        '</init_pose></vehicle><vehicle name="b" urdf="cart.sdf"><init_pose>0 3 0</init_pose>'
        '</vehicle></mvsim_world>')
    first, second = load_world('named.world.xml').vehicles
    assert first.dynamics.wheels[0].radius == second.dynamics.wheels[0].radius == 0.08


def test_macros_of_xacro_take_the_variables(tmp_path: Path) -> None:
    (tmp_path / 'w.sdf.xacro').write_text(
        '<sdf version="1.9" xmlns:xacro="http://ros.org/wiki/xacro"><xacro:arg name="x" '
        f'default="1"/><world name="w">{PILLAR.format(n=0, x="$(arg x)", y=0)}</world></sdf>')
    world = load_world(tmp_path / 'w.sdf.xacro', {'x': '4'}, allow_xacro=True, strict=True)
    assert world.blocks[0].init_pose.x == 4.0
