# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""LiDARs, range finders and cameras before holes, glass, mirrors, retroreflectors and textures."""

import math
from pathlib import Path
from typing import Any

from making import at, mesh_scene, simulate
from mounting import mounted
import numpy as np
from numpy.typing import NDArray
from PIL import Image
import pytest

from mvsim_ros2.errors import RenderContextError
from mvsim_ros2.scene.scene import Material, Mesh, Scene, Texture
from mvsim_ros2.sensors.body_state import STANDING
from mvsim_ros2.sensors.lidar.lidar3d import Lidar3D
from mvsim_ros2.sensors.opengl.context import gl_thread
from mvsim_ros2.sensors.raycast.opacity import SOLID
from mvsim_ros2.sensors.raycast.ray_scene import RayScene
from mvsim_ros2.world.spec.sensors.lidar import Lidar3dSpec

Array = NDArray[np.float64]

AHEAD: dict[str, Any] = {
    'name': 'lidar', 'vert_nrays': 1, 'vert_fov': 0.0, 'horz_nrays': 4,
    'range_std_noise': 0.0, 'max_range': 80.0, 'pattern': 'rotating'}


def pane(material: Material) -> Mesh:
    """Return a square of 2 m across the x axis; u grows to the left."""
    corners = np.array([[0, -1, -1], [0, 1, -1], [0, 1, 1], [0, -1, 1]], float)
    return Mesh(corners, np.array([[0, 2, 1], [0, 3, 2]], np.int32),
                np.tile([-1.0, 0.0, 0.0], (4, 1)),
                np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32), np.zeros(2, np.int32),
                (material,))


def echo(scene: Scene) -> tuple[float, float]:
    """Return range and strength (0 to 1) of the beam straight ahead."""
    spec = Lidar3dSpec(**AHEAD)
    cloud = Lidar3D(mounted(spec, '')).scan(RayScene(scene), 100_000_000, STANDING)
    nearest = np.argmin(np.abs(np.arctan2(cloud.points['y'], cloud.points['x'])))
    point = cloud.points[nearest]
    return float(point['x']), float(point['intensity']) / 255.0


@pytest.mark.parametrize(('material', 'expected'), [
    pytest.param(Material((1, 1, 1, 0.03)), (6.0, 0.5 * 0.97 ** 4), id='two thin panes'),
    pytest.param(Material((1, 1, 1, 0.5)), (2.0, 0.25), id='first of two thick ones'),
    pytest.param(Material((1, 1, 1, 0.1), reflectivity=1.0, transmittance=0.0), (2.0, 0.1),
                 id='visible light only'),
    pytest.param(Material((1, 1, 1, 1.0), reflectivity=0.01, transmittance=0.9),
                 (6.0, 0.5 * 0.9 ** 4), id='infrared light only'),
    pytest.param(Material((1, 1, 1, 1.0), reflectivity=1.0, transmittance=0.1), (2.0, 0.9),
                 id='no more than what does not pass'),
    pytest.param(Material((1, 1, 1, 1.0), reflectivity=1.0, transmittance=1.0), (6.0, 0.5),
                 id='all passes')])
def test_the_strongest_echo_counts(material: Material, expected: tuple[float, float]) -> None:
    distance, strength = echo(mesh_scene(
        (pane(material), at(x=2.0)), (pane(material), at(x=3.0)),
        (pane(Material()), at(x=6.0))))
    assert distance == pytest.approx(expected[0], abs=1e-4)
    assert strength == pytest.approx(expected[1], rel=1e-4)


@pytest.mark.parametrize('y', [-0.7, -0.3, 0.3, 0.7])
def test_a_hole_of_a_texture_is_one_for_beams(y: float) -> None:
    pixels = np.full((1, 4, 4), 255, np.uint8)
    pixels[0, ::2, 3] = 0  # from the right: hole, surface, hole, surface
    fence = pane(Material(texture=Texture(pixels)))
    scene = mesh_scene((fence, at(x=2.0)), (fence, at(x=3.0)), (pane(Material()), at(x=6.0)))
    hits = RayScene(scene).cast((0.0, y, 0.3), (1.0, 0.0, 0.0))
    hole = int((y + 1.0) * 2) % 2 == 0
    assert hits.distance[0] == pytest.approx(6.0 if hole else 2.0, abs=1e-9)


def test_sound_meets_glass_and_light_does_not() -> None:
    scene = RayScene(mesh_scene((pane(Material((1, 1, 1, 0.3))), at(x=2.0)),
                                (pane(Material((1, 1, 1, 0.0))), at(x=1.0)),
                                (pane(Material()), at(x=6.0))))
    along = (1.0, 0.0, 0.0)
    assert scene.cast(np.zeros(3), along).distance[0] == pytest.approx(2.0)
    assert scene.cast(np.zeros(3), along, least=SOLID).distance[0] == pytest.approx(6.0)
    assert scene.occluded(np.zeros(3), along, farthest=5.0, nearest=2.5).tolist() == [False]


