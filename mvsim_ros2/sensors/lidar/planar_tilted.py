# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Planar LiDAR that measures in three dimensions: height, tilt and uneven ground count."""

from functools import lru_cache
import logging

import numpy as np

from mvsim_ros2.jit.prepared_call import PreparedCall
from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.sensors import BodyState, LaserScan2D, Mount, Sensor, SensorModel
from mvsim_ros2.sensors.lidar.cloud_fields import range_layout
from mvsim_ros2.sensors.lidar.planar import (
    is_tilted, Lidar2D, Noise, PlanarLidar, Scratch)
from mvsim_ros2.sensors.lidar.planar_weather import REFLECTIVITY
from mvsim_ros2.sensors.lidar.returns import Returns
from mvsim_ros2.sensors.lidar.scan_pattern import straight
from mvsim_ros2.sensors.lidar.scan_worker import Scanner
from mvsim_ros2.sensors.raycast.planar.scan import WHITE
from mvsim_ros2.sensors.raycast.ray_scene import RayScene
from mvsim_ros2.sensors.views.pose_history import PoseHistory
from mvsim_ros2.sensors.views.ray_view import OutlineRayView, RayView
from mvsim_ros2.world.spec import LaserSpec

_LOG = logging.getLogger(__name__)


class Lidar2DInSpace(PlanarLidar):
    """
    Planar LiDAR that measures from where it is, tilted as it is.

    With `raytrace_3d` its rays meet meshes, else outlines, as in the plane, and the ground. With
    `rolling` a scan is swept in the period before the measurement; its stamp is the time of the
    first ray.
    """

    def __init__(self, mount: Mount) -> None:
        super().__init__(mount.spec, mount.owner)
        spec: LaserSpec = mount.spec
        weather = mount.world.weather
        if not spec.bodies_visible:
            _LOG.warning('%s: %s measures in three dimensions, where bodies_visible has no '
                         'effect', spec.source, self.name)
        self._laser = spec
        # without the tag it sees the same bodies as in the plane
        by_itself = spec.raytrace_3d is None
        self._hides_vehicle = spec.ignore_parent_body or by_itself
        self._views, self._view = mount.views, OutlineRayView if by_itself else RayView
        sweep = self.time_increment * (spec.nrays - 1)
        columns = np.stack([np.cos(self.angles), np.sin(self.angles),
                            self.time_increment * np.arange(spec.nrays)], axis=1)
        echoes = Returns(spec.min_range, spec.max_range, spec.range_std_noise,
                         spec.angle_std_noise, spec.generate_intensity, WHITE, 0.0,
                         0.0 if weather.is_clear else spec.max_range ** 2 / REFLECTIVITY, 0.0,
                         0.0, 0.0, spec.return_separation, sweep, 0.0,
                         spec.beam_divergence / 2, 0.0, spec.returns, spec.beam_samples)
        self.scanner = Scanner(self.name, straight(columns, np.array([[1.0, 0.0, 0.0]]), 0),
                               echoes, range_layout(), True, mount)

    def measure(self, stamp_ns: int, state: BodyState) -> LaserScan2D:
        """Return one scan; its stamp is the start of the sweep."""
        view = self._views.use(self._view)
        scene = view.over(1e-9 * self.sweep_ns, view.mask(
            state.mover_index, self.name, self._hides_vehicle))
        return self.scan(scene, stamp_ns, state)

    def round_call(self, physics: PhysicsWorld, past: PoseHistory, row: int, measured: Noise,
                   shared: Scratch) -> PreparedCall | None:
        """See `Lidar2D.scan_call`; None where scans take time or meet something that moves."""
        view = self._views.use(self._view)
        mask = view.mask(row, self.name, self._hides_vehicle)
        scene = view.now(mask)
        if self.sweep_ns or self._laser.returns > 1 or scene.sees_movers(mask) or (
                self.scanner.shows_particles):
            return None
        solid = not len(scene.opacity.faces)
        kind = solid, self.scanner.echoes.samples
        if kind not in shared:
            shared[kind] = self.scanner.room(solid)
        return self.scanner.scan_ready(
            scene, self.pose, row, physics.vehicles.pose, mask, shared[kind], measured)

    def scan(self, scene: RayScene, stamp_ns: int, state: BodyState) -> LaserScan2D:
        """Return one scan of a scene whose motion covers the sweep."""
        words = self.scanner.scan(scene, self.pose, state, self._hides_vehicle, stamp_ns)
        measured = words.view(np.float32).reshape(self._laser.returns, -1, 2)
        return self.scan_of(stamp_ns, measured[0].T, measured if self._laser.returns > 1 else None)


def make_lidar2d(mount: Mount) -> Sensor:
    """
    Return a planar LiDAR.

    It measures in the plane or in three dimensions as its spec says. By default, in mode
    `physical`, it measures in three dimensions if its scan does not stay at one height, or if
    objects transmit light.
    """
    spec, views = mount.spec, mount.views
    in_space = spec.raytrace_3d
    if in_space is None:
        in_space = views.physical and spec.bodies_visible and (
            is_tilted(spec) or not views.ground_is_level or views.lets_light_pass)
        if in_space:
            _tell(str(spec.source), 'it is tilted' if is_tilted(spec) else
                  'something in the world lets light pass' if views.ground_is_level else
                  'the world has ground that is not level')
    if in_space:
        return Lidar2DInSpace(mount)
    return Lidar2D(spec, mount.owner, views.planar, mount.random, views.physical,
                   mount.world.weather)


@lru_cache(maxsize=256)
def _tell(place: str, reason: str) -> None:
    """Say once of a sensor in a file that it measures in three dimensions by itself."""
    _LOG.info('%s: this planar LiDAR measures in three dimensions, as %s: it meets ramps, tilted '
              'blocks and the ground as they stand, the rest as in the plane (<raytrace_3d> '
              'chooses)', place, reason)


MODELS = (SensorModel(spec=LaserSpec, make=make_lidar2d),)
