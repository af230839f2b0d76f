# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""LiDARs whose rays OpenGL traces see what those see whose rays the processor casts."""

from collections.abc import Callable
import logging
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
import pytest

from mvsim_ros2 import load_world, Simulation
from mvsim_ros2.frames import Pose
from mvsim_ros2.scene.build import build_scene
from mvsim_ros2.sensors.observations import LaserScan2D, PointCloud
from mvsim_ros2.sensors.opengl.tracer import Tracer
from mvsim_ros2.sensors.raycast.ray_scene import RayScene
from mvsim_ros2.sensors.raycast.target import EVERYTHING
from mvsim_ros2.world.spec import WorldSpec

WORLDS = sorted((Path(__file__).resolve().parents[3] / 'worlds').glob('*.world.xml'))
RAYS, REACH = 4000, 100.0

CART = Path(__file__).resolve().parents[1] / 'cart.vehicle.xml'
ROOM = """<mvsim_world version="1.0">
  <element class="horizontal_plane"><x_min>-30</x_min><x_max>30</x_max><y_min>-30</y_min>
    <y_max>30</y_max></element>
  <for var="i" from="0" to="7"><block name="box_$f{{i}}">
    <init_pose>$f{{6*cos(i)}} $f{{6*sin(i)}} $f{{20*i}}</init_pose><mass>5</mass>
    <geometry type="box" lx="1" ly="0.7" lz="2"/></block></for>
  <include file="{cart}"/>
  <vehicle name="cart" class="cart"><init_pose>0 0 0</init_pose>
    <sensor class="{kind}" name="eye"><renderer>{renderer}</renderer>{content}</sensor>
  </vehicle>
</mvsim_world>"""
CLOUD = """<pose_3d>0.1 0 0.8 10 4 3</pose_3d><horz_nrays>240</horz_nrays><labels>true</labels>
  <organised>true</organised><range_std_noise>0.01</range_std_noise>
  <angle_std_noise_deg>0.1</angle_std_noise_deg>"""
TWO_RETURNS = CLOUD.replace('<organised>true</organised>', '') + '<returns>2</returns>'
SCAN = """<pose_3d>0.1 0 0.8 10 4 3</pose_3d><raytrace_3d>true</raytrace_3d><nrays>400</nrays>
  <fov_degrees>360</fov_degrees><rolling>true</rolling>"""

Measure = Callable[..., PointCloud | LaserScan2D]


@pytest.fixture
def measure(tmp_path: Path, gl: None) -> Measure:
    """Return a function that measures in a room where everything moves."""
    def make(renderer: str, kind: str = 'lidar3d',
             content: str = CLOUD) -> PointCloud | LaserScan2D:
        path = tmp_path / 'room.world.xml'
        path.write_text(ROOM.format(cart=CART, kind=kind, renderer=renderer, content=content))
        simulation = Simulation.from_file(path, seed=4)
        simulation.set_pose('cart', Pose(0.2, 0.1, 0.0, 0.3, 0.0, 0.0), (2.0, 0.0, 1.5))
        for number in range(0, 8, 2):
            name = f'box_{number}'
            simulation.set_pose(name, simulation.blocks[name].pose, (1.0, -2.0, 2.0))
        observation = simulation.sensors['cart/eye'].measure()
        assert isinstance(observation, PointCloud | LaserScan2D)
        return observation
    return make


def rays_in(world: Path) -> tuple[RayScene, NDArray[np.float64], NDArray[np.float64]]:
    """Return a world with trees of our own, and origins and directions of rays."""
    random = np.random.default_rng(0)
    loaded = load_world(world)
    pose = loaded.vehicles[0].init_pose if loaded.vehicles else Pose()
    origins = np.array([pose.x, pose.y, pose.z + 1.0]) + random.normal(0, 0.4, (RAYS, 3))
    directions = random.normal(0, 1, (RAYS, 3)) * [1, 1, 0.3]
    return (RayScene(build_scene(loaded), 'bvh'), origins,
            directions / np.linalg.norm(directions, axis=1)[:, None])


