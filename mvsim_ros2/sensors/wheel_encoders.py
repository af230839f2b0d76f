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
"""
Incremental encoders of the wheels.

An encoder counts whole ticks, forward positive, from where its wheel stood at the start; the
rate is what it counted since the last measurement over the time that passed.
"""

import math
from typing import Any

import numpy as np

from mvsim_ros2.errors import SensorError
from mvsim_ros2.sensors.eyes import Eyes
from mvsim_ros2.sensors.model import SensorModel
from mvsim_ros2.sensors.observations import EncoderSample
from mvsim_ros2.sensors.sensor import Mount
from mvsim_ros2.sensors.sensor import Sensor
from mvsim_ros2.sensors.state import BodyState
from mvsim_ros2.world.spec.body_sensors import WheelEncodersSpec


class WheelEncoders(Sensor):
    """The encoders of all wheels of one vehicle."""

    def __init__(self, spec: WheelEncodersSpec, owner: str, eyes: Eyes) -> None:
        """
        Mount the encoders.

        :raises SensorError: where there is no vehicle.
        """
        super().__init__(spec, owner)
        if not owner:
            raise SensorError(f'{spec.source}: wheel_encoders {self.name!r} stand in the world: '
                              'put them into a <vehicle>')
        self._eyes = eyes
        self._owner = owner
        self._ticks = spec.ticks
        self._last: list[int] = []  # counts at the last measurement, none before the first
        self._last_ns = 0

    def measure(self, stamp_ns: int, state: BodyState) -> EncoderSample:
        """Return the counts of all wheels."""
        wheels = self._eyes.instant.wheels(self._owner)
        tick = 2.0 * math.pi / self._ticks
        count = np.floor(wheels['angle'] / tick).astype(np.int64)
        passed = 1e-9 * (stamp_ns - self._last_ns)
        rate = np.zeros(len(count))
        if passed > 0.0:
            rate += (count - (self._last or 0)) * (tick / passed)
        self._last, self._last_ns = count.tolist(), stamp_ns
        return EncoderSample(self.name, self.frame_id, stamp_ns, wheel_names(len(count)), count,
                             count * np.float64(tick), rate)

    def reset(self) -> None:
        """Count from zero."""
        self._last, self._last_ns = [], 0

    def state(self) -> dict[str, Any]:
        """Return the last counts and their time."""
        return {'last': self._last, 'last_ns': self._last_ns}

    def set_state(self, state: dict[str, Any]) -> None:
        """Continue with what `state` returned."""
        self._last, self._last_ns = state['last'], state['last_ns']


def wheel_names(count: int) -> tuple[str, ...]:
    """Return the names of the joints of the wheels of a vehicle, as its URDF has them."""
    return tuple(f'wheel_{i}_joint' for i in range(1, count + 1))


def make_wheel_encoders(mount: Mount) -> WheelEncoders:
    """Return the encoders of a vehicle."""
    return WheelEncoders(mount.spec, mount.owner, mount.eyes)


MODELS = (SensorModel(spec=WheelEncodersSpec, make=make_wheel_encoders),)
