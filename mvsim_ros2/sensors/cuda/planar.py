# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Worlds as planar LiDARs see them, on the card, and the scans of many of these LiDARs.

All is in double precision and by the functions of `raycast.planar`. Each ray is tested against all
segments of the bodies within its reach.
"""

from collections.abc import Sequence
import math
from typing import Any

from numba import cuda
import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.scene.planar import HIGH, LOW
from mvsim_ros2.sensors.cuda.card import (
    blocks, check_card, kernel, on_card, pinned, THREADS, upload)
from mvsim_ros2.sensors.raycast.planar import rays, scan, segments as column
from mvsim_ros2.sensors.raycast.planar.intersect import distance_to_segment
from mvsim_ros2.sensors.raycast.planar.ray_caster import PlanarRayCaster

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]

_SLACK = 1e-9  # margin of circles [m], covers rounding
_MOST = 512  # threads of a block
# columns of the spans of a world: first and last of its segments at rest, of those that move, and
# the first of the bodies that move
_STILL, _STILL_END, _MOVER, _MOVER_END, _FIRST_MOVER = range(5)

_meet, _turn_aside = on_card(distance_to_segment), on_card(rays.turn_aside)
_place_one, _outline_scale = on_card(column.place_one), on_card(column.outline_scale)
_measured_range = on_card(scan.measured_range)


class PlanarWorlds:
    """
    What planar LiDARs see of some worlds; what rests is stored once for equal worlds.

    :ivar poses: where the bodies that move are in each world, to be written before `update`:
        x, y, yaw [m, rad], shape (M, 3); `heights` of their reference points [m], shape (M,).
    """

    def __init__(self, casters: Sequence[PlanarRayCaster]) -> None:
        """
        Copy worlds to the card.

        :raises CardError: where there is none.
        """
        check_card()
        self.casters = list(casters)
        known: dict[tuple[bytes, ...], tuple[int, int]] = {}
        parts: list[tuple[Array, Array, Array]] = []  # bodies, segments, surfaces
        counts: list[Numbers] = []
        spans = np.zeros((len(casters), 5), np.int64)
        edges = bodies = 0
        for world, caster in enumerate(casters):
            resting, first = caster.resting
            key = tuple(each.tobytes() for each in (*resting, first))
            if key not in known:
                known[key] = edges, edges + len(resting[1])
                parts.append(resting)
                counts.append(np.diff(first))
                edges, bodies = edges + len(resting[1]), bodies + len(resting[0])
            spans[world, [_STILL, _STILL_END]] = known[key]
        self._still, movers = bodies, 0
        begins = []
        for world, caster in enumerate(casters):
            moving, first = caster.moving
            spans[world, _MOVER:] = edges, edges + len(moving[1]), bodies + movers
            begins.append(movers)
            parts.append(moving)
            counts.append(np.diff(first))
            edges, movers = edges + len(moving[1]), movers + len(moving[0])
        number = np.concatenate([np.zeros(0, np.int64), *counts])
        first = np.concatenate([[0], number]).cumsum()
        outlines = [caster.moving[0][1] for caster in casters]
        self._mover_first = np.array([*begins, movers])
        self.poses, self.heights = pinned((movers, 3)), pinned((movers,))
        self._turning = [i for i, caster in enumerate(casters) if caster.scene.steered]
        self._ends = np.cumsum([0, *map(len, outlines)])
        self._outlines_here = pinned((int(self._ends[-1]), 4))
        self._outlines_here[:] = np.concatenate([np.zeros((0, 4)), *outlines])
        self._poses, self._heights = upload(self.poses), upload(self.heights)
        self._twists = upload(np.zeros((movers, 3)))  # of scans at one instant
        self._outlines, self._movers = upload(self._outlines_here), movers
        self.spans, self.first = upload(spans), upload(first)
        self.body_of = upload(np.repeat(np.arange(len(number)), number))
        self.bodies, self.segments, self.surfaces = (
            upload(np.concatenate(part)) for part in zip(*parts, strict=True))

    def rows_of(self, world: int) -> tuple[int, int]:
        """Return the first and the last row of the bodies that move in a world."""
        return int(self._mover_first[world]), int(self._mover_first[world + 1])

    def update(self) -> None:
        """Copy where everything is, and how wheels are turned, to the card."""
        if not self._movers:
            return
        if self._turning:
            for world in self._turning:
                begin, end = self._ends[world], self._ends[world + 1]
                self._outlines_here[begin:end] = self.casters[world].moving[0][1]
            self._outlines.copy_to_device(self._outlines_here)
        self._poses.copy_to_device(self.poses)
        self._heights.copy_to_device(self.heights)
        _place[blocks(self._movers), THREADS](
            self._poses, self._heights, self._twists, self._still, self._outlines, self.first,
            self.bodies, self.segments)


class PlanarScans:
    """
    Planar LiDARs with as many rays each, one scan of each at once.

    :ivar scans: parameters, to be written before `measure`, shape (K, rays.COLUMNS).
    :ivar angle_normals: standard normal numbers, likewise, shape (K, N), as `range_normals`.
    """

    def __init__(self, worlds: PlanarWorlds, of_world: Sequence[int], headings: Sequence[Array],
                 scans: Array) -> None:
        """
        Prepare scans.

        :param of_world: number of the world of each LiDAR.
        :param headings: directions of the rays of each in the vehicle frame, shape (N, 2).
        :param scans: parameters of scans without the state, shape (K, rays.COLUMNS).
        """
        self._worlds = worlds
        count, size = len(headings), len(headings[0])
        unlike = {id(each): each for each in headings}
        numbers = {each: i for i, each in enumerate(unlike)}
        self._headings = upload(np.stack(list(unlike.values())))
        self._lines = upload(np.array([numbers[id(each)] for each in headings], np.int64))
        self._of_world = upload(np.array(of_world, np.int64))
        self.scans = pinned((count, rays.COLUMNS))
        self.scans[:] = scans
        self._noisy = [bool((scans[:, each] > 0.0).any())
                       for each in (rays.ANGLE_NOISE, rays.RANGE_NOISE)]
        self.angle_normals, self.range_normals = (
            pinned((count, size if noisy else 1), np.float32) for noisy in self._noisy)
        self._scans = upload(self.scans)
        self._normals = [upload(self.angle_normals), upload(self.range_normals)]

    def measure(self, chosen: Any, ranges: Any) -> None:
        """
        Write ranges, 0 for what is too near, the largest range for what is too far.

        :param chosen: numbers of the LiDARs that measure, on the card, at least one.
        :param ranges: on the card, single precision, shape (K, N).
        """
        worlds = self._worlds
        self._scans.copy_to_device(self.scans)
        for noisy, there, here in zip(self._noisy, self._normals, (
                self.angle_normals, self.range_normals), strict=True):
            if noisy:
                there.copy_to_device(here)
        count = ranges.shape[1]
        threads = min(_MOST, -(-count // 32) * 32)
        _scan[(chosen.shape[0], -(-count // threads)), threads](
            chosen, self._scans, self._of_world, worlds.spans, self._headings, self._lines,
            *self._normals, worlds.bodies, worlds.body_of, worlds.segments, worlds.surfaces,
            ranges)


@kernel
def _place(poses: Any, heights: Any, twists: Any, still: int, outlines: Any, first: Any,
           bodies: Any, edges: Any) -> None:
    """
    Put the bodies that move where they are, see `segments.place`.

    :param poses: x, y, yaw of those of all worlds, shape (M, 3).
    """
    i = cuda.grid(1)
    if i < poses.shape[0]:
        _place_one(i, outlines, poses, heights, twists, still, first, bodies, edges)


@kernel
def _scan(rows: Any, scans: Any, worlds: Any, spans: Any, headings: Any, lines: Any,
          angle_normals: Any, range_normals: Any, bodies: Any, body_of: Any, segments: Any,
          surfaces: Any, ranges: Any) -> None:
    """
    Write the ranges of some scans [m]; a block has rays of one, each thread one ray.

    The segments within reach are gathered in memory that the block shares, one of each thread
    at a time, and then all rays are tested against these. What is nearer than a LiDAR measures
    reads as 0, and what is farther, or nothing, as its largest range.

    :param rows: numbers of the scans.
    :param scans: shape (K, rays.COLUMNS); all rays measure at once.
    :param worlds: of each scan, shape (K,).
    :param spans: segments of each world, shape (W, 5).
    :param headings: unit vectors of rays in the vehicle frame, shape (H, N, 2).
    :param lines: number of the headings of each scan, shape (K,).
    :param angle_normals: standard normal numbers, shape (K, N), as `range_normals`.
    :param body_of: number of the body of each segment, shape (S,).
    :param ranges: filled in, shape (K, N).
    """
    near = cuda.shared.array((_MOST, 4), np.float64)  # segments about the eye
    count = cuda.shared.array(1, np.int32)
    k, thread = rows[cuda.blockIdx.x], cuda.threadIdx.x
    world = worlds[k]
    i = cuda.blockIdx.y * cuda.blockDim.x + thread
    is_ray = i < ranges.shape[1]
    height, farthest = scans[k, rays.HEIGHT], scans[k, rays.MAX_RANGE]
    grids_only, ignored = scans[k, rays.GRIDS_ONLY] != 0.0, -1
    if scans[k, rays.IGNORED] >= 0.0:
        ignored = spans[world, _FIRST_MOVER] + int(scans[k, rays.IGNORED])
    cosine, sine = math.cos(scans[k, rays.YAW]), math.sin(scans[k, rays.YAW])
    x, y = scans[k, rays.MOUNT_X], scans[k, rays.MOUNT_Y]
    eye_x = scans[k, rays.X] + cosine * x - sine * y
    eye_y = scans[k, rays.Y] + sine * x + cosine * y
    dx, dy, best = 1.0, 0.0, math.inf
    if is_ray:
        x, y = headings[lines[k], i, 0], headings[lines[k], i, 1]
        if scans[k, rays.ANGLE_NOISE] > 0.0:
            x, y = _turn_aside(x, y, scans[k, rays.ANGLE_NOISE] * angle_normals[k, i])
        dx, dy = cosine * x - sine * y, sine * x + cosine * y
    for of in range(_STILL, _MOVER_END, 2):
        for begin in range(spans[world, of], spans[world, of + 1], cuda.blockDim.x):
            if thread == 0:
                count[0] = 0
            cuda.syncthreads()
            edge = begin + thread
            if edge < spans[world, of + 1]:
                body = body_of[edge]
                x, y = bodies[body, column.CENTRE_X], bodies[body, column.CENTRE_Y]
                reach = farthest + bodies[body, column.RADIUS] + _SLACK
                level = height - bodies[body, column.Z]
                shrink = _outline_scale(bodies, body, height)
                hidden = body == ignored or grids_only and bodies[body, column.IS_GRID] == 0.0 or (
                    surfaces[edge, LOW] > level or surfaces[edge, HIGH] < level)
                if not hidden and shrink > 0.0 and (
                        (x - eye_x) ** 2 + (y - eye_y) ** 2 <= reach * reach):
                    place = cuda.atomic.add(count, 0, 1)
                    for end in range(0, 4, 2):
                        far_x, far_y = segments[edge, end], segments[edge, end + 1]
                        if shrink < 1.0:
                            far_x, far_y = x + shrink * (far_x - x), y + shrink * (far_y - y)
                        near[place, end], near[place, end + 1] = far_x - eye_x, far_y - eye_y
            cuda.syncthreads()
            if is_ray:
                for n in range(count[0]):
                    best = min(best, _meet(
                        0.0, 0.0, dx, dy, near[n, 0], near[n, 1], near[n, 2], near[n, 3]))
            cuda.syncthreads()
    if is_ray:
        error, noise = 0.0, scans[k, rays.RANGE_NOISE]
        if best <= farthest and noise > 0.0:
            error = noise * range_normals[k, i]
        measured = _measured_range(best, error, scans[k, rays.MIN_RANGE], farthest)
        ranges[k, i] = 0.0 if measured == -math.inf else min(measured, farthest)
