# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
LiDAR in three dimensions.

Points are in the frame of the sensor at the instant of their beam, as from a driver. Undo the
motion of the sensor to place them in the world.
"""

import math

from mvsim_ros2.errors import SensorError
from mvsim_ros2.sensors import BodyState, Mount, PointCloud, Sensor, SensorModel
from mvsim_ros2.sensors.lidar import scan_pattern
from mvsim_ros2.sensors.lidar.cloud_fields import as_driver, cloud_layout
from mvsim_ros2.sensors.lidar.returns import Returns
from mvsim_ros2.sensors.lidar.scan_worker import Scanner
from mvsim_ros2.sensors.raycast.ray_scene import RayScene
from mvsim_ros2.sensors.views.ray_view import ALL, RayView
from mvsim_ros2.world.spec import Lidar3dSpec


class Lidar3D(Sensor):
    """
    Rotating LiDAR, or one with another pattern, with the echoes and the noise of its spec.

    By default a scan sweeps during the period before the measurement, and its stamp is the time of
    the first column. `rolling` false measures everything at one instant.
    """

    MEMORY = ('measured',)

    def __init__(self, mount: Mount) -> None:
        super().__init__(mount.spec, mount.owner)
        spec: Lidar3dSpec = mount.spec
        self._lidar, weather = spec, mount.world.weather
        self._views = mount.views
        self._period = 1e-9 * self.period_ns
        if spec.pattern == 'rosette':
            scans = [scan_pattern.rosette(spec, self._period, 0.0)]
        elif spec.pattern == 'file':
            scans = scan_pattern.file_scans(spec, self._period)
        else:
            scans = [scan_pattern.rotating(spec, self._period)]
        self._scans = scans
        if not len(scans[0].columns):
            raise SensorError(f'{spec.source}: {self.name} has no column between azimuth_min '
                              'and azimuth_max: give fov_nrays, or raise horz_nrays')
        sweep = max(map(scan_pattern.last_time, scans)) if spec.rolling else 0.0
        self.sweep_ns = round(1e9 * sweep)
        self.layout = cloud_layout(spec.layout, spec.rolling, spec.labels)
        echoes = echoes_of(spec, sweep, self.layout.intensity_scale, weather.is_clear)
        self.scanner = Scanner(self.name, scans[0], echoes, self.layout, spec.organised, mount)
        self.in_clear_air = weather.is_clear
        self.measured = 0  # scans, of a pattern that does not repeat itself

    def measure(self, stamp_ns: int, state: BodyState) -> PointCloud:
        """Return a cloud; its stamp is the start of the sweep."""
        view = self._views.use(RayView)
        mask = ALL if self.layout.daylight else view.mask(
            state.mover_index, self.name, self._lidar.ignore_parent_body)
        scene = view.over(1e-9 * self.sweep_ns, mask)
        return self.scan(scene, stamp_ns, state)

    def scan(self, scene: RayScene, stamp_ns: int, state: BodyState) -> PointCloud:
        """Return a cloud of a scene whose motion covers the sweep."""
        if self._lidar.pattern == 'rosette':
            self.scanner.beams = scan_pattern.rosette(
                self._lidar, self._period, self.measured * self._period)
        elif len(self._scans) > 1:
            self.scanner.beams = self._scans[self.measured % len(self._scans)]
        self.measured += self._lidar.pattern != 'rotating'
        words = self.scanner.scan(scene, self.pose, state, self._lidar.ignore_parent_body,
                                  stamp_ns)
        points = words.view(self.layout.dtype)[:, 0]
        stamp, organised = stamp_ns - self.sweep_ns, self._lidar.organised
        if organised:
            points = points.reshape(self._lidar.returns, self.scanner.beams.rings, -1)
        points = as_driver(self._lidar.layout, points, stamp)
        if not organised:
            return PointCloud(self.name, self.frame_id, stamp, points, True)
        cloud = None
        for each in points[::-1]:  # the first return is the cloud, and has the others
            cloud = PointCloud(self.name, self.frame_id, stamp, each, False, cloud)
        assert cloud is not None
        return cloud

    def reset(self) -> None:
        self.measured = 0


def echoes_of(spec: Lidar3dSpec, sweep: float, scale: float, is_clear: bool) -> Returns:
    """
    Return what a LiDAR makes of what its beams meet.

    :param sweep: s.
    :param scale: of the intensity.
    :param is_clear: whether there is no weather. In weather, and if its noise grows, a LiDAR
        without `detection_range` uses its `max_range`.
    """
    reach = spec.detection_range
    if not reach and (spec.weak_range_std_noise or not is_clear):
        reach = spec.max_range
    return Returns(
        spec.min_range, spec.max_range, spec.range_std_noise, spec.angle_std_noise,
        spec.generate_intensity, scale,
        1.0 / spec.intensity_half_range ** 2 if spec.intensity_half_range else 0.0,
        reach ** 2 / spec.detection_reflectivity,
        math.sin(spec.grazing_angle), spec.dropout,
        spec.beam_divergence / 2 if spec.returns == 2 and spec.beam_samples == 1 else 0.0,
        spec.return_separation, sweep, 0.0, spec.beam_divergence / 2, spec.weak_range_std_noise,
        spec.returns, spec.beam_samples)


MODELS = (SensorModel(spec=Lidar3dSpec, make=Lidar3D),)
