# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Bumpers, with and without a measured force, and incremental encoders of the wheels.

A bumper is pressed while something touches its side of the vehicle. The force is the impulse that
contacts give the vehicle in a step over its length, and acts at the height of the sensor. An
encoder counts whole ticks from the initial angle of its wheel, forward positive. The rate is the
count since the last measurement over the time. If no time has passed, it is the last rate.
"""

from functools import cached_property
import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import SensorError
from mvsim_ros2.frames import Array
from mvsim_ros2.sensors import (
    BodyState, ContactSample, EncoderSample, Mount, Sensor, SensorModel, WrenchSample)
from mvsim_ros2.world.spec import (
    BumperSpec, ContactForceSpec, DynamicsSpec, WheelEncodersSpec)


class _VehicleSensor(Sensor):
    """A sensor that only a vehicle can carry."""

    def __init__(self, mount: Mount) -> None:
        super().__init__(mount.spec, mount.owner)
        if not mount.owner:
            raise SensorError(f'{self.spec.source}: {self.spec.XML_CLASS} {self.name!r} stands in '
                              'the world: put it into a <vehicle>')
        self._views, self._owner, self._random = mount.views, mount.owner, mount.random


class WheelSensor(_VehicleSensor):
    """A sensor of the wheels of a vehicle."""

    @property
    def wheels(self) -> NDArray[np.void]:
        """Return the present states of the wheels."""
        return self._views.instant.wheels(self._owner)

    @cached_property
    def _dynamics(self) -> DynamicsSpec:
        return next(each.dynamics for each in self._views.things.vehicles
                    if each.name == self._owner)

    @property
    def joints(self) -> tuple[str, ...]:
        """Return the names of the joints of the wheels."""
        return self._dynamics.wheel_joints

    @property
    def driven(self) -> list[int]:
        """Return the numbers of the wheels that have a motor."""
        return list(self._dynamics.driven_wheels)


class _Touched(_VehicleSensor):
    """A sensor of what touches the vehicle in the directions, seen from it, that it covers."""

    def _contacts(self) -> Array:
        """Return the contacts on its side: see `Instant.contacts`."""
        points = self._views.instant.contacts(self._owner)
        bearing = np.arctan2(points[:, 1] - self.pose.y, points[:, 0] - self.pose.x)
        off = np.abs((bearing - self.pose.yaw + math.pi) % (2 * math.pi) - math.pi)
        assert isinstance(self.spec, BumperSpec)
        return points[off <= 0.5 * self.spec.fov + 1e-9]


class Bumper(_Touched):
    """Feels whether something touches its side."""

    def measure(self, stamp_ns: int, state: BodyState) -> ContactSample:
        covered = self._contacts()[:, :2]
        return ContactSample(self.name, self.frame_id, stamp_ns, bool(len(covered)), covered)


class ContactForce(_Touched):
    """Measures force and torque of what touches its side, in the last step."""

    def measure(self, stamp_ns: int, state: BodyState) -> WrenchSample:
        spec = self.spec
        assert isinstance(spec, ContactForceSpec)
        contacts = self._contacts()
        arms, forces = np.zeros((len(contacts), 3)), np.zeros((len(contacts), 3))
        arms[:, :2] = contacts[:, :2] - self.pose.position[:2]
        forces[:, :2] = contacts[:, 2:] / self._views.step
        wrench = np.stack([forces.sum(axis=0), np.cross(arms, forces).sum(axis=0)])
        wrench = wrench @ self.pose.rotation
        noise = self._random.standard_normal((2, 3))
        wrench += np.array([[spec.force_std_noise], [spec.torque_std_noise]]) * noise
        limit = math.inf if spec.max_force is None else spec.max_force
        return WrenchSample(self.name, self.frame_id, stamp_ns, np.clip(wrench[0], -limit, limit),
                            wrench[1])


class WheelEncoders(WheelSensor):
    """The encoders of all wheels of one vehicle."""

    MEMORY = ('last', 'last_ns', 'rate')
    last: list[int]  # counts at the last measurement, none before the first
    last_ns: int
    rate: list[float]  # at the last measurement, none before the first

    def __init__(self, mount: Mount) -> None:
        super().__init__(mount)
        self._tick = 2.0 * math.pi / mount.spec.ticks
        self.reset()

    def measure(self, stamp_ns: int, state: BodyState) -> EncoderSample:
        tick = self._tick
        count = np.floor(self.wheels['angle'] / tick).astype(np.int64)
        passed = 1e-9 * (stamp_ns - self.last_ns)
        rate = np.array(self.rate or np.zeros(len(count)))
        if passed > 0.0:
            rate = (count - (self.last or np.zeros_like(count))) * (tick / passed)
        self.last, self.last_ns, self.rate = count.tolist(), stamp_ns, rate.tolist()
        return EncoderSample(self.name, self.frame_id, stamp_ns, self.joints, count,
                             count * np.float64(tick), rate)

    def reset(self) -> None:
        self.last, self.last_ns, self.rate = [], 0, []


MODELS = (SensorModel(spec=BumperSpec, make=Bumper),
          SensorModel(spec=ContactForceSpec, make=ContactForce),
          SensorModel(spec=WheelEncodersSpec, make=WheelEncoders))
