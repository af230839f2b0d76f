# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Planar LiDAR.

The scan is in a horizontal plane at any pitch and roll of vehicle and sensor. A scanner that is
mounted upside down turns the other way. In mode `physical` it meets what is at its height.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import accumulate, pairwise
import logging
import math
from operator import is_not
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import SensorError
from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled, runs_machine_code
from mvsim_ros2.jit.normals import address_of, draw_normals, filler
from mvsim_ros2.jit.prepared_call import PreparedCall
from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.sensors.base import Sensor
from mvsim_ros2.sensors.body_state import BodyState
from mvsim_ros2.sensors.lidar.motion_during_scan import planar_path
from mvsim_ros2.sensors.lidar.planar_weather import PlanarWeather
from mvsim_ros2.sensors.observations import LaserScan2D
from mvsim_ros2.sensors.raycast.planar.ray_caster import NO_PATH, PlanarRayCaster, scratch
from mvsim_ros2.sensors.raycast.planar.rays import COLUMNS, HEIGHT, MOUNT_X, PATH, VX, X
from mvsim_ros2.sensors.raycast.planar.scan import measure_scans
from mvsim_ros2.sensors.views.instant import Instant, lay_out
from mvsim_ros2.sensors.views.pose_history import PoseHistory, recall
from mvsim_ros2.world.spec.sensors.lidar import LaserSpec
from mvsim_ros2.world.spec.weather import FINE, WeatherSpec

Noise = NDArray[np.float32]
Scratch = dict[object, Any]  # memory of the calls of a thread, by what it is for

_LOG = logging.getLogger(__name__)
_TILT = 1e-3  # rad; mountings more oblique than this get a warning


@lru_cache(maxsize=16)  # one array for the robots of a fleet and the worlds that learn together
def headings_of(turned: float, side: float, first: float, step: float, rays: int) -> Array:
    """
    Return the directions of rays in the frame of the vehicle, unit vectors, shape (rays, 2).

    They are shared, and not to be written to.

    :param turned: yaw of the sensor [rad].
    :param side: 1, or -1 for one that stands on its head.
    :param first: bearing of the first ray [rad]; step: from each to the next.
    """
    bearings = turned + side * (first + step * np.arange(rays))
    return np.stack([np.cos(bearings), np.sin(bearings)], axis=1)


def ray_time(period: float, increment: float) -> float:
    """Return the time from ray to ray [s] of a beam that goes round once in a period."""
    return period * increment / (2 * math.pi)


def is_tilted(spec: LaserSpec) -> bool:
    """Return whether the plane of a scan is not parallel to the ground."""
    return bool(abs(spec.pose.rotation[2, 2]) < math.cos(_TILT))


class PlanarLidar(Sensor):
    """Directions and times of the rays of a planar LiDAR."""

    def __init__(self, spec: LaserSpec, owner: str) -> None:
        """Mount a LiDAR; the tag `height` replaces that of its pose."""
        super().__init__(spec, owner)
        if spec.height is not None:
            self.pose = replace(spec.pose, z=spec.height)
        self.angle_min, self.angle_increment = spec.angles
        self.angles = self.angle_min + self.angle_increment * np.arange(spec.nrays)
        self.angle_max = float(self.angles[-1])
        self.time_increment = spec.rolling * ray_time(
            1e-9 * self.period_ns, self.angle_increment)
        self.sweep_ns = round(1e9 * self.time_increment * (spec.nrays - 1))
        self._range_limits = spec.min_range, spec.max_range
        self._with_intensity = spec.generate_intensity

    def scan_of(self, stamp_ns: int, measured: Noise, echoes: Noise | None = None) -> LaserScan2D:
        """Return ranges and intensities (2, rays), measured until `stamp_ns`, as a scan."""
        return LaserScan2D(
            self.name, self.frame_id, stamp_ns - self.sweep_ns, self.angle_min, self.angle_max,
            self.angle_increment, self.time_increment, self.spec.sensor_period,
            *self._range_limits, measured[0], measured[1] if self._with_intensity else None,
            echoes)


