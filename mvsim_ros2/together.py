# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Vehicles of many simulations, moved and scanned without a return to Python for each of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.prepared_call import call_all
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

    def suits(self, steps: int) -> bool:
        """Return whether all that its simulation measures is due after each round of steps."""
        simulation = self.simulation
        period = steps * round(1e9 * simulation.dt)
        return (simulation._physics.relief is None and simulation.time_ns % period == 0
                and all(type(sensor) is Lidar2D and sensor.measures_at_once
                        and sensor.period_ns == period and sensor.spec.sensor_phase is None
                        for sensor in simulation._suite.measuring))


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

    def run(self) -> None:
        """
        Move all simulations on, and look at all vehicles.

        :raises PhysicsError: where a body has left the numbers.
        """
        moving = []
        for world in self._worlds:
            call = world.physics.steps_ready(self.steps)
            if call is None:
                world.physics.step(self.steps)
            else:
                moving.append((world, call))
        call_all([call for _, call in moving])
        for world, _ in moving:
            world.physics.steps_done()
        call_all([call for world in self._worlds for call in world.looks()])


class _World:
    """A simulation, and the calls that look at the vehicles in it."""

    def __init__(self, carriers: list[Carrier]) -> None:
        simulation = carriers[0].simulation
        self.physics, self._suite = simulation._physics, simulation._suite
        self._carriers = carriers
        self._known: tuple[object, object] | None = None  # what the calls were prepared for
        self._lidars: list[Lidar2D] = []
        self._calls: list[PreparedCall] = []

    def looks(self) -> list[PreparedCall]:
        """Return what looks at the vehicles as they will be, with new noise."""
        if self._known is None or (self._known[0] is not self.physics.seen
                                   or self._known[1] is not self._suite.sensors):
            self._known = self.physics.seen, self._suite.sensors
            self._prepare()
        self._suite.pass_over()
        for lidar in self._lidars:
            lidar.draw_noise()
        return self._calls

    def _prepare(self) -> None:
        self._calls, self._lidars = [], []
        for each in self._carriers:
            row = self.physics.vehicles.index(each.vehicle)
            arrays = self.physics.vehicles.arrays
            self._calls.append(PreparedCall(
                look, row, arrays.pose, arrays.twist_body, arrays.collided, each.state))
            for name, measured in each.scans.items():
                lidar = self._suite.sensors[f'{each.vehicle}/{name}']
                assert isinstance(lidar, Lidar2D)
                self._calls.append(lidar.scan_ready(self.physics, row, measured))
                self._lidars.append(lidar)


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
