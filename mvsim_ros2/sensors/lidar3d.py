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
LiDAR in three dimensions.

Points are in the frame of the sensor at the instant when their beam was sent, as a driver
gives them: whoever wants them where they are must undo the motion of the sensor.
"""

import math
from typing import Any
from typing import TYPE_CHECKING

import numpy as np

from mvsim_ros2.errors import SensorError
from mvsim_ros2.sensors import beams
from mvsim_ros2.sensors.cloud_layout import cloud_layout
from mvsim_ros2.sensors.echoes import Echoes
from mvsim_ros2.sensors.eyes import Eyes
from mvsim_ros2.sensors.lidar_sight import LidarSight
from mvsim_ros2.sensors.model import SensorModel
from mvsim_ros2.sensors.observations import PointCloud
from mvsim_ros2.sensors.raycast.ray_scene import RayScene
from mvsim_ros2.sensors.scanner import Scanner
from mvsim_ros2.sensors.sensor import Mount
from mvsim_ros2.sensors.sensor import Sensor
from mvsim_ros2.sensors.state import BodyState
from mvsim_ros2.world.spec.lidar import Lidar3dSpec

if TYPE_CHECKING:
    from mvsim_ros2.sensors.gl.tracer import Tracer


class Lidar3D(Sensor):
    """
    Rotating LiDAR, or one with a rosette, with the echoes and the noise of its spec.

    By default a scan is swept in the period before the measurement, and its stamp is that of
    the first column; `rolling` false measures everything at the instant of the measurement.
    """

    def __init__(self, spec: Lidar3dSpec, owner: str, eyes: Eyes,
                 random: np.random.Generator) -> None:
        """
        Mount a LiDAR.

        :param eyes: what it looks with.
        :param random: source of its noise.
        :raises SensorError: where no beam lies in its field of view.
        """
        super().__init__(spec, owner)
        self._lidar = spec
        self._sight = LidarSight(eyes, spec.renderer, f'{spec.source}: {self.name}',
                                 spec.returns)
        self._period = 1e-9 * self.period_ns
        if spec.pattern == 'rosette':
            pattern = beams.rosette(spec, self._period, 0.0)
        else:
            pattern = beams.rotating(spec, self._period)
        if not len(pattern.columns):
            raise SensorError(f'{spec.source}: {self.name} has no column between azimuth_min '
                              'and azimuth_max: raise horz_nrays or widen them')
        sweep = float(pattern.columns[-1, beams.TIME]) if spec.rolling else 0.0
        self.sweep_ns = round(1e9 * sweep)
        self.layout = cloud_layout(spec.layout, spec.rolling, spec.labels)
        self.scanner = Scanner(self.name, pattern, echoes_of(spec, sweep, self.layout.
                                                             intensity_scale),
                               self.layout, spec.organised, random)
        self._measured = 0

    def measure(self, stamp_ns: int, state: BodyState) -> PointCloud:
        """
        Return a cloud; its stamp is the start of the sweep.

        :raises SensorError: where the state is not finite.
        :raises RenderContextError: where it is to be OpenGL and this cannot be had.
        """
        scene, tracer = self._sight.over(1e-9 * self.sweep_ns)
        return self.scan(scene, stamp_ns, state, tracer)

    def scan(self, scene: RayScene, stamp_ns: int, state: BodyState,
             tracer: 'Tracer | None' = None) -> PointCloud:
        """
        Return a cloud of a scene whose motion covers the sweep.

        :param tracer: casts the rays.
        :raises SensorError: where the state is not finite.
        """
        if self._lidar.pattern == 'rosette':
            self.scanner.beams = beams.rosette(
                self._lidar, self._period, self._measured * self._period)
            self._measured += 1
        words = self.scanner.scan(
            scene, self.pose, state, self._lidar.ignore_parent_body, tracer)
        points = words.view(self.layout.dtype)[:, 0]
        if self._lidar.organised:
            points = points.reshape(self.scanner.beams.rings, -1)
        return PointCloud(self.name, self.frame_id, stamp_ns - self.sweep_ns, points,
                          not self._lidar.organised)

    def reset(self) -> None:
        """Begin the pattern anew."""
        self._measured = 0

    def state(self) -> dict[str, Any]:
        """Return where the pattern is."""
        return {'measured': self._measured}

    def set_state(self, state: dict[str, Any]) -> None:
        """Continue from what `state` returned."""
        self._measured = state['measured']


def echoes_of(spec: Lidar3dSpec, sweep: float, scale: float) -> Echoes:
    """
    Return what a LiDAR makes of what its beams meet.

    :param sweep: s.
    :param scale: of the intensity.
    """
    return Echoes(
        spec.min_range, spec.max_range, spec.range_std_noise, spec.angle_std_noise,
        spec.generate_intensity, scale,
        1.0 / spec.intensity_half_range ** 2 if spec.intensity_half_range else 0.0,
        spec.detection_range ** 2 / spec.detection_reflectivity,
        math.sin(spec.grazing_angle), spec.dropout,
        spec.beam_divergence / 2 if spec.returns == 2 else 0.0, spec.return_separation, sweep,
        0.0)


def make_lidar3d(mount: Mount) -> Lidar3D:
    """Return a LiDAR in three dimensions."""
    return Lidar3D(mount.spec, mount.owner, mount.eyes, mount.random)


MODELS = (SensorModel(spec=Lidar3dSpec, make=make_lidar3d),)
