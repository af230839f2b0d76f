# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Torques at the joints of wheels, currents of motors, and the battery.

A direct-current motor has the torque constant k, gear ratio n, winding resistance R and no-load
current I0. At the torque T and the rate w of its wheel, its current is I = T / (n k) + I0 sign(w).
Its voltage is U = R I + k n w. The open-circuit voltage V0 of the battery falls evenly with its
charge; r is its series resistance. At the power P of motors and constant load its current solves
(V0 - r I) I = P. So I = (V0 - sqrt(V0^2 - 4 r P)) / (2 r), at most V0 / (2 r), at the largest
power.
"""

import math

import numpy as np

from mvsim_ros2.frames import Array
from mvsim_ros2.sensors import (
    BatterySample, BodyState, JointSample, Mount, SensorModel)
from mvsim_ros2.sensors.body.contact_and_encoders import WheelSensor
from mvsim_ros2.world.spec import BatterySpec, JointEffortSpec, MotorCurrentSpec


class JointEffort(WheelSensor):
    """The torques of the motors at the joints of wheels."""

    def measure(self, stamp_ns: int, state: BodyState) -> JointSample:
        torque = self.wheels['torque']
        assert isinstance(self.spec, JointEffortSpec)
        noise = self.spec.std_noise * self._random.standard_normal(len(torque))
        return JointSample(self.name, self.frame_id, stamp_ns, self.joints, torque + noise)


class _Motors(WheelSensor):
    """A sensor of motors at driven wheels."""

    def __init__(self, mount: Mount) -> None:
        super().__init__(mount)
        self._motors = mount.spec

    @property
    def currents(self) -> Array:
        """Return the currents of the motors of driven wheels [A]."""
        spec, wheels = self._motors, self.wheels[self.driven]
        current: Array = wheels['torque'] / (spec.gear_ratio * spec.torque_constant) + (
            spec.no_load_current * np.sign(wheels['omega']))
        return current


class MotorCurrent(_Motors):
    """The currents of the motors of driven wheels."""

    def measure(self, stamp_ns: int, state: BodyState) -> JointSample:
        current = self.currents
        noise = self._motors.std_noise * self._random.standard_normal(len(current))
        joints = tuple(self.joints[k] for k in self.driven)
        return JointSample(self.name, self.frame_id, stamp_ns, joints, current + noise)


class Battery(_Motors):
    """A battery; its charge falls by the mean of the currents at two measurements."""

    MEMORY = ('charge', 'last_ns', 'current')
    charge: float  # A h
    last_ns: int  # time of the last measurement
    current: float  # that flowed then, out of the battery [A]

    def __init__(self, mount: Mount) -> None:
        super().__init__(mount)
        self.reset()

    def measure(self, stamp_ns: int, state: BodyState) -> BatterySample:
        spec = self._motors
        current, omega = self.currents, self.wheels[self.driven]['omega']
        power = float((current * (spec.motor_resistance * current
                                  + spec.torque_constant * spec.gear_ratio * omega)).sum())
        power = spec.idle_power + (power if power > 0.0 else spec.regeneration * power)
        hours = 1e-9 / 3600.0 * max(stamp_ns - self.last_ns, 0)
        before = self.current if self.last_ns else self._flow(power)[0]
        self._take(hours * before)
        if self.charge > 0.0:
            self._take(0.5 * hours * (self._flow(power)[0] - before))
        self.last_ns = stamp_ns
        self.current, voltage = self._flow(power)
        noise = self._random.standard_normal(2)
        return BatterySample(
            self.name, self.frame_id, stamp_ns, voltage + spec.voltage_std_noise * float(noise[0]),
            self.current + spec.current_std_noise * float(noise[1]), self.charge, spec.capacity)

    def _take(self, charge: float) -> None:
        """Take a charge [A h], as far as there is one."""
        self.charge = min(max(self.charge - charge, 0.0), self._motors.capacity)

    def _flow(self, power: float) -> tuple[float, float]:
        """Return the current out of the battery [A] for a power [W], and its voltage."""
        spec = self._motors
        share = self.charge / spec.capacity
        open_voltage = spec.voltage_empty + share * (spec.voltage_full - spec.voltage_empty)
        resistance = spec.internal_resistance
        if self.charge == 0.0 and power > 0.0:
            return 0.0, open_voltage
        if resistance == 0.0:
            return power / open_voltage, open_voltage
        root = math.sqrt(max(open_voltage ** 2 - 4.0 * resistance * power, 0.0))
        current = (open_voltage - root) / (2.0 * resistance)
        return current, open_voltage - resistance * current

    def reset(self) -> None:
        self.charge = self._motors.charge * self._motors.capacity
        self.last_ns, self.current = 0, 0.0


MODELS = (SensorModel(spec=JointEffortSpec, make=JointEffort),
          SensorModel(spec=MotorCurrentSpec, make=MotorCurrent),
          SensorModel(spec=BatterySpec, make=Battery))
