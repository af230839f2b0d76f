# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Commands of vehicles: which controller takes which, what kernels read of them, and brakes."""

from collections.abc import Callable, Mapping, Sequence
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import ControllerError
from mvsim_ros2.physics.controllers.record import Command
from mvsim_ros2.physics.elementary_functions import clamp
from mvsim_ros2.physics.engine.bodies import Body, turn_wheels
from mvsim_ros2.physics.state.record_layout import VehicleArrays
from mvsim_ros2.physics.vehicle.drivetrain import brake_torques
from mvsim_ros2.physics.vehicle.steering import (
    ackermann_angles, angle_for_ideal_twist, angle_for_twist, course)
from mvsim_ros2.physics.vehicle.vehicle_kinds import class_of, controller_of
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec


def taken(vehicle: VehicleSpec) -> tuple[Command, ...]:
    """
    Return the commands that a vehicle takes, its controller's first.

    A steered vehicle that takes a twist takes a steering angle too; one that follows waypoints
    takes nothing.
    """
    command = controller_of(vehicle.dynamics).command
    if command is None:
        return ()
    if command == Command.TWIST and vehicle.dynamics.steered_wheels:
        return command, Command.STEERING
    return (command,)


def require(vehicle: VehicleSpec, command: Command) -> None:
    """
    Make sure that a vehicle takes a command.

    :raises ControllerError: where it does not; says what to use.
    """
    known = taken(vehicle)
    if command not in known:
        controller = vehicle.dynamics.controller
        use = f'use {known[0].value}, or' if known else 'it goes its own way; use'
        raise ControllerError(
            f'vehicle {vehicle.name!r} does not take {_COMMANDS[command][0]}: its controller is '
            f'{controller.XML_CLASS} ({controller.source}); {use} another controller in the '
            'world file')


def torques_taken(vehicle: VehicleSpec) -> int:
    """Return how many torques command a vehicle, 0 where its controller takes none."""
    if Command.TORQUES not in taken(vehicle):
        return 0
    return class_of(vehicle.dynamics).form.torques_taken(vehicle.dynamics)


def command_initially(vehicle: VehicleSpec, record: Any, wheels: Any) -> None:
    """Write the command of the world file into the records of a vehicle, its steering done."""
    controller = controller_of(vehicle.dynamics)
    values = controller.initial(vehicle.dynamics.controller, class_of(vehicle.dynamics).form)
    if values is not None and controller.command is not None:
        _COMMANDS[controller.command][1](vehicle, record, wheels, *values)
    if record['steered']:
        record['steer_front'] = record['command_front']
        record['steer_rear'] = record['command_rear']
        record['steer_left'], record['steer_right'] = commanded_angles(record)


def command_twist(vehicle: VehicleSpec, record: Any, wheels: Any, v: float, w: float,
                  sideways: float = 0.0) -> None:
    """
    Write velocities [m/s] and yaw rate [rad/s] into the records of a vehicle.

    An ideal vehicle that cannot roll sideways goes to the left at `sideways` where its pivot is,
    so that its wheels roll where they point.

    :param sideways: velocity to the left, for vehicles with a steered rear axle too.
    """
    form = class_of(vehicle.dynamics).form
    if form.command_rims is not None:
        form.command_rims(wheels, v, sideways, w)
    crabs = sideways != 0.0 and record['max_rear_steer'] > 0.0
    record['command_v'], record['command_w'], record['command_vy'] = v, w, sideways
    record['ideal_vy'] = sideways if crabs else sideways - w * record['pivot_x']
    if not record['steered']:
        return
    if crabs:
        rear_x = record['rear_x']
        across, base = sideways + rear_x * w, record['wheelbase']
        _steer(record, _course(v, across + base * w), _course(v, across))
        return
    reach = record['wheelbase'] / (1.0 - record['rear_ratio'])
    if record['is_ideal']:
        angle = angle_for_ideal_twist(reach, v, w, record['max_steer'])
    else:
        angle = angle_for_twist(reach, v, w)
    _steer(record, angle, rear_angle(record, angle))


def is_kept(vehicle: VehicleSpec, record: Any) -> bool:
    """Return whether `command_twist` does no more than to write a twist into the record."""
    return not record['steered'] and class_of(vehicle.dynamics).form.command_rims is None


def _course(along: float, across: float) -> float:
    """Return the angle of a wheel that rolls forward or backward with this velocity [rad]."""
    if along == 0.0 and across == 0.0:
        return 0.0
    return math.atan2(across, along) if along >= 0.0 else math.atan2(-across, -along)


def rear_angle(record: Any, angle: float) -> float:
    """Return the angle of the rear axle that goes with one of the front axle [rad]."""
    if record['rear_ratio'] == 0.0:
        return 0.0
    return math.atan(record['rear_ratio'] * math.tan(clamp(angle, record['max_steer'])))


def command_steering(vehicle: VehicleSpec, record: Any, wheels: Any, v: float, angle: float,
                     rear: float | None = None) -> None:
    """
    Write velocity [m/s] and steering angles [rad] into the records of a vehicle.

    :param rear: of the rear axle; None follows the front one by its ratio.
    """
    if rear is None:
        rear = rear_angle(record, angle)
    w = v * (math.tan(angle) - math.tan(rear)) / record['wheelbase']
    record['command_v'], record['command_w'], record['command_vy'] = v, w, 0.0
    record['ideal_vy'] = v * math.tan(rear) - w * record['rear_x']
    _steer(record, angle, rear)