@pytest.mark.parametrize('world', WORLDS, ids=[path.name.split('.')[0] for path in WORLDS])
def test_shaders_find_what_kernels_find(world: Path, gl: None) -> None:
    """
    Of rays that a graphics card traces, 99.9 % meet what those meet that the processor casts.

    :reference: each other
    """
    scene, origins, directions = rays_in(world)
    known = scene.cast(origins, directions, 0.0, REACH)
    asked = np.zeros((RAYS, 8), np.float32)
    asked[:, :3], asked[:, 3], asked[:, 4:7] = origins - scene.datum, 1.0, directions
    found = Tracer(scene.target).trace(scene.target, asked, EVERYTHING, REACH)
    same = (found[:, 0] == known.instance) & (found[:, 1] == known.face)
    both = (found[:, 0] == known.instance) & (known.instance >= 0)
    error = np.abs(found.view(np.float32)[:, 2] - known.distance)[both]
    print(f'{world.name}: ids equal {same.mean():.4%}, ranges differ by '
          f'{1e3 * np.median(error):.5f} mm, at most {1e3 * error.max():.4f}')
    assert (found[:, 0] == known.instance).mean() > 0.999
    assert same.mean() > 0.99  # faces that share an edge or lie on each other
    assert np.quantile(error, 0.999) < 1e-4


def test_clouds_of_a_rolling_sweep_are_the_same(measure: Measure) -> None:
    one, other = measure('gl'), measure('cpu')
    assert isinstance(one, PointCloud) and isinstance(other, PointCloud)
    same = one.points['instance'] == other.points['instance']
    assert same.mean() > 0.999
    assert len(np.unique(one.points['instance'])) > 8
    for axis in 'xyz':
        error = np.abs(one.points[axis] - other.points[axis])[same]
        assert np.nanmax(error) < 1e-4
    np.testing.assert_array_equal(one.points['time'], other.points['time'])
    assert one.stamp_ns == other.stamp_ns


def test_scans_in_a_tilted_plane_are_the_same(measure: Measure) -> None:
    one, other = (measure(renderer, 'laser', SCAN) for renderer in ('gl', 'cpu'))
    assert isinstance(one, LaserScan2D) and isinstance(other, LaserScan2D)
    met = np.isfinite(other.ranges)
    assert met.mean() > 0.4
    close = np.isclose(one.ranges, other.ranges, rtol=0, atol=1e-4)
    assert close.mean() > 0.99


def test_beams_with_two_returns_stay_with_the_processor(
        measure: Measure, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    one = measure('gl', content=TWO_RETURNS)
    other = measure('cpu', content=TWO_RETURNS)
    assert isinstance(one, PointCloud) and isinstance(other, PointCloud)
    assert one.points.tobytes() == other.points.tobytes()
    assert 'cart/eye: beams with several rays are cast by the processor' in caplog.text


def test_where_there_is_nothing_rays_meet_nothing(gl: None) -> None:
    """Software OpenGL ends any loop; on a graphics card this one went beyond its memory."""
    scene = RayScene(build_scene(WorldSpec()), 'bvh')
    asked = np.random.default_rng(0).uniform(-1.0, 1.0, (RAYS, 8)).astype(np.float32)
    found = Tracer(scene.target).trace(scene.target, asked, EVERYTHING, REACH)
    assert (found[:, :2] == -1).all()
    assert (found.view(np.float32)[:, 2] == REACH).all()


def test_an_empty_world_gives_no_points(tmp_path: Path, gl: None) -> None:
    path = tmp_path / 'empty.world.xml'
    path.write_text('<mvsim_world version="1.0"><sensor class="lidar3d" name="eye">'
                    '<renderer>gl</renderer></sensor></mvsim_world>')
    cloud = Simulation.from_file(path).sensors['eye'].measure()
    assert isinstance(cloud, PointCloud) and not len(cloud.points)
