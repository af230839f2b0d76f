# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Console script `demo_tour`: start the simulator and drive a robot through it over ROS."""

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
import math
import os
from pathlib import Path
import shutil
import signal
import subprocess
import sys
import time

import rclpy
from rclpy.signals import SignalHandlerOptions
from rclpy.task import Future
from rclpy.utilities import try_shutdown

from mvsim_ros2 import load_world
from mvsim_ros2.base.command_line import empty_value
from mvsim_ros2.base.package_files import world_path
from mvsim_ros2.errors import MvsimError, RecordingError
from mvsim_ros2.frames import Pose
from mvsim_ros2.pictures.top_view import draw_top_view, save_picture
from mvsim_ros2.ros.interrupts import SIGNALS
from mvsim_ros2.ros.messages.names import sensor_topics
from mvsim_ros2.ros.messages.sensor_channels import channels_of
from mvsim_ros2.ros.rclpy_runtime import new_executor, remove_dead_ports
from mvsim_ros2.ros.tools.drivers import (
    Driver, RobotTopics, RouteDriver, TourClient, Twist, WanderDriver)
from mvsim_ros2.window.access import token, TOKEN_VARIABLE
from mvsim_ros2.window.server import free_port, link_of, LOCAL
from mvsim_ros2.window.view import open_browser
from mvsim_ros2.world.spec.world import WorldSpec

STOP_TIMEOUT = 10.0  # s between SIGINT and SIGKILL; the node itself ends before that


class SimulatorProcess:
    """The simulator node in a child process; a context manager that ends it."""

    def __init__(self, world: Path, realtime_factor: float, extra: Sequence[str] = ()) -> None:
        """Start it with a real-time factor, 0: the fastest; it writes to its parent's stderr."""
        self._interrupted = False
        # blocked until the node handles them: Python itself would print where it was
        before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        # a new session: Ctrl-C reaches it only through its parent, and once
        self._process = subprocess.Popen(
            [sys.executable, '-m', 'mvsim_ros2.ros.node', '--ros-args', '--log-level', 'warn',
             '-p', f'world:={world}', '-p', f'realtime_factor:={float(realtime_factor)}', *extra],
            start_new_session=True)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def __enter__(self) -> 'SimulatorProcess':
        return self

    def __exit__(self, *unused: object) -> None:
        self.stop()

    @property
    def exit_code(self) -> int | None:
        """Exit code, None while it runs."""
        return self._process.poll()

    def interrupt(self) -> None:
        """Send SIGINT, at most once, and do not wait."""
        if not self._interrupted:
            self._interrupted = True
            self._process.send_signal(signal.SIGINT)

    def stop(self) -> None:
        """Interrupt it; kill its session where it does not end."""
        if self.exit_code is None:
            self.interrupt()
            try:
                self._process.wait(STOP_TIMEOUT)
            except subprocess.TimeoutExpired:
                os.killpg(self._process.pid, signal.SIGKILL)
                self._process.wait()


DEMO_WORLD = 'demo'
PICTURE = 'demo_topview.png'
FIRST_MESSAGE = 300.0  # s to wait for the simulator, which may compile its kernels first
WITH_ROS2_COMMAND = """\
Starting {world} on the ROS graph (domain {domain}). In another terminal, with ROS sourced, try:
  ros2 topic list
  ros2 topic echo {prefix}odom
  rviz2     (fixed frame "odom"; add TF{display})
To drive yourself, end this with Ctrl-C and start the world without the tour:
  {node} --ros-args -p world:={name}
  ros2 run teleop_twist_keyboard teleop_twist_keyboard
"""
WITHOUT_ROS2_COMMAND = """\
Starting {world} on the ROS graph (domain {domain}): an Odometry on {prefix}odom{display}.
To drive yourself, end this with Ctrl-C and start the world without the tour:
  {node} --ros-args -p world:={name}
and in another terminal, with the keys w a s d:
  {teleop} --topic {prefix}cmd_vel
The command ros2 and RViz are not installed: they come with a ROS 2 installation.
"""
LEGEND = ('Below, a line a second; rates are messages received in a simulated second. '
          'Ctrl-C ends the demo.')


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """Return the parsed command line."""
    parser = argparse.ArgumentParser(
        prog='demo_tour', description='Start the simulator and drive a robot through a world.')
    parser.add_argument(
        '--duration', type=partial(_number, 1e-3, 1e9), default=None, metavar='S',
        help='end after S seconds of simulated time; without it Ctrl-C ends the demo')
    parser.add_argument(
        '--realtime-factor', type=partial(_number, 0.0, 1e3), default=1.0, metavar='F',
        help='simulated seconds a second; 0 is as fast as possible (default: 1)')
    parser.add_argument(
        '--world', default=DEMO_WORLD, metavar='NAME',
        help='another world, a file or the name of one that comes with the package; there the '
             f'first robot wanders by its LiDAR (default: {DEMO_WORLD})')
    parser.add_argument(
        '--output', type=Path, default=Path('out'), metavar='DIR',
        help=f'folder of the picture {PICTURE} (default: out)')
    parser.add_argument(
        '--no-window', action='store_true', help='without the window in the browser')
    words = sys.argv[1:] if argv is None else argv
    wrong = empty_value(words)
    if wrong:
        parser.error(wrong)
    return parser.parse_args(words)


