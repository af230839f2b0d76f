# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The worlds to benchmark in can be driven along their ways, and have what SLAM needs."""

import math
from pathlib import Path

import numpy as np
import pytest

from mvsim_ros2 import load_world, Simulation
from mvsim_ros2.trajectories.controller import drive, RouteFollower
from mvsim_ros2.trajectories.route import Route
from mvsim_ros2.trajectories.route_file import read_route
from mvsim_ros2.world.spec import ImuSpec, LaserSpec, Lidar3dSpec

WORLDS = Path(__file__).resolve().parents[1] / 'worlds'
NAMES = ('corridor', 'forest', 'office', 'orchard', 'warehouse')
LEAST = 300.0  # s of driving
EACH = [pytest.param(name, id=name) for name in NAMES]


def route_of(name: str) -> Route:
    """Return the way that belongs to a world."""
    return read_route(WORLDS / 'paths' / f'{name}.csv')


@pytest.mark.parametrize('name', EACH)
def test_the_robot_carries_what_slam_needs(name: str) -> None:
    robot, = load_world(WORLDS / f'{name}.world.xml', strict=True, offline=True).vehicles
    kinds = [type(sensor) for sensor in robot.sensors]
    assert [kinds.count(kind) for kind in (Lidar3dSpec, LaserSpec, ImuSpec)] == [1, 1, 1]


@pytest.mark.parametrize('name', EACH)
def test_the_way_begins_at_the_robot(name: str) -> None:
    robot, = load_world(WORLDS / f'{name}.world.xml').vehicles
    start = route_of(name).start
    assert math.dist((robot.init_pose.x, robot.init_pose.y), (start.x, start.y)) < 0.01
    assert abs(math.remainder(robot.init_pose.yaw - start.yaw, 2 * math.pi)) < 0.1


@pytest.mark.parametrize('name', EACH)
def test_the_route_has_loop_closures(name: str) -> None:
    route = route_of(name)
    places = np.stack([np.interp(np.arange(0.0, route.length, 0.5), route.stations, axis)
                       for axis in route.points.T], axis=1)
    near = np.hypot(*(places[:, None] - places).transpose(2, 0, 1)) < 0.6
    far_along = abs(np.subtract.outer(*2 * [np.arange(len(places))])) > 60  # 30 m
    assert (near & far_along).any(axis=1).sum() > 8


@pytest.mark.parametrize('name', EACH)
def test_the_whole_way_is_driven_without_a_touch(name: str) -> None:
    simulation = Simulation.from_file(WORLDS / f'{name}.world.xml', sensors=False)
    follower = RouteFollower(route_of(name))
    robot = simulation.vehicles['robot']
    worst = 0.0
    while not follower.finished and simulation.time < 2 * LEAST:
        drive(simulation, follower, 1.0)
        worst = max(worst, abs(follower.cross_track))
        assert not robot.collided, f'touched something at {robot.pose}'
    assert follower.finished
    assert simulation.time > LEAST
    assert worst < 0.15
