# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The keyboard teleop in a terminal of its own."""

from collections.abc import Iterator
import os
from pathlib import Path
import signal
import subprocess
import sys

from geometry_msgs.msg import Twist, TwistStamped
from nav_msgs.msg import Odometry
import pytest
from ros_client import Client, Simulator, TIMEOUT, WALL

from mvsim_ros2.ros.tools.teleop import Speeds

MODULE = [sys.executable, '-m', 'mvsim_ros2.ros.tools.teleop']


@pytest.fixture
def client(domain: int) -> Iterator[Client]:
    each = Client(domain)
    yield each
    each.close()


@pytest.mark.parametrize('keys, expected', [
    pytest.param('www', (0.3, 0.0, 0.0), id='forward'),
    pytest.param('sS', (-0.2, 0.0, 0.0), id='back'),
    pytest.param('wad', (0.1, 0.0, 0.0), id='left and right'),
    pytest.param('qae', (0.0, 0.0, 0.5), id='sideways and back'),
    pytest.param('wwqa a', (0.0, 0.0, 0.5), id='stop, then left'),
    pytest.param('xyz\n', (0.0, 0.0, 0.0), id='no meaning')])
def test_keys(keys: str, expected: tuple[float, ...]) -> None:
    speeds, message = Speeds(0.1, 0.5), Twist()
    for key in keys:
        speeds.press(key)
    speeds.fill(message)
    assert (message.linear.x, message.linear.y, message.angular.z) == pytest.approx(expected)


@pytest.mark.parametrize('kind, options, end', [
    pytest.param(Twist, [], signal.SIGINT, id='Twist'),
    pytest.param(TwistStamped, ['--stamped', '--topic', '/r1/cmd_vel'], signal.SIGINT,
                 id='TwistStamped'),
    pytest.param(Twist, [], signal.SIGHUP, id='the terminal hangs up'),
    pytest.param(Twist, [], None, id='the terminal is gone')])
def test_drives_until_the_end_and_halts(
        client: Client, domain: int, project: Path, kind: type, options: list[str],
        end: signal.Signals | None) -> None:
    topic = '/r1/cmd_vel' if options else '/cmd_vel'
    client.listen(kind, topic)

    def last() -> Twist:
        message = client.heard[topic][-1]
        return message.twist if kind is TwistStamped else message

    master, slave = os.openpty()
    process = subprocess.Popen(
        [*MODULE, *options], stdin=slave, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        cwd=project, text=True, env={**os.environ, 'ROS_DOMAIN_ID': str(domain)})
    os.close(slave)
    try:
        client.fresh(topic)
        assert last().linear.x == 0.0
        os.write(master, b'wwa')
        client.wait('speed', lambda: (twist := last()).linear.x == pytest.approx(0.2)
                    and twist.angular.z == pytest.approx(0.1))
        if end is None:
            os.close(master)
        else:
            process.send_signal(end)
        client.wait('a halt', lambda: last().linear.x == 0.0)
        assert process.communicate(timeout=TIMEOUT)[1] == ''
        assert process.returncode == 0
    finally:
        process.kill()
        process.communicate()
        if end is not None:
            os.close(master)


def test_drives_the_robot_of_the_simulator(client: Client, domain: int, project: Path) -> None:
    truth = '/base_pose_ground_truth'
    client.listen(Odometry, truth)
    master, slave = os.openpty()
    with Simulator(domain, WALL) as client.simulator:
        start = client.fresh(truth).pose.pose.position.x
        process = subprocess.Popen(
            MODULE, stdin=slave, stdout=subprocess.PIPE, cwd=project,
            env={**os.environ, 'ROS_DOMAIN_ID': str(domain)})
        try:
            client.listen(Twist, '/cmd_vel')
            client.fresh('/cmd_vel')
            os.write(master, b'wwwww')
            client.wait('the robot to drive', lambda: client.fresh(
                truth).pose.pose.position.x > start + 0.3)
            os.write(master, b' ')
            client.wait('a halt', lambda: abs(client.fresh(truth).twist.twist.linear.x) < 1e-3)
            assert client.simulator.process.poll() is None
        finally:
            process.terminate()
            process.wait()
            process.stdout.close()
            os.close(master)
            os.close(slave)
    client.simulator = None


def test_without_a_terminal_there_is_one_line_of_error(project: Path) -> None:
    done = subprocess.run(MODULE, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          cwd=project)
    assert (done.returncode, done.stderr.count('\n')) == (1, 1)
    assert 'run it in a terminal' in done.stderr


@pytest.mark.parametrize('words, said', [
    pytest.param(['--tpoic', 'cmd'], 'unrecognized arguments: --tpoic cmd', id='typo'),
    pytest.param(['--speed', 'nan'], "'nan' should be a number", id='speed'),
    pytest.param(['--topic', 'a b'], '--topic a b: Invalid topic name', id='topic'),
    pytest.param(['--ros-args', '-r'], 'ROS does not start', id='for ROS')])
def test_wrong_arguments_are_said(words: list[str], said: str, project: Path, domain: int) -> None:
    master, slave = os.openpty()
    done = subprocess.run([*MODULE, *words], stdin=slave, capture_output=True, text=True,
                          cwd=project, timeout=TIMEOUT)
    os.close(master)
    os.close(slave)
    assert done.returncode in (1, 2) and said in done.stderr
    assert done.stderr.splitlines()[-1].startswith('mvsim_teleop: error: ')
    assert 'Traceback' not in done.stderr
