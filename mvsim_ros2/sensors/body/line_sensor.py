# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Rows of infrared detectors that look at the ground, for following lines.

A reading is the mean reflectivity in the spot of a detector, by rays spread evenly over its cone.
Reflectivity is the linear brightness of colour and texture, 0 for black and 1 for white. A
detector brings its own light, so that lamps and the sun play no part.
"""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.sensors import BodyState, LineSample, Mount, Sensor, SensorModel
from mvsim_ros2.sensors.body.range_finder import cone
from mvsim_ros2.sensors.raycast.image.shading import colour_at, Shading, shading_of
from mvsim_ros2.sensors.raycast.opacity import SOLID
from mvsim_ros2.sensors.raycast.ray_scene import RayScene
from mvsim_ros2.sensors.views.ray_view import RayView
from mvsim_ros2.world.spec import LineSensorSpec

_DOWN = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])  # turns x down


class LineSensor(Sensor):
    """Detectors in a row along y of the sensor, the first on the left."""

    def __init__(self, mount: Mount) -> None:
        super().__init__(mount.spec, mount.owner)
        spec: LineSensorSpec = mount.spec
        self._spec, self._random, self._views = spec, mount.random, mount.views
        self._rays = cone(spec.fov, spec.rays) @ _DOWN.T @ self.pose.rotation.T
        aside = spec.spacing * (0.5 * (spec.detectors - 1) - np.arange(spec.detectors))
        self._places = aside[:, np.newaxis] * self.pose.rotation[:, 1]
        # footprint of a ray, for the level of a texture
        self._reach = math.sqrt(math.pi / spec.rays) * math.tan(0.5 * spec.fov)
        self._looks: tuple[RayScene, Shading] | None = None

    def measure(self, stamp_ns: int, state: BodyState) -> LineSample:
        place, rotation = self.place_in_world(state)
        spec, scene = self._spec, self._views.use(RayView).now()
        if self._looks is None or self._looks[0] is not scene:
            self._looks = scene, shading_of(scene.scene)
        origins = np.repeat(place + self._places @ rotation.T, spec.rays, axis=0)
        hits = scene.cast(origins, np.tile(self._rays @ rotation.T, (spec.detectors, 1)),
                          farthest=spec.max_range, least=SOLID,
                          mask=scene.mask(state.mover_index, self.name, True))
        light = np.zeros(len(origins))
        shading = self._looks[1]
        find_brightness(
            shading.faces, shading.instances, shading.levels, shading.texels, hits.instance,
            scene.target.first_face[hits.instance] + hits.face, hits.weights,
            self._reach * np.where(np.isfinite(hits.distance), hits.distance, 0.0), light)
        values = light.reshape(spec.detectors, spec.rays).mean(axis=1)
        values += spec.std_noise * self._random.standard_normal(spec.detectors)
        return LineSample(self.name, self.frame_id, stamp_ns,
                          np.clip(values, 0.0, 1.0).astype(np.float32))


@compiled(counted=False)
def find_brightness(
        faces: NDArray[np.float32], instances: Array, levels: NDArray[np.int64],
        texels: NDArray[np.uint8], instance: NDArray[np.int32], row: NDArray[np.int64],
        weights: Array, reach: Array, light: Array) -> None:
    """
    Fill in the linear brightness of what rays meet (ITU-R BT.709), 0 where that is nothing.

    :param faces: see `Shading`, as the three that follow, and for the rest `colour_at`.
    """
    for n in range(len(light)):
        if instance[n] >= 0:
            red, green, blue, _ = colour_at(faces, instances, levels, texels, instance[n], row[n],
                                            weights[n, 0], weights[n, 1], reach[n])
            light[n] = 0.2126 * red * red + 0.7152 * green * green + 0.0722 * blue * blue


MODELS = (SensorModel(spec=LineSensorSpec, make=LineSensor),)
