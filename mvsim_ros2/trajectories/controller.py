# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
"""What a controller is, how it commands a vehicle, and the loop that calls it."""

from collections.abc import Callable
from dataclasses import dataclass
import math
from typing import Protocol

from mvsim_ros2.errors import TrajectoryError
from mvsim_ros2.handles import VehicleHandle
from mvsim_ros2.sensors.observations import Observation
from mvsim_ros2.simulation import Simulation

PERIOD = 0.02  # s of simulated time from one call of a controller to the next


class Controller(Protocol):
    """Something that drives."""

    @property
    def finished(self) -> bool:
        """Return whether it has done all it wanted; from then on it stands still."""

    def __call__(self, simulation: Simulation) -> None:
        """Look at the state and command; called once each control period."""


@dataclass(frozen=True)
class Steering:
    """How the turn of a vehicle goes with its steering angle."""

    reach: float  # m: curvature = tan(angle) / reach; 0 where it turns on the spot
    tightest: float  # 1/m, largest curvature; inf where it turns on the spot

    @classmethod
    def of(cls, vehicle: VehicleHandle) -> 'Steering':
        """Return the steering of a vehicle; a rear axle that is steered too counts in."""
        dynamics = vehicle.spec.dynamics
        if not dynamics.steered_wheels:
            return cls(0.0, math.inf)
        along = [wheel.pos[0] for wheel in dynamics.wheels]
        reach = (max(along) - min(along)) / (1.0 - dynamics.rear_ratio)
        return cls(reach, math.tan(dynamics.largest_steering) / reach)

    @property
    def on_the_spot(self) -> bool:
        """Return whether the vehicle turns without driving on."""
        return math.isinf(self.tightest)


def command(vehicle: VehicleHandle, v: float, w: float) -> None:
    """
    Command a velocity, as a twist or as a steering angle, whichever the vehicle takes.

    :param v: forward [m/s].
    :param w: yaw rate [rad/s].
    :raises ControllerError: where the controller of the vehicle takes neither.
    """
    reach = Steering.of(vehicle).reach
    if vehicle.accepts_twist or not reach:
        vehicle.set_twist(v, w)
    else:
        vehicle.set_steering(v, math.atan(reach * w / v) if v else 0.0)


def vehicle_to_drive(simulation: Simulation, name: str | None) -> VehicleHandle:
    """
    Return the vehicle called `name`, or the first one where that is None.

    :raises TrajectoryError: where there is none.
    """
    names = list(simulation.vehicles)
    if not names or (name is not None and name not in names):
        raise TrajectoryError(
            f'{simulation.world.path}: there is no vehicle {name or "to drive"}, only '
            f'{", ".join(names) or "none"}')
    return simulation.vehicles[name or names[0]]


def drive(simulation: Simulation, controller: Controller, duration: float,
          on_observation: Callable[[Observation], None] | None = None) -> None:
    """
    Run the simulation under a controller, until it has finished or the time is over.

    :param duration: simulated time [s], `math.inf` for as long as the controller takes.
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
