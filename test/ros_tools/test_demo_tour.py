# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The demo from start to end, with the real node, and its parts."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
import os
from pathlib import Path
import re
import signal
import subprocess
import sys

import numpy as np
import pytest
from rclpy.serialization import serialize_message
from sensor_msgs.msg import LaserScan

from mvsim_ros2 import load_world
from mvsim_ros2.errors import MvsimError
from mvsim_ros2.ros.tools.demo_tour import arguments, hint, progress_line, robot_topics, Snapshot
from mvsim_ros2.ros.tools.drivers import decode_scan, header_stamp_ns, RobotTopics, Track
from mvsim_ros2.world.spec.world import WorldSpec

PATIENCE = 600.0  # s, for a demo that should have ended long ago
WORLDS = Path(__file__).resolve().parents[2] / 'worlds'
# as fast as possible, a robot stands still whose commands are late
FACTOR = '--realtime-factor', '2'
PROGRESS = re.compile(r'x real time \|.*scan .*odom .*imu .*tf ')


@contextmanager
def demo(folder: Path, *options: str, window: str = '--no-window',
         ) -> Iterator[subprocess.Popen[str]]:
    """
    Run the demo, with its output in pipes, and make sure that it has ended.

    :param window: options of its window; of two demos that begin at once, only one has its port.
    """
    process = subprocess.Popen(
        [sys.executable, '-m', 'mvsim_ros2.ros.tools.demo_tour', '--output', str(folder),
         *options, *window.split()],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)


def simulator_of(process: subprocess.Popen[str]) -> int:
    """Return the process number of the node that a running demo has started."""
    children = Path(f'/proc/{process.pid}/task/{process.pid}/children').read_text().split()
    assert len(children) == 1
    return int(children[0])


def wait_for_progress(process: subprocess.Popen[str]) -> None:
    """Read the output of a demo up to the first line of the tour."""
    assert process.stdout is not None
    for line in process.stdout:
        if PROGRESS.search(line):
            return
    assert process.stderr is not None
    pytest.fail(f'the demo ended before it drove: {process.stderr.read()}')


def test_a_tour_from_start_to_end(tmp_path: Path) -> None:
    with demo(tmp_path / 'new', '--duration', '20', *FACTOR, window='') as process:
        said, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, errors
    lines = said.splitlines()
    assert 'demo.world.xml' in lines[0]
    assert (tmp_path / 'new' / 'demo_topview.png').read_bytes().startswith(b'\x89PNG')
    assert any('demo_topview.png' in line for line in lines)
    summary = re.fullmatch(r'Drove ([\d.]+) m in ([\d.]+) s of simulated time and ([\d.]+) s of '
                           r'real time: ([\d.]+) times real time\.', lines[-1])
    assert summary is not None, lines[-1]
    assert float(summary[1]) > 5.0
    assert float(summary[2]) >= 15.0


def test_a_robot_of_several_wanders_in_another_world(tmp_path: Path) -> None:
    with demo(tmp_path, '--world', 'two_robots', '--duration', '15', *FACTOR) as process:
        said, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, errors
    assert '/r1/scan' in said
    driven = re.search(r'Drove ([\d.]+) m', said)
    assert driven is not None and float(driven[1]) > 1.0, said


def test_ctrl_c_ends_the_demo_and_its_simulator(tmp_path: Path) -> None:
    with demo(tmp_path) as process:
        wait_for_progress(process)
        simulator = simulator_of(process)
        process.send_signal(signal.SIGINT)
        said, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert 'Traceback' not in errors
    assert 'Drove' in said and (tmp_path / 'demo_topview.png').is_file()
    assert not Path(f'/proc/{simulator}').exists()


def test_the_end_of_the_simulator_is_an_error(tmp_path: Path) -> None:
    with demo(tmp_path) as process:
        wait_for_progress(process)
        os.kill(simulator_of(process), signal.SIGKILL)
        _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    assert 'the simulator ended with exit code -9' in errors


def test_a_bad_world_is_one_line(tmp_path: Path) -> None:
    with demo(tmp_path, '--world', str(tmp_path / 'absent.world.xml')) as process:
        said, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    assert said == ''
    assert errors.startswith('demo_tour: ') and errors.count('\n') == 1
    assert 'absent.world.xml' in errors


