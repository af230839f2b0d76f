# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Vehicles of many simulations, moved and scanned without a return to Python for each of them."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.base.threads import beside
from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.native_function import read_word
from mvsim_ros2.jit.prepared_call import Batch, PreparedCall
from mvsim_ros2.sensors.lidar.planar import Lidar2D, Scratch
from mvsim_ros2.sensors.lidar.planar_tilted import Lidar2DInSpace
from mvsim_ros2.sensors.observations import LaserScan2D
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.simulation.carriers import Carrier, command, look, read_odometer, scans_in

T = TypeVar('T')


class Rounds:
    """
    Steps of some simulations, and a look at vehicles in them after each number of steps.

    It gives what `Simulation.step` and the LiDARs give, bit by bit; the schedule of the sensors
    goes by as if they had measured.
    """

    def __init__(self, carriers: Sequence[Carrier], steps: int, threads: int = 1) -> None:
        """Take vehicles that suit."""
        self.steps = steps
        self._worlds = [_World(list(group), steps) for _, group in groupby(
            carriers, lambda each: each.simulation)]
        self._threads = threads
        self._scratch: list[Scratch] = [{} for _ in range(threads)]
        self._parts = parts_of(self._worlds, threads)
        self._own = {id(world.simulation): (world, scratch) for part, scratch in zip(
            self._parts, self._scratch, strict=True) for world in part}
        self._ready = False  # whether the calls are those of the worlds as they are
        self._led: list[_World] = []  # those that only Python can move
        self._pushed: list[_World] = []  # of the others those with blocks that move
        self._keyed: list[_World] = []  # with LiDARs in space
        self._asked: list[_World] = []  # with sensors that only Python can ask
        self._done = np.zeros(0, np.int64)  # addresses of what the steps of all worlds came to
        self._commands = Batch([])
        self._moves: list[Batch] = []  # of each thread, as many worlds in each
        self._observes = Batch([])
        self._measures: list[list[Batch]] = []  # of each thread, one after the other
        self._scans = False

    @property
    def by_python(self) -> str:
        """Return what measures through Python, with the remedy; '' for nothing."""
        self._prepare()
        return next((world.by_python for world in self._asked), '')

    def run(self) -> None:
        """Command all vehicles, move all simulations on, and look at all vehicles."""
        self._prepare()
        self._commands()
        beside(self._threads, self._move)
        wrong = first_wrong(self._done)
        if wrong >= 0:
            self._worlds[wrong].physics.went()
        self._observes()
        for world in self._pushed:
            world.physics.check_blocks()
        for world in self._keyed:
            world.draw_keys()
        if self._scans:
            beside(self._threads, self._measure)
        else:  # a look takes less than another thread needs to begin
            for thread in range(self._threads):
                self._measure(thread)
        if self._asked:
            beside(self._threads, self._ask)
        for world in self._pushed:  # only vehicles were seen at each step
            if world.sweep_ns:
                world.suite.views.past.forget()

    def replace(self, simulation: Simulation, carrier: Carrier) -> None:
        """Take a vehicle in another simulation in place of one that was alone in its own."""
        world, scratch = self._own.pop(id(simulation))
        world.take([carrier])
        self._own[id(carrier.simulation)] = world, scratch
        self._ready = False

    def look(self, simulation: Simulation) -> None:
        """Look at the vehicles of one simulation, as at the end of a round."""
        world, scratch = self._own[id(simulation)]
        if not world.is_ready:
            world.prepare(scratch)
            self._ready = False
        world.draw_keys(1)
        for batch in measures_of([world], 'steers', 'draws', 'looks'):
            batch()
        world.ask()

    def _move(self, thread: int) -> None:
        if thread == self._threads - 1:  # while the others wake up
            for world in self._worlds:
                world.suite.pass_over()
        self._moves[thread]()
        for world in self._led[thread::self._threads]:
            world.step()

    def _measure(self, thread: int) -> None:
        for batch in self._measures[thread]:
            batch()

    def _ask(self, thread: int) -> None:
        for world in self._asked[thread::self._threads]:
            world.ask()

    def _prepare(self) -> None:
        """Prepare all calls, where something has changed: anew for the worlds in which it has."""
        changed = [id(world.simulation) for world in self._worlds if not world.is_ready]
        if self._ready and not changed:
            return
        for key in changed:
            world, scratch = self._own[key]
            world.prepare(scratch)
        self._commands = Batch([call for world in self._worlds for call in world.commands])
        self._moves = [Batch(part) for part in parts_of(
            [world.move for world in self._worlds if world.move is not None], self._threads)]
        self._measures = [measures_of(part, 'steers', 'passed', 'draws', 'looks')
                          for part in self._parts]
        self._scans = any(world.scans for world in self._worlds)
        self._led = [world for world in self._worlds if world.move is None]
        self._pushed = [world for world in self._worlds
                        if world.move is not None and world.physics.blocks.moving]
        self._observes = Batch([world.physics.blocks.observe_ready() for world in self._pushed])
        self._keyed = [world for world in self._worlds if world.keys]
        self._asked = [world for world in self._worlds if world.asked]
        self._done = np.array([world.done for world in self._worlds], np.int64)
        self._ready = True


