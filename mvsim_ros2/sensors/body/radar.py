# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Automotive radar.

Each thing in view is sampled by rays over its own solid angle, so that a pole counts as much as a
wall. A patch of the area A that scatters the share g of the waves evenly has the cross-section 4 g
cos^2(b) A at the incidence b. So a sphere of radius a has 8/3 g pi a^2. A ray of the solid angle w
meets A = r^2 w / cos(b). Vehicles are of metal, which scatters all. A corner reflector, or another
thing whose cross-section is given, has that from all sides. A ray at grazing incidence is divided
along its trace on the surface into ranges that differ by a cell. Detections are the peaks of the
cross-section over range, azimuth and Doppler velocity, at the mean of what lies within a cell of
them (`radar_peaks`).

The signal to noise ratio follows the radar equation, S = S0 (s / s0) (R0 / R)^4. The radar detects
a fluctuating target (Swerling 1) with the probability P^(1 / (1 + S)), at the false alarm rate P.
At S0 this is one half. The ground is clutter: a threshold of constant false alarm rate rises with
its mean. So S is the ratio to noise and clutter of the same cells. Errors have the deviation of a
cell over sqrt(2 S) (Richards, Fundamentals of radar signal processing, 2014, 6.3, 6.5 and 7.4).

A surface mirrors the share m of waves, on both ways. So an object behind a reflection is detected
at its mirror image, with m^2 of its cross-section. The Doppler velocity is how fast ways get
longer.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array, Numbers
from mvsim_ros2.scene.scene import Scene
from mvsim_ros2.sensors import BodyState, Mount, RadarDetections, Sensor, SensorModel
from mvsim_ros2.sensors.body.radar_peaks import Echoes, peaks_of
from mvsim_ros2.sensors.raycast.opacity import SOLID
from mvsim_ros2.sensors.raycast.ray_scene import RayScene
from mvsim_ros2.sensors.views.ray_view import RayView
from mvsim_ros2.world.spec import RadarSpec

_OFF = 1e-3  # m: a way goes on this far before a wall, and begins this far from the sensor
_LEAST = 16  # rays across a thing, each way
_MOST = 400  # parts of a ray at grazing incidence
_NARROW = math.radians(80.0)  # seen under less, the distance of a thing is that of its corners
_WINDOW = 4  # range cells on either side over which the clutter is averaged


class _Rays(NamedTuple):
    """Rays in the frame of the sensor, each with what it may meet."""

    angles: Array  # (N, 2): azimuth and elevation [rad]
    steps: Array  # (N, 2): to the next ray of the grid [rad]
    thing: Numbers  # (N,): number of the only object that counts


class _Trace(NamedTuple):
    """Where rays, or parts of them, meet surfaces."""

    ray: Numbers  # (N,): number of the ray
    angles: Array  # (N, 2): azimuth and elevation [rad]
    along: Array  # (N, 3): unit vectors in the frame of the sensor
    distance: Array  # (N,) [m]
    cosine: Array  # (N,): of the incidence
    solid_angle: Array  # (N,) [sr]


