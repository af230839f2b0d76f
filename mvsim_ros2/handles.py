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
"""What a script holds in its hands: vehicles, blocks and sensors of a simulation."""

from abc import ABC
from abc import abstractmethod
from collections.abc import Iterator
from collections.abc import Mapping
from dataclasses import dataclass
import math
from typing import Any
from typing import TYPE_CHECKING
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Pose
from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.physics.blocks import Blocks
from mvsim_ros2.physics.commands import taken
from mvsim_ros2.physics.commands import torques_taken
from mvsim_ros2.physics.figures import Figures
from mvsim_ros2.physics.kinds import class_of
from mvsim_ros2.physics.kinds import controller_of
from mvsim_ros2.physics.layout import LAST_ERROR
from mvsim_ros2.physics.odometry import Odometry
from mvsim_ros2.physics.vehicles import Vehicles
from mvsim_ros2.sensors.observations import Observation
from mvsim_ros2.sensors.sensor import Sensor
from mvsim_ros2.sensors.sensor import SensorFrame
from mvsim_ros2.world.spec.actor import ActorSpec
from mvsim_ros2.world.spec.block import BlockSpec
from mvsim_ros2.world.spec.common import Footprint
from mvsim_ros2.world.spec.outlines import block_footprint
from mvsim_ros2.world.spec.outlines import vehicle_footprint
from mvsim_ros2.world.spec.sensor import SensorSpec
from mvsim_ros2.world.spec.vehicle import VehicleSpec

if TYPE_CHECKING:
    from mvsim_ros2.simulation import Simulation

Handle = TypeVar('Handle')


@dataclass(frozen=True)
class Contact:
    """A point at which something touches a vehicle."""

    partner: str  # name of the vehicle, block, actor or plane; '' for walls and maps
    x: float  # m, world frame
    y: float