def _window(options: argparse.Namespace) -> list[str]:
    """Return what gives the simulator a window, and say where it is; nothing without viser."""
    if options.no_window or find_spec('viser') is None:
        return []
    port = free_port(LOCAL, None)
    link = link_of(LOCAL, port)
    os.environ[TOKEN_VARIABLE] = token()  # of the node that is started
    print(f'see it and drive in it: {link}\n', flush=True)
    open_browser(link)
    return ['-p', f'viewer:={port}']


def _number(minimum: float, maximum: float, text: str) -> float:
    """Return a number on the command line."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not minimum <= value <= maximum:
        raise argparse.ArgumentTypeError(
            f'{text!r} should be a number between {minimum:g} and {maximum:g}')
    return value


def robot_topics(world: WorldSpec) -> RobotTopics:
    """Return the topics of the first robot; raise `MvsimError` where the world has no vehicle."""
    if not world.vehicles:
        raise MvsimError(f'{world.path}: nothing to drive: the world has no <vehicle>')
    robot = world.vehicles[0]
    topics = sensor_topics(robot.sensors)
    first = {channel.message_type: (topic + channel.ending, sensor.pose)
             for sensor, topic in reversed(list(zip(robot.sensors, topics, strict=True)))
             for channel in channels_of(sensor)}
    scan, lidar = first.get('sensor_msgs/LaserScan', (None, Pose()))
    imu, _ = first.get('sensor_msgs/Imu', (None, Pose()))
    namespace = robot.name if len(world.vehicles) > 1 else ''
    return RobotTopics(namespace, scan, imu, lidar)


def hint(name: str, path: Path, topics: RobotTopics) -> str:
    """Return suggestions for the user while the demo runs in the world `path`, given as `name`."""
    prefix = f'/{topics.namespace}/' if topics.namespace else '/'
    text = WITH_ROS2_COMMAND if shutil.which('ros2') else WITHOUT_ROS2_COMMAND
    return text.format(
        world=path.name, name=name, prefix=prefix, node=_program('mvsim_node', 'ros.node'),
        teleop=_program('mvsim_teleop', 'ros.tools.teleop'),
        domain=os.environ.get('ROS_DOMAIN_ID', '0'),
        display=f' and a LaserScan on {prefix}{topics.scan}' if topics.scan else '') + LEGEND


def _program(script: str, module: str) -> str:
    """Return the command line of a program of this package."""
    python = _relative(Path(sys.executable))
    path = python.with_name(script)
    return str(path) if path.is_file() else f'{python} -m mvsim_ros2.{module}'


def _relative(path: Path) -> Path:
    """Return `path` relative to the working directory, if it is below that."""
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


class Tour:
    """One run of the demo: drives, prints a line per second, draws the top view."""

    def __init__(self, world: WorldSpec, driver: Driver, options: argparse.Namespace) -> None:
        self._world, self._driver = world, driver
        self._duration: float | None = options.duration
        self._picture: Path = options.output / PICTURE
        self.client = TourClient(driver, robot_topics(world), self._finish_lap)
        self.failure = ''  # why the run ended early
        self._stopped = False
        self._lines: list[Snapshot] = []  # first and last

    def stop(self, *unused: object) -> None:
        """End the run soon; also a signal handler."""
        self._stopped = True

    def drive(self, simulator: SimulatorProcess) -> None:
        """Drive until stopped, the end of the duration, or the end of the simulator."""
        executor = new_executor()
        never = Future()
        executor.add_node(self.client)
        started = second = time.monotonic()
        while not self._stopped and not self.failure:
            executor.spin_until_future_complete(never, timeout_sec=0.05)
            if not self._lines and self.client.clock_ns:
                self._lines = [self._snapshot()]
            if time.monotonic() - second >= 1.0:
                second += 1.0
                self._print_line()
                if self.client.count_publishers('/clock') > 1:
                    self.failure = (
                        'another simulator publishes in this ROS domain: end it, or give the demo '
                        'a domain of its own, as in ROS_DOMAIN_ID=42 scripts/demo')
            if simulator.exit_code is not None:
                self.failure = (f'the simulator ended with exit code {simulator.exit_code}: '
                                'its message is above')
            elif not self.client.driven_ns and time.monotonic() - started > FIRST_MESSAGE:
                self.failure = (f'no {self._lacks()} of the simulator within '
                                f'{FIRST_MESSAGE:g} s')
            self._stopped = self._stopped or self._is_over()
        self.client.send(Twist())
        self._lines = [*self._lines[:1], self._snapshot()]

    def finish(self) -> None:
        """Draw the top view and print a summary."""
        self._draw()
        if self.client.clock_ns:
            first, last = self._lines[0], self._lines[-1]
            wall, simulated = last.wall - first.wall, 1e-9 * (last.clock_ns - first.clock_ns)
            print(f'Drove {self.client.track.length:.1f} m in {simulated:.1f} s of simulated time '
                  f'and {wall:.1f} s of real time: {simulated / max(wall, 1e-9):.2f} times real '
                  'time.', flush=True)

    def _is_over(self) -> bool:
        """Return whether the duration has passed, from the first command on."""
        if self._duration is None or not self.client.driven_ns:
            return False
        return 1e-9 * (self.client.clock_ns - self.client.driven_ns) >= self._duration

    def _lacks(self) -> str:
        """Return what the robot cannot be driven without."""
        if not self.client.clock_ns:
            return '/clock'
        return 'subscriber of cmd_vel' if self.client.track.points else 'base_pose_ground_truth'

    def _snapshot(self) -> 'Snapshot':
        return Snapshot(time.monotonic(), self.client.clock_ns, Counter(self.client.counts))

    def _print_line(self) -> None:
        now = self._snapshot()
        if self._lines and now.clock_ns > self._lines[-1].clock_ns:
            print(progress_line(self._lines[-1], now, self.client.track.length,
                                self._driver.laps), flush=True)
            self._lines = [self._lines[0], now]
            return
        print('waiting for the simulator, which loads the world and its kernels ...', flush=True)
        if not self.client.track.length:  # exclude compilation from the rates
            self._lines = []

    def _finish_lap(self) -> None:
        if self._driver.laps == 1:
            self.client.send(Twist())  # drawing takes a moment
            self._draw()

    def _draw(self) -> None:
        """Save the top view of the run so far."""
        client = self.client
        if not client.track.points:
            return
        picture = draw_top_view(
            self._world, poses={self._world.vehicles[0].name: client.pose},
            path=client.track.points, odometry_path=client.odometry_track.points or None,
            scan=client.scan_in_world(),
            title=f'{Path(self._world.path).name}, {1e-9 * client.clock_ns:.0f} s of simulated '
                  f'time, {client.track.length:.0f} m driven')
        save_picture(picture, self._picture)
        print(f'Saved the top view: {self._picture.resolve()}', flush=True)


@dataclass(frozen=True)
class Snapshot:
    """Messages received up to a moment."""

    wall: float  # s, of the machine
    clock_ns: int  # simulated time
    counts: Counter[str]


def progress_line(before: Snapshot, now: Snapshot, distance: float, laps: int) -> str:
    """Return the line of the second between two moments."""
    simulated = 1e-9 * (now.clock_ns - before.clock_ns)
    rates = '  '.join(
        f'{kind} {(now.counts[kind] - before.counts[kind]) / max(simulated, 1e-9):5.1f} Hz'
        for kind in ('scan', 'odom', 'imu', 'tf') if now.counts[kind])
    factor = simulated / (now.wall - before.wall)
    return (f'{1e-9 * now.clock_ns:8.1f} s simulated | {factor:6.2f} x real time | {rates} | '
            f'{distance:6.1f} m, tour {laps + 1}')


def _make_folder(folder: Path) -> None:
    """Make the folder of the picture before the drive, after which it is too late."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RecordingError(f'--output {folder}: no such folder can be made: {error.strerror}'
                             ) from error


