# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Bumpers and incremental encoders of the wheels.

A bumper is pressed while something touches its side of the vehicle. An encoder counts whole ticks,
forward positive, from where its wheel stood at the start; the rate is what it counted since the
last measurement over the time that passed, and that of the last measurement where no time has
passed.
"""

import math

import numpy as np

from mvsim_ros2.errors import SensorError
from mvsim_ros2.sensors import (
    BodyState, ContactSample, EncoderSample, Mount, Sensor, SensorModel)
from mvsim_ros2.world.spec import BumperSpec, WheelEncodersSpec


class _VehicleSensor(Sensor):
    """A sensor that only a vehicle can carry."""

    def __init__(self, mount: Mount) -> None:
        super().__init__(mount.spec, mount.owner)
        if not mount.owner:
            raise SensorError(f'{self.spec.source}: {self.spec.XML_CLASS} {self.name!r} stands in '
                              'the world: put it into a <vehicle>')
        self._views, self._owner = mount.views, mount.owner


class Bumper(_VehicleSensor):
    """Feels contacts of its vehicle in the directions, seen from the sensor, that it covers."""

    def measure(self, stamp_ns: int, state: BodyState) -> ContactSample:
        """Return whether it is pressed at this instant, and where."""
        points = self._views.instant.contacts(self._owner)
        bearing = np.arctan2(points[:, 1] - self.pose.y, points[:, 0] - self.pose.x)
        off = np.abs((bearing - self.pose.yaw + math.pi) % (2 * math.pi) - math.pi)
        assert isinstance(self.spec, BumperSpec)
        covered = points[off <= 0.5 * self.spec.fov + 1e-9]
        return ContactSample(self.name, self.frame_id, stamp_ns, bool(len(covered)), covered)


class WheelEncoders(_VehicleSensor):
    """The encoders of all wheels of one vehicle."""

    MEMORY = ('last', 'last_ns', 'rate')
    last: list[int]  # counts at the last measurement, none before the first
    last_ns: int
    rate: list[float]  # at the last measurement, none before the first

    def __init__(self, mount: Mount) -> None:
        """
        Mount the encoders.

        :raises SensorError: where there is no vehicle.
        """
        super().__init__(mount)
        self._tick = 2.0 * math.pi / mount.spec.ticks
        self._joints: tuple[str, ...] = ()  # of the wheels, none before the first measurement
        self.reset()

    def measure(self, stamp_ns: int, state: BodyState) -> EncoderSample:
        """Return the counts of all wheels."""
        wheels, tick = self._views.instant.wheels(self._owner), self._tick
        count = np.floor(wheels['angle'] / tick).astype(np.int64)
        passed = 1e-9 * (stamp_ns - self.last_ns)
        rate = np.array(self.rate or np.zeros(len(count)))
        if passed > 0.0:
            rate = (count - (self.last or np.zeros_like(count))) * (tick / passed)
        self.last, self.last_ns, self.rate = count.tolist(), stamp_ns, rate.tolist()
        self._joints = self._joints or next(
            each.dynamics.wheel_joints for each in self._views.things.vehicles
            if each.name == self._owner)
        return EncoderSample(self.name, self.frame_id, stamp_ns, self._joints, count,
                             count * np.float64(tick), rate)

    def reset(self) -> None:
        """Count from zero."""
        self.last, self.last_ns, self.rate = [], 0, []


MODELS = (SensorModel(spec=BumperSpec, make=Bumper),
          SensorModel(spec=WheelEncodersSpec, make=WheelEncoders))
