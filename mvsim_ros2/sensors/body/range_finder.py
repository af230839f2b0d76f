# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Ultrasonic and infrared range finders.

Rays spread evenly over a cone feel for the nearest surface; one that is met at too small an
angle sends nothing back. An even spread is the spiral of the golden angle: R. Swinbank and
R. J. Purser, *Fibonacci grids*, Q. J. R. Meteorol. Soc. 132 (2006) 1769.
"""

import math

import numpy as np

from mvsim_ros2.frames import Array
from mvsim_ros2.sensors import BodyState, Mount, RangeSample, Sensor, SensorModel
from mvsim_ros2.sensors.raycast.opacity import ANYTHING, SOLID
from mvsim_ros2.sensors.views.ray_view import RayView
from mvsim_ros2.world.spec import InfraredSpec, RangeFinderSpec, SonarSpec

_GOLDEN = math.pi * (3.0 - math.sqrt(5.0))


def cone(fov: float, rays: int) -> Array:
    """Return unit vectors evenly over a cone of an angle [rad] around x, shape (rays, 3)."""
    share = np.arange(rays) / max(1, rays - 1)
    along = 1.0 - share * (1.0 - math.cos(0.5 * fov))
    across = np.sqrt(1.0 - along ** 2)
    turn = _GOLDEN * np.arange(rays)
    return np.stack([along, across * np.cos(turn), across * np.sin(turn)], axis=1)


class RangeFinder(Sensor):
    """Range finder on a vehicle: the nearest thing in its cone, and noise."""

    def __init__(self, mount: Mount) -> None:
        super().__init__(mount.spec, mount.owner)
        spec: RangeFinderSpec = mount.spec
        self._random, self._views = mount.random, mount.views
        self._infrared = isinstance(spec, InfraredSpec)
        self._layout = spec.fov, spec.min_range, spec.max_range
        self._rays = cone(spec.fov, spec.rays) @ self.pose.rotation.T
        self._least_slope = math.sin(spec.grazing_angle)
        self._hide_vehicle, self._noise = spec.ignore_parent_body, spec.range_std_noise

    def measure(self, stamp_ns: int, state: BodyState) -> RangeSample:
        place, rotation = self.place_in_world(state)
        error = self._noise * float(self._random.standard_normal())
        scene = self._views.use(RayView).now()
        directions = self._rays @ rotation.T
        _, nearest, farthest = self._layout
        hits = scene.cast(
            place, directions, farthest=farthest,
            mask=scene.mask(state.mover_index, self.name, self._hide_vehicle),
            least=SOLID if self._infrared else ANYTHING)  # sound does not pass glass
        slope = -np.sum(hits.normal * directions, axis=1)
        found = float(hits.distance[slope >= self._least_slope].min(initial=math.inf))
        if found < math.inf:
            found += error
        if found < nearest:
            found = -math.inf
        elif found > farthest:
            found = math.inf
        return RangeSample(self.name, self.frame_id, stamp_ns, self._infrared, *self._layout,
                           found)


MODELS = (SensorModel(spec=SonarSpec, make=RangeFinder),
          SensorModel(spec=InfraredSpec, make=RangeFinder))
