# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Readers of radio tags.

At the distance d the signal of a tag is P - 10 n log10(d / 1 m) + X, by log-distance path loss and
normal shadowing (T. S. Rappaport, Wireless communications, 2002, 4.9). An obstacle weakens it. The
antenna loses 12 (a / b)^2 dB at the angle a from its axis with the half-power width
b, at most 30 dB (3GPP TR 38.901, table 7.3-1).
"""

import numpy as np

from mvsim_ros2.sensors import BodyState, Mount, RfidReadings, Sensor, SensorModel
from mvsim_ros2.sensors.raycast.opacity import SOLID
from mvsim_ros2.sensors.views.ray_view import RayView
from mvsim_ros2.world.spec import RfidSpec

_NEAREST = 0.01  # m
_LEAST_GAIN = 30.0  # dB below that of the axis


class Rfid(Sensor):
    """Reader on a vehicle."""

    def __init__(self, mount: Mount) -> None:
        super().__init__(mount.spec, mount.owner)
        spec: RfidSpec = mount.spec
        self._spec, self._random, self._views = spec, mount.random, mount.views
        self._numbers = np.array([each.number for each in spec.tags], np.int64)
        self._places = np.array([each.place for each in spec.tags], float).reshape(-1, 3)

    def measure(self, stamp_ns: int, state: BodyState) -> RfidReadings:
        place, rotation = self.place_in_world(state)
        spec, count = self._spec, len(self._numbers)
        away = self._places - place
        distance = np.maximum(np.linalg.norm(away, axis=1), _NEAREST)
        signal = spec.power_at_1m - 10.0 * spec.path_loss_exponent * np.log10(distance)
        signal += spec.shadowing_std_noise * self._random.standard_normal(count)
        if spec.beam_width > 0.0:
            ahead = away @ (rotation @ self.pose.rotation[:, 0]) / distance
            angle = np.arccos(np.clip(ahead, -1.0, 1.0))
            signal -= np.minimum(12.0 * (angle / spec.beam_width) ** 2, _LEAST_GAIN)
        if count and spec.obstacle_loss > 0.0:
            scene = self._views.use(RayView).now()
            mask = scene.mask(state.mover_index, self.name, spec.ignore_parent_body)
            hits = scene.cast(place, away, farthest=1.0 - 1e-6, mask=mask, least=SOLID)
            signal[hits.instance >= 0] -= spec.obstacle_loss
        heard = signal >= spec.sensitivity
        return RfidReadings(self.name, self.frame_id, stamp_ns, self._numbers[heard],
                            signal[heard])


MODELS = (SensorModel(spec=RfidSpec, make=Rfid),)
