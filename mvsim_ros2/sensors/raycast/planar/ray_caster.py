# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Exact planar ray casting."""

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mvsim_ros2.base.bulk import appended
from mvsim_ros2.errors import SensorError
from mvsim_ros2.frames import Array, Numbers
from mvsim_ros2.jit.kernel import runs_machine_code
from mvsim_ros2.jit.prepared_call import PreparedCall
from mvsim_ros2.scene.planar import PlanarScene, StaticGeometry, TRUNK_SIDES
from mvsim_ros2.sensors.raycast.planar import rays, segments
from mvsim_ros2.sensors.raycast.planar.scan import measure_scans

Noise = NDArray[np.float32]
NO_PATH = np.zeros((0, 4))  # of scans without noise
_NO_NOISE = np.zeros(0, np.float32)


def scratch(most: int) -> tuple[Any, ...]:
    """Return scratch memory for scans of up to `most` rays, as `measure_scans` takes it."""
    return (np.zeros((rays.RAY, most)), np.zeros((3, most + 1), np.int64),
            np.zeros((rays.LANES, most)), np.zeros(most))


class PlanarRayCaster:
    """
    Casts rays against a planar scene; exact to rounding in double precision.

    Outlines are two-sided: a ray that starts inside a solid ends on its outline.
    """

    def __init__(self, scene: PlanarScene) -> None:
        self._take_static(scene.static)
        self._take_movers(scene)
        self._make_scratch(0)

    def _take_static(self, static: StaticGeometry) -> None:
        self._static, self._static_surfaces, self._still_first, self._still = _bodies_of(static)

    def update(self, scene: PlanarScene) -> None:
        """Replace the scene; unchanged static geometry is kept."""
        if scene.static is not self.scene.static:
            self._take_static(scene.static)
        self._take_movers(scene)

    def extend(self, scene: PlanarScene) -> None:
        """Replace the scene by one whose static geometry begins with the present one."""
        known, static = len(self.scene.static.segments), scene.static
        if known < len(static.segments):
            ends, surfaces, first, bodies = _bodies_of(StaticGeometry(
                static.segments[known:], static.is_grid[known:], static.surfaces[known:],
                static.ball[known:]))
            self._static = appended(self._static, ends)
            self._static_surfaces = appended(self._static_surfaces, surfaces)
            self._still_first = appended(self._still_first, known + first[1:])
            self._still = appended(self._still, bodies)
        self._take_movers(scene)

    def _take_movers(self, scene: PlanarScene) -> None:
        """Put movers behind what stands, in place of those before."""
        self.scene = scene
        first, self._outlines = scene.mover_first, np.array(scene.mover_segments, order='C')
        count = len(self._static)
        self._first = appended(self._still_first, count + first[1:])
        self._still_first = self._first[:len(self._still_first)]
        self._segments = appended(self._static, self._outlines)
        self._surfaces = appended(self._static_surfaces, scene.mover_surfaces)
        self._static, self._static_surfaces = self._segments[:count], self._surfaces[:count]
        movers = segments.table(
            self._outlines, first, scene.mover_surfaces, scene.mover_is_ball)
        self._steered = np.array(
            [(each.mover, each.wheel, each.first) for each in scene.steered],
            np.int64).reshape(-1, 3)
        self._shapes = np.array([
            (*each.spec.pos, 0.5 * each.spec.diameter, 0.5 * each.spec.width)
            for each in scene.steered]).reshape(-1, 5)
        movers[:, segments.IS_RIGID] = 1.0
        self._people = np.array(
            [(row, first[scene.vehicles + scene.blocks + row] + TRUNK_SIDES)
             for row, _ in scene.people], np.int64).reshape(-1, 2)
        self._heights = np.array([height for _, height in scene.people])
        for row, height in scene.people:
            body = movers[scene.vehicles + scene.blocks + row]
            body[segments.IS_RIGID] = 0.0
            for column in (segments.RADIUS, segments.FARTHEST):
                body[column] = max(body[column], segments.STEP_REACH * height)
        for steered in scene.steered:  # bounding circle for any yaw
            x, y, _ = steered.spec.pos
            reach = 0.5 * np.hypot(steered.spec.diameter, steered.spec.width)
            body = movers[steered.mover]
            body[segments.IS_RIGID] = 0.0
            body[segments.RADIUS] = max(body[segments.RADIUS], reach + np.hypot(
                x - body[segments.OWN_X], y - body[segments.OWN_Y]))
            body[segments.FARTHEST] = max(body[segments.FARTHEST], reach + np.hypot(x, y))
        self._bodies = appended(self._still, movers)
        self._still = self._bodies[:len(self._still)]
        count = len(first) - 1
        # poses, heights and twists of the movers
        self._now = np.zeros((count, 3)), np.zeros(count), np.zeros((count, 3))
        self._call: PreparedCall | None = None

    def steer(self, wheels: NDArray[np.void], starts: Numbers, gait: Array) -> None:
        """
        Turn the steered wheels and put the legs of people as they are now.

        :param wheels: records of the wheels of all vehicles.
        :param starts: of the wheels of each vehicle.
        :param gait: of the figures, see `MoverStates`.
        """
        if self.scene.steered or self.scene.people:
            segments.steer(*self._steering(wheels, starts, gait))

    def steer_ready(self, wheels: NDArray[np.void], starts: Numbers,
                    gait: Array) -> PreparedCall | None:
        """Return a call that does so as long as the scene is the same; None for nothing to do."""
        return PreparedCall(segments.steer, *self._steering(wheels, starts, gait)) if (
            self.scene.steered or self.scene.people) else None

    def _steering(self, wheels: NDArray[np.void], starts: Numbers,
                  gait: Array) -> tuple[Any, ...]:
        mover, wheel, first = self._steered.T
        return (wheels, starts[mover] + wheel, first.copy(), self._shapes, gait, self._people,
                self._heights, np.array(self.scene.mover_segments, order='C'), self._outlines)

    def _make_scratch(self, most: int) -> None:
        """Allocate scratch memory for scans of up to `most` rays."""
        self._most = most
        self._call = None
        self._scratch = scratch(most)

    def _place_movers(
            self, poses: ArrayLike | None, heights: ArrayLike | None,
            twists: ArrayLike | None) -> None:
        """Store poses, heights and twists of the movers."""
        poses_now, heights_now, twists_now = self._now
        if poses is None and len(poses_now):
            raise SensorError(f'the scene has {len(poses_now)} movers: give their poses')
        for now, given, what in (
                (poses_now, poses, 'poses'), (heights_now, heights, 'heights'),
                (twists_now, twists, 'twists')):
            if given is None:
                now[...] = 0.0
            else:
                array = np.asarray(given, float)
                if array.shape != now.shape:
                    raise SensorError(
                        f'the {what} of the movers have shape {array.shape}: the scene has '
                        f'{len(now)} movers, so it must be {now.shape}')
                now[...] = array

    def cast(
            self, origin: ArrayLike, angles: ArrayLike, max_range: float,
            mover_poses: ArrayLike | None = None, ignore: int = -1,
            bodies_visible: bool = True, height: float = math.nan) -> Array:
        """
        Return the distance to the closest hit of each ray, inf where nothing is in reach.

        :param origin: of the rays [m], shape (2,).
        :param angles: bearings of the rays in the world [rad], shape (N,).
        :param max_range: reach [m], inf for no limit.
        :param mover_poses: x, y, yaw of the movers in the world, shape (M, 3).
        :param ignore: number of a mover that is ignored, -1 for none.
        :param bodies_visible: False for occupancy grids only.
        :param height: of the rays [m]: what does not cover it is ignored; NaN for any height.
            Movers stand at the height 0.
        :raises SensorError: where a number is not finite or a shape does not fit.
        """
        bearings, (x, y) = np.asarray(angles, float), np.asarray(origin, float)
        if not (np.isfinite(bearings).all() and np.isfinite([x, y]).all() and max_range >= 0):
            raise SensorError('a ray needs a finite origin, a finite angle and a range above 0')
        scan = np.zeros((1, rays.COLUMNS))
        scan[0, [rays.X, rays.Y, rays.MAX_RANGE]] = x, y, max_range
        scan[0, [rays.IGNORED, rays.GRIDS_ONLY, rays.PATH]] = ignore, not bodies_visible, -1
        scan[0, rays.HEIGHT] = height
        self.measure(scan, np.array([0, len(bearings)]), NO_PATH,
                     np.stack([np.cos(bearings), np.sin(bearings)], axis=1), _NO_NOISE, _NO_NOISE,
                     np.empty((2, len(bearings)), np.float32), len(bearings), mover_poses)
        found: Array = self._scratch[3][:len(bearings)].copy()
        return found

    def measure(
            self, scans: Array, starts: Numbers, paths: Array, headings: Array,
            angle_normals: Noise, range_normals: Noise, measured: Noise, most: int,
            mover_poses: ArrayLike | None, mover_twists: ArrayLike | None = None,
            mover_heights: ArrayLike | None = None) -> None:
        """
        Fill in ranges and intensities of several scans at once.

        It is quickest where the arrays are the same objects as in the call before. See
        `raycast.planar.scan.measure_scans`.

        :param measured: to fill in, shape (2, R).
        :param most: largest number of rays of a scan.
        :param mover_heights: of the reference points of the movers [m], shape (M,); None: 0.
        :raises SensorError: where poses or twists of movers do not fit the scene.
        """
        scene = self.scene_for(most)
        self._place_movers(mover_poses, mover_heights, mover_twists)
        given = scans, starts, paths, headings, angle_normals, range_normals, measured
        if self._call is None:
            if not runs_machine_code():
                measure_scans(*given, *scene)
                return
            self._call = PreparedCall(measure_scans, *given, *scene)
        self._call.replace(0, *given)
        self._call()

    def scene_for(self, most: int, shared: tuple[Any, ...] | None = None,
                  ) -> tuple[Any, ...]:
        """
        Return what `measure_scans` takes of a scene: from its scratch memory on.

        The last three arrays are to be filled in: where the movers are, and how they move.

        :param most: largest number of rays of a scan.
        :param shared: scratch memory for so many that others use too, None: its own.
        """
        if shared is None and most > self._most:
            self._make_scratch(most)
        return (*(shared or self._scratch), self._bodies, self._first, self._segments,
                self._surfaces, self._outlines, *self._now)


def _bodies_of(static: StaticGeometry) -> tuple[Array, Array, Numbers, Array]:
    """Return segments and surfaces of bodies, the first of each, and the bodies."""
    order, first = segments.cut(static.segments, static.is_grid, static.ball)
    ends, surfaces = np.ascontiguousarray(static.segments[order]), static.surfaces[order]
    bodies = segments.table(ends, first, surfaces, static.ball[order][first[:-1]] > 0)
    bodies[:, segments.IS_GRID] = static.is_grid[order][first[:-1]]
    return ends, surfaces, first, bodies