class Lidar2D(PlanarLidar):
    """
    Planar LiDAR on a vehicle: exact ranges plus the noise of its spec.

    With `rolling` a scan sweeps during the period before the measurement; otherwise all rays
    measure at once. Each ray starts at the position of the vehicle at its time. Movers, and
    vehicles whose past is unknown, go back along their twists.
    """

    def __init__(self, spec: LaserSpec, owner: str, caster: PlanarRayCaster,
                 random: np.random.Generator, at_height: bool = False,
                 weather: WeatherSpec = FINE) -> None:
        """Mount a LiDAR; `at_height`: only things at its height count, as in mode `physical`."""
        super().__init__(spec, owner)
        self.caster = caster
        self.random = random
        rotation = self.pose.rotation
        if is_tilted(spec):
            _LOG.warning('%s: sensor %s is tilted: the planar mode measures in the horizontal '
                         'plane all the same', spec.source, self.name)
        self.headings = headings_of(
            math.atan2(rotation[1, 0], rotation[0, 0]), math.copysign(1.0, rotation[2, 2]),
            self.angle_min, self.angle_increment, spec.nrays)
        self._normals = np.zeros(spec.nrays, np.float32), np.zeros(spec.nrays, np.float32)
        self._measured = np.zeros((2, spec.nrays), np.float32)
        self._way = np.zeros((spec.nrays, 4))
        self._of_scan = (self.pose.x, self.pose.y, self.time_increment, spec.min_range,
                         spec.max_range, spec.range_std_noise, spec.angle_std_noise)
        self._scan, self._starts = np.zeros((1, COLUMNS)), np.array([0, spec.nrays])
        self._grids_only = not spec.bodies_visible
        self._weather = None if weather.is_clear else PlanarWeather(weather, spec.max_range)
        self._height = self.pose.z if at_height else math.nan
        self._known: tuple[object, ...] = ()
        self._ready: PreparedCall | None = None

    def measure(self, stamp_ns: int, state: BodyState) -> LaserScan2D:
        """Return one scan; its stamp is the start of the sweep."""
        path = self._path(state)
        self._scan[0] = self.request(state, *self._normals, 0 if len(path) else -1)
        self.caster.measure(
            self._scan, self._starts, path, self.headings, *self._normals, self._measured,
            len(self.headings), *state.movers())
        return self.observation(stamp_ns, self._measured.copy())

    def measure_at(self, instant: Instant, carrier: str) -> LaserScan2D:
        """Return one scan; where possible the kernel reads the poses itself."""
        if not (carrier and runs_machine_code()):
            return self.measure(instant.time_ns, instant.body(carrier))
        physics = instant.physics
        known = (physics.vehicles.arrays, physics.blocks.pose, physics.figures.pose,
                 self.caster.scene, instant.past.rows)
        if self._ready is None or any(map(is_not, known, self._known)):
            self._known = known  # what the call is prepared for
            self._ready = self.scan_call(
                physics, instant.past, physics.vehicles.index(carrier), self._measured)
        self._draw(*self._normals)
        self._ready()
        return self.observation(instant.time_ns, self._measured.copy())

    def _path(self, state: BodyState) -> Array:
        """Return x, y, cosine and sine of yaw of the vehicle for each ray, none if not known."""
        known = state.path(1e-9 * self.sweep_ns) if self.sweep_ns else None
        if known is None:
            return NO_PATH
        planar_path(*known, self.time_increment, self._way)
        return self._way

    def request(self, state: BodyState, angle_normals: Noise, range_normals: Noise,
                path: int = -1) -> tuple[float, ...]:
        """
        Return the request of a scan in `state` to `raycast.rays`, and draw its noise.

        :param angle_normals: to fill in, one number for each ray, as `range_normals`.
        :param path: see `raycast.rays.PATH`.
        """
        x, y, z, yaw, _, _ = state.pose.tolist()
        vx, vy, wz = state.twist_body.tolist()
        if not math.isfinite(x + y + yaw + vx + vy + wz):
            raise SensorError(f'{self.name}: pose {state.pose} or twist {state.twist_body} of '
                              'its vehicle is not finite')
        self._draw(angle_normals, range_normals)
        return (x, y, yaw, vx, vy, wz, *self._of_scan, state.mover_index, self._grids_only, path,
                z + self._height)

    def _draw(self, angle_normals: Noise, range_normals: Noise) -> None:
        """Draw the noise of a scan."""
        if self._of_scan[6] > 0:
            self.random.standard_normal(out=angle_normals, dtype=np.float32)
        if self._of_scan[5] > 0:
            self.random.standard_normal(out=range_normals, dtype=np.float32)

    def scan_call(self, physics: PhysicsWorld, past: PoseHistory, row: int, measured: Noise,
                  shared: Scratch | None = None) -> PreparedCall:
        """
        Return a call that scans the scene, to run after `draw_calls`.

        It holds as long as the bodies of the world are the same, and the rows of the past.

        :param row: of the vehicle.
        :param measured: to fill in, ranges and intensities, shape (2, rays).
        :param shared: scratch of the calls of a thread, to which it is added; None: its own.
        """
        rays = len(self.headings)
        room = None if shared is None else shared.setdefault(rays, scratch(rays))
        self._scan[0, MOUNT_X:] = (*self._of_scan, row, self._grids_only, -1, 0.0)
        vehicles, blocks, figures = physics.vehicles, physics.blocks, physics.figures
        scan = (row, self._height, vehicles.pose, vehicles.twist_body, blocks.pose,
                blocks.twist_body, blocks.movable, figures.pose, figures.twist_body, figures.solid,
                self._scan, self._starts, self._way, self.headings, *self._normals, measured,
                *self.caster.scene_for(rays, room))
        if not self.sweep_ns:
            return PreparedCall(scan_present, *scan)
        return PreparedCall(
            sweep_present, 1e-9 * self.sweep_ns, past.path_arguments(), *past.path_room(),
            self.time_increment, scan, row, self._scan, self._way)

    def round_call(self, physics: PhysicsWorld, past: PoseHistory, row: int, measured: Noise,
                   shared: Scratch) -> PreparedCall | None:
        """Return `scan_call`, None where Python has to do the rest."""
        return None if self._weather is not None else self.scan_call(
            physics, past, row, measured, shared)

    def draw_calls(self) -> list[PreparedCall]:
        """Return calls that draw the noise of the next scan of a call that is ready."""
        return [PreparedCall(draw_normals, filler('float32'), address_of(self.random), each)
                for each, deviation in zip(self._normals, self._of_scan[6:4:-1], strict=True)
                if deviation > 0]

    def observation(self, stamp_ns: int, measured: NDArray[np.float32]) -> LaserScan2D:
        """Return what was measured as `scan_of` does, after the weather."""
        if self._weather is not None:
            self._weather.act(measured, self._range_limits, self.random)
        return self.scan_of(stamp_ns, measured)

    @classmethod
    def measure_together(
            cls, sensors: Sequence[Self], stamp_ns: int,
            states: Sequence[BodyState]) -> list[LaserScan2D]:
        """
        Return one scan of each LiDAR, all at the same time; much faster than one by one.

        They look into the same scene; movers are taken from the first state.
        """
        if len(sensors) < 2:
            return [lidar.measure(stamp_ns, state)
                    for lidar, state in zip(sensors, states, strict=True)]
        counts = [len(lidar.headings) for lidar in sensors]
        starts = [0, *accumulate(counts)]
        angle_normals, range_normals = np.empty((2, starts[-1]), np.float32)
        paths = [lidar._path(state) for lidar, state in zip(sensors, states, strict=True)]
        rows = accumulate((len(path) for path in paths), initial=0)
        scans = np.array([
            lidar.request(state, angle_normals[begin:end], range_normals[begin:end],
                          row if len(path) else -1)
            for lidar, state, (begin, end), path, row in zip(
                sensors, states, pairwise(starts), paths, rows)])
        measured = np.empty((2, starts[-1]), np.float32)
        sensors[0].caster.measure(
            scans, np.array(starts), np.concatenate(paths),
            np.concatenate([lidar.headings for lidar in sensors]), angle_normals, range_normals,
            measured, max(counts), *states[0].movers())
        return [lidar.observation(stamp_ns, measured[:, begin:end])
                for lidar, (begin, end) in zip(sensors, pairwise(starts), strict=True)]