def command_torques(vehicle: VehicleSpec, record: Any, wheels: Any, torques: Sequence[float],
                    angle: float, rear: float | None = None) -> None:
    """
    Write torques [N m] and steering angles [rad] into the records of a vehicle.

    :param torques: one, left and right, or one for each wheel.
    """
    record['torque_left'], record['torque_right'] = torques[0], torques[-1]
    if not class_of(vehicle.dynamics).form.torques:
        wheels['command'] = torques
    if record['steered']:
        _steer(record, angle, rear_angle(record, angle) if rear is None else rear)


def wheel_angles(record: Any, wheels: Any) -> tuple[float, ...]:
    """Return the commanded angles of all steered wheels [rad]."""
    front, rear = commanded_angles(record)
    if not record['by_course']:
        return front, rear
    return tuple(
        course(float(wheel['x']), float(wheel['y']), float(record['wheelbase']),
               float(record['rear_x']), front, rear) for wheel in wheels if wheel['steers'])


def command_joints(vehicle: VehicleSpec, record: Any, wheels: Any, values: Sequence[float],
                   angles: Sequence[float]) -> None:
    """
    Write speeds [rad/s] or torques [N m], and steering angles [rad], into the records.

    :param angles: of the steered ones: front left and right, which make one of the middle, or
        front and rear.
    """
    wheels['command'][list(vehicle.dynamics.driven_wheels)] = values
    if not record['steered'] or not len(angles):
        return
    if record['front_track'] > 0.0:
        left, right = (math.tan(angle) for angle in angles)
        both = left + right  # cotangents have the mean of the middle
        _steer(record, math.atan(2.0 * left * right / both) if both else 0.0, 0.0)
    else:
        _steer(record, angles[0], angles[-1] if len(angles) > 1 else 0.0)


def commanded_angles(record: Any) -> tuple[float, float]:
    """Return the commanded angles: of left and right wheel, or of front and rear axle."""
    front, rear = float(record['command_front']), float(record['command_rear'])
    if record['front_track'] > 0.0:
        return ackermann_angles(record['wheelbase'], record['front_track'], front)
    return front, rear


def _steer(record: Any, angle: float, rear: float) -> None:
    record['command_front'] = clamp(angle, record['max_steer'])
    record['command_rear'] = clamp(rear, record['max_rear_steer'])
    if not record['steer_takes_time']:
        record['steer_left'], record['steer_right'] = commanded_angles(record)


_COMMANDS: Mapping[Command, tuple[str, Callable[..., None]]] = {
    Command.TWIST: ('a twist', command_twist),
    Command.STEERING: ('a steering angle', command_steering),
    Command.JOINTS: ('commands of joints', command_joints),
    Command.TORQUES: ('torques', command_torques),
}


# by the field of the record of a vehicle: name, what is done to it, attribute of its spec that is
# not 0 where there is one, and attribute of <brakes>
_BRAKES = {'pressed': ('brake', 'pressed', 'serves', 'torque'),
           'parked': ('parking brake', 'set', 'parking_torque', 'parking_torque')}


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
        command_twist(*self._parts(i), vx, wz, vy)
        self._turn_wheels(i)

    def drive_along(self, i: int, v: float, w: float) -> None:
        """Give vehicle `i`, which takes no commands, velocity [m/s] and yaw rate [rad/s]."""
        command_twist(*self._parts(i), v, w)
        self._turn_wheels(i)

    def _parts(self, i: int) -> tuple[VehicleSpec, Any, Any]:
        """Return the spec of vehicle `i`, its record, and those of its wheels."""
        return self.specs[i], self.arrays.records[i], self.wheels_of(i)

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
        if steering and not self.arrays.records[i]['steered']:
            raise ControllerError(
                f'vehicle {self.names[i]!r} has no steering: leave out the angle {steering}')
        self._check_rear(i, rear)
        command_torques(*self._parts(i), values, steering, rear)
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
        command_joints(*self._parts(i), *given)
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
        command_steering(*self._parts(i), v, angle, rear)
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
        self._brake(i, 'pressed', pressed)

    def set_parking_brake(self, i: int, parked: float) -> None:
        """
        Set or release the parking brake: 0 releases it, 1 or True is all of its torque.

        :raises ControllerError: where there is none, or the number is not from 0 to 1.
        """
        self._brake(i, 'parked', parked)

    def _brake(self, i: int, field: str, share: float) -> None:
        dynamics, record = self.specs[i].dynamics, self.arrays.records[i]
        name, moved, there, attribute = _BRAKES[field]
        if not 0.0 <= share <= 1.0:
            raise ControllerError(
                f'the {name} of vehicle {self.names[i]!r} cannot be {moved} to {share}: give a '
                'number from 0 to 1')
        if not getattr(dynamics.brakes, there, 0.0):
            raise ControllerError(
                f'vehicle {self.names[i]!r} has no {name}: give its <dynamics> '
                f'({dynamics.source}) a <brakes {attribute}="...">')
        record[field] = share
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
