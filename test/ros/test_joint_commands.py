# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
A vehicle that `ros2_control` drives in lock step, and one that goes its own way.

The client does what the hardware topic_based_ros2_control does: it reads `joint_states`, and
publishes on `joint_commands` the names of all commanded joints, with a list for each kind of
interface that has the joints with such an interface only, stamped with its present time.
"""

from collections.abc import Iterator
import math

from nav_msgs.msg import Odometry
import pytest
from ros_client import Client, planar_pose, running, stamp_ns, WORLDS
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage
from visualization_msgs.msg import Marker, MarkerArray

STATES, COMMANDS, TRUTH = '/r1/joint_states', '/r1/joint_commands', '/r1/base_pose_ground_truth'
WHEELS, HINGES = ['front_left', 'front_right'], ['left_hinge', 'right_hinge']
PERIOD_NS, FIRST_NS = 20_000_000, 5_000_000
LEFT = 0.3  # rad
RIGHT = math.atan(1.0 / (1.0 / math.tan(LEFT) + 1.0 / 1.3))
SPEEDS = [5.0, 5.0 * math.sin(LEFT) / math.sin(RIGHT)]  # rad/s, those of a common centre


@pytest.fixture(scope='module')
def client(domain: int) -> Iterator[Client]:
    with running(domain, f'world:={WORLDS}/joints.world.xml', 'lockstep:=0.02',
                 'odom_rate:=50.0', 'realtime_factor:=0.0', 'cmd_vel_timeout:=0.0',
                 'publish_sensor_tf:=false') as each:
        each.listen(JointState, STATES)
        each.listen(Odometry, TRUTH)
        each.fresh(STATES)
        yield each


def drive(client: Client, cycles: int) -> list[tuple[float, ...]]:
    """Reset, go through so many cycles of control, and return the states of the joints."""
    publisher = client.publisher(JointState, COMMANDS)
    assert client.trigger('reset').success
    heard = client.heard[STATES]
    client.wait('the first state', lambda: heard and stamp_ns(heard[-1].header) == FIRST_NS)
    states: list[tuple[float, ...]] = []
    for _ in range(cycles):
        state = heard[-1]
        stamp = stamp_ns(state.header)
        states.append((stamp, *state.position, *state.velocity, *state.effort))
        command = JointState(name=[*WHEELS, *HINGES])
        command.header.stamp = state.header.stamp
        command.velocity = SPEEDS if len(states) > 1 else [math.nan, math.nan]
        command.position = [LEFT, RIGHT]
        publisher.publish(command)
        client.wait('the next state', lambda stamp=stamp: stamp_ns(heard[-1].header) > stamp)
    return states


def test_joints_follow_their_controllers_in_lock_step(client: Client) -> None:
    first = drive(client, 150)
    assert [state[0] for state in first] == [FIRST_NS, *(k * PERIOD_NS for k in range(1, 150))]
    state = client.heard[STATES][-1]
    position = dict(zip(state.name, state.position, strict=True))
    velocity = dict(zip(state.name, state.velocity, strict=True))
    effort = dict(zip(state.name, state.effort, strict=True))
    assert position['left_hinge'] == pytest.approx(LEFT, abs=1e-6)
    assert position['right_hinge'] == pytest.approx(RIGHT, abs=1e-6)
    assert [velocity[name] for name in WHEELS] == pytest.approx(SPEEDS, abs=0.1)
    assert any(abs(effort[name]) > 0.0 for name in WHEELS)
    x, y, yaw = planar_pose(client.heard[TRUTH][-1].pose.pose)
    assert x > 1.0 and y > 0.1 and yaw > 0.3
    assert drive(client, 150) == first  # to the last bit


def test_the_description_declares_the_joints(client: Client) -> None:
    client.listen(String, '/r1/robot_description')
    (text,) = client.wait('a description', lambda: client.heard['/r1/robot_description'])
    for name in WHEELS:
        assert f'<joint name="{name}" type="continuous">' in text.data
        assert f'<joint name="{name}">\n      <command_interface name="velocity"' in text.data
    for name in HINGES:
        assert f'<joint name="{name}">\n      <command_interface name="position"' in text.data


def test_a_joint_that_is_not_there_is_refused(client: Client) -> None:
    publisher = client.publisher(JointState, COMMANDS)
    publisher.publish(JointState(name=['front_lft'], velocity=[1.0]))
    client.wait_for_words("no joint 'front_lft'")
    assert 'only front_left, front_right, left_hinge, right_hinge' in client.simulator.errors


@pytest.mark.parametrize('command, said', [
    pytest.param(JointState(name=WHEELS, velocity=[1.0]), '2 joints, 2 of them with the interface '
                 'velocity, and 1 values of velocity: give one for each', id='too few'),
    pytest.param(JointState(name=[*WHEELS, *HINGES], velocity=[1.0] * 2, position=[0.1]),
                 '4 joints, 2 of them with the interface position, and 1 values', id='angles'),
    pytest.param(JointState(name=[*WHEELS, WHEELS[0]], velocity=[1.0, 1.0, 2.0]),
                 "the joint 'front_left' is named more than once", id='twice')])
def test_lists_that_do_not_fit_are_refused(
        client: Client, command: JointState, said: str) -> None:
    client.publisher(JointState, COMMANDS).publish(command)
    client.wait_for_words(said)


def test_names_can_be_taken_from_the_states(client: Client) -> None:
    drive(client, 2)
    state = client.heard[STATES][-1]
    assert {'rl_wheel_joint', *WHEELS, *HINGES} < set(state.name)
    publisher, warned = client.publisher(JointState, COMMANDS), client.simulator.errors
    for values in ([], [0.1] * len(state.name), [0.2, 0.3]):  # of none, of all, of the steered
        state = client.heard[STATES][-1]
        command = JointState(name=state.name, position=values)
        command.header.stamp = state.header.stamp
        publisher.publish(command)
        stamp = stamp_ns(state.header)
        client.wait('the next state', lambda stamp=stamp: (
            stamp_ns(client.heard[STATES][-1].header) > stamp))
    assert client.simulator.errors == warned


def test_frames_of_sensors_are_left_to_others(client: Client) -> None:
    client.listen(TFMessage, '/r1/tf_static')
    (message,) = client.wait('fixed frames', lambda: client.heard['/r1/tf_static'])
    assert [each.child_frame_id for each in message.transforms] == [
        'base_link', 'rl_wheel_steering', 'rr_wheel_steering']


def test_paths_and_lines_of_the_world_are_markers(client: Client) -> None:
    client.listen(MarkerArray, '/world_markers')
    drive(client, 3)
    message = client.wait('markers', lambda: client.heard['/world_markers'])[-1]
    lines = {each.ns: each for each in message.markers if each.type == Marker.LINE_STRIP}
    line = [(point.x, point.y, point.z) for point in lines['marker 1'].points]
    assert line == [(0.0, 0.0, 1.0), (1.0, 2.0, 4.0)] and lines['marker 1'].color.g == 1.0
    path = [(point.x, point.y, point.z) for point in lines['path r2'].points]
    assert path == [(0.0, 9.0, 0.5), (10.0, 9.0, 0.5)]


def test_who_follows_waypoints_takes_no_command_and_is_not_waited_for(client: Client) -> None:
    truth = '/r2/base_pose_ground_truth'
    client.listen(Odometry, truth)
    client.fresh(truth)
    drive(client, 20)
    state = client.fresh(truth)  # states are said again while the loop waits
    x, y, _ = planar_pose(state.pose.pose)
    assert x == pytest.approx(1e-9 * stamp_ns(state.header), abs=0.02)
    assert y == pytest.approx(9.0, abs=1e-4)
