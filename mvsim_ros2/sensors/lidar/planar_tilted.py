# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Planar LiDAR that measures in three dimensions: height, tilt and uneven ground count."""

from dataclasses import replace
import logging
from typing import TYPE_CHECKING

import numpy as np

from mvsim_ros2.raycast.ray_scene import RayScene
from mvsim_ros2.sensors.base import Mount
from mvsim_ros2.sensors.base import Sensor
from mvsim_ros2.sensors.body_state import BodyState
from mvsim_ros2.sensors.lidar.cloud_fields import range_layout
from mvsim_ros2.sensors.lidar.lidar_backend import LidarBackend
from mvsim_ros2.sensors.lidar.planar import Lidar2D
from mvsim_ros2.sensors.lidar.planar import ray_time
from mvsim_ros2.sensors.lidar.planar import scan_angles
from mvsim_ros2.sensors.lidar.returns import Returns
from mvsim_ros2.sensors.lidar.scan_pattern import Beams
from mvsim_ros2.sensors.lidar.scan_worker import Scanner
from mvsim_ros2.sensors.model import SensorModel
from mvsim_ros2.sensors.observations import LaserScan2D
from mvsim_ros2.sensors.views.views import SceneViews
from mvsim_ros2.spec.sensors.lidar import LaserSpec

if TYPE_CHECKING:
    from mvsim_ros2.render.tracer import Tracer

_LOG = logging.getLogger(__name__)


class Lidar2DInSpace(Sensor):
    """
    Planar LiDAR with `raytrace_3d`: its rays meet meshes, from where it is, tilted as it is.

    With `rolling` a scan is swept in the period before the measurement; its stamp is that of
    the first ray.
    """

    def __init__(self, spec: LaserSpec, owner: str, views: SceneViews,
                 random: np.random.Generator) -> None:
        """
        Mount a LiDAR.

        :param eyes: what it looks with.
        :param random: source of its noise.
        """
        super().__init__(spec, owner)
        if spec.height is not None:
            self.pose = replace(spec.pose, z=spec.height)
        if not spec.bodies_visible:
            _LOG.warning('%s: %s measures in three dimensions, where bodies_visible has no '
                         'effect', spec.source, self.name)
        self._laser = spec
        self._sight = LidarBackend(views, spec.renderer, f'{spec.source}: {self.name}')
        self.angle_min, self.angle_increment = scan_angles(spec.fov, spec.nrays)
        angles = self.angle_min + self.angle_increment * np.arange(spec.nrays)
        self.angle_max = float(angles[-1])
        self.time_increment = spec.rolling * ray_time(
            1e-9 * self.period_ns, self.angle_increment)
        sweep = self.time_increment * (spec.nrays - 1)
        self.sweep_ns = round(1e9 * sweep)
        columns = np.stack([np.cos(angles), np.sin(angles),
                            self.time_increment * np.arange(spec.nrays)], axis=1)
        echoes = Returns(spec.min_range, spec.max_range, spec.range_std_noise,
                         spec.angle_std_noise, False, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, sweep,
                         0.0)
        self.scanner = Scanner(self.name, Beams(columns, np.array([[1.0, 0.0, 0.0]]), 1, 0),
                               echoes, range_layout(), True, random)

    def measure(self, stamp_ns: int, state: BodyState) -> LaserScan2D:
        """
        Return one scan; its stamp is the start of the sweep.

        :raises SensorError: where the state is not finite.
        :raises RenderContextError: where it is to be OpenGL and this cannot be had.
        """
        scene, tracer = self._sight.over(1e-9 * self.sweep_ns)
        return self.scan(scene, stamp_ns, state, tracer)

    def scan(self, scene: RayScene, stamp_ns: int, state: BodyState,
             tracer: 'Tracer | None' = None) -> LaserScan2D:
        """
        Return one scan of a scene whose motion covers the sweep.

        :param tracer: casts the rays.
        :raises SensorError: where the state is not finite.
        """
        words = self.scanner.scan(
            scene, self.pose, state, self._laser.ignore_parent_body, tracer)
        return LaserScan2D(
            self.name, self.frame_id, stamp_ns - self.sweep_ns, self.angle_min, self.angle_max,
            self.angle_increment, self.time_increment, 1e-9 * self.period_ns,
            self._laser.min_range, self._laser.max_range, words.view(np.float32)[:, 0])


def make_lidar2d(mount: Mount) -> Sensor:
    """Return a planar LiDAR, which measures in the plane or in space as its spec says."""
    if mount.spec.raytrace_3d:
        return Lidar2DInSpace(mount.spec, mount.owner, mount.views, mount.random)
    return Lidar2D(mount.spec, mount.owner, mount.views.planar, mount.random)


MODELS = (SensorModel(spec=LaserSpec, make=make_lidar2d),)
