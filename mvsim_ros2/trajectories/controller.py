# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The interface of controllers, their commands to a vehicle, and the loop that calls them."""

from collections.abc import Callable
from dataclasses import dataclass
import math
from typing import Protocol

from mvsim_ros2.errors import TrajectoryError
from mvsim_ros2.sensors.observations import Observation
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.simulation.handles import VehicleHandle

PERIOD = 0.02  # s of simulated time between two calls of a controller


class Controller(Protocol):
    """Drives a vehicle."""

    @property
    def finished(self) -> bool:
        """Return whether it has reached its end; from then on it commands a stop."""

    def __call__(self, simulation: Simulation) -> None:
        """Command the vehicle in its present state; called once each control period."""


@dataclass(frozen=True)
class Steering:
    """Relation between steering angle and curvature of the path."""

    # m: curvature = tan(angle) / reach; 0 where it can turn in place, negative if it steers behind
    reach: float
    tightest: float  # 1/m, largest curvature; inf where it can turn in place

    @classmethod
    def of(cls, vehicle: VehicleHandle) -> 'Steering':
        """Return the limit of a vehicle, including a steered rear axle."""
        dynamics = vehicle.spec.dynamics
        if not dynamics.steered_wheels:
            return cls(0.0, math.inf)
        reach = dynamics.reach
        return cls(reach, math.tan(dynamics.largest_steering) / abs(reach))

    @property
    def on_the_spot(self) -> bool:
        """Return whether the vehicle can turn in place."""
        return math.isinf(self.tightest)


def command(vehicle: VehicleHandle, v: float, w: float) -> None:
    """
    Command a velocity as a twist or a steering angle, depending on the vehicle.

    :param v: forward [m/s].
    :param w: yaw rate [rad/s].
    """
    reach = Steering.of(vehicle).reach
    if vehicle.accepts_twist or not reach:
        vehicle.set_twist(v, w)
    else:
        vehicle.set_steering(v, math.atan(reach * w / v) if v else 0.0)


def vehicle_to_drive(simulation: Simulation, name: str | None) -> VehicleHandle:
    """Return the vehicle called `name`, or the first one where that is None."""
    names = list(simulation.vehicles)
    if not names or (name is not None and name not in names):
        raise TrajectoryError(
            f'{simulation.world.path}: there is no vehicle {name or "to drive"}, only '
            f'{", ".join(names) or "none"}')
    return simulation.vehicles[name or names[0]]


def drive(simulation: Simulation, controller: Controller, duration: float,
          on_observation: Callable[[Observation], None] | None = None) -> None:
    """
    Run the simulation with a controller, until it has finished or the duration is over.

    :param duration: simulated time [s], `math.inf` for no limit.
    :param on_observation: called with every observation, in time order.
    :raises ValueError: where the duration is negative or no number.
    """
    if not duration >= 0.0:
        raise ValueError(f'cannot drive for {duration} s: give a time, 0 or more')
    each = max(1, round(PERIOD / simulation.dt))
    remaining = duration / simulation.dt
    while not controller.finished and remaining > 0.5:
        controller(simulation)
        count = int(min(each, round(min(remaining, each))))
        for observation in simulation.step(count):
            if on_observation is not None:
                on_observation(observation)
        remaining -= count
