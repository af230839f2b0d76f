# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What version 2 of simulation_interfaces says in other fields than version 1."""

from types import SimpleNamespace
from typing import Any

from geometry_msgs.msg import Pose, Twist
import pytest
from ros_client import WORLDS
from std_msgs.msg import Header

from mvsim_ros2 import MvsimError, Simulation
from mvsim_ros2.ros.services import entities
from mvsim_ros2.ros.services.answers import resource

PART = SimpleNamespace(uri='cart', resource_string='')


@pytest.mark.parametrize('request_, uri', [
    pytest.param(SimpleNamespace(uri='box', resource_string=''), 'box', id='version 1'),
    pytest.param(SimpleNamespace(entity_resource=PART), 'cart', id='2, SpawnEntity'),
    pytest.param(SimpleNamespace(world_resource=PART), 'cart', id='2.1, LoadWorld'),
])
def test_resources(request_: Any, uri: str) -> None:
    assert resource(request_).uri == uri


def state(x: float, speed: float) -> SimpleNamespace:
    pose, twist = Pose(), Twist()
    pose.position.x, twist.linear.x = x, speed
    return SimpleNamespace(header=Header(frame_id='map'), pose=pose, twist=twist)


@pytest.mark.parametrize('flags, x, speed', [
    pytest.param({}, 3.0, 0.5, id='version 1: both'),
    pytest.param({'set_pose': True, 'set_twist': False}, 3.0, 0.0, id='pose'),
    pytest.param({'set_pose': False, 'set_twist': True}, 1.0, 0.5, id='twist'),
    pytest.param({'set_pose': False, 'set_twist': False}, 1.0, 0.0, id='nothing'),
])
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
