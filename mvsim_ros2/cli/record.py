# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Run a world and write a ROS 2 bag with ground truth.

Run a world as fast as possible and write a ROS 2 bag of all its topics in simulated time, together
with ground truth. It needs no ROS. Ctrl-C ends the run early and leaves a readable bag.
"""

import argparse
import math
import signal
import sys

from mvsim_ros2.base.progress import LOGGER, tell
from mvsim_ros2.cli import INTERRUPTED
from mvsim_ros2.cli.options import add_run, add_world, load, number, seconds
from mvsim_ros2.cli.terminal import working
from mvsim_ros2.errors import needed_for, RecordingError

SIGNALS = signal.SIGINT, signal.SIGTERM
DURATION, LONGEST = 60.0, 36_000.0  # s, where nothing ends a run, and where something does


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    add_world(command)
    add_run(command)
    command.add_argument(
        '-o', '--output', metavar='FOLDER', required=True,
        help='folder of the bag; must not exist yet')
    command.add_argument(
        '--duration', type=seconds, metavar='S',
        help='simulated time [s] (default: 60, or until the trajectory, poses or replay ends)')
    command.add_argument(
        '--start', type=number(0.0), metavar='S', default=0.0,
        help='simulated time at rest before the recording begins [s]; RKO-LIO needs 1 (default: '
        '0)')
    command.add_argument(
        '--topics', nargs='+', metavar='TOPIC', default=(),
        help='record only these; * matches any text, as in "/camera*" (default: all)')
    command.add_argument(
        '--format', choices=('mcap', 'sqlite3'), default='mcap', dest='storage',
        help='format of the bag: mcap (default) or sqlite3')
    command.add_argument('--compress', action='store_true', help='compress with zstd')
    command.add_argument(
        '--no-map-odom', action='store_false', dest='map_odom',
        help='do not record the exact transform from map to odom; a localization will publish it')
    command.add_argument(
        '--split-size', type=number(0.0), metavar='MB',
        help='start a new file of the bag at this size (default: one file)')
    command.add_argument(
        '--split-duration', type=number(0.0), metavar='S',
        help='start a new file of the bag after this simulated time [s] (default: one file)')
    drive = command.add_mutually_exclusive_group()
    drive.add_argument(
        '--twist', nargs=2, type=number(), metavar=('V', 'W'),
        help='drive all vehicles that can move at this speed [m/s] and yaw rate [rad/s]')
    drive.add_argument(
        '--trajectory', metavar='FILE',
        help='make the first vehicle follow a route: TUM, or CSV of x, y')
    drive.add_argument(
        '--poses', metavar='FILE', help='move the first vehicle along these poses (TUM) until '
        'they end, regardless of wheels, ground and walls: for tests of sensors')
    drive.add_argument(
        '--controller', metavar='TEXT', help='controller of the first vehicle: eight, '
        'lawn_mower, explore, follow:FILE,speed=0.5 and others, see docs/trajectories.md')
    drive.add_argument(
        '--replay', metavar='RUN', help='repeat the commands of an earlier recording until they '
        'end: its folder or its commands.csv')


def run(options: argparse.Namespace) -> int:
    """Record a run; return 0, or 130 where it was interrupted."""
    with needed_for('recordings', 'record', RecordingError):
        from mvsim_ros2.recording.bags.bag import Split
        from mvsim_ros2.recording.recorder import Recorder
        from mvsim_ros2.recording.text_files import hold_twist
        from mvsim_ros2.ros.messages.settings import Settings
        from mvsim_ros2.trajectories.controllers_by_name import make_controller
    from mvsim_ros2.simulation import Simulation

    world = load(options)
    if options.poses:
        from mvsim_ros2.trajectories.route_file import carried_along
        world, last = carried_along(world, options.poses)
        options.duration = last if options.duration is None else options.duration
    way = (options.controller or (options.trajectory and f'follow:{options.trajectory}')
           or (options.replay and f'replay:{options.replay}'))
    controller = (make_controller(way) if way else hold_twist(*options.twist) if options.twist
                  else None)
    duration = (LONGEST if way else DURATION) if options.duration is None else options.duration
    simulation = Simulation(world, options.seed, options.physics)
    end = options.start + duration
    split = Split(1e6 * (options.split_size or math.inf),
                  round(1e9 * options.split_duration) if options.split_duration else math.inf)
    signals: list[int] = []
    before = {each: signal.signal(each, lambda number, frame: signals.append(number))
              for each in SIGNALS}
    try:
        simulation.run(options.start)
        with Recorder(simulation, options.output, controller, options.topics,
                      Settings(publish_map_odom=options.map_odom), options.storage,
                      options.compress, split=split) as recorder:
            recorder.describe(twist=options.twist, controller=way, poses=options.poses)
            known = end if options.duration or not way else math.inf

            def go_on() -> bool:
                tell(simulation.time, known, 's')
                return not signals

            with working('recording'):
                arrived = recorder.run(end, go_on)
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
    bag = recorder.bag
    print(f'{bag.folder}: {simulation.time:g} s, {len(bag.topics)} topics, '
          f'{sum(topic.count for topic in bag.topics.values())} messages, '
          f'{1e-6 * bag.written:.1f} MB')
    for incident in recorder.incidents.found:
        LOGGER.warning('%s', incident)
    if not arrived:
        print(f'interrupted: the bag ends after {simulation.time:g} s', file=sys.stderr)
        return INTERRUPTED
    return 0