class Handles(Mapping[str, Handle]):
    """Read-only mapping from names to handles, in the order of the world."""

    def __init__(self, what: str, handles: dict[str, Handle]) -> None:
        self._what = what
        self._handles = handles

    def __getitem__(self, name: str) -> Handle:
        """Return the handle called `name`; a KeyError lists the names there are."""
        try:
            return self._handles[name]
        except KeyError:
            raise KeyError(
                f'no {self._what} {name!r}; there are: {", ".join(self._handles) or "none"}'
            ) from None

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names."""
        return iter(self._handles)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._handles)


class BodyHandle(ABC):
    """Something with a pose and a velocity in a running simulation."""

    def __init__(self, physics: PhysicsWorld, name: str) -> None:
        self._physics = physics
        self.name = name

    @property
    @abstractmethod
    def _rows(self) -> Vehicles | Blocks | Figures:
        """Return the arrays that have a row for it."""

    @property
    def _index(self) -> int:
        return self._rows.index(self.name)

    @property
    def pose(self) -> Pose:
        """Return the true pose of its reference point in the world frame."""
        return Pose(*map(float, self._rows.pose[self._index]))

    @property
    def twist_body(self) -> NDArray[np.float64]:
        """Return the true vx, vy [m/s], wz [rad/s] of the reference point in its own frame."""
        twist: NDArray[np.float64] = self._rows.twist_body[self._index]
        return twist.copy()

    @property
    @abstractmethod
    def footprint(self) -> Footprint:
        """Return its outline and its heights in its own frame: those of its solid body [m]."""


class VehicleHandle(BodyHandle):
    """A vehicle of a running simulation."""

    @property
    def _rows(self) -> Vehicles:
        return self._physics.vehicles

    @property
    def spec(self) -> VehicleSpec:
        """Return what the world file says of it."""
        return self._rows.specs[self._index]

    @property
    def footprint(self) -> Footprint:
        """Return outline and heights of its chassis in its own frame [m]."""
        return vehicle_footprint(self.spec, self._physics.mesh_outline(self.name))

    @property
    def wheels(self) -> NDArray[np.void]:
        """Return a copy of the wheel states, one entry a wheel; SI units, forward positive."""
        first, last = self._rows.wheel_start[self._index:self._index + 2]
        wheels: NDArray[np.void] = self._rows.wheels[first:last]
        return wheels.copy()

    @property
    def odometry(self) -> Odometry:
        """Return pose and twist as the robot believes them, with covariances."""
        return self._physics.odometry(self._index)

    @property
    def pid_errors(self) -> NDArray[np.float64]:
        """Return command minus measurement at the last turn of each PID [m/s], shape (n,)."""
        return self._rows.arrays.pids[self._index, :, LAST_ERROR].copy()

    @property
    def has_pid(self) -> bool:
        """Return whether its controller is a PID."""
        return controller_of(self.spec.dynamics).has_pid

    @property
    def pid_measured(self) -> tuple[float, float]:
        """
        Return what a PID measures now by the rims, left and right [m/s].

        The speeds of the first two wheels of a vehicle that is steered by them or has rollers;
        those of the front wheels of an Ackermann vehicle along their directions; else twice the
        speed ahead.
        """
        return class_of(self.spec.dynamics).form.measured(self.wheels)

    @property
    def pid_torques(self) -> tuple[float, float]:
        """
        Return the torques of its controller, left and right [N m].

        Those of the first two wheels with rollers; of one torque for the whole vehicle twice the
        sum of its wheels.
        """
        return class_of(self.spec.dynamics).form.given(self.wheels)

    @property
    def pid_feedforward(self) -> float:
        """Return the torque that the PIDs add on the present slope [N m]."""
        record = self._rows.arrays.records[self._index]
        return float(record['slope_torque']) * math.sin(self.pose.pitch)

    @property
    def collided(self) -> bool:
        """Return whether it touched something since this was last read."""
        return self._rows.take_collided(self._index)

    @property
    def contacts(self) -> tuple[Contact, ...]:
        """Return what touched it in the last step."""
        return tuple(Contact(*each) for each in self._physics.contacts(self._index))

    @property
    def accepts_twist(self) -> bool:
        """Return whether `set_twist` is a command for its controller."""
        return self._rows.accepts_twist(self._index)

    @property
    def commands(self) -> tuple[str, ...]:
        """
        Return the names of the methods that command it, first that of its controller.

        Those of `set_twist`, `set_steering` and `set_torques`.
        """
        return tuple(command.value for command in taken(self.spec))

    @property
    def commanded_twist(self) -> tuple[float, float, float]:
        """Return vx, vy [m/s] and wz [rad/s] of the last command by twist or steering."""
        record = self._rows.arrays.records[self._index]
        return (float(record['command_v']), float(record['command_vy']),
                float(record['command_w']))

    @property
    def torques_taken(self) -> int:
        """Return how many torques command it, 0 where its controller takes none."""
        return torques_taken(self.spec)

    def set_twist(self, vx: float, wz: float, vy: float = 0.0) -> None:
        """
        Command a velocity of the reference point, held until the next command.

        :param vx: forward [m/s].
        :param wz: yaw rate [rad/s].
        :param vy: sideways, to the left [m/s]; only vehicles that can follow it do: those on
            wheels with rollers, with a steered rear axle, or with the ideal controller.
        :raises ControllerError: where the controller takes no twist.
        """
        self._rows.set_twist(self._index, vx, wz, vy)

    def set_steering(self, v: float, angle: float, rear: float | None = None) -> None:
        """
        Command a forward velocity [m/s] and a steering angle, left positive [rad].

        Every steered vehicle takes it but one with the controller `raw`.

        :param rear: angle of a steered rear axle [rad]; without it that axle follows the front
            one as its `rear_steer_ratio` says.
        :raises ControllerError: where the controller takes no steering.
        """
        self._rows.set_steering(self._index, v, angle, rear)

    def set_torques(self, *torques: float, steering: float = 0.0,
                    rear_steering: float | None = None) -> None:
        """
        Command torques of the motors [N m], positive drives forward.

        :param torques: left and right wheels; front left and front right wheel of an
            Ackermann vehicle; one number for a drivetrain or a single-track vehicle; one for
            each wheel with rollers.
        :param steering: steering angle of a steered vehicle, left positive [rad].
        :param rear_steering: that of a steered rear axle: see `set_steering`.
        :raises ControllerError: where the controller is not `raw`, or takes another number.
        """
        self._rows.set_torques(self._index, torques, steering, rear_steering)

    def set_brake(self, pressed: float) -> None:
        """
        Press the service brake, until the next such command; motors go on as they are told.

        :param pressed: from 0, released, to 1, all of its torque.
        :raises ControllerError: where the vehicle has no `<brakes torque="...">`.
        """
        self._rows.set_brake(self._index, pressed)

    def set_parking_brake(self, parked: bool) -> None:
        """
        Set or release the parking brake; motors go on as they are told.

        :raises ControllerError: where the vehicle has no `<brakes parking_torque="...">`.
        """
        self._rows.set_parking_brake(self._index, parked)


class BlockHandle(BodyHandle):
    """A block of a running simulation."""

    @property
    def _rows(self) -> Blocks:
        return self._physics.blocks

    @property
    def spec(self) -> BlockSpec:
        """Return what the world file says of it."""
        return self._rows.specs[self._index]

    @property
    def footprint(self) -> Footprint:
        """Return its outline and its heights in its own frame [m]."""
        return block_footprint(self.spec, self._physics.mesh_outline(self.name))


class ActorHandle(BodyHandle):
    """A human actor of a running simulation; it goes its own way."""

    @property
    def _rows(self) -> Figures:
        return self._physics.figures

    @property
    def footprint(self) -> Footprint:
        """Return outline and heights of its body in its own frame [m]."""
        spec = self._rows.specs[self._index]
        assert isinstance(spec, ActorSpec)
        (outline,) = self._rows.outlines[self._index]
        return Footprint(outline, 0.0, spec.collision_height)


class SensorHandle:
    """A sensor of a running simulation; its name is ``'vehicle/sensor'``."""

    def __init__(self, simulation: 'Simulation', sensor: Sensor) -> None:
        self._simulation = simulation
        self._sensor = sensor

    @property
    def name(self) -> str:
        """Return the full name, ``'vehicle/sensor'``."""
        return self._sensor.name

    @property
    def vehicle(self) -> str:
        """Return the name of the vehicle that carries it, '' where it stands in the world."""
        return self.name.rpartition('/')[0]

    @property
    def spec(self) -> SensorSpec:
        """Return what the world file says of it."""
        return self._sensor.spec

    @property
    def frame_id(self) -> str:
        """Return the name of its frame."""
        return self._sensor.frame_id

    @property
    def pose(self) -> Pose:
        """Return the pose on the vehicle, or in the world."""
        return self._sensor.pose

    @property
    def frames(self) -> tuple[SensorFrame, ...]:
        """Return the frames that its observations are in."""
        return self._sensor.frames

    @property
    def memory(self) -> dict[str, Any]:
        """Return what it remembers of its measurements, such as the `bias` of an IMU."""
        return self._sensor.state()

    def measure(self) -> Observation:
        """Measure the present state, whether it is due or not."""
        return self._simulation.measure(self.name)