WALL = """<block name="wall"> <static>true</static> <init_pose>5 0 0</init_pose> <zmax>2</zmax>
    <shape> <pt>0 -2</pt> <pt>1 -2</pt> <pt>1 2</pt> <pt>0 2</pt> </shape> </block>"""
SHAPE = '<shape> <pt>0 -2</pt> <pt>0.02 -2</pt> <pt>0.02 2</pt> <pt>0 2</pt> </shape>'
PLANE = """<element class="vertical_plane"> <x0>2</x0> <y0>-2</y0> <x1>2</x1> <y1>2</y1>
    {} </element>"""


@pytest.mark.parametrize(('pane', 'share'), [
    pytest.param(f'<block> <static>true</static> <init_pose>2 0 0</init_pose> {SHAPE}'
                 '<transmittance>0.97</transmittance> </block>', 0.97 ** 4, id='block'),
    pytest.param(f'<block> <init_pose>2 0 0</init_pose> {SHAPE}'
                 '<color>#ffffff08</color> </block>', (1 - 8 / 255) ** 4, id='colour'),
    pytest.param(PLANE.format('<transmittance>0.97</transmittance>'), 0.97 ** 4, id='plane'),
    pytest.param(PLANE.format('<texture>{}</texture>'), 1.0, id='hole'),
    pytest.param('<walls transmittance="0.97"> <shape> <pt>2 -2</pt> <pt>2 2</pt> </shape>'
                 '</walls>', 0.97 ** 4, id='walls'),
    pytest.param('<vehicle name="v"> <init_pose>2 0 0</init_pose> <dynamics class="differential">'
                 '<l_wheel pos="0 1.5"/> <r_wheel pos="0 -1.5"/> <chassis transmittance="0.97">'
                 f'{SHAPE}</chassis> </dynamics> </vehicle>', 0.97 ** 4, id='chassis')])
@pytest.mark.parametrize('ground', ['level', 'ramp'])
def test_planar_lidars_see_through_the_same_things(
        ground: str, pane: str, share: float, tmp_path: Path) -> None:
    """
    Planar LiDARs see through panes as 3D LiDARs do, with the loss of both ways.

    :reference: law of Beer and Lambert
    """
    hole = np.full((8, 8, 4), 255, np.uint8)
    hole[..., 3] = 0
    Image.fromarray(hole).save(tmp_path / 'hole.png')
    ramp = '' if ground == 'level' else (
        '<block> <static>true</static> <init_pose>90 0 0</init_pose> <shape_from_visual/>'
        '<geometry type="ramp" lx="4" ly="6" lz="0.8"/> </block>')
    laser = ('<sensor class="laser" name="{}"> <pose_3d>0 0 0.3 0 0 0</pose_3d> <nrays>3</nrays>'
             '<range_std_noise>0</range_std_noise> <angle_std_noise_deg>0</angle_std_noise_deg>'
             '<fov_degrees>2</fov_degrees> {} </sensor>')
    world = ' '.join([ramp, WALL, pane.replace('{}', str(tmp_path / 'hole.png')), laser.format(
        's', ''), laser.format('flat', '<raytrace_3d>false</raytrace_3d>')])
    simulation = simulate(world)
    scan = simulation.measure('s')
    assert scan.ranges[1] == pytest.approx(5.0, abs=1e-4)
    assert scan.intensities[1] == pytest.approx(255 * 0.5 * share, rel=1e-3)
    assert simulation.measure('flat').ranges[1] == pytest.approx(2.0, abs=0.1)
    original = simulate(world, physics='mvsim')
    assert original.measure('s').ranges[1] == pytest.approx(2.0, abs=0.1)


GLASS_WORLD = """
  <element class="horizontal_plane"><color>#808080</color></element>
  <block name="glass"><static>true</static><init_pose>3 0 30</init_pose>
    <color>#2040ff{alpha}</color><zmin>0</zmin><zmax>0.8</zmax>{shape}<transmittance>1</transmittance></block>
  <sensor class="camera" name="c"><pose_3d>0 0 2 -90 0 -125</pose_3d>
    <renderer>{renderer}</renderer>
    <ncols>160</ncols><nrows>120</nrows><cx>80</cx><cy>60</cy><fx>150</fx><fy>150</fy></sensor>
  <sensor class="lidar3d" name="l"><pose_3d>0 0 2 0 35 0</pose_3d><vert_nrays>32</vert_nrays>
    <horz_nrays>400</horz_nrays><labels>true</labels><organised>true</organised>
    <range_std_noise>0</range_std_noise><rolling>false</rolling></sensor>"""


