# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Automotive radar.

Rays find the surfaces that are in view. A patch of the area A that scatters the share g of the
waves evenly has the cross-section 4 g cos^2(b) A at the angle b of incidence (a sphere of radius a
so has 8/3 g pi a^2); a ray that stands for the solid angle w meets A = r^2 w / cos(b). What falls
into the same cell of range, azimuth and Doppler velocity adds up to one detection.

The signal to noise ratio is that of the radar equation, S = S0 (s / s0) (R0 / R)^4, and a
fluctuating target (Swerling 1) is detected with the probability P^(1 / (1 + S)) at the false alarm
rate P; S0 is where this is one half. Errors have the deviation of a cell over sqrt(2 S) (Richards,
Fundamentals of radar signal processing, 2014, 6.3 and 7.4).

A surface that throws on the share m mirrors waves there and back: a thing at the end of a way over
a wall is detected in the direction of the wall, as far away as the way is long, with m^2 of its
cross-section: where its mirror image is. The Doppler velocity is how fast ways get longer.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.sensors import BodyState, Mount, RadarDetections, Sensor, SensorModel
from mvsim_ros2.sensors.raycast.opacity import SOLID
from mvsim_ros2.sensors.raycast.ray_scene import Hits, RayScene
from mvsim_ros2.sensors.views.ray_view import RayView
from mvsim_ros2.world.spec import RadarSpec

Array = NDArray[np.float64]

_OFF = 1e-3  # m: a way goes on this far before a wall


