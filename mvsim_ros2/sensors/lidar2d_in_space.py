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
"""Planar LiDAR that measures in three dimensions: height, tilt and uneven ground count."""

from dataclasses import replace
import logging
from typing import TYPE_CHECKING

import numpy as np

from mvsim_ros2.sensors.beams import Beams
from mvsim_ros2.sensors.cloud_layout import range_layout
from mvsim_ros2.sensors.echoes import Echoes
from mvsim_ros2.sensors.eyes import Eyes
from mvsim_ros2.sensors.lidar2d import Lidar2D
from mvsim_ros2.sensors.lidar2d import ray_time
from mvsim_ros2.sensors.lidar2d import scan_angles
from mvsim_ros2.sensors.lidar_sight import LidarSight
from mvsim_ros2.sensors.model import SensorModel
from mvsim_ros2.sensors.observations import LaserScan2D
from mvsim_ros2.sensors.raycast.ray_scene import RayScene
from mvsim_ros2.sensors.scanner import Scanner
from mvsim_ros2.sensors.sensor import Mount
from mvsim_ros2.sensors.sensor import Sensor
from mvsim_ros2.sensors.state import BodyState
from mvsim_ros2.world.spec.lidar import LaserSpec

if TYPE_CHECKING:
    from mvsim_ros2.sensors.gl.tracer import Tracer

_LOG = logging.getLogger(__name__)


class Lidar2DInSpace(Sensor):
    """
    Planar LiDAR with `raytrace_3d`: its rays meet meshes, from where it is, tilted as it is.

    With `rolling` a scan is swept in the period before the measurement; its stamp is that of
    the first ray.
    """

    def __init__(self, spec: LaserSpec, owner: str, eyes: Eyes,
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
        self._sight = LidarSight(eyes, spec.renderer, f'{spec.source}: {self.name}')
        self.angle_min, self.angle_increment = scan_angles(spec.fov, spec.nrays)
        angles = self.angle_min + self.angle_increment * np.arange(spec.nrays)
        self.angle_max = float(angles[-1])
        self.time_increment = spec.rolling * ray_time(
            1e-9 * self.period_ns, self.angle_increment)
        sweep = self.time_increment * (spec.nrays - 1)
        self.sweep_ns = round(1e9 * sweep)
        columns = np.stack([np.cos(angles), np.sin(angles),
                            self.time_increment * np.arange(spec.nrays)], axis=1)
        echoes = Echoes(spec.min_range, spec.max_range, spec.range_std_noise,
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
        return Lidar2DInSpace(mount.spec, mount.owner, mount.eyes, mount.random)
    return Lidar2D(mount.spec, mount.owner, mount.eyes.planar, mount.random)


MODELS = (SensorModel(spec=LaserSpec, make=make_lidar2d),)
