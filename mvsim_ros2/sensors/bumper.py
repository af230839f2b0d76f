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
"""Bumper: pressed while something touches its side of the vehicle."""

import math

import numpy as np

from mvsim_ros2.errors import SensorError
from mvsim_ros2.sensors.eyes import Eyes
from mvsim_ros2.sensors.model import SensorModel
from mvsim_ros2.sensors.observations import ContactSample
from mvsim_ros2.sensors.sensor import Mount
from mvsim_ros2.sensors.sensor import Sensor
from mvsim_ros2.sensors.state import BodyState
from mvsim_ros2.world.spec.body_sensors import BumperSpec


class Bumper(Sensor):
    """Feels contacts of its vehicle in the directions, seen from the sensor, that it covers."""

    def __init__(self, spec: BumperSpec, owner: str, eyes: Eyes) -> None:
        """
        Mount a bumper.

        :raises SensorError: where there is no vehicle.
        """
        super().__init__(spec, owner)
        if not owner:
            raise SensorError(f'{spec.source}: bumper {self.name!r} stands in the world: put it '
                              'into a <vehicle>')
        self._eyes = eyes
        self._owner = owner
        self._half = 0.5 * spec.fov

    def measure(self, stamp_ns: int, state: BodyState) -> ContactSample:
        """Return whether it is pressed at this instant, and where."""
        points = self._eyes.instant.contacts(self._owner)
        bearing = np.arctan2(points[:, 1] - self.pose.y, points[:, 0] - self.pose.x)
        off = np.abs((bearing - self.pose.yaw + math.pi) % (2 * math.pi) - math.pi)
        covered = points[off <= self._half + 1e-9]
        return ContactSample(self.name, self.frame_id, stamp_ns, bool(len(covered)), covered)


def make_bumper(mount: Mount) -> Bumper:
    """Return a bumper."""
    return Bumper(mount.spec, mount.owner, mount.eyes)


MODELS = (SensorModel(spec=BumperSpec, make=make_bumper),)
