# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The node that drives by a policy, with a real simulator."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
import math
import os
from pathlib import Path
import signal
import subprocess
import sys
from typing import Any

from builtin_interfaces.msg import Time
from geometry_msgs.msg import PoseStamped, Twist, TwistStamped
from nav_msgs.msg import Odometry
import numpy as np
import pytest
from ros_client import Client, running, TIMEOUT
from sensor_msgs.msg import LaserScan
from std_msgs.msg import Empty
from tf2_msgs.msg import TFMessage

from mvsim_ros2.policies import PolicyInterface, save_policy, ScanInput

COMMAND = [sys.executable, '-m', 'mvsim_ros2.ros.tools.policy_node']


@contextmanager
def driving(domain: int, *parameters: str) -> Iterator[subprocess.Popen[str]]:
    """Run the node with parameters during a block, after which it ends as it should."""
    node = subprocess.Popen(
        [*COMMAND, '--ros-args', *(word for each in parameters for word in ('-p', each))],
        stderr=subprocess.PIPE, text=True, env={**os.environ, 'ROS_DOMAIN_ID': str(domain)})
    try:
        yield node
    finally:  # also where nothing comes any more
        node.send_signal(signal.SIGINT)
        assert node.wait(TIMEOUT) == 0


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    """Provide a policy that turns to its way, and is faster once it has left the start."""
    weights = np.zeros((2 + 8 + 2 + 3 + 5, 2))
    weights[16, 1] = 1.0  # y of the next turn of the way
    file = tmp_path / 'straight.onnx'
    weights[10, 0] = -0.5  # x of where it was a second ago
    save_policy(file, PolicyInterface(ScanInput('scan', -3.0, 3.0, 8, 10.0), trail=(1.0,),
                                      way=(0.3, 0.4)),
                {'goal': 2, 'scan': 8, 'trail': 2, 'velocity': 3, 'way': 5}, np.zeros(20),
                np.ones(20),
                [(weights, np.array([0.4, 0.0]))])
    return file


@pytest.fixture
def client(domain: int) -> Iterator[Client]:
    with running(domain, 'world:=demo', 'publish_map_odom:=true') as each:
        each.listen(Odometry, '/odom')
        each.listen(TFMessage, '/tf')
        each.fresh('/odom')
        yield each


def goal(frame: str, x: float, y: float) -> PoseStamped:
    message = PoseStamped()
    message.header.frame_id = frame
    message.pose.position.x, message.pose.position.y = x, y
    return message


def place(client: Client) -> tuple[float, float]:
    position = client.heard['/odom'][-1].pose.pose.position
    return position.x, position.y


def in_map(client: Client, x: float, y: float) -> tuple[float, float]:
    """Return a place of odom in the frame of the map."""
    pose = client.wait('map -> odom', lambda: [
        each.transform for message in client.heard['/tf'] for each in message.transforms
        if (each.header.frame_id, each.child_frame_id) == ('map', 'odom')])[-1]
    yaw = 2.0 * math.atan2(pose.rotation.z, pose.rotation.w)
    return (pose.translation.x + math.cos(yaw) * x - math.sin(yaw) * y,
            pose.translation.y + math.sin(yaw) * x + math.cos(yaw) * y)


@pytest.mark.parametrize('stamped', ['false', 'true'])
def test_it_drives_to_goals_and_stops(
        client: Client, domain: int, policy: Path, stamped: str) -> None:
    x, y = place(client)
    with driving(domain, f'policy:={policy}', f'stamped:={stamped}') as node:
        publisher: Any = client.node.create_publisher(PoseStamped, '/goal_pose', 10)
        client.wait('the policy', publisher.get_subscription_count)
        for frame, target in (('odom', (x + 1.5, y + 0.5)), ('map', (x + 2.5, y + 0.2))):
            publisher.publish(goal(frame, *(
                target if frame == 'odom' else in_map(client, *target))))
            client.wait('the robot at the goal', partial(_is_near, client, target))
        client.wait('the robot to stop', lambda: abs(
            client.heard['/odom'][-1].twist.twist.linear.x) < 1e-3)
        assert _is_near(client, target)
        assert client.simulator is not None and client.simulator.end() == 0
    assert node.stderr is not None and 'Traceback' not in node.stderr.read()


def _is_near(client: Client, target: tuple[float, float]) -> bool:
    return math.dist(place(client), target) < 0.42


class Robot:
    """Topics of a robot, given by hand, and what the node commands it."""

    def __init__(self, domain: int) -> None:
        self.client = Client(domain)
        self.client.listen(TwistStamped, '/cmd_vel')
        self._odometry = self.client.publisher(Odometry, '/odom')
        self._scan = self.client.publisher(LaserScan, '/scan')
        self.goal = self.client.publisher(PoseStamped, '/goal_pose')
        self.cancel = self.client.publisher(Empty, '/cancel_goal')

    def move(self, now: int) -> None:
        """Tell where it is at a time [ms]."""
        message = Odometry()
        message.header.frame_id, message.header.stamp = 'odom', _time(now)
        message.pose.pose.orientation.w = 1.0
        self._odometry.publish(message)

    def see(self, now: int) -> None:
        """Tell that nothing is near at a time [ms]."""
        scan = LaserScan(angle_min=-3.0, angle_increment=6.0 / 7, ranges=[5.0] * 8)
        scan.header.stamp = _time(now)
        self._scan.publish(scan)

    def commanded(self, now: int) -> float:
        """Wait for the command of a time [ms], and return its speed [m/s]."""
        heard = self.client.heard['/cmd_vel']
        self.client.wait(f'the command of {now} ms', lambda: (
            heard and heard[-1].header.stamp == _time(now)))
        return float(heard[-1].twist.linear.x)


