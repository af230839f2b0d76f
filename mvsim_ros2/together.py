# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Vehicles of many simulations, moved and scanned without a return to Python for each of them."""

from collections.abc import Callable
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import is_not
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.kernel import NUMBA
from mvsim_ros2.jit.memory import read_word
from mvsim_ros2.jit.prepared_call import Batch
from mvsim_ros2.jit.prepared_call import PreparedCall
from mvsim_ros2.physics.state.record_layout import NOISE_STEPS
from mvsim_ros2.physics.stepper import COUNT
from mvsim_ros2.physics.worlds_beside import WorldsBeside
from mvsim_ros2.sensors.lidar.planar import Lidar2D
from mvsim_ros2.simulation import Simulation

Array = NDArray[np.float64]

# what is known of a vehicle after a round: x, y [m], yaw [rad]; vx, vy [m/s], wz [rad/s] in its
# own frame; whether it touched something; whether it is tilted, when its twist is another one
STATE = 8
TOUCHED, TILTED = 6, 7


@dataclass(frozen=True, eq=False)
class Carrier:
    """A vehicle, and where each round writes what is known of it and its planar LiDARs."""

    simulation: Simulation
    vehicle: str
    state: Array  # (STATE,)
    # of each LiDAR, ranges and intensities: (2, rays); +inf beyond its range, -inf below it
    scans: dict[str, NDArray[np.float32]]
    # v [m/s] and w [rad/s] that each round commands, shape (2,); None leaves the command alone
    twist: Array | None = None

    def suits(self, steps: int) -> bool:
        """
        Return whether all that its simulation measures is due after each round of steps.

        Calls are prepared for compiled kernels only.
        """
        if not NUMBA:
            return False
        simulation = self.simulation
        period = steps * round(1e9 * simulation.dt)
        return (simulation._physics.relief is None and simulation.time_ns % period == 0
                and all(type(sensor) is Lidar2D and sensor.measures_at_once
                        and sensor.period_ns == period and sensor.spec.sensor_phase is None
                        for sensor in simulation._suite.measuring))

    @property
    def takes_twists(self) -> bool:
        """Return whether a twist is no more than two numbers to its controller."""
        vehicles = self.simulation._physics.vehicles
        return vehicles.keeps_twist(vehicles.index(self.vehicle))


class Rounds:
    """
    Steps of some simulations, and a look at vehicles in them after each number of steps.

    It gives what `Simulation.step` and the LiDARs give, bit by bit; the schedule of the sensors
    goes by as if they had measured.
    """

    def __init__(self, carriers: Sequence[Carrier], steps: int) -> None:
        """
        Take vehicles that suit.

        :param carriers: those of one simulation side by side.
        :param steps: of a round.
        """
        self.steps = steps
        self._worlds = [_World(list(group), steps) for _, group in groupby(
            carriers, lambda each: each.simulation)]
        self._scratch: dict[int, tuple[Any, ...]] = {}  # of scans, by their rays
        self._physics = [world.physics for world in self._worlds]
        self._suites = [world.suite for world in self._worlds]
        self._known: list[object] = []  # what the calls were prepared for
        self._led: list[_World] = []  # Python has to do something for these in each round
        self._noisy: list[_World] = []  # of the others those with random walks of odometers
        # addresses of their clocks, and of what the steps of all worlds came to
        self._clocks = self._done = np.zeros(0, np.int64)
        self._due = np.zeros(0, np.int64)
        self._commands = self._steers = self._draws = self._looks = Batch([])
        self._moves: list[Callable[[], None]] = []
        self._drawn: list[Lidar2D] = []  # Python draws their noise

    def run(self) -> None:
        """
        Command all vehicles, move all simulations on, and look at all vehicles.

        :raises PhysicsError: where a body has left the numbers.
        """
        self._prepare()
        self._commands()
        alone = [world for world in self._led if not world.goes_with_others()]
        for k in self._due[:noise_due(self._clocks, self.steps, self._due)].tolist():
            if not self._noisy[k].goes_with_others():
                alone.append(self._noisy[k])
        for move in self._moves:
            move()
        wrong = first_wrong(self._done)
        if wrong >= 0:
            self._physics[wrong].went()
        for world in self._led:
            world.went()
        for world in alone:
            world.physics.step(self.steps)
            world.goes_again()
        for suite in self._suites:
            suite.pass_over()
        self._steers()
        self._draws()
        for lidar in self._drawn:
            lidar.draw_noise()
        self._looks()

    def look(self, simulation: Simulation) -> None:
        """Look at the vehicles of one simulation, as at the end of a round."""
        self._prepare()
        for world in self._worlds:
            if world.physics is simulation._physics:
                Batch(world.steers)()
                Batch(world.draws)()
                for lidar in world.drawn:
                    lidar.draw_noise()
                Batch(world.looks)()

    def _prepare(self) -> None:
        """Prepare all calls, where something has changed: anew for the worlds in which it has."""
        known: list[object] = [each.stepper for each in self._physics]
        known += [each.sensors for each in self._suites]
        if self._known and not any(map(is_not, known, self._known)):
            return
        for world in self._worlds:
            world.prepare(self._scratch)
        self._commands, self._steers, self._draws, self._looks = (Batch([
            call for world in self._worlds for call in getattr(world, name)])
            for name in ('commands', 'steers', 'draws', 'looks'))
        self._moves = moves_of(self._worlds)
        self._led = [world for world in self._worlds if world.is_led]
        self._noisy = [world for world in self._worlds
                       if world.draws_noise and not world.is_led]
        self._due = np.zeros(len(self._noisy), np.int64)
        self._clocks = np.array([
            world.physics.clock.ctypes.data for world in self._noisy], np.int64)
        self._done = np.array([world.done for world in self._worlds], np.int64)
        self._drawn = [lidar for world in self._worlds for lidar in world.drawn]
        self._known = [each.stepper for each in self._physics]
        self._known += [each.sensors for each in self._suites]