def main(argv: Sequence[str] | None = None) -> int:
    """Run the demo; return 0 after Ctrl-C or the duration, 1 if the simulator failed."""
    options = arguments(argv)
    try:
        path = world_path(options.world)
        _make_folder(options.output)
        driver: Driver = RouteDriver() if path == world_path(DEMO_WORLD) else WanderDriver()
        world = load_world(path)
        print(hint(options.world, path, robot_topics(world)), flush=True)
        remove_dead_ports()
        rclpy.init(args=[], signal_handler_options=SignalHandlerOptions.NO)
        tour = Tour(world, driver, options)
        signal.signal(signal.SIGINT, tour.stop)
        signal.signal(signal.SIGTERM, tour.stop)
        with SimulatorProcess(path, options.realtime_factor, _window(options)) as simulator:
            tour.drive(simulator)
            simulator.interrupt()  # it ends while the top view is drawn
            tour.finish()
    except MvsimError as error:
        print(f'demo_tour: {error}', file=sys.stderr)
        return 1
    except KeyboardInterrupt:  # before the simulator was started
        return 0
    finally:
        try_shutdown()
    if tour.failure:
        print(f'demo_tour: {tour.failure}', file=sys.stderr)
    return 1 if tour.failure else 0


if __name__ == '__main__':
    sys.exit(main())
