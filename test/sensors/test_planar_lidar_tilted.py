# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Planar LiDARs that measure in three dimensions."""

from collections.abc import Callable
from typing import Any

from mounting import mounted
import numpy as np
from numpy.typing import NDArray
import pytest

from mvsim_ros2.frames import Pose, rotation_matrix
from mvsim_ros2.scene.scene import Mesh, Scene
from mvsim_ros2.sensors.body_state import BodyState, STANDING
from mvsim_ros2.sensors.lidar.planar_tilted import Lidar2DInSpace
from mvsim_ros2.sensors.raycast.ray_scene import RayScene
from mvsim_ros2.world.spec.sensors.lidar import LaserSpec

Array = NDArray[np.float64]
MakeScene = Callable[..., Scene]
Place = Callable[..., Array]
SIZE = np.array([20.0, 16.0, 5.0])
PERIOD_NS = 100_000_000


def laser(**options: Any) -> Lidar2DInSpace:
    """Return a LiDAR that is handed its scenes."""
    spec = LaserSpec(**({'name': 'l', 'range_std_noise': 0.0, 'angle_std_noise': 0.0,
                         'raytrace_3d': True, 'nrays': 721, 'fov': 4.7} | options))
    return Lidar2DInSpace(mounted(spec, ''))


@pytest.fixture(scope='module')
def room(cube: Mesh, mesh_scene: MakeScene, at: Place) -> RayScene:
    """Return a closed room with a low box in it."""
    return RayScene(mesh_scene((cube, at(size=SIZE)), (cube, at(4.0, 0.0, -2.4, (1, 4, 0.2)))))


@pytest.mark.parametrize('mount', [
    pytest.param(Pose(0.3, -0.2, 0.5), id='level'),
    pytest.param(Pose(0.3, -0.2, 0.5, 0.4, 0.15, -0.1), id='tilted'),
    pytest.param(Pose(0.0, 0.0, 0.2, 0.0, 0.0, np.pi), id='upside down')])
def test_ranges_are_those_of_the_tilted_plane(mount: Pose, room: RayScene) -> None:
    scan = laser(pose=mount).scan(room, PERIOD_NS, STANDING)
    angles = scan.angle_min + scan.angle_increment * np.arange(721)
    heading = np.stack([np.cos(angles), np.sin(angles), 0 * angles], 1) @ mount.rotation.T
    with np.errstate(divide='ignore'):
        expected = ((np.where(heading > 0, SIZE / 2, -SIZE / 2) - mount.position)
                    / heading).min(axis=1, where=heading != 0, initial=np.inf)
    assert np.abs(scan.ranges - expected).max() < 1e-5


@pytest.mark.parametrize('z, seen', [pytest.param(-2.4, 3.5, id='over the floor'),
                                     pytest.param(-2.0, 10.0, id='above it')])
def test_height_counts(z: float, seen: float, room: RayScene) -> None:
    scan = laser(height=z, nrays=1).scan(room, PERIOD_NS, STANDING)
    assert scan.ranges == pytest.approx([seen], abs=1e-5)


def test_limits_read_as_in_the_plane(room: RayScene) -> None:
    scan = laser(nrays=3, fov=np.pi, min_range=8.5, max_range=9.0).scan(room, 0, STANDING)
    assert scan.ranges.tolist() == [-np.inf, np.inf, -np.inf]


def test_a_rolling_scan_is_taken_from_where_the_vehicle_was(room: RayScene) -> None:
    state = BodyState(np.array([0.0, 0.0, 0.0, 0.3, 0.0, 0.0]), np.array([2.0, 0.0, 1.0]))
    sensor = laser(rolling=True, nrays=900, fov=6.2831853)
    scan = sensor.scan(room, PERIOD_NS, state)
    assert scan.stamp_ns == PERIOD_NS - sensor.sweep_ns
    age = 1e-9 * sensor.sweep_ns - scan.time_increment * np.arange(900)
    yaw = 0.3 - age
    x, y = 2.0 * (np.sin(yaw) - np.sin(0.3)), 2.0 * (np.cos(0.3) - np.cos(yaw))
    bearing = yaw + scan.angle_min + scan.angle_increment * np.arange(900)
    world = np.stack([x + scan.ranges * np.cos(bearing), y + scan.ranges * np.sin(bearing)], 1)
    assert np.abs(np.abs(world) - SIZE[:2] / 2).min(axis=1).max() < 1e-5


def test_tilt_of_the_vehicle_counts(room: RayScene) -> None:
    state = BodyState(np.array([0.0, 0.0, 0.0, 0.0, 0.3, 0.0]))  # nose down
    scan = laser(nrays=1, pose=Pose()).scan(room, PERIOD_NS, state)
    down = rotation_matrix(0.0, 0.3)[2, 0]
    assert scan.ranges == pytest.approx([2.5 / -down], abs=1e-5)
