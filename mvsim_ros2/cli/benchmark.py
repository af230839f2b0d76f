# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Score SLAM packages and navigation, and compare runs.

Run public SLAM packages on recordings, or let contestants navigate, and write a page with tables
and figures.
"""

import argparse
from pathlib import Path
import sys
from time import monotonic

from mvsim_ros2.base.package_files import world_path
from mvsim_ros2.cli.options import seconds, seed, whole
from mvsim_ros2.cli.terminal import clear_line, working
from mvsim_ros2.errors import BenchmarkError, needed_for

ROS = 'ros:'  # contestants that are programs of ROS


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    kinds = command.add_subparsers(title='benchmarks', metavar='KIND', required=True)
    slam = kinds.add_parser('slam', help='LiDAR odometry and SLAM')
    slam.add_argument(
        'worlds', metavar='WORLD', nargs='*', default=['office'],
        help='world files or names of worlds of this package (default: office)')
    slam.add_argument(
        '--controller', metavar='TEXT', help='controller, such as eight or follow:FILE (default: '
        'the route of a world of this package)')
    slam.add_argument('--duration', type=seconds, metavar='S', default=120.0,
                      help='length of a recording [s] (default: 120)')
    slam.add_argument('--seeds', type=seed, nargs='+', metavar='N',
                      default=[1, 2, 3], help='seeds, with a recording for each (default: 1 2 3)')
    slam.add_argument('--clients', nargs='+', metavar='NAME', default=None,
                      help='packages to run (default: all installed ones)')
    slam.add_argument('-o', '--output', metavar='FOLDER', default='slam_benchmark',
                      help='folder for tables, figures and logs (default: slam_benchmark)')
    slam.add_argument('--keep-bags', action='store_true', help='keep the recordings')
    nav = kinds.add_parser('nav', help='navigation: rooms, narrow fields, people, tracks')
    nav.add_argument('suites', metavar='SUITE', nargs='*', default=['rooms', 'social'],
                     help='rooms, barn, social, tracks (default: rooms social)')
    nav.add_argument('--contestants', nargs='+', metavar='NAME', default=['way'],
                     help='way, a policy.onnx, module:Class, file.py:Class, "ros:PROGRAM ...", or '
                          'what a package adds (default: way)')
    nav.add_argument('--episodes', type=whole(1, 10_000), metavar='N', default=32,
                     help='episodes of each case (default: 32)')
    nav.add_argument('--seed', type=seed, metavar='N', default=1,
                     help='seed of the first episode (default: 1)')
    nav.add_argument('--threads', type=whole(1, 256), metavar='N', default=1,
                     help='threads of the processor (default: 1)')
    nav.add_argument('-o', '--output', metavar='FOLDER', default='nav_benchmark',
                     help='folder for the report (default: nav_benchmark)')
    nav.set_defaults(run=run_nav)
    compare = kinds.add_parser('compare', help='two runs of nav, episode by episode')
    compare.add_argument('first', metavar='FOLDER', help='folder of a run')
    compare.add_argument('second', metavar='FOLDER', help='folder of another run')
    compare.set_defaults(run=run_compare)


def run_nav(options: argparse.Namespace) -> int:
    """Run the benchmark of navigation."""
    from mvsim_ros2.gym import benchmark_report as report
    from mvsim_ros2.gym.benchmark import contestant_of, drive_all, suites
    known = suites()
    for name in options.suites:
        if name not in known:
            raise BenchmarkError(f'there is no suite {name!r}, only {", ".join(known)}')
    contestants = {name: _stack_of(name.removeprefix(ROS)) if name.startswith(ROS) else
                   contestant_of(name) for name in options.contestants}
    folder = Path(options.output)
    folder.mkdir(parents=True, exist_ok=True)
    chosen = [case for name in options.suites for case in known[name]]
    episodes, failures = [], []
    factors: dict[str, list[float]] = {}
    with working('navigation'):
        for found, failed, factor in drive_all(
                contestants, chosen, options.episodes, options.seed, options.threads):
            episodes += found
            failures += failed
            factors.setdefault(found[0].contestant, []).append(factor)
    report.write(folder, episodes, failures, {
        name: sum(each) / len(each) for name, each in factors.items()},
        {name: getattr(options, name) for name in (
            'suites', 'contestants', 'episodes', 'seed', 'threads')})
    for row in report.rows_of(episodes):
        print('  '.join(row[:7]))
    print(f'{folder / report.PAGE}')
    return 0


def _stack_of(program: str) -> type:
    """Return the contestant that drives by a program of ROS."""
    try:
        from mvsim_ros2.ros.tools.stack_contestant import stack_of
    except ImportError as error:
        raise BenchmarkError(f'ros:{program} needs ROS 2 ({error}): source its setup file'
                             ) from error
    return stack_of(program)


def run_compare(options: argparse.Namespace) -> int:
    """Compare two runs."""
    from mvsim_ros2.gym import benchmark_report as report
    rows = report.compared(report.read(Path(options.first)), report.read(Path(options.second)))
    for row in (report.COMPARED, *rows):
        print(' | '.join(row))
    return 0


def run(options: argparse.Namespace) -> int:
    """Run the benchmark."""
    with needed_for('SLAM benchmarks', 'record,slam', BenchmarkError):
        from mvsim_ros2.studies.slam_benchmark.clients import check_evaluators, known_clients
        from mvsim_ros2.studies.slam_benchmark.slam import (
            benchmark_world, slam_figure, write_report, write_tables)
    from mvsim_ros2.pictures.figures import save_figure
    from mvsim_ros2.world.file.load import load_world

    clients = known_clients()
    names = options.clients or [
        client.name for client in clients.values() if client.is_installed]
    for name in names:
        if name not in clients:
            raise BenchmarkError(f'there is no client {name!r}, only {", ".join(clients)}')
        if not clients[name].is_installed:
            raise BenchmarkError(f'{name} is not installed: pip install {clients[name].package}')
    if not names:
        raise BenchmarkError("no SLAM package is installed: pip install 'mvsim_ros2[slam]'")
    controllers = {path: options.controller or _default_controller(path)
                   for path in map(world_path, options.worlds)}
    check_evaluators()
    folder = Path(options.output)
    folder.mkdir(parents=True, exist_ok=True)
    begin, results = monotonic(), []

    def report(text: str) -> None:
        clear_line(sys.stderr)
        print(f'[{monotonic() - begin:5.0f} s] {text}', file=sys.stderr, flush=True)

    for path, controller in controllers.items():
        with working(path.name):
            of_world = benchmark_world(
                path, controller, options.duration, options.seeds,
                [clients[name] for name in names], folder, options.keep_bags, report)
        results += of_world
        first = [each for each in of_world if each.seed == options.seeds[0]]
        save_figure(slam_figure(load_world(path), first), folder / f'{first[0].world}.png')
        text = write_tables(results, folder)
    write_report(results, folder)
    print(text, end='')
    print(f'{folder}: report.html, table.md, table.csv and a figure of each world')
    return 0


def _default_controller(world: Path) -> str:
    """Return the controller that follows the path that is shipped with a world."""
    route = world.parent / 'paths' / f'{world.name.split(".")[0]}.csv'
    if not route.is_file():
        raise BenchmarkError(f'{world}: there is no {route}: give a controller, as in '
                             '--controller eight,radius=3')
    return f'follow:{route}'