def test_a_picture_that_cannot_be_written_is_said_before_the_drive() -> None:
    with demo(Path('/dev/null/out')) as process:
        said, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, said, errors) == (
        1, '', 'demo_tour: --output /dev/null/out: no such folder can be made: '
        'Not a directory\n')


@pytest.mark.parametrize('option, value', [
    pytest.param('--duration', '-5', id='negative duration'),
    pytest.param('--duration', '0', id='no duration'),
    pytest.param('--duration', 'nan', id='duration that is no number'),
    pytest.param('--duration', 'long', id='duration in words'),
    pytest.param('--realtime-factor', '-2', id='negative factor'),
    pytest.param('--realtime-factor', 'inf', id='infinite factor')])
def test_numbers_that_make_no_sense_are_refused(
        option: str, value: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ending:
        arguments([option, value])
    assert ending.value.code == 2
    assert f"argument {option}: '{value}' should be a number between" in capsys.readouterr().err


@pytest.mark.parametrize('here, said', [
    pytest.param(True, 'ros2 topic list', id='with ROS tools'),
    pytest.param(False, 'mvsim_ros2.ros.tools.teleop --topic /cmd_vel', id='without')])
def test_the_hint_names_what_is_there(
        here: bool, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ['mvsim_node', *(['ros2'] if here else [])]:
        (tmp_path / name).touch(mode=0o755)
    monkeypatch.setenv('PATH', str(tmp_path))
    monkeypatch.setattr(sys, 'executable', str(tmp_path / 'python'))
    monkeypatch.chdir(tmp_path.parent)
    text = hint('demo', WORLDS / 'demo.world.xml', RobotTopics())
    assert said in text
    assert f'  {tmp_path.name}/mvsim_node --ros-args -p world:=demo\n' in text
    assert ('ros2 topic' in text) == here


@pytest.mark.parametrize('name, namespace, lidar_x', [
    pytest.param('demo', '', 0.1, id='one robot'),
    pytest.param('two_robots', 'r1', 0.0, id='two robots')])
def test_the_topics_of_the_first_robot(name: str, namespace: str, lidar_x: float) -> None:
    topics = robot_topics(load_world(WORLDS / f'{name}.world.xml'))
    assert (topics.namespace, topics.scan, topics.imu) == (namespace, 'scan', 'imu')
    assert topics.lidar.x == lidar_x


def test_a_world_without_a_robot_is_refused() -> None:
    with pytest.raises(MvsimError, match='no <vehicle>'):
        robot_topics(WorldSpec())


def test_the_line_of_a_second() -> None:
    before = Snapshot(10.0, 2_000_000_000, Counter(scan=5, odom=100))
    now = Snapshot(11.0, 4_000_000_000, Counter(scan=25, odom=200))
    line = progress_line(before, now, 12.34, 1)
    assert '4.0 s simulated' in line
    assert '2.00 x real time' in line
    assert 'scan  10.0 Hz' in line and 'odom  50.0 Hz' in line and 'imu ' not in line
    assert '12.3 m, tour 2' in line


def test_serialised_messages_are_read_as_far_as_needed() -> None:
    message = LaserScan(angle_min=-1.0, angle_increment=0.5, range_max=8.0,
                        ranges=[1.0, float('inf'), 2.0])
    message.header.stamp.sec, message.header.stamp.nanosec = 12, 345
    data = serialize_message(message)
    assert header_stamp_ns(data) == 12_000_000_345
    scan = decode_scan(data)
    assert scan.stamp_ns == 12_000_000_345
    assert (scan.angle_min, scan.angle_increment, scan.range_max) == (-1.0, 0.5, 8.0)
    assert scan.ranges.tolist() == [1.0, np.inf, 2.0]


def test_a_track_leaves_out_what_is_next_to_the_last_point() -> None:
    track = Track()
    for x in (0.0, 0.01, 0.03, 0.1, 0.4):
        track.add(x, 0.0)
    assert list(track.points) == [(0.0, 0.0), (0.1, 0.0), (0.4, 0.0)]
    assert track.length == pytest.approx(0.4)
