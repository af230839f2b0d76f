# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Holes and translucent surfaces before LiDARs and range finders."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from mounting import mounted
import numpy as np
from numpy.typing import NDArray
from PIL import Image
import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.scene.scene import Material, Mesh, Scene, Texture
from mvsim_ros2.sensors.body_state import STANDING
from mvsim_ros2.sensors.lidar.lidar3d import Lidar3D
from mvsim_ros2.sensors.raycast.opacity import SOLID
from mvsim_ros2.sensors.raycast.ray_scene import RayScene
from mvsim_ros2.world.spec.sensors.lidar import Lidar3dSpec

Array = NDArray[np.float64]
MakeScene = Callable[..., Scene]
Place = Callable[..., Array]

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
def test_the_strongest_echo_counts(material: Material, expected: tuple[float, float],
                                   mesh_scene: MakeScene, at: Place) -> None:
    distance, strength = echo(mesh_scene(
        (pane(material), at(x=2.0)), (pane(material), at(x=3.0)),
        (pane(Material()), at(x=6.0))))
    assert distance == pytest.approx(expected[0], abs=1e-4)
    assert strength == pytest.approx(expected[1], rel=1e-4)


@pytest.mark.parametrize('y', [-0.7, -0.3, 0.3, 0.7])
def test_a_hole_of_a_texture_is_one_for_beams(y: float, mesh_scene: MakeScene,
                                              at: Place) -> None:
    pixels = np.full((1, 4, 4), 255, np.uint8)
    pixels[0, ::2, 3] = 0  # from the right: hole, surface, hole, surface
    fence = pane(Material(texture=Texture(pixels)))
    scene = mesh_scene((fence, at(x=2.0)), (fence, at(x=3.0)), (pane(Material()), at(x=6.0)))
    hits = RayScene(scene).cast((0.0, y, 0.3), (1.0, 0.0, 0.0))
    hole = int((y + 1.0) * 2) % 2 == 0
    assert hits.distance[0] == pytest.approx(6.0 if hole else 2.0, abs=1e-9)


def test_sound_meets_glass_and_light_does_not(mesh_scene: MakeScene, at: Place) -> None:
    scene = RayScene(mesh_scene((pane(Material((1, 1, 1, 0.3))), at(x=2.0)),
                                (pane(Material((1, 1, 1, 0.0))), at(x=1.0)),
                                (pane(Material()), at(x=6.0))))
    along = (1.0, 0.0, 0.0)
    assert scene.cast(np.zeros(3), along).distance[0] == pytest.approx(2.0)
    assert scene.cast(np.zeros(3), along, least=SOLID).distance[0] == pytest.approx(6.0)
    assert scene.occluded(np.zeros(3), along, farthest=5.0, nearest=2.5).tolist() == [False]


def test_a_world_file_says_what_passes(tmp_path: Path) -> None:
    world = tmp_path / 'glass.world.xml'
    world.write_text("""<mvsim_world version="1.0">
        <sensor class="lidar3d" name="eye"> <pose_3d>0 0 0.5 0 0 0</pose_3d>
            <vert_nrays>1</vert_nrays> <vert_fov_degrees>0</vert_fov_degrees>
            <horz_nrays>4</horz_nrays> <sensor_phase>0</sensor_phase>
            <range_std_noise>0</range_std_noise> <layout>velodyne</layout> </sensor>
        <block name="window"> <static>true</static> <init_pose>2 0 0</init_pose>
            <geometry type="box" lx="0.02" ly="4" lz="2"/> <color>#a0c0ff30</color>
            <transmittance>0.95</transmittance> <reflectivity>0.05</reflectivity> </block>
        <block name="wall"> <static>true</static> <init_pose>5 0 0</init_pose>
            <geometry type="box" lx="0.5" ly="4" lz="2"/> </block>
        </mvsim_world>""")
    simulation = Simulation.from_file(world)
    cloud, = next(filter(None, (simulation.step() for _ in range(30))))
    ahead = cloud.points[np.abs(cloud.points['y']) < 0.1]
    assert ahead['x'].tolist() == pytest.approx([5.0], abs=1e-3)
    assert ahead['intensity'].tolist() == pytest.approx([255 * 0.5 * 0.95 ** 4], rel=1e-3)


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
    Light passes panes, there and back, before a planar LiDAR as before others.

    :reference: law of Beer and Lambert
    """
    hole = np.full((8, 8, 4), 255, np.uint8)
    hole[..., 3] = 0
    Image.fromarray(hole).save(tmp_path / 'hole.png')
    ramp = '' if ground == 'level' else (
        '<block> <static>true</static> <init_pose>90 0 0</init_pose> <shape_from_visual/>'
        '<geometry type="ramp" lx="4" ly="6" lz="0.8"/> </block>')
    world = tmp_path / 'glass.world.xml'
    laser = ('<sensor class="laser" name="{}"> <pose_3d>0 0 0.3 0 0 0</pose_3d> <nrays>3</nrays>'
             '<range_std_noise>0</range_std_noise> <angle_std_noise_deg>0</angle_std_noise_deg>'
             '<fov_degrees>2</fov_degrees> {} </sensor>')
    things = pane.replace('{}', str(tmp_path / 'hole.png'))
    world.write_text(f'<mvsim_world version="1.0"> {ramp} {WALL} {things} {laser.format("s", "")}'
                     + laser.format('flat', '<raytrace_3d>false</raytrace_3d>')
                     + '</mvsim_world>')
    simulation = Simulation.from_file(world)
    scan = simulation.measure('s')
    assert scan.ranges[1] == pytest.approx(5.0, abs=1e-4)
    assert scan.intensities[1] == pytest.approx(255 * 0.5 * share, rel=1e-3)
    assert simulation.measure('flat').ranges[1] == pytest.approx(2.0, abs=0.1)
    original = Simulation.from_file(world, physics='mvsim')
    assert original.measure('s').ranges[1] == pytest.approx(2.0, abs=0.1)
