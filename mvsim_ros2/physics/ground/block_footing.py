# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Blocks on ground that is not level, in mode `physical`: they slide, tilt, fall and land.

The engine moves a block in plan, with the friction and the push of its slope (`engine_step`).
After each step it stands on the plane of its ground, or falls if this is lower than a free fall
would reach. On a steeper slope it loses the part of its motion into the ground, as in an inelastic
impact. So no ground adds energy.

The plane below a block is nowhere below the ground, and the lowest of such planes at the centre of
mass. It is a facet of the upper convex hull of points of the ground. It is found by exchanging the
corners of a triangle (the dual simplex method for a linear programme in three unknowns).
"""

import math

import numpy as np

from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.engine.bodies import Body
from mvsim_ros2.physics.engine.engine_step import SLOPE_X, SLOPE_Y, STANDS as SLIDING_STANDS
from mvsim_ros2.physics.ground.relief import ground_below, NO_RELIEF, Relief
from mvsim_ros2.physics.ground.terrain import Terrain
from mvsim_ros2.physics.state.blocks import Blocks, CLIMB, GRADE, SLOPE, STANDS, WAS
from mvsim_ros2.physics.state.record_layout import ROW, TABLE
from mvsim_ros2.world.spec.common import Polygon

OFF = 1e-4  # m; a block so much above its ground falls
SHORT = 1e-4  # m; over a shorter way a block climbs as its slope says
# m; a step of the ground up to this, times the root of the slope of a block on it, is part of a
# slope: one that comes onto a ramp with its front leans less than that
EDGE = 0.02
REACH = 0.1  # m; ground so much above the underside of a block counts
INSET = 0.01  # m; so far inside its outline the ground is looked up
GRID = 5  # points along and across, besides the corners
SMOOTH = 1e-7  # m; heights that differ by less are the same
EXCHANGES = 100


def support_points(polygon: Polygon, middle: tuple[float, float]) -> Array:
    """
    Return the points of a convex outline at which its ground is looked up, shape (n, 2).

    The corners come first, then points of a grid, the middle among them.

    :param middle: its centre of mass.
    """
    corners = np.array(polygon, float)
    away = corners - middle
    length = np.linalg.norm(away, axis=1, keepdims=True)
    corners = middle + away * np.maximum(1.0 - INSET / np.maximum(length, 1e-9), 0.75)
    parts = np.linspace(-1.0, 1.0, GRID)
    low, high = corners.min(axis=0), corners.max(axis=0)
    grid = np.stack(np.meshgrid(parts, parts), -1).reshape(-1, 2) * 0.5 * (high - low) + (
        0.5 * (low + high))
    ahead = np.roll(corners, -1, axis=0) - corners
    rise = grid[:, None] - corners
    inside = np.all(ahead[:, 0] * rise[..., 1] > ahead[:, 1] * rise[..., 0], axis=1)
    return np.concatenate([corners, grid[inside], [middle]])


@compiled(inlined=True)
def _plane(points: Array, a: int, b: int, c: int) -> tuple[float, float, float, float]:
    """
    Return height and slopes of the plane through three points, at x = y = 0.

    :returns: and the least of the three shares by which they make up that place, -1 where they
        stand on one line.
    """
    bx, by = points[b, 0] - points[a, 0], points[b, 1] - points[a, 1]
    cx, cy = points[c, 0] - points[a, 0], points[c, 1] - points[a, 1]
    whole = bx * cy - by * cx
    if abs(whole) < 1e-9:
        return 0.0, 0.0, 0.0, -1.0
    up_b, up_c = points[b, 2] - points[a, 2], points[c, 2] - points[a, 2]
    slope_x, slope_y = (up_b * cy - up_c * by) / whole, (up_c * bx - up_b * cx) / whole
    height = points[a, 2] - slope_x * points[a, 0] - slope_y * points[a, 1]
    of_b = (cx * points[a, 1] - cy * points[a, 0]) / whole
    of_c = (by * points[a, 0] - bx * points[a, 1]) / whole
    return height, slope_x, slope_y, min(of_b, of_c, 1.0 - of_b - of_c)


@compiled
def highest_facet(points: Array, corners: int) -> tuple[float, float, float]:
    """
    Return the plane that rests on points, above x = y = 0: height there, slopes along x and y.

    :param points: x, y and height of each, shape (n, 3); the first are the corners of a convex
        outline around 0, counter-clockwise, the last one is 0.
    """
    basis = np.array((0, 1, 2))
    best = -1.0
    for k in range(1, corners - 1):
        inside = _plane(points, 0, k, k + 1)[3]
        if inside > best:
            best = inside
            basis[1], basis[2] = k, k + 1
    height, slope_x, slope_y, _ = _plane(points, basis[0], basis[1], basis[2])
    for _ in range(EXCHANGES):
        worst, most = -1, SMOOTH
        for k in range(len(points) - 1):
            above = points[k, 2] - (height + slope_x * points[k, 0] + slope_y * points[k, 1])
            if above > most:
                worst, most = k, above
        if worst < 0:
            break
        leaves, top, best = -1, -math.inf, -1.0
        for k in range(3):
            kept = basis[k]
            basis[k] = worst
            at, _, _, inside = _plane(points, basis[0], basis[1], basis[2])
            basis[k] = kept
            if inside > -1e-9 and (at > top + SMOOTH or at > top - SMOOTH and inside > best):
                leaves, top, best = k, at, inside
        if leaves < 0:
            break
        basis[leaves] = worst
        height, slope_x, slope_y, _ = _plane(points, basis[0], basis[1], basis[2])
    # above an edge or corner of the hull it leans no more than it has to
    height, part = max(height, points[len(points) - 1, 2]), 0.0
    for k in range(len(points)):
        rises = slope_x * points[k, 0] + slope_y * points[k, 1]
        if rises > 0.0 and points[k, 2] > height + part * rises:
            part = min((points[k, 2] - height) / rises, 1.0)
    return height, part * slope_x, part * slope_y


@lazy_kernel(NO_RELIEF, TABLE, 0, ROW, ROW, 0.0, 0.0, 0.0)
def supported(relief: Relief, local: Array, corners: int, middle: Array, pose: Array,
              slope_x: float, slope_y: float, reach: float) -> tuple[float, float, float]:
    """
    Return the plane that a block would rest on: height of its origin, slopes in the world.

    :param local: points below it in its frame, see `support_points`; the first are corners.
    :param middle: its centre of mass in its frame.
    :param pose: x y z yaw pitch roll.
    :param slope_x: of its underside as it is; so slope_y.
    :param reach: how far above that the ground may be [m].
    """
    cosine, sine = math.cos(pose[3]), math.sin(pose[3])
    com_x = cosine * middle[0] - sine * middle[1]
    com_y = sine * middle[0] + cosine * middle[1]
    points = np.empty((len(local), 3))
    for k in range(len(local)):
        x = cosine * local[k, 0] - sine * local[k, 1]
        y = sine * local[k, 0] + cosine * local[k, 1]
        points[k, 0], points[k, 1] = x - com_x, y - com_y
        points[k, 2] = ground_below(
            relief, pose[0] + x, pose[1] + y, pose[2] + slope_x * x + slope_y * y + reach)
    height, slope_x, slope_y = highest_facet(points, corners)
    return height - slope_x * com_x - slope_y * com_y, slope_x, slope_y


@compiled
def kept(vx: float, vy: float, climb: float, slope_x: float, slope_y: float,
         ) -> tuple[float, float]:
    """
    Return what is left of a velocity along a plane: the nearest by energy.

    :param climb: upward velocity [m/s].
    """
    into = (slope_x * vx + slope_y * vy - climb) / (1.0 + slope_x * slope_x + slope_y * slope_y)
    return vx - slope_x * into, vy - slope_y * into


@compiled
def paid(vx: float, vy: float, climb: float, price: float) -> tuple[float, float]:
    """Return a horizontal velocity after a price [J/kg]; `climb` is the one upwards [m/s]."""
    square = vx * vx + vy * vy + climb * climb
    if square <= 0.0:
        return vx, vy
    left = math.sqrt(max(1.0 - 2.0 * price / square, 0.0))
    return left * vx, left * vy


class BlockFooting:
    """The blocks of a world that follow its ground."""

    def __init__(self, blocks: Blocks, gravity: float, dt: float) -> None:
        """Start with none."""
        self._blocks, self._gravity, self._dt = blocks, gravity, dt
        self._points: dict[int, tuple[Array, int, Array, float]] = {}

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._points)

    def look(self, terrain: Terrain) -> None:
        """
        Find them anew, and let them stand on the ground.

        Those whose height the file gives (`skip_elevation_adjust`) keep it.
        """
        blocks = self._blocks
        self._terrain = terrain
        rows = [int(i) for i in blocks.moving_rows if not blocks.specs[i].skip_elevation_adjust]
        self._points = {}
        if not terrain.look_below(blocks.pose[rows, 2], REACH) and not np.any(
                blocks.pose[np.ix_(rows, (2, 4, 5))]):
            return
        for i in rows:
            body, outline = blocks.bodies[i], blocks.footprints[i]
            middle = np.array(body.constants[2:4])
            self._points[i] = (
                support_points(outline.polygon, (float(middle[0]), float(middle[1]))),
                len(outline.polygon), middle, max(REACH, 0.5 * outline.zmax))
            blocks.footing[i, WAS:WAS + 2] = blocks.pose[i, :2]
            self._settle(i, body, 0.0)

    def show(self) -> None:
        """Tell the engine on which slopes blocks stand."""
        blocks = self._blocks
        for row, i in enumerate(blocks.moving_rows.tolist()):
            if i in self._points:
                blocks.sliding[row, [SLOPE_X, SLOPE_Y]] = blocks.footing[i, GRADE:GRADE + 2]
                blocks.sliding[row, SLIDING_STANDS] = blocks.footing[i, STANDS]

    def after_step(self) -> None:
        """Let blocks stand where they are now, or fall."""
        if not self._points:
            return
        blocks = self._blocks
        blocks.observe()
        for i in self._points:
            body = blocks.bodies[i]
            if body.is_awake or self._terrain.moves or not blocks.footing[i, STANDS]:
                self._settle(i, body, self._dt)
            footing = blocks.footing[i]
            self._terrain.tilt_block(
                i, float(blocks.pose[i, 2]), footing[SLOPE], footing[SLOPE + 1], footing[CLIMB])
        self.show()

    def _settle(self, i: int, body: Body, dt: float) -> None:
        """
        Put a block on its ground.

        :param dt: since the last time [s]; 0 leaves its velocity alone.
        """
        footing, pose = self._blocks.footing[i], self._blocks.pose[i]
        points, corners, middle, reach = self._points[i]
        along_x, along_y, turn = body.velocity
        if footing[STANDS]:
            footing[CLIMB] = footing[GRADE] * along_x + footing[GRADE + 1] * along_y
        falls = self._gravity * dt
        lowest = pose[2] + dt * (footing[CLIMB] - falls) - OFF
        height, slope_x, slope_y = supported(
            self._terrain.below_blocks, points, corners, middle, pose, footing[0], footing[1],
            REACH if dt > 0.0 else reach)
        if height < lowest:
            footing[STANDS] = 0.0
            pose[2] += dt * (footing[CLIMB] - 0.5 * falls)
            footing[CLIMB] -= falls
            footing[WAS:WAS + 2] = pose[:2]
            body.wake()
            return
        way, rise = pose[:2] - footing[WAS:WAS + 2], height - pose[2]
        far = math.hypot(*way)
        grade = np.array((slope_x, slope_y))
        if footing[STANDS] and far > SHORT:  # what it climbed, where that is not its slope
            grade += way / far * (rise - grade @ way) / far
        if not footing[STANDS]:
            footing[CLIMB] -= falls
        vx, vy = kept(along_x, along_y, footing[CLIMB], *grade)
        if footing[STANDS]:  # what the way up costs more than the slope before the step took
            vx, vy = paid(vx, vy, grade[0] * vx + grade[1] * vy, self._gravity * (
                rise - way @ footing[GRADE:GRADE + 2]))
        if body.is_awake and dt > 0.0:
            body.set_velocity(vx, vy, turn)
        cosine, sine = math.cos(pose[3]), math.sin(pose[3])
        ahead, aside = cosine * slope_x + sine * slope_y, cosine * slope_y - sine * slope_x
        pose[2], pose[4] = height, -math.atan(ahead)
        pose[5] = math.atan(aside * math.cos(pose[4]))
        footing[:] = (slope_x, slope_y, 1.0, grade[0] * vx + grade[1] * vy,
                      np.max(points[:corners] @ (ahead, aside))
                      + EDGE * math.sqrt(math.hypot(slope_x, slope_y)), *pose[:2], *grade)
