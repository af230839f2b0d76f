# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The heights of everything solid in a world, kept up to date while things move."""

from collections.abc import Collection
import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.base.bulk import appended
from mvsim_ros2.frames import Array
from mvsim_ros2.physics.engine import bridge
from mvsim_ros2.physics.engine.bodies import Fixture
from mvsim_ros2.physics.engine.box2d_world import Box2dWorld
from mvsim_ros2.physics.engine.collision_heights import (
    all_overlap, Heights, HIGH, LOW, MOST_ROWS, PART, SLICED, STEP, vehicle_parts)
from mvsim_ros2.physics.scripted import MovingObjects
from mvsim_ros2.physics.state.blocks import Blocks, RAISED
from mvsim_ros2.physics.state.vehicles import Vehicles
from mvsim_ros2.world.spec.actor import ActorSpec
from mvsim_ros2.world.spec.block import BlockSpec
from mvsim_ros2.world.spec.element import PlaneSpec
from mvsim_ros2.world.spec.solids import solid_parts
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec

_STANDING = -1  # owner of all rows of what no force moves: it does not collide with itself
SPARE = 100  # rows that may be there for nothing


class HeightTracking:
    """Which row of a table of heights each fixture has; see `heights`."""

    def __init__(self, space: Box2dWorld, vehicles: Vehicles, blocks: Blocks) -> None:
        """Start without a table."""
        self._space, self._vehicles, self._blocks = space, vehicles, blocks
        self.heights: Heights | None = None  # None as long as all bodies overlap in height
        self._looked = False

    def forget(self) -> None:
        """Forget what was seen: more happened than that blocks and vehicles came."""
        self._looked = False

    def look(self, figures: MovingObjects, uneven: bool, tied: Collection[str]) -> None:
        """
        Make the table, after things came, went or were moved by hand.

        Where some only came, their rows come behind the others.

        :param uneven: the vehicles do not all stay at height 0.
        :param tied: names of what has joints: on such blocks nothing stands.
        """
        if not self._looked:
            self._looked = True
            self._rows = [(-math.inf, -math.inf, math.inf, 0.0)]
            self._owners = [_STANDING]
            # fixtures that do not know their rows, by the name of their block or vehicle
            self._pending: dict[str, list[tuple[Fixture, int]]] = {}
            self._lost = 0  # blocks whose rows stayed behind
            self._known = {(-math.inf, math.inf, 0.0): 0}  # rows of what stands
            self._add_statics()
            self._figures, self._blocks_seen, self._compared = figures, 0, 0
            self._block_rows: Array = np.zeros((0, 3))
            self._moving_blocks: NDArray[np.int64] = np.zeros(0, np.int64)
            self._figure_rows, self._moving_figures = self._add_figures(figures)
            self._vehicles_seen, self._parts = 0, np.zeros(0, PART)
            self._climbs = any(map(climbs, figures.specs))
            self._table = np.array(self._rows)
        self._add_blocks(tied)
        self._add_vehicles()
        new = self._rows[len(self._table):]
        self._table = appended(self._table, new) if new else self._table
        if self.heights is None and not uneven and not self._climbs and (
                self._compared == len(self._rows) or all_overlap(
                    self._table, np.array(self._owners))):
            self._compared = len(self._rows)
            return
        if self.heights is None or self.heights.table is not self._table:
            self.heights = Heights(self._table, self._parts)
            self._space.set_heights(self._table)
        for fixtures in self._pending.values():
            for fixture, row in fixtures:
                bridge.fixture_set_row(fixture.address, row if row <= MOST_ROWS else 0)
        self._pending.clear()
        self.follow()

    def block_gone(self, i: int, block: BlockSpec) -> None:
        """Forget a block, which was number `i`; its row stays behind, which nothing has now."""
        if not self._looked or i >= self._blocks_seen:
            return
        self._blocks_seen -= 1
        self._lost += 1
        if climbs(block) or self._lost > self._blocks_seen + SPARE:
            self.forget()
            return
        self._pending.pop(block.name, None)
        kept = self._moving_blocks != i
        self._block_rows, who = self._block_rows[kept], self._moving_blocks[kept]
        self._moving_blocks = who - (who > i)

    def follow(self) -> None:
        """Bring the rows of blocks and figures that change height to where these are."""
        if self.heights is not None:
            table = self.heights.table
            for rows, who, pose, raised in (
                    (self._block_rows, self._moving_blocks, self._blocks.pose,
                     self._blocks.footing[:, RAISED]),
                    (self._figure_rows, self._moving_figures, self._figures.pose,
                     np.zeros(len(self._figures)))):
                if len(who):
                    z = pose[who, 2]
                    low = z + raised[who] + rows[:, 1]
                    table[rows[:, 0].astype(int), LOW] = low
                    table[rows[:, 0].astype(int), STEP] = low
                    table[rows[:, 0].astype(int), HIGH] = z + rows[:, 2]

    def _add_row(self, low: float, high: float, carries: float, owner: int) -> int:
        self._rows.append((low, low, high, carries))
        self._owners.append(owner)
        return len(self._rows) - 1

    def _add_statics(self) -> None:
        self._pending[''] = [(fixture, self._standing_row(low, high, 0.0))
                             for fixture, low, high in self._space.spans]

    def _standing_row(self, low: float, high: float, carries: float) -> int:
        """Return the row of all that stands between two heights."""
        key = low, high, carries
        if key not in self._known:
            self._known[key] = self._add_row(low, high, carries, _STANDING)
        return self._known[key]

    def _add_blocks(self, tied: Collection[str]) -> None:
        """Add the blocks that are new: row, bottom and top of those that may change height."""
        moving, who = [], []
        for i in range(self._blocks_seen, len(self._blocks)):
            spec, body = self._blocks.specs[i], self._blocks.bodies[i]
            self._climbs = self._climbs or climbs(spec)
            if body is not None:
                fixtures = self._pending[spec.name] = []
                z, driven = float(self._blocks.pose[i, 2]), spec.animation is not None
                carries = spec.static or driven
                parts = solid_parts(spec, self._blocks.footprints[i])
                kind = SLICED if len(parts) > 1 else float(carries or spec.name not in tied)
                for fixture, part in zip(body.fixtures, parts, strict=True):
                    row = self._standing_row(z + part.zmin, z + part.zmax, kind) if (
                        carries and not driven) else self._add_row(
                            z + part.zmin, z + part.zmax, kind,
                            _STANDING if carries else _STANDING - len(self._rows))
                    fixtures.append((fixture, row))
                    if driven or not carries:
                        moving.append((row, part.zmin, part.zmax))
                        who.append(i)
        self._blocks_seen = len(self._blocks)
        if who:
            self._block_rows = appended(self._block_rows, moving)
            self._moving_blocks = appended(self._moving_blocks, who)

    def _add_figures(self, figures: MovingObjects) -> tuple[Array, NDArray[np.int64]]:
        """Return row, bottom and top of the figures, and their numbers."""
        moving = []
        for i in range(figures.solid):
            low = min(outline.zmin for outline in figures.outlines[i])
            high = max(outline.zmax for outline in figures.outlines[i])
            z = float(figures.pose[i, 2])
            row = self._add_row(z + low, z + high, 0.0, _STANDING)
            self._pending[figures.names[i]] = [
                (fixture, row) for fixture in figures.bodies[i].fixtures]
            moving.append((row, low, high))
        return np.array(moving).reshape(-1, 3), np.arange(len(moving))

    def _add_vehicles(self) -> None:
        """Add the vehicles that are new."""
        for i in range(self._vehicles_seen, len(self._vehicles)):
            spec, body = self._vehicles.specs[i], self._vehicles.bodies[i]
            self._climbs = self._climbs or climbs(spec)
            own = vehicle_parts(
                i, self._vehicles.arrays.records[i], self._vehicles.wheel_start[i],
                self._vehicles.wheels_of(i), self._vehicles.footprints[i])
            for part in own:
                z = float(self._vehicles.pose[i, 2])
                part['row'] = self._add_row(z + part['bottom'], z + part['top'], 0.0, i)
                low, _, high, carries = self._rows[-1]
                self._rows[-1] = low, low + float(part['climb']), high, carries
            self._pending[spec.name] = [
                (fixture, int(own['row'][0 if fixture.wheel is None else 1 + fixture.wheel]))
                for fixture in body.fixtures]
            self._parts = appended(self._parts, own)
        self._vehicles_seen = len(self._vehicles)


def climbs(spec: VehicleSpec | BlockSpec | ActorSpec | PlaneSpec) -> bool:
    """Return whether keyframes or a path bring a thing to another height."""
    if spec.animation is not None:
        poses = [key.pose for key in spec.animation.keys]
    elif isinstance(spec, ActorSpec) and spec.path is not None:
        poses = [spec.init_pose, *(waypoint.pose for waypoint in spec.path.waypoints)]
    else:
        return False
    return len({pose.z for pose in poses}) > 1
