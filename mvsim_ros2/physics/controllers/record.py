# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The record of a controller: everything that the rest of the package needs to know of one."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import Enum
from typing import Any

import numpy as np

from mvsim_ros2.errors import PluginError
from mvsim_ros2.frames import Records
from mvsim_ros2.physics.state.record_layout import OWN_VALUES
from mvsim_ros2.physics.vehicle.forms import Form
from mvsim_ros2.world.spec.vehicle.controller import ControllerSpec
from mvsim_ros2.world.spec.vehicle.dynamics import DynamicsSpec

# vehicle, wheels, pitch, pid, dt -> left, right; see `Controller.torques`
TorqueKernel = Callable[[np.void, Records, float, Records, float], tuple[float, float]]


class Command(Enum):
    """A command, by the method of a vehicle that gives it, and its arguments."""

    TWIST = 'set_twist'  # velocity [m/s], yaw rate [rad/s]
    STEERING = 'set_steering'  # velocity [m/s], steering angle [rad]
    JOINTS = 'set_joints'  # of driven wheels [rad/s or N m]; steering angles [rad]
    TORQUES = 'set_torques'  # tuple of torques of the motors [N m], steering angle [rad]


@dataclass(frozen=True)
class Setting:
    """The vehicle that a controller is set up for."""

    dynamics: DynamicsSpec
    form: Form
    dt: float  # s
    gravity: float  # m/s^2
    mass: float  # kg, that the wheels push
    radius: float  # m, of the wheels on average
    driven: float  # wheels with all of the torque of a motor
    physical: bool  # in mode `physical`

    @property
    def one_torque(self) -> bool:
        """Return whether one torque drives the whole vehicle."""
        return self.form.torques == 1

    def slope_torque(self, gain: float) -> float:
        """
        Return the torque of a motor for a slope with sin(pitch) = 1 [N m].

        With the sign of the original in mode `mvsim`, where it adds to the pull of the slope.
        """
        torque = gain * self.mass * self.gravity * self.radius / self.driven
        return -torque if self.physical else torque


def _no_values(spec: Any, setting: Setting) -> Mapping[str, float]:
    return {}


def _no_command(spec: Any, form: Form) -> None:
    return


def _no_problems(spec: Any, form: Form) -> Iterator[str]:
    return iter(())


@dataclass(frozen=True)
class Controller:
    """
    All about a controller.

    :ivar spec: dataclass of the parameters, a `ControllerSpec` with its own `XML_CLASS`.
    :ivar command: that it takes; None for one that goes its own way.
    :ivar torques: for each form of vehicles that it can drive the kernel that is called in each
        step: see `step.motor_torques`. It returns the torques of the left and the right motors [N
        m]; a form with one torque takes the first. If each wheel has a motor, the kernel writes
        `torque` of the wheel.
    :ivar columns: names of its numbers, which a kernel finds in their order in ``vehicle['own']``,
        at most `record_layout.OWN_VALUES`.
    :ivar parameters: computes these for a vehicle, and columns of its record (see `layout`) that
        the kernels read, by name. Others are the parameters of the same names.
    :ivar initial: makes the arguments of `command` at the start, None for no command.
    :ivar problems: what is wrong with the parameters on a form, a sentence each.
    :ivar has_pid: whether it keeps PIDs in its state by `pid.pid_step`. Their errors are logged,
        and mode `physical` holds a vehicle whose first PID is at rest.
    :ivar by_speed: forms on which its PIDs never rest at a commanded velocity without a filter, so
        that mode `physical` need not check them.
    :ivar is_ideal: whether the body gets the velocity of the command, whatever the torques.
    :ivar each_wheel: whether its kernels write the torque of each wheel, on any form.
    :ivar tuned: computes the parameters that `mvsim_ros2 tune` sets from KP [N m s/m], KI [N m/m]
        and the largest torque [N m], or None.
    :raises ValueError: where that cannot be a controller; says why.
    """

    spec: type[ControllerSpec]
    command: Command | None
    torques: Mapping[Form, TorqueKernel]
    columns: tuple[str, ...] = ()
    parameters: Callable[[Any, Setting], Mapping[str, float]] = _no_values
    initial: Callable[[Any, Form], Sequence[Any] | None] = _no_command
    problems: Callable[[Any, Form], Iterator[str]] = _no_problems
    has_pid: bool = False
    by_speed: Sequence[Form] = ()
    is_ideal: bool = False
    each_wheel: bool = False
    tuned: Callable[[float, float, float], Mapping[str, Any]] | None = None

    def __post_init__(self) -> None:
        """Check what can be checked without a vehicle."""
        name = f'the controller of {self.spec.__qualname__}'
        if not issubclass(self.spec, ControllerSpec) or not self.spec.XML_CLASS:
            raise ValueError(f'{name}: make the class a ControllerSpec with an XML_CLASS')
        if self.command is not None and not isinstance(self.command, Command):
            raise ValueError(f'{name} takes {self.command!r}: make that one of '
                             f'{", ".join(map(str, Command))}')
        if not self.torques:
            raise ValueError(f'{name} can drive no form of vehicles: give it `torques`')
        if len(self.columns) > OWN_VALUES:
            raise ValueError(
                f'{name} has {len(self.columns)} numbers: give it at most {OWN_VALUES}')
        missing = {*self.columns} - {field.name for field in fields(self.spec)}
        if self.parameters is _no_values and missing:
            raise ValueError(f'{name} has the columns {sorted(missing)}, which are no parameters '
                             'of it: say in `parameters` what they are')

    def set_up(self, record: Any, spec: ControllerSpec, setting: Setting) -> None:
        """
        Write the parameters for a vehicle into its record.

        :raises PluginError: where one is missing, or has no column.
        """
        values = dict(self.parameters(spec, setting))
        for place, name in enumerate(self.columns):
            value = values.pop(name, getattr(spec, name, None))
            if value is None:
                raise PluginError(f'the controller {self.spec.XML_CLASS!r} has no value for its '
                                  f'column {name!r}: mend its `parameters`')
            record['own'][place] = value
        for name, value in values.items():
            if name not in record.dtype.names:
                raise PluginError(
                    f'the controller {self.spec.XML_CLASS!r} has the parameter {name!r}, for '
                    'which there is no column: name it in the `columns` of its record')
            record[name] = value
