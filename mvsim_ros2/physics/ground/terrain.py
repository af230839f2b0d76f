# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The ground: everything that wheels can stand on, and how high it is.

Elevation maps, horizontal planes and the tops of blocks, ramps and bumps. The ground below a
point is the highest surface that is not above it, 0 where there is none, as in the original.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
import math

import numpy as np

from mvsim_ros2.base.bulk import appended
from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.frames import Array, Pose
from mvsim_ros2.physics.ground.relief import ground_below, highest_below, NO_RELIEF, Relief
from mvsim_ros2.physics.ground.surfaces import (
    block_row, carries, FLAT, MAP, map_row, plane_row, sizes_of, SurfaceIndex, surfaces_of)
from mvsim_ros2.physics.state.blocks import Blocks, is_pushed
from mvsim_ros2.physics.state.record_layout import CARRIED, HITCHED
from mvsim_ros2.physics.state.vehicles import Vehicles
from mvsim_ros2.world.spec.block import BlockSpec
from mvsim_ros2.world.spec.common import Footprint, GeometrySpec
from mvsim_ros2.world.spec.element import ElementSpec, PlaneSpec
from mvsim_ros2.world.spec.elements import ELEMENTS
from mvsim_ros2.world.spec.elements.elevation_map import ElevationMapSpec
from mvsim_ros2.world.spec.elements.horizontal_plane import HorizontalPlaneSpec

Twist = tuple[float, float, float]

AT_REST = (0.0, 0.0, 0.0)  # vx vy wz
HITCH_REACH = 0.5  # m; how far above a hitch the ground may be
MARGIN = 0.1  # m; on uneven ground a wheel is not quite where the ground is
SPARE = 100  # rows that may be there for nothing
_NONE = np.zeros(0)


def _level_of(plane: PlaneSpec, pose: Pose) -> float:
    """Return the height of a horizontal plane whose frame is at a pose [m]."""
    return pose.z + plane.z * math.cos(pose.pitch) * math.cos(pose.roll)