@pytest.mark.parametrize('shape', [
    '', '<geometry type="cylinder" radius="0.6" length="0.8"/>',
    '<geometry type="box" lx="1" ly="1" lz="0.8"/>'])
def test_the_ground_is_seen_through_what_stands_on_it(shape: str) -> None:
    try:
        gl_thread()
    except RenderContextError as error:
        pytest.skip(str(error))
    images = [simulate(GLASS_WORLD.format(shape=shape, renderer=renderer, alpha='40')).measure(
        'c').pixels.astype(int) for renderer in ('gl', 'cpu')]
    apart = np.abs(images[0] - images[1]).max(axis=2)
    blue = images[0][..., 2] - images[0][..., 0] > 20
    print(f'{blue.mean():.1%} glass, of which {(apart[blue] > 6).mean():.2%} differ')
    assert blue.mean() > 0.03 and (apart[blue] > 6).mean() < 0.03


def test_no_beam_ends_at_clear_glass() -> None:
    simulation = simulate(GLASS_WORLD.format(shape='', renderer='cpu', alpha='05'))
    through = simulation.measure('l').points
    simulation.remove('glass')
    free = simulation.measure('l').points
    for axis in 'xyz':
        np.testing.assert_allclose(through[axis], free[axis], atol=1e-4)


LIDAR = """<sensor class="lidar3d" name="s"> <range_std_noise>0</range_std_noise>
  <vert_nrays>1</vert_nrays> <horz_nrays>3600</horz_nrays> <layout>mvsim</layout>
  <azimuth_min_degrees>LOW</azimuth_min_degrees> <azimuth_max_degrees>HIGH</azimuth_max_degrees>
  <rolling>false</rolling> <organised>true</organised> <max_range>200</max_range> </sensor>"""


def _block(x: float, y: float, yaw: float, matter: str, more: str = '') -> str:
    """Return a wall, 20 m long, whose face looks to -x of its own frame."""
    return (f'<block> <init_pose>{x} {y} {yaw}</init_pose> <static>true</static> <zmin>-5</zmin>'
            f'<zmax>5</zmax> <shape> <pt>0 -10</pt> <pt>0.2 -10</pt> <pt>0.2 10</pt>'
            f'<pt>0 10</pt> </shape> <material {matter}/> {more} </block>')


def _measure(things: str, low: float, high: float) -> np.ndarray:
    lidar = LIDAR.replace('LOW', f'{low}').replace('HIGH', f'{high}')
    points: np.ndarray = simulate(things + lidar).measure('s').points[0]
    return points


def _ranges(points: np.ndarray) -> np.ndarray:
    return np.sqrt(points['x'] ** 2 + points['y'] ** 2 + points['z'] ** 2)


def test_a_mirror_shows_what_is_in_front_of_it_behind_it() -> None:
    """
    A mirror at x = 4, turned by 45 degrees, throws beams to +y, at a wall at y = 6.

    :claim: LiDARs measure mirror images behind mirrors, within 0.1 mm
    :reference: mirror images
    :figure: images/sensors_matter.png
    """
    mirror = _block(4.0, 0.0, -45.0, 'mirror="0.9"', '<reflectivity>0</reflectivity>')
    wall = _block(4.0, 6.0, 90.0, 'mirror="0"', '<reflectivity>0.6</reflectivity>')
    points = _measure(mirror + wall, -3.0, 3.0)
    # the mirror image of the wall y = 6 in the plane x - y = 4 is the wall x = 10
    np.testing.assert_allclose(points['x'], 10.0, atol=1e-4)
    # there and back over the mirror, at 45 degrees: Schlick; facing the wall
    middle = points[np.argmin(np.abs(points['y']))]
    share = 0.9 + 0.1 * (1.0 - math.sqrt(0.5)) ** 5
    assert middle['intensity'] == pytest.approx(0.6 * share ** 2, rel=1e-5)


def test_what_a_mirror_scatters_itself_is_seen_where_it_is() -> None:
    mirror = _block(4.0, 0.0, -45.0, 'mirror="0.3"', '<reflectivity>0.8</reflectivity>')
    wall = _block(4.0, 6.0, 90.0, 'mirror="0"', '<reflectivity>0.1</reflectivity>')
    points = _measure(mirror + wall, -2.0, 2.0)
    np.testing.assert_allclose(points['x'] - points['y'], 4.0, atol=1e-4)


