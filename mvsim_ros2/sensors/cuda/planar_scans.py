# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Worlds as planar LiDARs see them, on the card, and the scans of many of these LiDARs."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.sensors.cuda.card import blocks, check_card, pinned, THREADS, upload
from mvsim_ros2.sensors.cuda.planar_kernels import MOST, MOVER, place, scan, STILL, STILL_END
from mvsim_ros2.sensors.raycast.planar.ray_caster import PlanarRayCaster
from mvsim_ros2.sensors.raycast.planar.rays import ANGLE_NOISE, COLUMNS, RANGE_NOISE

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]


class PlanarWorlds:
    """
    What planar LiDARs see of some worlds; what rests is kept once where worlds are alike.

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
            spans[world, [STILL, STILL_END]] = known[key]
        self._still, movers = bodies, 0
        begins = []
        for world, caster in enumerate(casters):
            moving, first = caster.moving
            spans[world, MOVER:] = edges, edges + len(moving[1]), bodies + movers
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
        self._outlines, self._movers = upload(self._outlines_here), movers
        self.spans, self.first = upload(spans), upload(first)
        self.body_of = upload(np.repeat(np.arange(len(number)), number))
        self.bodies, self.segments, self.surfaces = (
            upload(np.concatenate(part)) for part in zip(*parts, strict=True))

    def rows_of(self, world: int) -> tuple[int, int]:
        """Return the first and the last row of the bodies that move in a world."""
        return int(self._mover_first[world]), int(self._mover_first[world + 1])

    def update(self) -> None:
        """Take over where everything is, and how wheels are turned."""
        if not self._movers:
            return
        if self._turning:
            for world in self._turning:
                begin, end = self._ends[world], self._ends[world + 1]
                self._outlines_here[begin:end] = self.casters[world].moving[0][1]
            self._outlines.copy_to_device(self._outlines_here)
        self._poses.copy_to_device(self.poses)
        self._heights.copy_to_device(self.heights)
        place[blocks(self._movers), THREADS](
            self._poses, self._heights, self._still, self._outlines, self.first, self.bodies,
            self.segments)


class PlanarScans:
    """
    Planar LiDARs with as many rays each, one scan of each at once.

    :ivar scans: what is asked, to be written before `measure`, shape (K, rays.COLUMNS).
    :ivar angle_normals: standard normal numbers, likewise, shape (K, N), as `range_normals`.
    """

    def __init__(self, worlds: PlanarWorlds, of_world: Sequence[int], headings: Sequence[Array],
                 scans: Array) -> None:
        """
        Prepare scans.

        :param of_world: number of the world of each LiDAR.
        :param headings: directions of the rays of each in the vehicle frame, shape (N, 2).
        :param scans: what is asked but for the state, shape (K, rays.COLUMNS).
        """
        self._worlds = worlds
        count, rays = len(headings), len(headings[0])
        unlike = {id(each): each for each in headings}
        numbers = {each: i for i, each in enumerate(unlike)}
        self._headings = upload(np.stack(list(unlike.values())))
        self._lines = upload(np.array([numbers[id(each)] for each in headings], np.int64))
        self._of_world = upload(np.array(of_world, np.int64))
        self.scans = pinned((count, COLUMNS))
        self.scans[:] = scans
        self._noisy = [bool((scans[:, column] > 0.0).any())
                       for column in (ANGLE_NOISE, RANGE_NOISE)]
        self.angle_normals, self.range_normals = (
            pinned((count, rays if noisy else 1), np.float32) for noisy in self._noisy)
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
        rays = ranges.shape[1]
        threads = min(MOST, -(-rays // 32) * 32)
        scan[(chosen.shape[0], -(-rays // threads)), threads](
            chosen, self._scans, self._of_world, worlds.spans, self._headings, self._lines,
            *self._normals, worlds.bodies, worlds.body_of, worlds.segments, worlds.surfaces,
            ranges)