class _World:
    """A simulation, and the calls that command, move and look at the vehicles in it."""

    def __init__(self, carriers: list[Carrier], steps: int) -> None:
        self._steps = steps
        self.take(carriers)

    def take(self, carriers: list[Carrier]) -> None:
        """Have these vehicles of one simulation from now on."""
        self.simulation = carriers[0].simulation
        self.physics, self.suite = self.simulation._physics, self.simulation._suite
        self._carriers = carriers
        # what the calls were prepared for
        self._stepper: object = None
        self._seen: tuple[object, object, int] = None, None, 0
        self.scans = any(each.scans for each in carriers)

    @property
    def is_ready(self) -> bool:
        """Return whether the calls were prepared for the bodies and sensors that there are."""
        return self.physics.stepper is self._stepper and self._sees_the_same

    @property
    def _sees_the_same(self) -> bool:
        sensors, rows, generation = self._seen
        views = self.suite.views
        return (self.suite.sensors is sensors and views.past.rows is rows
                and views.generation == generation)

    def prepare(self, shared: Scratch) -> None:
        """Prepare the calls for the bodies and sensors that there are."""
        views = self.suite.views
        views.begin(self.simulation.time_ns)
        past, self.sweep_ns = views.past, self.suite.schedule.longest_sweep_ns
        self.move = (past.steps_ready(self._steps, self.sweep_ns) if self.sweep_ns
                     else self.physics.steps_ready(self._steps))
        if not self._sees_the_same:
            self._prepare_looks(shared)
        if self.sweep_ns and self.asked and self.physics.blocks.moving:
            self.move = None  # blocks are to be remembered at each step
        self._stepper = self.physics.stepper
        self._seen = self.suite.sensors, past.rows, views.generation

    def _prepare_looks(self, shared: Scratch) -> None:
        """Prepare the calls that command and look at vehicles, and those of their sensors."""
        self.commands: list[PreparedCall] = []
        self.looks: list[PreparedCall] = []
        self.steers: list[PreparedCall] = []
        self.draws: list[PreparedCall] = []
        self.passed: list[PreparedCall] = []  # draws of scans that a later one replaces
        self.keys: list[tuple[Callable[[], None], int]] = []  # drawn for the scans of a round
        # sensors that Python asks, with what takes their measurements
        self.asked: dict[str, Callable[[Any], None]] = {}
        vehicles, past = self.physics.vehicles, self.suite.views.past
        arrays = vehicles.arrays
        for each in self._carriers:
            row = vehicles.index(each.vehicle)
            if each.twist is not None:
                self.commands.append(PreparedCall(command, row, arrays.records, each.twist))
            self.looks.append(PreparedCall(
                look, row, arrays.pose, arrays.twist_body, arrays.collided, each.state))
            if each.odometry is not None:
                self.looks.append(PreparedCall(
                    read_odometer, row, arrays.odometers, each.odometry))
            for name, measured in each.scans.items():
                full = f'{each.vehicle}/{name}'
                lidar = self.suite.sensors[full]
                assert isinstance(lidar, Lidar2D | Lidar2DInSpace)
                count = scans_in(self._steps * self.simulation.dt, lidar.spec)
                call = lidar.round_call(self.physics, past, row, measured, shared)
                if call is None:
                    self.asked[full] = partial(_write_scan, measured)
                    continue
                self.looks.append(call)
                if isinstance(lidar, Lidar2DInSpace):
                    self.keys.append((lidar.scanner.draw_key, count))
                    continue
                steers = lidar.caster.steer_ready(
                    vehicles.wheels, vehicles.wheel_start, self.physics.figures.gait)
                self.steers = [] if steers is None else [steers]  # the caster of all is the same
                draws = lidar.draw_calls()
                self.draws += draws
                self.passed += draws * (count - 1)
            self.asked |= {f'{each.vehicle}/{name}': take for name, take in each.takes.items()}
            self.looks += each.looks

    def step(self) -> None:
        """Make the steps of a round where Python has to do something in each."""
        if self.sweep_ns:
            self.suite.views.past.step(self._steps, self.sweep_ns)
        else:
            self.physics.step(self._steps)

    def draw_keys(self, scans: int | None = None) -> None:
        """Draw the keys of so many scans of LiDARs in space, None for those of a round."""
        for draw, count in self.keys:
            for _ in range(scans or count):
                draw()

    def ask(self) -> None:
        """Measure with the sensors that only Python can ask."""
        if self.asked:
            for name, seen in zip(self.asked, self.suite.measure(
                    list(self.asked), self.simulation.time_ns), strict=True):
                self.asked[name](seen)

    @property
    def by_python(self) -> str:
        """Return which sensor only Python can ask, with the remedy."""
        name = next(iter(self.asked)).rpartition('/')[2]
        return (f'{Path(self.simulation.world.path).name}: {name} measures in Python, one '
                'world after another: leave it out of sensors=(...), or use only planar LiDARs')

    @property
    def done(self) -> int:
        """Return the address of what the call came to, 0 where there is no call."""
        stepper = self.physics.stepper
        return 0 if stepper is None or self.move is None else int(stepper.done.ctypes.data)