def test_a_mirror_that_faces_the_sensor_is_a_glint() -> None:
    mirror = _block(5.0, 0.0, 0.0, 'mirror="1"', '<reflectivity>0</reflectivity>')
    points = _measure(mirror, -5.0, 5.0)
    bright = np.nonzero(points['intensity'] > 1.0)[0]
    assert np.isfinite(_ranges(points)[bright]).all()
    angles = np.degrees(np.arctan2(points['y'][bright], points['x'][bright]))
    # only where it comes back within the beam: 0.086 degrees, less than a step of 0.1
    assert len(bright) == 1 and abs(angles[0]) < 0.05
    assert points['intensity'][bright[0]] == pytest.approx(1.0 / (4.0 * 0.0015 ** 2), rel=1e-3)


def test_glass_is_passed_where_it_faces_and_mirrors_where_it_grazes() -> None:
    glass = _block(4.0, 0.0, 0.0, 'mirror="0.04"', '<color>#ffffff10</color>'
                   '<transmittance>0.95</transmittance> <reflectivity>0.01</reflectivity>')
    wall = _block(8.0, 0.0, 0.0, 'mirror="0"')
    ahead = _measure(glass + wall, -1.0, 1.0)
    glint = np.arange(len(ahead)) == len(ahead) // 2  # comes straight back
    np.testing.assert_allclose(ahead['x'], np.where(glint, 4.0, 8.0), atol=1e-4)
    # a pane along the way, at y = 0.3: beams to the left graze it and come back to y < 0
    pane = _block(10.0, 0.3, 90.0, 'mirror="0.04"', '<color>#ffffff10</color>'
                  '<transmittance>0.5</transmittance> <reflectivity>0.01</reflectivity>')
    side = _block(12.0, -0.9, 90.0, 'mirror="0"', '<reflectivity>0.9</reflectivity>')
    grazed = _measure(pane + side, 3.5, 4.5)
    # mirrored, the wall's upper face at y = -0.7 stands at 0.3 + 1.0 = 1.3
    assert (np.abs(grazed['y'] - 1.3) < 1e-3).mean() > 0.8


# ASTM D4956, type III: 250 cd/(lx m^2) at an entrance angle of -4 degrees, 150 at 30 degrees
@pytest.mark.parametrize('entrance, table', [(4.0, 250.0), (30.0, 150.0)])
def test_a_retroreflector_shines_as_its_sheet_says(entrance: float, table: float) -> None:
    sign = _block(20.0, 0.0, -entrance, 'retroreflection="252"',
                  '<reflectivity>0</reflectivity>')
    points = _measure(sign, -0.01, 0.01)
    # intensity is that of an even surface: pi R_A / cosine
    found = float(points['intensity'].max()) * math.cos(math.radians(entrance)) / math.pi
    assert found == pytest.approx(table, rel=0.02)


def test_stripes_of_a_texture_are_seen(tmp_path: Path) -> None:
    stripes = np.zeros((4, 8, 3), np.uint8)
    stripes[:, 4:] = 188  # half of the light, linear
    Image.fromarray(stripes).save(tmp_path / 'stripes.png')
    plane = ('<element class="vertical_plane"> <x0>5</x0> <y0>-4</y0> <x1>5</x1> <y1>4</y1>'
             f'<z>-1</z> <height>2</height> <texture>{tmp_path}/stripes.png</texture>'
             '<texture_size_x>2</texture_size_x> <reflectivity>0.8</reflectivity>'
             '<material textured="MARK"/> </element>')
    seen = _measure(plane.replace('MARK', 'true'), -30.0, 30.0)
    cosine = seen['x'] / _ranges(seen)
    levels = seen['intensity'] / cosine / 0.8
    half = ((188 / 255 + 0.055) / 1.055) ** 2.4
    assert (np.abs(levels - np.where(levels > 0.2, half, 0.0)) < 1e-5).all()
    assert 0.3 < (levels > 0.2).mean() < 0.7
    changes = np.flatnonzero(np.diff(levels > 0.2))
    assert np.diff(seen['y'][changes]) == pytest.approx(-1.0, abs=0.03)  # stripes of 1 m
    plain = _measure(plane.replace('MARK', 'false'), -30.0, 30.0)
    np.testing.assert_allclose(plain['intensity'], 0.8 * cosine, rtol=1e-5)


@pytest.mark.parametrize('turned', [12.0, -45.0])
def test_a_perfect_mirror_is_not_seen_itself(turned: float) -> None:
    mirror = _block(4.0, 0.0, turned, 'mirror="1"', '<reflectivity>0.5</reflectivity>')
    points = _measure(mirror, -3.0, 3.0)
    assert not np.isfinite(points['x']).any(), 'the beams go into the open'