@compiled(counted=False)
def scan_present(
        row: int, height: float, vehicle_pose: Array, vehicle_twist: Array, block_pose: Array,
        block_twist: Array, movable: NDArray[np.bool_], figure_pose: Array, figure_twist: Array,
        solid: int, scans: Array, starts: NDArray[np.int64], paths: Array, headings: Array,
        angle_normals: Noise, range_normals: Noise, measured: Noise, rays: Array,
        sorting: NDArray[np.int64], lanes: Array, distances: Array, bodies: Array,
        first: NDArray[np.int64], segments: Array, surfaces: Array, outlines: Array, poses: Array,
        heights: Array, twists: Array) -> None:
    """
    Scan from a vehicle at the present poses.

    :param row: of the vehicle.
    :param height: of the LiDAR above the reference point of the vehicle [m].
    :param scans: one, from `MOUNT_X` on; the rest is filled in.

    The others are as for `lay_out` and `measure_scans`.
    """
    lay_out(vehicle_pose, vehicle_twist, block_pose, block_twist, movable, figure_pose,
            figure_twist, solid, poses, heights, twists)
    for k in range(3):
        scans[0, X + k], scans[0, VX + k] = poses[row, k], vehicle_twist[row, k]
    scans[0, HEIGHT] = heights[row] + height
    measure_scans(scans, starts, paths, headings, angle_normals, range_normals, measured, rays,
                  sorting, lanes, distances, bodies, first, segments, surfaces, outlines, poses,
                  heights, twists)


@compiled(counted=False)
def sweep_present(
        span: float, past: Any, ages: Array, poses: Array, increment: float, scan: Any, row: int,
        scans: Array, path: Array) -> None:
    """
    Scan from a vehicle that was where the past says at the time of each ray.

    Where its past is not known, it has kept its twist.

    :param span: from the first ray to the last one [s].
    :param past: arguments of `recall` from the step on.
    :param ages: to fill in by it, as `poses`.
    :param increment: time from ray to ray [s].
    :param scan: arguments of `scan_present`, in which `scans` and `path` are.
    :param row: of the vehicle.
    """
    count = recall(span, row, ages, poses, *past)
    scans[0, PATH] = -1.0
    if count > 0:
        planar_path(ages[:count + 1], poses[:count + 1], increment, path)
        scans[0, PATH] = 0.0
    scan_present(*scan)
