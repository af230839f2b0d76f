# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
CPU time of what docs/performance.md has rows for, here and in another checkout, in turn.

    python benchmarks/table.py [--against CHECKOUT] [ROW ...]

Both make the same rows by their own programs of this folder, in a process each, a bit of a row
here and a bit there; the least of each counts, and the median of the ratios. Without another
checkout the rows of this one alone. Rows are those whose names contain a ROW, all without any;
they take four minutes.

:claim: Largest ratio of a row's time to another checkout's
:reference: the other checkout, in turn
"""

from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from dataclasses import replace
import logging
import os
from pathlib import Path
import statistics
import subprocess
import sys
import time
from typing import Any

import images
import physics
import stepping

from mvsim_ros2.jit.kernel import use_machine_code

ROUNDS, SECONDS = 7, 0.03  # of CPU time of a bit of a row
STEPS_A_CALL = 20
HERE = Path(__file__).resolve().parents[1]
MODES = 'mvsim', 'physical'
SHORT = {'differential': 'two wheels', 'differential_3_wheels': 'and a caster',
         'differential_4_wheels': 'four wheels', 'ackermann': 'Ackermann',
         'ackermann_drivetrain': 'Ackermann with Torsens'}

# what is done again and again, and how many microseconds a second of it is for each unit
Task = tuple[Callable[[], object], float]


def steps(world: Any, count: int = STEPS_A_CALL, units: int = 0) -> Task:
    """Return steps of a world of physics, by vehicles and steps or so many units."""
    world.step(200)
    return lambda: world.step(count), 1e6 / (count * (units or len(world.vehicles)))


def commanded(vehicle: Any, mode: str) -> Task:
    """Return steps of a vehicle with a new command each half second."""
    world = physics.grid_of([vehicle], mode)
    called = 0

    def task() -> None:
        nonlocal called
        if called % 5 == 0:
            world.vehicles.set_twist(0, 0.5 if called % 10 else 0.2, 0.5 if called % 4 else -0.3)
        called += 1
        world.step(STEPS_A_CALL)
    return task, 1e6 / STEPS_A_CALL


def with_tyre(tyre: Any, mode: str) -> Task:
    """Return steps of many vehicles on a tyre."""
    return steps(physics.grid_of([replace(
        physics.KINDS['differential'], friction=tyre)] * physics.FLEET, mode))


def cars(**world: Any) -> Any:
    """Return cars in mode `physical`; `parts` are those of their class."""
    return physics.grid_of([physics.car(**world.pop('parts', {}))] * physics.FLEET, 'physical',
                           **world)


def scan(mode: str, what: str) -> Task:
    """Return steps of a robot in a hall, with or without its scans, or a scan asked for."""
    robot = stepping.robot(mode, what != 'a step')
    if what == 'a scan':
        return lambda: robot.measure('robot/scan'), 1e6
    return lambda: robot.step(STEPS_A_CALL), 1e6 / STEPS_A_CALL


def put(what: str) -> Task:
    """Return putting one thing elsewhere in a world of 1000 blocks."""
    world, pose = stepping.crowded(1000), stepping.Pose
    world.step(5)
    if what == 'some':
        poses = {f'g{i}': pose(3.0 * i, -10.0) for i in range(stepping.GHOSTS)}
        return lambda: world.set_poses(poses), 1e6 / len(poses)
    place = pose(-5.0, -6.0) if what == 'robot' else pose(0.0, -10.0)
    return lambda: world.set_pose(what, place), 1e6


def image(name: str, shadows: bool) -> Task:
    """Return an image of a camera in a world that stands."""
    world = images.world_of(images.CAMERAS[name], shadows, 30 if 'meshes' in name else 0)
    world.set_enabled('camera', False)
    return lambda: (world.step(), world.measure('camera')), 1e6


def rows() -> Iterator[tuple[str, Callable[[], Task]]]:
    """Yield the names of all rows, and what makes them."""
    for mode in MODES:
        for count in physics.COUNTS:
            robots = [physics.small_robot('', 0.0, 0.0)] * count
            yield (f'{mode}: {count} robots, a vehicle-step',
                   lambda r=robots, m=mode: steps(physics.grid_of(r, m)))
        one = physics.small_robot('', 0.0, 0.0)
        yield f'{mode}: 1 robot, a step a call', lambda m=mode: steps(
            physics.grid_of([one], m), 1)
        for kind, vehicle in physics.KINDS.items():
            for count in (1, physics.FLEET):
                yield (f'{mode}: {count} of {SHORT.get(kind, kind)}',
                       lambda v=vehicle, n=count, m=mode: steps(physics.grid_of([v] * n, m)))
            yield (f'{mode}: {SHORT.get(kind, kind)}, commands each 0.5 s',
                   lambda v=vehicle, m=mode: commanded(v, m))
        yield f'{mode}: robots that push each other', lambda m=mode: steps(physics.crowd(m))
        yield f'{mode}: a robot on a grid map', lambda m=mode: steps(physics.maze(m))
        for tyre in physics.TYRES:
            if mode in (law.modes if (law := physics.LAWS[type(tyre)]) else ()):
                yield (f'{mode}: tyre {tyre.XML_CLASS}, {physics.FLEET} robots',
                       lambda t=tyre, m=mode: with_tyre(t, m))
        for what in ('a step', 'a step with scans', 'a scan'):
            yield f'{mode}: {what} in a hall', lambda w=what, m=mode: scan(m, w)
    springs = {'tyre_stiffness': 1.5e5, 'tyre_damping': 500.0}
    suspended = {**springs, 'suspension_stiffness': 1.5e4, 'suspension_damping': 1500.0}
    for name, parts in (
            ('level', {}), ('in air', {'aerodynamics': physics.AerodynamicsSpec(drag_area=0.7)}),
            ('with an implement', {'draught': physics.DraughtSpec(500.0)}),
            ('on springy tyres', {'wheels': springs}), ('suspended', {'wheels': suspended})):
        yield f'physical: {physics.FLEET} cars, {name}', lambda p=parts: steps(cars(parts=p))
    yield f'physical: {physics.FLEET} cars on a slope', lambda: steps(
        cars(elements=(physics.hill(0.1),)))
    for what in ('robot', 'g0', 'some'):
        yield f'put elsewhere among 1000 blocks: {what}', lambda w=what: put(w)
    for name in images.CAMERAS:
        for shadows in (False, True) if 'colour' in name else (False,):
            yield (f'image: {name}{", shadows" if shadows else ""}',
                   lambda n=name, s=shadows: image(n, s))


def serve() -> None:
    """Make the rows that are asked for by standard input: a number alone, then once for a bit."""
    logging.disable(logging.WARNING)  # of gains that are too small
    use_machine_code()
    known, current, (task, factor) = list(rows()), -1, (int, 0.0)
    for line in sys.stdin:
        if int(line) != current:
            current = int(line)
            task, factor = known[current][1]()
            task()
        calls, begin = 0, time.process_time()
        while (spent := time.process_time() - begin) < SECONDS:
            task()
            calls += 1
        print(spent / calls * factor, flush=True)


class Checkout:
    """A process that makes rows in a checkout."""

    def __init__(self, tree: Path) -> None:
        path = os.pathsep.join([str(tree / 'benchmarks'), str(tree)])
        self._process = subprocess.Popen(
            [sys.executable, '-P', __file__, '--serve'], cwd=tree, text=True,
            env=os.environ | {'PYTHONPATH': path}, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def microseconds(self, row: int) -> float:
        """Return the CPU time of a bit of a row."""
        asked, answered = self._process.stdin, self._process.stdout
        assert asked is not None and answered is not None
        print(row, file=asked, flush=True)
        return float(answered.readline())


def main() -> None:
    """Print the table."""
    parser = ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument('rows', nargs='*', metavar='ROW')
    parser.add_argument('--against', type=Path, metavar='CHECKOUT')
    parser.add_argument('--serve', action='store_true', help='as the other process')
    options = parser.parse_args()
    if options.serve:
        serve()
        return
    trees = [Checkout(tree.resolve()) for tree in (options.against, HERE) if tree]
    print(f'{"us of CPU time":52}' + (f'{"other":>10}' if options.against else '')
          + f'{"here":>10}' + ('     ratio' if options.against else ''))
    for number, (name, _) in enumerate(rows()):
        if options.rows and not any(part in name for part in options.rows):
            continue
        for tree in trees:
            tree.microseconds(number)  # makes the row
        times = [[tree.microseconds(number) for tree in trees] for _ in range(ROUNDS)]
        least = [min(of_one) for of_one in zip(*times, strict=True)]
        ratios = [pair[-1] / pair[0] for pair in times]
        print(f'{name:52}' + ''.join(f'{each:10.3f}' for each in least)
              + (f'{statistics.median(ratios):10.2f}' if options.against else ''), flush=True)


if __name__ == '__main__':
    main()
