# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Vehicles that `together` moves: what each is commanded and what is read of it in a round."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array, Records
from mvsim_ros2.jit.kernel import compiled, NUMBA
from mvsim_ros2.jit.prepared_call import PreparedCall
from mvsim_ros2.sensors.lidar.planar import PlanarLidar
from mvsim_ros2.sensors.observations import Observation
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.world.spec.sensors.base import SensorSpec

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
    # as measured: x, y [m], cosine and sine of the heading, vx, vy [m/s], wz [rad/s]; None: not
    odometry: Array | None = None  # (7,)
    # calls that look for others, while no thing comes or goes
    looks: Sequence[PreparedCall] = ()
    # what takes the measurements of each other sensor
    takes: Mapping[str, Callable[[Observation], None]] = field(default_factory=dict)

    def obstacle(self, steps: int) -> str | None:
        """
        Return what keeps a simulation out of the rounds, with the remedy; None: nothing.

        All its measurements must be due after each round, and arrive at once. Earlier scans of
        planar LiDARs are skipped, but their noise is drawn.

        :param steps: of a round.
        """
        simulation = self.simulation
        if not NUMBA:
            return "numba is not installed: pip install 'mvsim_ros2[fast]'"
        if not simulation._physics.is_flat and self.looks:
            return 'the ground is not level, which the graphics card does not support'
        for sensor in simulation._suite.measuring:
            name, spec = sensor.spec.name, sensor.spec
            count, planar = scans_in(steps * simulation.dt, spec), isinstance(sensor, PlanarLidar)
            if not count or count > 1 and not planar or spec.sensor_phase is not None:
                return (f'{name} measures every {spec.sensor_period:g} s, but a step takes '
                        f'{steps * simulation.dt:g} s: leave out its phase and set '
                        f'{"a period that divides this" if planar else "this period"}, or choose '
                        'another control_rate')
            if any(spec.delays) or spec.trigger != 'period':
                return f'{name} has a delay or a trigger: leave it out'
        return None

    @property
    def takes_twists(self) -> bool:
        """Return whether a twist is no more than two numbers to its controller."""
        vehicles = self.simulation._physics.vehicles
        return vehicles.keeps_twist(vehicles.index(self.vehicle))


def scans_in(period: float, spec: SensorSpec) -> int:
    """Return how many scans end within a period [s], the last one with it; 0: none does so."""
    count = round(period / spec.sensor_period)
    return count if math.isclose(count * spec.sensor_period, period) else 0


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
    Fill in the record of a vehicle, and reset its flag of contact.

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


@compiled
def read_odometer(row: int, odometers: Records, odometry: Array) -> None:
    """
    Fill in what the odometer of a vehicle says: see `Carrier.odometry`.

    :param odometers: of all vehicles, shape (V,).
    """
    o = odometers[row]
    odometry[0], odometry[1] = o['x'], o['y']
    odometry[2], odometry[3] = math.cos(o['yaw']), math.sin(o['yaw'])
    odometry[4], odometry[5], odometry[6] = o['vx'], o['vy'], o['wz']