def _time(ms: int) -> Time:
    return Time(sec=ms // 1000, nanosec=ms % 1000 * 1_000_000)


def test_it_stands_without_odometry_or_scans_and_goals_are_cancelled(
        domain: int, policy: Path) -> None:
    with driving(domain, f'policy:={policy}', 'stamped:=true') as node:
        robot = Robot(domain)
        heard, now = robot.client.heard['/cmd_vel'], 1000
        robot.goal.publish(goal('odom', 4.0, 0.0))

        def begin() -> None:
            nonlocal now
            now += 100
            robot.move(now)
            robot.see(now)

        robot.client.wait('a command', lambda: heard, begin)
        robot.see(now + 400)
        assert robot.commanded(now + 400) > 0.0
        robot.see(now + 600)
        assert robot.commanded(now + 600) == 0.0
        robot.see(now + 700)  # it stands already
        now += 1500
        robot.move(now)
        robot.see(now)
        assert robot.commanded(now) > 0.0
        assert _time(now - 800) not in [each.header.stamp for each in heard]
        robot.move(now + 400)
        robot.move(now + 600)  # what it sees does not come any more
        assert robot.commanded(now + 600) == 0.0
        robot.see(now + 700)
        assert robot.commanded(now + 700) > 0.0
        robot.cancel.publish(Empty())
        robot.client.wait('the stop', lambda: heard[-1].twist.linear.x == 0.0)
        robot.goal.publish(goal('odom', 4.0, 0.0))
        robot.client.wait('a command', lambda: heard[-1].twist.linear.x > 0.0, begin)
        robot.client.close()
    assert node.stderr is not None
    said = node.stderr.read()
    assert said.count('there is no odometry of the last 0.5 s') == 1
    assert said.count('there is no scan of the last 0.5 s') == 1
    assert said.count('the goal is cancelled') == 1


@pytest.mark.parametrize('arguments, said', [
    pytest.param((), 'policy is not set', id='none'),
    pytest.param(('-p', 'policy:=/none.onnx'), 'there is no policy /none.onnx', id='missing'),
    pytest.param(('-p', 'policy:=3'), "Trying to set parameter 'policy' to '3'", id='type'),
    pytest.param(('-p', 'x:=['), 'ROS does not start', id='parameter')])
def test_without_a_policy_it_says_so(arguments: tuple[str, ...], said: str, domain: int) -> None:
    done = subprocess.run([*COMMAND, '--ros-args', *arguments], capture_output=True, text=True,
                          env={**os.environ, 'ROS_DOMAIN_ID': str(domain)}, timeout=TIMEOUT)
    assert done.returncode == 1 and done.stderr.startswith(f'policy_node: error: {said}')
    assert done.stderr.count('\n') == 1


def test_a_policy_that_observes_something_else_is_refused(tmp_path: Path, domain: int) -> None:
    """Before it drives, not at the first goal."""
    file = tmp_path / 'imu.onnx'
    save_policy(file, PolicyInterface(), {'goal': 2, 'imu': 6}, np.zeros(8), np.ones(8),
                [(np.zeros((8, 2)), np.zeros(2))])
    done = subprocess.run(
        [*COMMAND, '--ros-args', '-p', f'policy:={file}'], capture_output=True, text=True,
        env={**os.environ, 'ROS_DOMAIN_ID': str(domain)}, timeout=TIMEOUT)
    assert done.returncode == 1 and done.stderr == (
        f'policy_node: error: {file} observes imu, which this node does not know: train one with '
        'goal, trail, velocity, way, or write a node\n')


def test_what_it_does_not_know_is_said(client: Client, domain: int, policy: Path) -> None:
    done = subprocess.run([*COMMAND, '--polcy', 'x'], capture_output=True, text=True,
                          timeout=TIMEOUT)
    assert done.returncode == 2 and 'unrecognized arguments: --polcy x' in done.stderr
    with driving(domain, f'policy:={policy}', 'stmaped:=true') as node:
        client.listen(Twist, '/cmd_vel')
        publisher: Any = client.node.create_publisher(PoseStamped, '/goal_pose', 10)
        client.wait('the policy', publisher.get_subscription_count)
        publisher.publish(goal('odom', math.nan, 0.0))
        assert node.stderr is not None
        said = node.stderr.readline()
        assert 'there is no parameter stmaped, did you mean stamped?' in said
        assert 'a goal with numbers that are not finite is ignored' in node.stderr.readline()
        assert not client.heard['/cmd_vel']