class Radar(Sensor):
    """Radar on a vehicle."""

    def __init__(self, mount: Mount) -> None:
        """Mount a radar."""
        super().__init__(mount.spec, mount.owner)
        spec: RadarSpec = mount.spec
        self._spec = spec
        self._random, self._views = mount.random, mount.views
        azimuth = _middles(spec.fov, spec.horz_nrays)
        elevation = _middles(spec.vert_fov, spec.vert_nrays)
        up, turn = (each.ravel() for each in np.meshgrid(elevation, azimuth, indexing='ij'))
        self._rays = np.stack([np.cos(up) * np.cos(turn), np.cos(up) * np.sin(turn),
                               np.sin(up)], axis=1)
        self._angles = np.stack([turn, up], axis=1)
        self._solid_angle = (spec.fov / spec.horz_nrays * spec.vert_fov / spec.vert_nrays
                             * np.cos(up))
        self._half = math.log(spec.false_alarm_rate) / math.log(0.5) - 1.0
        self._full = self._half * spec.detection_range ** 4 / 10.0 ** (spec.detection_rcs / 10.0)

    def measure(self, stamp_ns: int, state: BodyState) -> RadarDetections:
        """Return the detections of a scan."""
        spec, (place, rotation) = self._spec, self.place_in_world(state)
        moving = state.motion.velocity + rotation @ np.cross(
            state.motion.rate, self.pose.position)
        scene = self._views.use(RayView).now()
        mask = scene.mask(state.mover_index, self.name, spec.ignore_parent_body)
        rays = self._rays @ (rotation @ self.pose.rotation).T
        hits = scene.cast(place, rays, farthest=spec.max_range, mask=mask, least=SOLID)
        seen = np.flatnonzero(hits.instance >= 0)
        points = place + hits.distance[seen, np.newaxis] * rays[seen]
        motion = self._velocities(scene, hits.instance[seen], points)
        speed = np.sum((motion - moving) * rays[seen], axis=1)
        found = [self._echoes(seen, hits.distance[seen], speed, rays[seen],
                              hits.normal[seen], 1.0, False)]
        if spec.ghosts > 0.0 and len(seen):
            found.append(self._over_walls(scene, mask, rays[seen], hits, seen, points,
                                          motion, moving))
        echoes = np.concatenate(found)
        return self._detections(stamp_ns, echoes)

    def _over_walls(self, scene: RayScene, mask: int, rays: Array, hits: Hits,
                    seen: NDArray[np.int64], points: Array, motion: Array,
                    moving: Array) -> Array:
        """Return the echoes of ways that go on from the first hits, see `_echoes`."""
        normal = hits.normal[seen]
        onward = rays - 2.0 * np.sum(rays * normal, axis=1)[:, np.newaxis] * normal
        first = hits.distance[seen]
        second = scene.cast(points + _OFF * normal, onward, mask=mask, least=SOLID,
                            farthest=self._spec.max_range)
        met = (second.instance >= 0) & (first + second.distance <= self._spec.max_range)
        ends = points[met] + second.distance[met, np.newaxis] * onward[met]
        target = self._velocities(scene, second.instance[met], ends)
        speed = (np.sum((target - motion[met]) * onward[met], axis=1)
                 + np.sum((motion[met] - moving) * rays[met], axis=1))
        return self._echoes(seen[met], first[met] + second.distance[met], speed, onward[met],
                            second.normal[met], self._spec.ghosts ** 2, True)

    def _echoes(self, numbers: NDArray[np.int64], ways: Array, speeds: Array, rays: Array,
                normals: Array, share: float, ghost: bool) -> Array:
        """Return range, azimuth, elevation, velocity, cross-section and ghost, shape (n, 6)."""
        cosine = np.abs(np.sum(rays * normals, axis=1))
        section = (4.0 * self._spec.surface_reflectivity * share * cosine
                   * ways ** 2 * self._solid_angle[numbers])
        return np.column_stack([ways, self._angles[numbers], speeds, section,
                                np.full(len(ways), float(ghost))])

    def _velocities(self, scene: RayScene, instances: NDArray[np.int32],
                    points: Array) -> Array:
        """Return the velocities of points of things [m/s], shape (n, 3)."""
        motion, instant = scene.scene.motion, self._views.instant
        result = np.zeros((len(points), 3))
        if motion is None or not len(points):
            return result
        body = motion.body[instances]
        moving = np.flatnonzero(body >= 0)
        if not len(moving):
            return result
        movers, velocities = instant.movers, instant.velocities
        poses = np.concatenate([movers.vehicles, movers.blocks, movers.figures])
        twists = np.concatenate([velocities.vehicles, velocities.blocks, velocities.figures])
        rows = body[moving]
        result[moving] = twists[rows, :3] + np.cross(
            twists[rows, 3:], points[moving] - poses[rows, :3])
        return result

    def _detections(self, stamp_ns: int, echoes: Array) -> RadarDetections:
        """Return what is detected of echoes, see `_echoes`."""
        spec = self._spec
        echoes = echoes[echoes[:, 0] >= spec.min_range]
        cells = np.column_stack([
            np.floor(echoes[:, [0, 1, 3]] / (
                spec.range_resolution, spec.azimuth_resolution, spec.velocity_resolution)),
            echoes[:, 5]])
        _, group = np.unique(cells, axis=0, return_inverse=True)
        group = group.reshape(-1)
        count = int(group.max()) + 1 if len(group) else 0
        weight = echoes[:, 4] / np.maximum(echoes[:, 0], 1e-6) ** 4
        total = np.maximum(np.bincount(group, weight, count), 1e-300)
        mean = np.column_stack([
            np.bincount(group, weight * echoes[:, k], count) / total for k in range(4)])
        section = np.bincount(group, echoes[:, 4], count)
        ghost = np.bincount(group, echoes[:, 5], count) > 0.0
        ratio = self._full * section / np.maximum(mean[:, 0], 1e-6) ** 4
        if spec.noise > 0.0:
            chance, normals = self._random.random(count), self._random.standard_normal((count, 4))
            seen = chance < spec.false_alarm_rate ** (1.0 / (1.0 + ratio))
            cell = np.array([spec.range_resolution, spec.azimuth_resolution,
                             spec.azimuth_resolution, spec.velocity_resolution])
            error = spec.noise * cell / np.sqrt(2.0 * np.maximum(ratio, 1.0))[:, np.newaxis]
            mean = mean + normals * error
        else:
            seen = section > 0.0
        values: dict[str, Any] = dict(zip(
            ('distance', 'azimuth', 'elevation', 'velocity'), mean[seen].T, strict=True))
        return RadarDetections(self.name, self.frame_id, stamp_ns, rcs=section[seen].astype(float),
                               snr=ratio[seen], ghost=ghost[seen], **values)


def _middles(angle: float, count: int) -> Array:
    """Return the middles of equal parts of an angle around 0."""
    return angle * ((np.arange(count) + 0.5) / count - 0.5)


MODELS = (SensorModel(spec=RadarSpec, make=Radar),)
