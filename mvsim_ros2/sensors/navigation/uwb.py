# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Ultra-wideband ranging.

In free sight a range is the distance and white noise. Behind an obstacle the first path is weaker
or later, so the range is too long by an exponentially distributed excess. The source is Alsindi,
Alavi and Pahlavan, Measurement and modeling of ultrawideband TOA-based ranging in indoor multipath
environments (IEEE Trans. Vehicular Technology 58, 2009; IEEE 802.15.4a channel models have
exponential delay profiles), and the reach is less.
"""

import numpy as np

from mvsim_ros2.sensors import BodyState, Mount, Sensor, SensorModel, UwbRanges
from mvsim_ros2.sensors.raycast.opacity import SOLID
from mvsim_ros2.sensors.views.ray_view import RayView
from mvsim_ros2.world.spec import UwbSpec


class Uwb(Sensor):
    """Tag on a vehicle."""

    def __init__(self, mount: Mount) -> None:
        super().__init__(mount.spec, mount.owner)
        spec: UwbSpec = mount.spec
        self._spec = spec
        self._random, self._views = mount.random, mount.views
        self._numbers = np.array([each.number for each in spec.anchors], np.int64)
        self._places = np.array([each.place for each in spec.anchors], float).reshape(-1, 3)

    def measure(self, stamp_ns: int, state: BodyState) -> UwbRanges:
        place, _ = self.place_in_world(state)
        spec, count = self._spec, len(self._numbers)
        away = self._places - place
        distance = np.linalg.norm(away, axis=1)
        normals = self._random.standard_normal(count)
        late, chance = self._random.exponential(size=count), self._random.random(count)
        in_view = np.ones(count, bool)
        if count:
            scene = self._views.use(RayView).now()
            mask = scene.mask(state.mover_index, self.name, spec.ignore_parent_body)
            hits = scene.cast(place, away, farthest=1.0 - 1e-6, mask=mask, least=SOLID)
            in_view = hits.instance < 0
        ranges = distance + spec.range_std_noise * normals
        ranges = np.where(in_view, ranges, ranges + spec.nlos_bias * late)
        reach = np.where(in_view, spec.max_range, spec.nlos_range_factor * spec.max_range)
        heard = (distance <= reach) & (chance >= spec.dropout)
        return UwbRanges(
            self.name, self.frame_id, stamp_ns, self._numbers[heard], self._places[heard],
            np.maximum(ranges[heard], 0.0), in_view[heard], spec.range_std_noise)


MODELS = (SensorModel(spec=UwbSpec, make=Uwb),)
