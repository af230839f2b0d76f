# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Contacts and the drive: encoders, bumpers, forces, torques, currents and the battery."""

from dataclasses import dataclass

from mvsim_ros2.world.spec.fields import Problems, tag
from mvsim_ros2.world.spec.sensors.base import SensorSpec


@dataclass(frozen=True)
class WheelEncodersSpec(SensorSpec):
    """
    Incremental encoders at all wheels of the vehicle.

    >>> from mvsim_ros2.world.spec import WheelEncodersSpec
    >>> WheelEncodersSpec(name='wheels', ticks=4096)  # measures EncoderSample
    WheelEncodersSpec(name='wheels', ticks=4096)
    """

    XML_CLASS = 'wheel_encoders'

    ticks: int = tag('int', 1024, minimum=1, doc='ticks per revolution of a wheel')


@dataclass(frozen=True)
class BumperSpec(SensorSpec):
    """
    Bumper: pressed while something touches a side of the vehicle.

    >>> from mvsim_ros2.world.spec import BumperSpec
    >>> BumperSpec(name='bumper', sensor_period=0.02)  # measures ContactSample
    BumperSpec(name='bumper', sensor_period=0.02)
    """

    XML_CLASS = 'bumper'

    fov: float = tag('angle', 6.283185307179586, name='fov_degrees', unit='deg', above=0,
                     maximum=360, doc='sector that it covers, around the x axis of the sensor')


@dataclass(frozen=True)
class ContactForceSpec(BumperSpec):
    """
    Bumper that measures force and torque of contacts on a side of the vehicle.

    >>> from mvsim_ros2.world.spec import ContactForceSpec
    >>> ContactForceSpec(name='skin', force_std_noise=0.0)  # measures WrenchSample
    ContactForceSpec(name='skin', force_std_noise=0)
    """

    XML_CLASS = 'contact_force'

    force_std_noise: float = tag(
        'float', 0.5, unit='N', minimum=0, random=True, doc='noise of the force along an axis')
    torque_std_noise: float = tag(
        'float', 0.05, unit='N m', minimum=0, random=True, doc='noise of the torque about an axis')
    max_force: float | None = tag(
        'float', None, unit='N', above=0, doc='largest force along an axis; default: no limit')


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
    INTEGRATES = True

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
        yield from super().problems()
        if self.voltage_empty > self.voltage_full:
            yield (f'voltage_empty is {self.voltage_empty:g} V and voltage_full '
                   f'{self.voltage_full:g} V: a battery loses voltage while it is discharged')


SENSORS = (WheelEncodersSpec, BumperSpec, ContactForceSpec, JointEffortSpec, MotorCurrentSpec,
           BatterySpec)