class _World:
    """A simulation, and the calls that command, move and look at the vehicles in it."""

    def __init__(self, carriers: list[Carrier], steps: int) -> None:
        simulation = carriers[0].simulation
        self.physics, self.suite = simulation._physics, simulation._suite
        self._carriers, self._steps = carriers, steps
        self._known: tuple[object, object] | None = None  # what the calls were prepared for

    def prepare(self, shared: dict[int, tuple[Any, ...]]) -> None:
        """
        Prepare the calls for the bodies and sensors that there are, where they are others.

        :param shared: scratch memory of scans by the number of rays; what lacks is added.
        """
        now = self.physics.stepper, self.suite.sensors
        if self._known is not None and not any(map(is_not, now, self._known)):
            return
        self.commands: list[PreparedCall] = []
        self.looks: list[PreparedCall] = []
        self.steers: list[PreparedCall] = []
        self.draws: list[PreparedCall] = []
        self.drawn: list[Lidar2D] = []
        call = self.physics.steps_ready(self._steps)
        self.moves = [] if call is None else [call]
        self._known = self.physics.stepper, self.suite.sensors
        self.draws_noise = self.physics.draws_noise
        self.is_led = call is None or len(self.physics.blocks.moving) > 0
        vehicles = self.physics.vehicles
        arrays = vehicles.arrays
        for each in self._carriers:
            row = vehicles.index(each.vehicle)
            if each.twist is not None:
                self.commands.append(PreparedCall(command, row, arrays.records, each.twist))
            self.looks.append(PreparedCall(
                look, row, arrays.pose, arrays.twist_body, arrays.collided, each.state))
            for name, measured in each.scans.items():
                lidar = self.suite.sensors[f'{each.vehicle}/{name}']
                assert isinstance(lidar, Lidar2D)
                rays = len(lidar.headings)
                if rays not in shared:
                    shared[rays] = lidar.scratch()
                self.looks.append(lidar.scan_ready(self.physics, row, measured, shared[rays]))
                steers = lidar.caster.steer_ready(vehicles.wheels, vehicles.wheel_start)
                self.steers = [] if steers is None else [steers]  # the caster of all is the same
                draws = lidar.draws_ready()
                if draws is None:
                    self.drawn.append(lidar)
                else:
                    self.draws += draws

    @property
    def done(self) -> int:
        """Return the address of what the call came to, 0 where there is no call."""
        stepper = self.physics.stepper
        return int(stepper.done.ctypes.data) if stepper is not None and self.moves else 0

    def goes_with_others(self) -> bool:
        """
        Return whether the call makes the steps of this round.

        Else it makes none: they are to be made, and then `goes_again`.
        """
        goes = bool(self.moves) and (not self.draws_noise or self.physics.can_go(self._steps))
        if self.moves:
            self.moves[0].words[COUNT] = self._steps if goes else 0
        return goes

    def goes_again(self) -> None:
        """Let the call make steps again."""
        if self.moves:
            self.moves[0].words[COUNT] = self._steps

    def went(self) -> None:
        """Take in what the call made."""
        if self.moves:
            self.physics.went()


def moves_of(worlds: Sequence[_World]) -> list[Callable[[], None]]:
    """
    Return calls that move some worlds: side by side those of one sort, then the others.

    Those that go side by side have one step and one gravity.
    """
    beside: dict[Any, list[PreparedCall]] = {}
    others = []
    for world in worlds:
        physics = world.physics
        sort = physics.stepper.sort if physics.stepper is not None else 0
        for call in world.moves:
            if sort:
                key = sort, physics.dt, physics.gravity, call.kinds
                beside.setdefault(key, []).append(call)
            else:
                others.append(call)
    return [*map(WorldsBeside, beside.values()), Batch(others)]


@compiled
def noise_due(clocks: NDArray[np.int64], steps: int, due: NDArray[np.int64]) -> int:
    """
    Write into `due` the numbers of worlds whose odometers need noise before or within a round.

    :param clocks: addresses of `PhysicsWorld.clock`, shape (n,).
    :param steps: of the round.
    :param due: shape (n,).
    :returns: how many there are.
    """
    count = 0
    for k in range(len(clocks)):
        column = read_word(clocks[k]) % NOISE_STEPS
        if column == 0 or column + steps > NOISE_STEPS:
            due[count] = k
            count += 1
    return count


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


@compiled
def command(row: int, records: NDArray[np.void], twist: Array) -> None:
    """
    Command a vehicle that `takes_twists`, as `commands.command_twist` does.

    :param records: of all vehicles.
    :param twist: v [m/s] and w [rad/s], shape (2,).
    """
    record = records[row]
    record['command_v'], record['command_w'], record['command_vy'] = twist[0], twist[1], 0.0
    record['ideal_vy'] = 0.0 - twist[1] * record['pivot_x']


@compiled
def look(row: int, pose: Array, twist_body: Array, collided: NDArray[np.bool_],
         state: Array) -> None:
    """
    Fill in what is known of a vehicle, and forget that it has touched something.

    :param pose: of all vehicles, shape (V, 6).
    :param twist_body: shape (V, 3).
    :param collided: shape (V,).
    :param state: to fill in, shape (STATE,).
    """
    state[0], state[1], state[2] = pose[row, 0], pose[row, 1], pose[row, 3]
    for k in range(3):
        state[3 + k] = twist_body[row, k]
    state[TOUCHED] = 1.0 if collided[row] else 0.0
    state[TILTED] = 1.0 if pose[row, 4] != 0.0 or pose[row, 5] != 0.0 else 0.0
    collided[row] = False
