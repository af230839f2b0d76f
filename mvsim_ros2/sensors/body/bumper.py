# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Bumper: pressed while something touches its side of the vehicle."""

import math

import numpy as np

from mvsim_ros2.errors import SensorError
from mvsim_ros2.sensors.base import Mount, Sensor
from mvsim_ros2.sensors.body_state import BodyState
from mvsim_ros2.sensors.model import SensorModel
from mvsim_ros2.sensors.observations import ContactSample
from mvsim_ros2.sensors.views.views import SceneViews
from mvsim_ros2.world.spec.sensors.contact_and_encoders import BumperSpec


class Bumper(Sensor):
    """Feels contacts of its vehicle in the directions, seen from the sensor, that it covers."""

    def __init__(self, spec: BumperSpec, owner: str, views: SceneViews) -> None:
        """
        Mount a bumper.

        :raises SensorError: where there is no vehicle.
        """
        super().__init__(spec, owner)
        if not owner:
            raise SensorError(f'{spec.source}: bumper {self.name!r} stands in the world: put it '
                              'into a <vehicle>')
        self._views = views
        self._owner = owner
        self._half = 0.5 * spec.fov

    def measure(self, stamp_ns: int, state: BodyState) -> ContactSample:
        """Return whether it is pressed at this instant, and where."""
        points = self._views.instant.contacts(self._owner)
        bearing = np.arctan2(points[:, 1] - self.pose.y, points[:, 0] - self.pose.x)
        off = np.abs((bearing - self.pose.yaw + math.pi) % (2 * math.pi) - math.pi)
        covered = points[off <= self._half + 1e-9]
        return ContactSample(self.name, self.frame_id, stamp_ns, bool(len(covered)), covered)


def make_bumper(mount: Mount) -> Bumper:
    """Return a bumper."""
    return Bumper(mount.spec, mount.owner, mount.views)


MODELS = (SensorModel(spec=BumperSpec, make=make_bumper),)