class Radar(Sensor):
    """Radar on a vehicle."""

    def __init__(self, mount: Mount) -> None:
        super().__init__(mount.spec, mount.owner)
        spec: RadarSpec = mount.spec
        self._spec = spec
        self._random, self._views = mount.random, mount.views
        self._half = np.array([spec.fov, spec.vert_fov]) / 2.0
        self._steps = 2.0 * self._half / (spec.horz_nrays, spec.vert_nrays)
        self._cells = np.array([spec.range_resolution, spec.azimuth_resolution,
                                spec.azimuth_resolution, spec.velocity_resolution])
        half = math.log(spec.false_alarm_rate) / math.log(0.5) - 1.0
        self._full = half * spec.detection_range ** 4 / 10.0 ** (spec.detection_rcs / 10.0)

    def measure(self, stamp_ns: int, state: BodyState) -> RadarDetections:
        spec, (place, rotation) = self._spec, self.place_in_world(state)
        moving = state.motion.velocity + rotation @ np.cross(
            state.motion.rate, self.pose.position)
        scene = self._views.use(RayView).now()
        mask = scene.mask(state.mover_index, self.name, spec.ignore_parent_body)
        to_world = rotation @ self.pose.rotation
        hidden = (scene.scene.owner == state.mover_index) & (
            spec.ignore_parent_body and state.mover_index >= 0)
        rays = self._rays_at(scene.scene, place, to_world, ~hidden)
        directions = _directions(rays.angles) @ to_world.T
        hits = scene.cast(place, directions, nearest=_OFF, farthest=spec.max_range, mask=mask,
                          least=SOLID)  # a sensor without a height lies on the ground
        seen = np.flatnonzero(hits.instance >= 0)
        seen = seen[scene.scene.thing[hits.instance[seen]] == rays.thing[seen]]
        normal, distance = hits.normal[seen], hits.distance[seen]
        trace = self._trace(rays, seen, distance, normal @ to_world)
        along, instance = trace.along @ to_world.T, hits.instance[trace.ray]
        points = place + trace.distance[:, np.newaxis] * along
        motion = self._velocities(scene, instance, points)
        echoes = Echoes(trace.distance, trace.angles, np.sum((motion - moving) * along, axis=1),
                        self._sections(scene.scene, instance, trace), np.zeros(len(instance)))
        is_ground = np.isin(scene.scene.label[instance], _GROUND)
        found = [echoes.taken(~is_ground)]
        if spec.ghosts > 0.0 and len(seen):
            plain = self._trace(rays, seen, distance, normal @ to_world, divided=False)
            found.append(self._over_walls(
                scene, mask, plain, directions[seen], normal,
                place + distance[:, np.newaxis] * directions[seen], hits.instance[seen], moving))
        return self._detections(stamp_ns, Echoes.joined(found), echoes.taken(is_ground))

    def _rays_at(self, scene: Scene, place: Array, to_world: Array,
                 shown: NDArray[np.bool_]) -> _Rays:
        """
        Return rays over the bounds of each thing in view, finer than the grid of the spec.

        :param shown: which instances can be seen.
        """
        low, high = bounds_of(scene, place, to_world, shown, self._spec.max_range)
        low, high = np.maximum(low, -self._half), np.minimum(high, self._half)
        angles, steps = [np.zeros((1, 2))], [np.ones((1, 2))]
        things = [np.array([-1])]  # one ray that meets none of them: there is always one to cast
        for thing in np.flatnonzero((low < high).all(axis=1)).tolist():
            size = high[thing] - low[thing]
            counts = np.maximum(np.ceil(size / self._steps), _LEAST).astype(int)
            azimuth, elevation = (low[thing, k] + size[k] * (np.arange(counts[k]) + 0.5)
                                  / counts[k] for k in range(2))
            up, turn = (each.ravel() for each in np.meshgrid(elevation, azimuth, indexing='ij'))
            angles.append(np.stack([turn, up], axis=1))
            steps.append(np.broadcast_to(size / counts, (len(up), 2)))
            things.append(np.full(len(up), thing))
        return _Rays(np.concatenate(angles), np.concatenate(steps), np.concatenate(things))

    def _trace(self, rays: _Rays, seen: Numbers, distance: Array, normal: Array,
               divided: bool = True) -> _Trace:
        """
        Return where rays meet planes, in parts whose ranges differ by less than a cell.

        :param seen: numbers of the rays that meet something, at these distances [m].
        :param normal: of what they meet, in the frame of the sensor, shape (n, 3).
        """
        angles, steps = rays.angles[seen], rays.steps[seen]
        (cosine, rise), (ahead, side) = (
            (np.cos(each), np.sin(each)) for each in (angles[:, 1], angles[:, 0]))
        facing = -np.sum(_directions(angles) * normal, axis=1)
        # how the distance along a plane grows with azimuth and elevation
        growth = distance * np.abs([
            cosine * (ahead * normal[:, 1] - side * normal[:, 0]),
            cosine * normal[:, 2] - rise * (ahead * normal[:, 0] + side * normal[:, 1]),
            ]) / np.maximum(facing, 1e-9)
        parts = np.ceil(growth * steps.T / self._cells[0]) * divided
        axis, count = np.argmax(parts, axis=0), np.clip(parts.max(axis=0), 1, _MOST).astype(int)
        owner = np.repeat(np.arange(len(seen)), count)
        number = np.arange(len(owner)) - np.repeat(np.cumsum(count) - count, count)
        rows, axis = np.arange(len(owner)), axis[owner]
        angles = angles[owner]
        angles[rows, axis] += ((number + 0.5) / count[owner] - 0.5) * steps[owner, axis]
        along = _directions(angles)
        across = -np.sum(along * normal[owner], axis=1)
        with np.errstate(divide='ignore', invalid='ignore'):
            away = np.where(across > 0.0, (distance * facing)[owner] / across, np.inf)
        kept = away <= self._spec.max_range
        size = steps[owner].prod(axis=1) / count[owner] * np.cos(angles[:, 1])
        return _Trace(seen[owner][kept], angles[kept], along[kept], away[kept], across[kept],
                      size[kept])

    def _sections(self, scene: Scene, instances: NDArray[np.int32], trace: _Trace) -> Array:
        """Return the cross-sections of what is met [m^2]."""
        metal = scene.label[instances] == _METAL
        share = np.where(metal, 1.0, self._spec.surface_reflectivity)
        sections = 4.0 * share * trace.cosine * trace.distance ** 2 * trace.solid_angle
        given = np.array([max(
            (10.0 ** (0.1 * material.matter.radar_section) for material in mesh.materials
             if material.matter.radar_section is not None), default=math.nan)
            for mesh in scene.meshes])[scene.mesh[instances]]
        known, thing = np.isfinite(given), scene.thing[instances]
        if known.any():  # shared among the rays that meet the thing
            whole = np.bincount(thing[known], trace.solid_angle[known], len(scene.thing_names))
            sections[known] = given[known] * trace.solid_angle[known] / whole[thing[known]]
        return np.asarray(sections)

    def _over_walls(self, scene: RayScene, mask: int, trace: _Trace, rays: Array, normal: Array,
                    points: Array, walls: NDArray[np.int32], moving: Array) -> Echoes:
        """Return the echoes of ways that go on from the first hits."""
        onward = rays - 2.0 * np.sum(rays * normal, axis=1)[:, np.newaxis] * normal
        second = scene.cast(points + _OFF * normal, onward, mask=mask, least=SOLID,
                            farthest=self._spec.max_range)
        way = trace.distance + second.distance
        met = (second.instance >= 0) & (way <= self._spec.max_range)
        met[met] = ~np.isin(scene.scene.label[second.instance[met]], _GROUND)
        onward, rays, points = onward[met], rays[met], points[met]
        ends = points + second.distance[met, np.newaxis] * onward
        wall = self._velocities(scene, walls[met], points)
        target = self._velocities(scene, second.instance[met], ends)
        speed = np.sum((target - wall) * onward, axis=1) + np.sum((wall - moving) * rays, axis=1)
        seen = _Trace(trace.ray[met], trace.angles[met], onward, way[met],
                      -np.sum(onward * second.normal[met], axis=1), trace.solid_angle[met])
        return Echoes(
            way[met], seen.angles, speed, self._spec.ghosts ** 2 * self._sections(
                scene.scene, second.instance[met], seen), np.ones(len(speed)))

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

    def _clutter(self, ground: Echoes, found: Echoes) -> Array:
        """Return the cross-sections of the ground in the cells of targets [m^2]."""
        shape = (math.ceil(self._spec.max_range / self._cells[0]) + 1,
                 2 * math.ceil(self._half[0] / self._cells[1]) + 2)

        def cell(echoes: Echoes) -> Numbers:
            row = np.floor(echoes.distance / self._cells[0]).astype(np.int64)
            column = np.floor(echoes.angles[:, 0] / self._cells[1]).astype(np.int64)
            return np.asarray(row * shape[1] + column + shape[1] // 2)

        at, size = cell(ground), shape[0] * shape[1]
        section = np.bincount(at, ground.section, size)
        speed = np.bincount(at, ground.section * ground.velocity, size)
        around = np.arange(-_WINDOW, _WINDOW + 1) * shape[1] + cell(found)[:, np.newaxis]
        inside = (around >= 0) & (around < size)
        section, speed = (np.where(inside, each[np.clip(around, 0, size - 1)], 0.0).sum(axis=1)
                          for each in (section, speed))
        same = np.abs(speed - section * found.velocity) <= self._cells[3] * section
        return np.asarray(np.where(same, section / np.maximum(inside.sum(axis=1), 1), 0.0))

    def _detections(self, stamp_ns: int, echoes: Echoes, ground: Echoes) -> RadarDetections:
        """Return what is detected of echoes, before the clutter of the ground."""
        spec = self._spec
        found = peaks_of(echoes.taken(echoes.distance >= spec.min_range), self._cells[[0, 1, 3]])
        fall = self._full / np.maximum(found.distance, 1e-6) ** 4
        ratio = fall * found.section / (1.0 + fall * self._clutter(ground, found))
        values = np.column_stack([found.distance, found.angles, found.velocity])
        seen = found.section > 0.0
        if spec.noise > 0.0:
            count = len(values)
            chance, normals = self._random.random(count), self._random.standard_normal((count, 4))
            seen = chance < spec.false_alarm_rate ** (1.0 / (1.0 + ratio))
            error = spec.noise * self._cells / np.sqrt(2.0 * np.maximum(ratio, 1.0))[:, np.newaxis]
            values = values + normals * error
        distance, azimuth, elevation, velocity = values[seen].T
        return RadarDetections(
            self.name, self.frame_id, stamp_ns, distance, azimuth, elevation, velocity,
            found.section[seen], ratio[seen], found.ghost[seen] > 0.0)


_GROUND = [Scene.LABELS.index(label) for label in ('ground', 'terrain')]
_METAL = Scene.LABELS.index('vehicle')


def _directions(angles: Array) -> Array:
    """Return unit vectors of azimuths and elevations, shape (n, 3)."""
    turn, up = angles.T
    return np.stack([np.cos(up) * np.cos(turn), np.cos(up) * np.sin(turn), np.sin(up)], axis=1)


def bounds_of(scene: Scene, place: Array, to_world: Array, shown: NDArray[np.bool_],
              farthest: float) -> tuple[Array, Array]:
    """
    Return bounds of azimuth and elevation around each thing, shapes (things, 2) [rad].

    They are those of boxes around its meshes. Things out of reach have empty bounds.

    :param place: from where one looks [m].
    :param to_world: axes of the frame of the angles, in the world, shape (3, 3).
    :param shown: which instances count, shape (N,).
    :param farthest: reach [m].
    """
    count = len(scene.thing_names)
    low, high = np.full((count, 2), np.inf), np.full((count, 2), -np.inf)
    if not len(scene.mesh):
        return low, high
    limits = np.array([[mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)]
                       for mesh in scene.meshes])
    corner = np.indices((2, 2, 2)).reshape(3, 8)
    corners = limits[:, corner, np.arange(3)[:, np.newaxis]][scene.mesh]  # (N, 3, 8)
    inverse = to_world.T @ scene.transform[:, :3, :3]
    x, y, z = (inverse @ corners + (
        (scene.transform[:, :3, 3] - place) @ to_world)[:, :, np.newaxis]).transpose(1, 0, 2)
    away = np.hypot(x, y)
    middle = np.arctan2(y.mean(axis=1), x.mean(axis=1))[:, np.newaxis]
    off = (np.arctan2(y, x) - middle + np.pi) % (2.0 * np.pi) - np.pi
    width = np.ptp(off, axis=1)
    near = np.where(width < _NARROW, away.min(axis=1) * np.cos(width), 1e-9)
    far = away.max(axis=1)
    around = np.abs(off).max(axis=1) >= 0.5 * np.pi  # it may be on all sides
    bottom, top = z.min(axis=1), z.max(axis=1)
    least = np.stack([np.where(around, -np.pi, middle[:, 0] + off.min(axis=1)),
                      np.arctan2(bottom, np.where(bottom < 0.0, near, far))], axis=1)
    most = np.stack([np.where(around, np.pi, middle[:, 0] + off.max(axis=1)),
                     np.arctan2(top, np.where(top > 0.0, near, far))], axis=1)
    reached = shown & (near <= farthest)
    np.minimum.at(low, scene.thing[reached], least[reached])
    np.maximum.at(high, scene.thing[reached], most[reached])
    return low, high


MODELS = (SensorModel(spec=RadarSpec, make=Radar),)