class Terrain:
    """
    All surfaces of a world: of its elements, then the tops of its blocks.

    Blocks count from when they are put somewhere. In mode `mvsim` wheels stand only on blocks that
    cannot be pushed away: static, intangible or animated ones. In mode `physical` they also stand
    on those that are pushed, and on vehicles, where these are low enough: see `tops`.
    Blocks that went leave rows behind that count no more.
    """

    def __init__(self, elements: Sequence[ElementSpec],
                 blocks: Sequence[tuple[BlockSpec, Footprint]], physical: bool = False) -> None:
        """
        Collect the surfaces.

        :param blocks: with their outlines, in order.
        :param physical: whether the mode is that.
        :raises PhysicsError: where an element is ground of a kind that is not known here.
        """
        self._plane_rows: dict[PlaneSpec, int] = {}
        rows: list[dict[str, float]] = []
        corners, heights = [np.zeros((0, 2))], [_NONE]
        self._physical = physical
        carried, moves, pushed = [], [], []
        vertices, samples = 0, 0
        for element in elements:
            if isinstance(element, HorizontalPlaneSpec):
                self._plane_rows[element] = len(rows)
                rows.append(plane_row(element))
                moves.append(element.animation is not None)
            elif isinstance(element, ElevationMapSpec):
                if element.heights is None:
                    raise PhysicsError(f'{element.source}: the elevation map has no heights: '
                                       'give a HeightMap, or load it from a world file')
                rows.append({**map_row(element.heights), 'start': samples})
                heights.append(element.heights.values.ravel())
                samples += element.heights.values.size
                moves.append(False)
            elif ELEMENTS[type(element)].is_ground:
                raise PhysicsError(
                    f'{element.source}: wheels cannot stand on an element of class '
                    f'{element.XML_CLASS!r}: derive its spec from HorizontalPlaneSpec or '
                    'ElevationMapSpec, or take `is_ground` from its record')
        carried += [True] * len(rows)
        pushed += [False] * len(rows)
        tops: dict[tuple[Footprint, GeometrySpec | None], int] = {}  # rows that blocks may share
        numbers = list(range(len(rows)))
        for block, footprint in blocks:
            top = footprint, block.geometry
            if top not in tops:
                tops[top] = len(rows)
                rows.append({**block_row(block, footprint), 'first': vertices})
                corners.append(np.array(footprint.polygon))
                vertices += len(footprint.polygon)
            numbers.append(tops[top])
            moves.append(block.animation is not None)
            carried.append(carries(block))
            pushed.append(physical and is_pushed(block))
        surfaces = surfaces_of(rows)[numbers]
        self._block_rows = list(range(len(surfaces) - len(blocks), len(surfaces)))
        self._carries, self._moves = np.array(carried, bool), np.array(moves, bool)
        self._pushed = np.array(pushed, bool)
        #: all surfaces, also those that no vehicle can reach
        self.everything = Relief(
            True, surfaces, NO_RELIEF.near, np.concatenate(corners), np.concatenate(heights),
            NO_RELIEF.movers)
        self.relief = self.everything._replace(active=False, surfaces=surfaces[:0])
        self._sizes = sizes_of(surfaces)
        self._heights: list[tuple[float, float]] = surfaces[['low', 'high']].tolist()
        self._index = SurfaceIndex()
        # m; below it the ground is level at height 0: of all surfaces, of those within reach
        self._lowest_of_all = self._lowest = math.inf
        for number in np.flatnonzero(surfaces['present']).tolist():  # maps
            self._index.put(number, 0.0, 0.0, math.inf, *self._heights[number])
            self._lowest_of_all = self._lowest = min(self._lowest, self._heights[number][0])
        self.is_flat = True  # within reach of vehicles, but for tops of what forces move
        self._relief_row: dict[int, int] = {}
        self.below_blocks, self._block_relief_row = self.relief, self._relief_row
        # up to where things at height 0 reach surfaces, and those of movers, as last looked
        self._reach = self._onto = 0.0
        for plane in self._plane_rows:
            self.put_plane(plane, plane.init_pose)

    def add_block(self, block: BlockSpec, footprint: Footprint) -> None:
        """Make room for the top of a block that comes behind the others."""
        everything = self.everything
        self._block_rows.append(len(everything.surfaces))
        surfaces = surfaces_of([{**block_row(block, footprint), 'first': len(everything.corners)}])
        self.everything = everything._replace(
            surfaces=appended(everything.surfaces, surfaces),
            corners=appended(everything.corners, np.array(footprint.polygon)))
        self._carries = appended(self._carries, [carries(block)])
        self._pushed = appended(self._pushed, [self._physical and is_pushed(block)])
        self._moves = appended(self._moves, [block.animation is not None])
        self._sizes += sizes_of(surfaces)
        self._heights += surfaces[['low', 'high']].tolist()

    def remove_block(self, i: int) -> None:
        """Take the top of a block out; the numbers of those behind it fall by one."""
        row = self._block_rows.pop(i)
        self._index.remove(row)
        self.everything.surfaces['present'][row] = 0
        self._carries[row] = self._moves[row] = self._pushed[row] = False

    @property
    def is_sparse(self) -> bool:
        """Return whether it would be smaller by half or more if it were made anew."""
        kept = len(self._block_rows) + len(self._plane_rows)
        return len(self.everything.surfaces) > 2 * kept + SPARE

    def ground_below(self, x: float, y: float, limit: float) -> float:
        """Return the height of the highest surface at (x, y) not above `limit`, else 0 [m]."""
        if self.is_level(x, y, 0.0, limit):
            return 0.0
        near = self.everything.surfaces[self._index.near(x, y)]
        return float(ground_below(self.everything._replace(surfaces=near), x, y, limit))

    def buries(self, x: float, y: float, limit: float) -> float | None:
        """
        Return the height of an elevation map above (x, y, limit) where nothing is below that.

        None where there is none, or something to stand on below it.
        """
        lowest = math.inf
        for row in self._index.near(x, y):
            surface = self.everything.surfaces[row:row + 1]
            found = float(highest_below(
                self.everything._replace(surfaces=surface), x, y, math.inf))
            if -math.inf < found <= limit:
                return None
            if found > -math.inf and surface[0]['kind'] == MAP:
                lowest = min(found, lowest)
        return lowest if lowest < math.inf else None

    def is_level(self, x: float, y: float, reach: float, limit: float) -> bool:
        """
        Return whether the ground around (x, y) is at height 0, without looking closely.

        :param reach: how far around [m].
        :param limit: surfaces above it do not count [m].
        """
        if self._lowest_of_all > limit or self._lowest_of_all == math.inf:
            return True
        for row in self._index.near(x, y, reach):
            at_x, at_y, size, low, high = self._index.place(row)
            if (math.hypot(at_x - x, at_y - y) <= size + reach and (low != 0.0 or high != 0.0)
                    and low <= limit):
                return False
        return True

    def put_block(self, i: int, pose: Pose, twist: Twist = AT_REST, rise: float | None = None,
                  ) -> None:
        """
        Put the top of block `i` where the block is now.

        :param twist: vx vy wz with which it came there, in its own frame.
        :param rise: how fast it rose in the last step [m/s]; None leaves that as it is.
        """
        self._put(self._block_rows[i], pose, twist, rise)

    def put_plane(self, plane: PlaneSpec, pose: Pose, twist: Twist = AT_REST,
                  rise: float | None = None) -> None:
        """
        Put a horizontal plane where its frame is now; it stays level when that is tilted.

        Other objects stay unchanged; for the parameters see `put_block`.
        """
        if plane in self._plane_rows:
            self._put(self._plane_rows[plane], replace(pose, z=_level_of(plane, pose)), twist,
                      rise)

    def tilt_block(self, i: int, z: float, slope_x: float, slope_y: float, rise: float) -> None:
        """Let the top of a pushed block be at a height, on slopes along x and y of the world."""
        row, = self.rows_of_blocks((i,))
        if row >= 0:
            surface = self.relief.surfaces[row]
            surface['z'], surface['rise'] = z, rise
            if surface['kind'] == FLAT:
                cosine, sine = surface['cos'], surface['sin']
                surface['slope'] = cosine * slope_x + sine * slope_y
                surface['bank'] = cosine * slope_y - sine * slope_x

    def _put(self, row: int, pose: Pose, twist: Twist, rise: float | None) -> None:
        low, high = self._heights[row]
        low, high = pose.z + low, pose.z + high
        self._index.put(row, pose.x, pose.y, self._sizes[row], low, high)
        if low != 0.0 or high != 0.0:
            self._lowest_of_all = min(self._lowest_of_all, low)
        if (self._carries[row] or self._pushed[row]) and (
                low != 0.0 or high != 0.0 or self._moves[row]):
            self._lowest = min(self._lowest, -math.inf if self._moves[row] else low)
        for relief, i in ((self.everything, row), (self.relief, self._relief_row.get(row, -1)),
                          (self.below_blocks, self._block_relief_row.get(row, -1))):
            if i >= 0:
                surface = relief.surfaces[i]
                surface['present'] = 1
                surface['x'], surface['y'], surface['z'] = pose.x, pose.y, pose.z
                cosine, sine = math.cos(pose.yaw), math.sin(pose.yaw)
                surface['cos'], surface['sin'], surface['turn'] = cosine, sine, twist[2]
                surface['move_x'] = cosine * twist[0] - sine * twist[1]
                surface['move_y'] = sine * twist[0] + cosine * twist[1]
                if rise is not None:
                    surface['rise'] = rise

    def look_around(self, vehicles: Vehicles, blocks: Blocks, tied: Collection[str],
                    onto: float) -> float:
        """
        Keep in `relief` the surfaces that vehicles can reach, and nothing on level ground.

        :param tied: names of blocks and vehicles with joints; such blocks are no ground.
        :param onto: how far above what vehicles stand on they reach pushed blocks [m].
        :returns: height of the highest ground that they reach [m].
        """
        records = vehicles.arrays.records
        pose = vehicles.pose[records['ground'] != CARRIED]
        reach = MARGIN + 1.5 * float(vehicles.wheels['radius'].max(initial=0.0))
        if np.any(records['ground'] == HITCHED):
            reach += HITCH_REACH
        if self._physical:
            for i in blocks.moving_rows.tolist():
                self._pushed[self._block_rows[i]] = blocks.names[i] not in tied
        tilted = bool(np.any(pose[:, [2, 4, 5]]))
        self.is_flat = not tilted and not self._reachable_from(pose[:, 2], reach, -1.0)[0].active
        self.relief, self._relief_row, level = self._reachable_from(pose[:, 2], reach, onto)
        if tilted:
            self.relief = self.relief._replace(active=True)
        return level

    def rows_of_blocks(self, numbers: Iterable[int]) -> list[int]:
        """Return the rows of the tops of blocks in `relief`, -1 where one is not there."""
        return [self._relief_row.get(self._block_rows[i], -1) for i in numbers]

    def look_below(self, z: Array, reach: float) -> bool:
        """
        Keep in `below_blocks` the surfaces that blocks can reach; return whether not level.

        :param z: heights of their origins [m].
        :param reach: how far above these a surface may be [m].
        """
        if not len(z):
            return False
        self.below_blocks, self._block_relief_row, _ = self._reachable_from(z, reach, -1.0)
        return self.below_blocks.active

    def newest_is_out_of_reach(self) -> bool:
        """Return whether all ground is level, and stays so with the block that came last."""
        row = len(self.everything.surfaces) - 1
        low, high = self._index.place(row)[3:]
        return not (self.relief.active or self.below_blocks.active or self._moves[row]) and (
            low > self._onto if self._pushed[row] else
            not self._carries[row] or low > self._reach or low == high == 0.0)

    @property
    def moves(self) -> bool:
        """Return whether any ground does."""
        return bool(np.any(self._moves))

    def _reachable_from(self, z: Array, reach: float, onto: float,
                        ) -> tuple[Relief, dict[int, int], float]:
        """
        Return the surfaces that can be reached, none on level ground, and their rows.

        :param z: heights from where [m].
        :param reach: how far above that [m]; onto: so for what is pushed, negative for none.
        :returns: and the height of the highest that can be reached [m].
        """
        self._reach, self._onto = max(self._reach, reach), max(self._onto, onto)
        surfaces, level = self.everything.surfaces, float(max(0.0, z.max(initial=0.0)))
        if self._lowest > level + max(reach, onto):
            return self.everything._replace(active=False, surfaces=surfaces[:0]), {}, level
        low, high = surfaces['z'] + surfaces['low'], surfaces['z'] + surfaces['high']
        usable = (self._carries | self._pushed) & (surfaces['present'] == 1)
        limit = np.where(self._pushed, onto, reach)
        uneven = usable & (self._moves | (low != 0.0) | (high != 0.0))
        self._lowest, wanted = float(low[uneven].min(initial=math.inf)), np.zeros(len(low), bool)
        if onto < 0.0:
            usable &= self._carries
        if np.any(usable & self._moves):  # a lift may go anywhere
            self._lowest, level = -math.inf, math.inf
        while not np.array_equal(reachable := usable & (low <= level + limit), wanted):
            wanted = reachable
            level = max(level, float(high[wanted & (low <= level + reach)].max(initial=level)))
        if not np.any(wanted & uneven):
            wanted[:] = False
        rows = np.flatnonzero(wanted)
        return (self.everything._replace(active=bool(len(rows)), surfaces=surfaces[rows]),
                {row: i for i, row in enumerate(rows.tolist())}, level)
