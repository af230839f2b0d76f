# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Entities of simulation_interfaces without a node: versions of the package, bounds."""

import math
from types import SimpleNamespace
from typing import Any

from geometry_msgs.msg import Pose as PoseMessage, Twist
import pytest
from ros_client import WORLDS
from std_msgs.msg import Header

from mvsim_ros2 import MvsimError, Pose, Simulation
from mvsim_ros2.ros.services import entities
from mvsim_ros2.ros.services.answers import resource
from mvsim_ros2.ros.services.bounds import BOX, EMPTY, SPHERE, within
from mvsim_ros2.world.spec.common import Footprint

PART = SimpleNamespace(uri='cart', resource_string='')


@pytest.mark.parametrize('request_, uri', [
    pytest.param(SimpleNamespace(uri='box', resource_string=''), 'box', id='version 1'),
    pytest.param(SimpleNamespace(entity_resource=PART), 'cart', id='2, SpawnEntity'),
    pytest.param(SimpleNamespace(world_resource=PART), 'cart', id='2.1, LoadWorld')])
def test_resources(request_: Any, uri: str) -> None:
    assert resource(request_).uri == uri


def state(x: float, speed: float) -> SimpleNamespace:
    pose, twist = PoseMessage(), Twist()
    pose.position.x, twist.linear.x = x, speed
    return SimpleNamespace(header=Header(frame_id='map'), pose=pose, twist=twist)


@pytest.mark.parametrize('flags, x, speed', [
    pytest.param({}, 3.0, 0.5, id='version 1: both'),
    pytest.param({'set_pose': True, 'set_twist': False}, 3.0, 0.0, id='pose'),
    pytest.param({'set_pose': False, 'set_twist': True}, 1.0, 0.5, id='twist'),
    pytest.param({'set_pose': False, 'set_twist': False}, 1.0, 0.0, id='nothing')])
def test_what_of_a_state_counts(flags: dict[str, bool], x: float, speed: float) -> None:
    simulation = Simulation.from_file(WORLDS / 'wall.world.xml')
    request = SimpleNamespace(entity='robot 1', state=state(3.0, 0.5), **flags)
    entities.set_state(simulation, request, ('map',))
    robot = simulation.vehicles['robot 1']
    assert robot.pose.x == pytest.approx(x)
    assert robot.twist_body[0] == pytest.approx(speed)


@pytest.mark.parametrize('x, speed', [
    pytest.param(1e7, 0.0, id='far'), pytest.param(0.0, 1e4, id='fast'),
    pytest.param(0.0, float('nan'), id='NaN')])
def test_what_leaves_the_numbers_is_refused(x: float, speed: float) -> None:
    simulation = Simulation.from_file(WORLDS / 'wall.world.xml')
    with pytest.raises(MvsimError, match='at most|up to'):
        entities.set_state(simulation, SimpleNamespace(entity='robot 1', state=state(x, speed)),
                           ('map',))
    simulation.step(10)


# a plate of 2 x 1 x 1 m at 10, 0, turned by 45 degrees: its corners are up to 1.118 m away
PLATE: Any = SimpleNamespace(
    pose=Pose(10.0, 0.0, 1.0, math.pi / 4),
    footprint=Footprint(((-1.0, -0.5), (1.0, -0.5), (1.0, 0.5), (-1.0, 0.5)), 0.0, 1.0))


def bounds(kind: int, *points: tuple[float, float, float]) -> SimpleNamespace:
    return SimpleNamespace(type=kind, points=[
        SimpleNamespace(x=x, y=y, z=z) for x, y, z in points])


@pytest.mark.parametrize('first, second, inside', [
    pytest.param((10.1, 0.1, 1.6), (9.9, -0.1, 1.4), True, id='box within'),
    pytest.param((20.0, 9.0, 9.0), (0.0, -9.0, -9.0), True, id='box about it'),
    pytest.param((9.5, 1.0, 2.0), (9.0, 0.5, 1.0), False, id='box in a corner that it leaves'),
    pytest.param((11.0, 1.0, 2.0), (10.5, 0.5, 1.0), True, id='box in a corner that it fills'),
    pytest.param((11.0, 1.0, 0.9), (9.0, -1.0, 0.0), False, id='box below'),
    pytest.param((9.0, -1.0, 1.0), (11.0, 1.0, 2.0), True, id='corners the other way round')])
def test_boxes(first: Any, second: Any, inside: bool) -> None:
    assert within(bounds(BOX, first, second))(PLATE) is inside


@pytest.mark.parametrize('centre, radius, inside', [
    pytest.param((10.0, 0.0, 1.5), 0.0, True, id='centre within'),
    pytest.param((10.0, 0.0, 3.0), 0.99, False, id='too high'),
    pytest.param((10.0, 0.0, 3.0), 1.01, True, id='touches the top'),
    pytest.param((9.0, 1.0, 1.5), 0.91, False, id='beside'),  # 1.414 - 0.5 away
    pytest.param((9.0, 1.0, 1.5), 0.92, True, id='touches the side'),
    pytest.param((11.0, 1.0, 2.3), 0.52, True, id='above a side'),  # 0.414 and 0.3 away
    pytest.param((11.0, 1.0, 2.3), 0.50, False, id='not above a side'),
])
def test_spheres(centre: Any, radius: float, inside: bool) -> None:
    assert within(bounds(SPHERE, centre, (radius, 0.0, 0.0)))(PLATE) is inside


def test_empty_bounds_hold_everything() -> None:
    assert within(bounds(EMPTY))(PLATE)


@pytest.mark.parametrize('kind, points', [
    pytest.param(2, ((0.0, 0.0, 0.0),) * 3, id='hull of one point'),
    pytest.param(BOX, (), id='no corners'), pytest.param(BOX, ((0.0, 0.0, 0.0),), id='one corner'),
    pytest.param(SPHERE, ((0.0, 0.0, math.nan), (1.0, 0.0, 0.0)), id='NaN')])
def test_what_is_refused(kind: int, points: Any) -> None:
    with pytest.raises(MvsimError, match='not on one line|two corners'):
        within(bounds(kind, *points))
