# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Torques, currents and the battery of the motors (`joint_effort`, `motor_current`, `battery`)."""

from dataclasses import dataclass

from mvsim_ros2.world.spec.fields import Problems, tag
from mvsim_ros2.world.spec.sensors.base import SensorSpec


@dataclass(frozen=True)
class JointEffortSpec(SensorSpec):
    """
    Torque sensors at the joints of all wheels.

    >>> from mvsim_ros2.world.spec import JointEffortSpec
    >>> JointEffortSpec(name='torques', std_noise=0.01)  # measures JointSample
    JointEffortSpec(name='torques', std_noise=0.01)
    """

    XML_CLASS = 'joint_effort'

    std_noise: float = tag(
        'float', 0.05, unit='N m', minimum=0, random=True, doc='noise of a torque')


@dataclass(frozen=True)
class MotorsSpec(SensorSpec):
    """Direct-current motors with gears, one at each driven wheel."""

    gear_ratio: float = tag(
        'float', 20.0, above=0, doc='turns of a motor for one of its wheel')
    torque_constant: float = tag(
        'float', 0.05, unit='N m/A', above=0, doc='torque of a motor for its current')
    no_load_current: float = tag(
        'float', 0.0, unit='A', minimum=0, doc='current that friction takes while a motor turns')


@dataclass(frozen=True)
class MotorCurrentSpec(MotorsSpec):
    """
    Currents of the motors of driven wheels.

    >>> from mvsim_ros2.world.spec import MotorCurrentSpec
    >>> MotorCurrentSpec(name='currents', gear_ratio=30.0)  # measures JointSample
    MotorCurrentSpec(name='currents', gear_ratio=30)
    """

    XML_CLASS = 'motor_current'

    std_noise: float = tag('float', 0.02, unit='A', minimum=0, random=True, doc='noise')


@dataclass(frozen=True)
class BatterySpec(MotorsSpec):
    """
    Battery that feeds the motors and a constant load.

    >>> from mvsim_ros2.world.spec import BatterySpec
    >>> BatterySpec(name='battery', capacity=5.0, charge=0.8)  # measures BatterySample
    BatterySpec(name='battery', capacity=5, charge=0.8)
    """

    XML_CLASS = 'battery'

    capacity: float = tag('float', 10.0, unit='A h', above=0, doc='charge of the full battery')
    charge: float = tag('float', 1.0, minimum=0, maximum=1, doc='share of it at the start')
    voltage_full: float = tag(
        'float', 25.2, unit='V', above=0, doc='voltage of the full battery without a load')
    voltage_empty: float = tag(
        'float', 21.0, unit='V', above=0, doc='voltage of the empty one without a load')
    internal_resistance: float = tag(
        'float', 0.05, unit='ohm', minimum=0, doc='resistance of the battery')
    motor_resistance: float = tag(
        'float', 0.3, unit='ohm', minimum=0, doc='resistance of the windings of a motor')
    idle_power: float = tag(
        'float', 10.0, unit='W', minimum=0, doc='power of computers and sensors')
    regeneration: float = tag('float', 0.0, minimum=0, maximum=1, doc='share of the power of '
                              'braking motors that charges the battery')
    voltage_std_noise: float = tag(
        'float', 0.01, unit='V', minimum=0, random=True, doc='noise of the voltage')
    current_std_noise: float = tag(
        'float', 0.05, unit='A', minimum=0, random=True, doc='noise of the current')

    def problems(self) -> Problems:
        """Yield a sentence for every rule that its values break."""
        yield from super().problems()
        if self.voltage_empty > self.voltage_full:
            yield (f'voltage_empty is {self.voltage_empty:g} V and voltage_full '
                   f'{self.voltage_full:g} V: a battery loses voltage while it is discharged')


SENSORS = JointEffortSpec, MotorCurrentSpec, BatterySpec