def _write_scan(measured: NDArray[np.float32], scan: LaserScan2D) -> None:
    """Write ranges and intensities of a scan."""
    measured[0], measured[1] = scan.ranges, 0.0 if scan.intensities is None else scan.intensities


class People(NamedTuple):
    """The people of a simulation; poses and twists change with each step."""

    pose: Array  # x, y, z [m], yaw, pitch, roll [rad], (n, 6)
    twist: Array  # vx, vy [m/s], wz [rad/s] in their own frames, (n, 3)
    radius: Array  # m, (n,)


def people_of(simulation: Simulation) -> People:
    """Return the people of a simulation, as long as these are the same."""
    figures, count = simulation._physics.figures, len(simulation.actors)
    return People(figures.pose[:count], figures.twist_body[:count], np.array(
        [each.spec.collision_radius for each in simulation.actors.values()]))


def parts_of(things: Sequence[T], threads: int) -> list[Sequence[T]]:
    """Return even parts of some things, one after the other, one for each thread."""
    ends = [len(things) * thread // threads for thread in range(threads + 1)]
    return [things[begin:end] for begin, end in pairwise(ends)]


def measures_of(worlds: Sequence[_World], *names: str) -> list[Batch]:
    """Return calls that measure in some worlds: wheels turn, noise is drawn, vehicles look."""
    return [Batch([call for world in worlds for call in getattr(world, name)]) for name in names]


@compiled
def first_wrong(done: NDArray[np.int64]) -> int:
    """
    Return the number of the first world in which a vehicle has left the numbers, or -1.

    :param done: addresses of `Stepper.done`, 0 for those that were not moved here.
    """
    for k in range(len(done)):
        if done[k] != 0 and read_word(done[k] + 8) >= 0:
            return k
    return -1
