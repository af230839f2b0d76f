# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Vehicles of many simulations, moved and scanned without a return to Python for each of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.prepared_call import Batch
from mvsim_ros2.jit.prepared_call import PreparedCall
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
        """Return whether all that its simulation measures is due after each round of steps."""
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
        self._worlds = [_World(list(group)) for _, group in groupby(
            carriers, lambda each: each.simulation)]
        self._calls: list[PreparedCall] = []
        self._commands = self._moves = self._looks = Batch([])

    def run(self) -> None:
        """
        Command all vehicles, move all simulations on, and look at all vehicles.

        :raises PhysicsError: where a body has left the numbers.
        """
        anew = [world for world in self._worlds if world.has_changed]
        if anew:
            for world in anew:
                world.prepare()
            self._commands, self._looks = (Batch([
                call for world in self._worlds for call in getattr(world, name)])
                for name in ('commands', 'looks'))
        self._commands()
        moving, calls = [], []
        for world in self._worlds:
            call = world.physics.steps_ready(self.steps)
            if call is None:
                world.physics.step(self.steps)
            else:
                moving.append(world)
                calls.append(call)
        if calls != self._calls:
            self._calls, self._moves = calls, Batch(calls)
        self._moves()
        for world in moving:
            world.physics.steps_done()
        for world in self._worlds:
            world.draw_noise()
        self._looks()


class _World:
    """A simulation, and the calls that command and look at the vehicles in it."""

    def __init__(self, carriers: list[Carrier]) -> None:
        simulation = carriers[0].simulation
        self.physics, self._suite = simulation._physics, simulation._suite
        self._carriers = carriers
        self._known: tuple[object, object] | None = None  # what the calls were prepared for

    @property
    def has_changed(self) -> bool:
        """Return whether `prepare` is needed: bodies or sensors are others."""
        return (self._known is None or self._known[0] is not self.physics.seen
                or self._known[1] is not self._suite.sensors)

    def draw_noise(self) -> None:
        """Draw the noise of the scans that follow."""
        self._suite.pass_over()
        for lidar in self._lidars:
            lidar.draw_noise()

    def prepare(self) -> None:
        """Prepare the calls for the bodies and sensors that there are."""
        self._known = self.physics.seen, self._suite.sensors
        self.commands: list[PreparedCall] = []
        self.looks: list[PreparedCall] = []
        self._lidars: list[Lidar2D] = []
        arrays = self.physics.vehicles.arrays
        for each in self._carriers:
            row = self.physics.vehicles.index(each.vehicle)
            if each.twist is not None:
                self.commands.append(PreparedCall(command, row, arrays.records, each.twist))
            self.looks.append(PreparedCall(
                look, row, arrays.pose, arrays.twist_body, arrays.collided, each.state))
            for name, measured in each.scans.items():
                lidar = self._suite.sensors[f'{each.vehicle}/{name}']
                assert isinstance(lidar, Lidar2D)
                self.looks.append(lidar.scan_ready(self.physics, row, measured))
                if lidar.is_noisy:
                    self._lidars.append(lidar)


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
