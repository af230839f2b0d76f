# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Commands of vehicles: of their controllers, and brakes."""

from dataclasses import dataclass
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import ControllerError
from mvsim_ros2.physics.controllers.record import Command
from mvsim_ros2.physics.engine.bodies import Body, turn_wheels
from mvsim_ros2.physics.state.record_layout import VehicleArrays
from mvsim_ros2.physics.vehicle.commands import (
    command_joints, command_steering, command_torques, command_twist, is_kept, require, taken,
    torques_taken, wheel_angles)
from mvsim_ros2.physics.vehicle.drivetrain import brake_torques
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec


@dataclass(frozen=True)
class _Brake:
    """One of the two brakes: its names, and where its state stands."""

    name: str
    moved: str
    field: str  # of the vehicle's record
    there: str  # attribute of the brakes' spec that is not 0 where there is one
    attribute: str  # of <brakes>


_SERVICE = _Brake('brake', 'pressed', 'pressed', 'serves', 'torque')
_PARKING = _Brake('parking brake', 'set', 'parked', 'parking_torque', 'parking_torque')


class VehicleCommands:
    """The part of `Vehicles` that takes commands; which has the arrays."""

    names: list[str]
    specs: list[VehicleSpec]
    bodies: list[Body]
    _turned: list[tuple[float, ...]]  # steering angles of the wheel boxes
    arrays: VehicleArrays
    wheels: Any
    wheel_start: NDArray[np.int64]

    def accepts_twist(self, i: int) -> bool:
        """Return whether the controller of vehicle `i` takes a twist."""
        return Command.TWIST in taken(self.specs[i])

    def keeps_twist(self, i: int) -> bool:
        """Return whether a twist of vehicle `i` is kept in its record, and turns no wheel."""
        return self.accepts_twist(i) and is_kept(self.specs[i], self.arrays.records[i])

    def set_twist(self, i: int, vx: float, wz: float, vy: float = 0.0) -> None:
        """
        Command a velocity [m/s] and a yaw rate [rad/s], body frame.

        :param vy: sideways velocity, which only wheels with rollers, a steered rear axle and
            the ideal controller follow.
        :raises ControllerError: where the controller takes no twist, or the numbers are not
            finite.
        """
        require(self.specs[i], Command.TWIST)
        self._check_finite(i, (vx, wz, vy))
        command_twist(self.specs[i], self.arrays.records[i], self.wheels_of(i), vx, wz, vy)
        self._turn_wheels(i)

    def drive_along(self, i: int, v: float, w: float) -> None:
        """Give vehicle `i`, which takes no commands, velocity [m/s] and yaw rate [rad/s]."""
        command_twist(self.specs[i], self.arrays.records[i], self.wheels_of(i), v, w)
        self._turn_wheels(i)

    def wheels_of(self, i: int) -> Any:
        """Return the records of the wheels of vehicle `i`."""
        return self.wheels[self.wheel_start[i]:self.wheel_start[i + 1]]

    def set_torques(self, i: int, torques: Any, steering: float = 0.0,
                    rear: float | None = None) -> None:
        """
        Command the torques of the motors [N m], forward positive.

        :param torques: left and right wheels, or front left and front right wheel of an Ackermann
            vehicle. One for a drivetrain or single track; one for each wheel with rollers.
        :param steering: steering angle, left positive [rad]; 0 for vehicles without.
        :param rear: angle of a steered rear axle; None follows the front one by its ratio.
        :raises ControllerError: where the controller is not raw, or takes other numbers.
        """
        require(self.specs[i], Command.TORQUES)
        values = tuple(np.asarray(torques, float).ravel().tolist())
        expected = torques_taken(self.specs[i])
        if len(values) != expected:
            which = ', left and right,' if expected == 2 else ''
            raise ControllerError(f'vehicle {self.names[i]!r} takes {expected} torque'
                                  f'{"s" * (expected > 1)}{which} not {len(values)}')
        self._check_finite(i, (*values, steering))
        record = self.arrays.records[i]
        if steering and not record['steered']:
            raise ControllerError(
                f'vehicle {self.names[i]!r} has no steering: leave out the angle {steering}')
        self._check_rear(i, rear)
        command_torques(self.specs[i], record, self.wheels_of(i), values, steering, rear)
        self._turn_wheels(i)

    def set_joints(self, i: int, values: Any, angles: Any = ()) -> None:
        """
        Command speeds [rad/s] or torques [N m] of the driven wheels.

        :param angles: of the steered wheels [rad]; none keeps them.
        :raises ControllerError: where the controller takes none, or other numbers of them.
        """
        require(self.specs[i], Command.JOINTS)
        dynamics = self.specs[i].dynamics
        given = [tuple(np.asarray(each, float).ravel().tolist()) for each in (values, angles)]
        for what, numbers, wheels in (('driven', given[0], dynamics.driven_wheels),
                                      ('steered', given[1], dynamics.steered_wheels)):
            if len(numbers) != len(wheels) and (numbers or what == 'driven'):
                raise ControllerError(f'vehicle {self.names[i]!r} has {len(wheels)} {what} '
                                      f'wheels: give as many numbers, not {len(numbers)}')
        self._check_finite(i, given[0] + given[1])
        command_joints(self.specs[i], self.arrays.records[i], self.wheels_of(i), *given)
        self._turn_wheels(i)

    def set_steering(self, i: int, v: float, angle: float, rear: float | None = None) -> None:
        """
        Command a velocity [m/s] and a steering angle, left positive [rad].

        :param rear: that of a steered rear axle; None follows the front one by its ratio.
        :raises ControllerError: where the controller takes no such command, or the numbers
            are not finite.
        """
        require(self.specs[i], Command.STEERING)
        self._check_finite(i, (v, angle))
        self._check_rear(i, rear)
        command_steering(
            self.specs[i], self.arrays.records[i], self.wheels_of(i), v, angle, rear)
        self._turn_wheels(i)

    def _check_rear(self, i: int, rear: float | None) -> None:
        if rear is None:
            return
        self._check_finite(i, (rear,))
        if rear and not self.arrays.records[i]['max_rear_steer']:
            raise ControllerError(
                f'vehicle {self.names[i]!r} has no steered rear axle: leave out the angle {rear}')

    def set_brake(self, i: int, pressed: float) -> None:
        """
        Press the service brake: 0 releases it, 1 is all of its torque.

        :raises ControllerError: where there is none, or the number is not from 0 to 1.
        """
        self._brake(i, _SERVICE, pressed)

    def set_parking_brake(self, i: int, parked: float) -> None:
        """
        Set or release the parking brake: 0 releases it, 1 or True is all of its torque.

        :raises ControllerError: where there is none, or the number is not from 0 to 1.
        """
        self._brake(i, _PARKING, parked)

    def _brake(self, i: int, brake: _Brake, share: float) -> None:
        dynamics, record = self.specs[i].dynamics, self.arrays.records[i]
        if not 0.0 <= share <= 1.0:
            raise ControllerError(
                f'the {brake.name} of vehicle {self.names[i]!r} cannot be {brake.moved} to '
                f'{share}: give a number from 0 to 1')
        if not getattr(dynamics.brakes, brake.there, 0.0):
            raise ControllerError(
                f'vehicle {self.names[i]!r} has no {brake.name}: give its <dynamics> '
                f'({dynamics.source}) a <brakes {brake.attribute}="...">')
        record[brake.field] = share
        self.wheels_of(i)['brake'] = brake_torques(
            dynamics, float(record['pressed']), float(record['parked']))

    def _turn_wheels(self, i: int) -> None:
        """Let the boxes of the wheels of vehicle `i` follow its commanded steering angles."""
        record = self.arrays.records[i]
        if record['steered']:
            angles = wheel_angles(record, self.wheels_of(i))
            if angles != self._turned[i]:
                dynamics = self.specs[i].dynamics
                turn_wheels(self.bodies[i], dynamics.wheels,
                            dict(zip(dynamics.steered_wheels, angles, strict=True)))
                self._turned[i] = angles

    def _check_finite(self, i: int, values: tuple[float, ...]) -> None:
        try:
            finite = all(math.isfinite(value) for value in values)
        except TypeError:
            raise ControllerError(f'command {values} of vehicle {self.names[i]!r}: give '
                                  'numbers') from None
        if not finite:
            raise ControllerError(f'command {values} of vehicle {self.names[i]!r} is not finite')
