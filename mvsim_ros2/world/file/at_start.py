# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Overlaps of objects of a world at the start that are probably mistakes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
import logging
import math

import numpy as np

from mvsim_ros2.frames import Array, Pose
from mvsim_ros2.world.spec import (
    AnimationSpec, BlockSpec, Footprint, HorizontalPlaneSpec, JointSpec, OccupancyMap, Source,
    TrajectoryController, VehicleSpec, WorldSpec)
from mvsim_ros2.world.spec.common import Point, Polygon
from mvsim_ros2.world.spec.elements import ELEMENTS
from mvsim_ros2.world.spec.grid import SOLID
from mvsim_ros2.world.spec.outlines import placed, shape_of
from mvsim_ros2.world.spec.solids import block_footprint, solid_parts, vehicle_footprint
from mvsim_ros2.world.spec.walls import wall_outlines

_CLOSE = 0.05  # m; anchors nearer than this are at one place
_FAR = 2.0  # m; a vehicle begins farther than this from its trajectory by mistake
_DEEP = 0.02  # m; what overlaps by less only touches
_AT_ONCE = 1_000_000  # pairs that are looked at together
_LEAST_EASTING = 1e5  # m; all of UTM are larger

_LOG = logging.getLogger(__name__)
Doubts = Iterator[tuple[Source, str]]


def doubts_at_start(world: WorldSpec) -> Doubts:
    """Yield the place and a sentence of everything that is possible but hardly meant."""
    bodies: dict[str, BlockSpec | VehicleSpec] = {each.name: each for each in world.blocks}
    bodies |= {each.name: each for each in world.vehicles}
    for joint in world.joints:
        yield from _joint(joint, bodies[joint.body_a].init_pose, bodies[joint.body_b].init_pose)
    for vehicle in world.vehicles:
        yield from _course(vehicle)
        if world.georeference is not None and world.georeference.world_is_utm and (
                vehicle.init_pose.x < _LEAST_EASTING):
            yield vehicle.source, (
                f'vehicle {vehicle.name!r} starts at {_shown(vehicle.init_pose)}, and '
                'world_is_utm says that x is a UTM easting, from 100000 m, and y a northing: give '
                'it such a place, or leave out world_is_utm')
    yield from _overlaps(world)


def warn_of_mode(world: WorldSpec, mode: str) -> None:
    """Log which vehicles start in something solid in another physics mode than the world's."""
    if mode != world.physics.mode:
        known = {warning.message for warning in world.warnings}
        for source, doubt in _overlaps(replace(world, physics=replace(world.physics, mode=mode))):
            if doubt not in known:
                _LOG.warning('%s: %s', source, doubt)


def _joint(joint: JointSpec, first: Pose, second: Pose) -> Doubts:
    there, other = _at(joint.anchor_a, first), _at(joint.anchor_b, second)
    apart = math.dist(there, other)
    ends = (f'the anchors of the joint between {joint.body_a!r} and {joint.body_b!r} are '
            f'{apart:.2f} m apart at the start, at ({there[0]:.2f}, {there[1]:.2f}) and '
            f'({other[0]:.2f}, {other[1]:.2f}) m')
    pulled = 'the bodies are pulled there in the first step; move one of them, or the anchors'
    if joint.turns:
        if apart > _CLOSE:
            yield joint.source, f'{ends}, and a {joint.kind} joint holds them together: {pulled}'
    elif apart > joint.max_length + _CLOSE:
        yield joint.source, (f'{ends}, and max_length is {joint.max_length:g} m: {pulled}, or '
                             'make it longer')
    elif joint.min_length >= joint.max_length and apart < joint.max_length - _CLOSE:
        yield joint.source, (f'{ends}, and max_length and min_length are {joint.max_length:g} m: '
                             f'{pulled}, or make it shorter')


def _course(vehicle: VehicleSpec) -> Doubts:
    controller = vehicle.dynamics.controller
    if isinstance(controller, TrajectoryController):
        first, start = controller.in_order[0], vehicle.init_pose
        apart = math.hypot(first.x - start.x, first.y - start.y)
        if apart > _FAR:
            yield first.source, (
                f'the trajectory of vehicle {vehicle.name!r} begins at ({first.x:g}, {first.y:g}),'
                f' {apart:.1f} m from where it starts, at {_shown(start)}: let both be one place')


@dataclass(frozen=True)
class _Solid:
    """Something solid as it stands at the start; heights and polygon are those of its frame."""

    what: str
    source: Source
    polygon: Polygon  # convex [m]
    zmin: float
    zmax: float
    pose: Pose = Pose()
    body: str = ''  # name of a vehicle or block
    below: str = ''  # name of the block that it stands on, or of the ramp that it is a slice of
    whole: Polygon = ()  # that a slice is part of

    @property
    def in_world(self) -> Polygon:
        """Polygon in the world frame [m]."""
        return placed(self.polygon, self.pose)


def _overlaps(world: WorldSpec) -> Doubts:
    """Yield vehicles that start in something solid, where the height of all ground is known."""
    if not world.vehicles or any(ELEMENTS[type(each)].is_ground and not isinstance(
            each, HorizontalPlaneSpec) for each in world.elements):
        return
    ground, flat = _Ground(world), world.physics.mode == 'mvsim'
    joined = {frozenset((joint.body_a, joint.body_b)) for joint in world.joints}
    held = set[str]().union(*joined)
    pushed = {block.name: block for block in world.blocks if block.name in held and not (
        flat or block.static or block.intangible or block.animation)}
    vehicles = [_solid('vehicle', each, footprint, z, below)
                for each in world.vehicles
                if each.animation is None and not each.dynamics.chassis.shape_from_visual
                for footprint in (vehicle_footprint(each),)
                for z, below in (ground.below(each, footprint),)]
    for one in vehicles:
        if one.below in pushed:
            yield one.source, (
                f'{one.what} starts on block {one.below!r} ({pushed[one.below].source}), which '
                'has a joint: no wheel stands on such a block, so it falls into it; make the '
                'block static, or move one of them')
    boxes = _boxes(vehicles)
    things = [*vehicles, *_others(world, boxes, ground, flat)]
    found: set[frozenset[str]] = set()
    for number, k in _near(boxes, np.concatenate((boxes, _boxes(things[len(vehicles):])))):
        one, other = things[number], things[k]
        pair = frozenset((one.body, other.body))
        if k < len(vehicles) and k <= number or pair in joined | found or (
                other.whole and one.below == other.below):
            continue
        low, high = max(one.zmin, other.zmin), min(one.zmax, other.zmax)
        if (flat or high - low > _DEEP) and (
                depth := overlap(one.in_world, other.in_world)) > _DEEP:
            if other.whole:
                found.add(pair)
                depth = overlap(one.in_world, placed(other.whole, other.pose))
            yield one.source, (
                f'{one.what} starts {depth:.2f} m deep in {other.what} ({other.source}): they '
                'are pushed apart in the first steps; move one of them'
                + (', or choose physics mode physical, in which things collide where their '
                   'heights overlap' if high - low <= _DEEP else ''))


class _Ground:
    """Planes and the tops of blocks, on which things are put at the start."""

    def __init__(self, world: WorldSpec) -> None:
        """Put blocks where they begin, in the order of `physics.environment.place_ground`."""
        self.blocks: dict[str, float] = {}  # height at which each begins
        self._tops: list[tuple[Pose, Footprint, BlockSpec | None]] = []
        self._boxes = np.empty((len(world.elements) + len(world.blocks), 4))  # see `_boxes`
        self._lowest = math.inf  # of all tops
        for plane in world.elements:
            if isinstance(plane, HorizontalPlaneSpec):
                pose = _begins(plane.init_pose, plane.animation)
                height = plane.z * math.cos(pose.pitch) * math.cos(pose.roll)
                self._add(pose, Footprint((
                    (plane.x_min, plane.y_min), (plane.x_max, plane.y_min),
                    (plane.x_max, plane.y_max), (plane.x_min, plane.y_max)), height, height), None)
        blocks = [(block, block_footprint(block)) for block in world.blocks
                  if not _is_meshes(block)]

        def middle(each: tuple[BlockSpec, Footprint]) -> tuple[bool, float]:
            return not each[0].skip_elevation_adjust, each[0].init_pose.z + 0.5 * each[1].zmax
        for _, group in groupby(sorted(blocks, key=middle), middle):
            put = [(block, footprint, self.below(block, footprint)[0])
                   for block, footprint in group]
            for block, footprint, z in put:
                self.blocks[block.name] = z
                self._add(_begins(replace(block.init_pose, z=z), block.animation), footprint,
                          block)

    def _add(self, pose: Pose, footprint: Footprint, block: BlockSpec | None) -> None:
        corners = np.array(placed(footprint.polygon, pose))
        self._boxes[len(self._tops)] = *corners.min(axis=0), *corners.max(axis=0)
        self._tops.append((pose, footprint, block))
        flat = block is None or not (block.geometry and shape_of(block.geometry).profile)
        self._lowest = min(self._lowest, pose.z + (footprint.zmax if flat else 0.0))

    def below(self, thing: VehicleSpec | BlockSpec, footprint: Footprint) -> tuple[float, str]:
        """Return the height that something is put or kept at [m], and the block below it."""
        x, y, z = thing.init_pose.x, thing.init_pose.y, thing.init_pose.z
        limit = z + 0.5 * footprint.zmax
        if thing.skip_elevation_adjust:
            return z, ''
        if self._lowest > limit:
            return 0.0, ''
        boxes = self._boxes[:len(self._tops)]
        near = np.flatnonzero(((boxes[:, :2] <= (x, y)) & ((x, y) <= boxes[:, 2:])).all(axis=1))
        tops = [(_top(*self._tops[i], x, y), block.name if block else '')
                for i in near.tolist() for block in (self._tops[i][2],)]
        return max((top for top in tops if -math.inf < top[0] <= limit), default=(0.0, ''))


def _begins(pose: Pose, animation: AnimationSpec | None) -> Pose:
    """Return where something with a pose is at the time 0."""
    if animation is None or animation.keys[0].time > 0.0:
        return pose
    return pose.compose(animation.keys[0].pose)


def _top(pose: Pose, footprint: Footprint, block: BlockSpec | None, x: float, y: float) -> float:
    """Return the height of the upper side of something at a point, -inf outside of it [m]."""
    cosine, sine = math.cos(pose.yaw), math.sin(pose.yaw)
    dx, dy = x - pose.x, y - pose.y
    at = cosine * dx + sine * dy, cosine * dy - sine * dx
    corners = footprint.polygon
    for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True):
        if (bx - ax) * (at[1] - ay) - (by - ay) * (at[0] - ax) < 0.0:
            return -math.inf
    solid = block.geometry if block is not None else None
    profile = None if solid is None else shape_of(solid).profile
    if solid is None or profile is None:
        return pose.z + footprint.zmax
    return pose.z + profile.height(solid, at[profile.axis])


def _is_meshes(block: BlockSpec) -> bool:
    """Return whether the outline of a block is that of its meshes, which are not read here."""
    return block.shape is None and block.shape_from_visual and block.geometry is None


def _is_slope(block: BlockSpec) -> bool:
    """Return whether the top of a block is a slope or bump, where wheels can stand on it."""
    return block.static and block.geometry is not None and (
        shape_of(block.geometry).profile is not None)


def _others(world: WorldSpec, boxes: Array, ground: _Ground, flat: bool) -> Iterator[_Solid]:
    """Yield all that vehicles in boxes can start in, but for other vehicles."""
    for block in world.blocks:
        if not block.intangible and block.animation is None and not _is_meshes(block):
            footprint, z = block_footprint(block), ground.blocks[block.name]
            slope = block.name if not flat and _is_slope(block) else ''
            for part in solid_parts(block, footprint) if slope else (footprint,):
                yield replace(_solid('block', block, part, z, slope),
                              whole=footprint.polygon if slope else ())
    for walls in world.walls:
        for piece in wall_outlines(walls):
            yield _Solid('a wall', piece.source, piece.polygon, piece.zmin, piece.zmax)
    for element in world.elements:
        record = ELEMENTS[type(element)]
        if getattr(element, 'animation', None) is not None or (
                record.cells and not _meet(record.cells(element), boxes)):
            continue
        for piece in record.outlines(element):
            yield _Solid(f'element {element.name!r}', piece.source, piece.polygon, piece.zmin,
                         piece.zmax)


def _meet(cells: OccupancyMap | None, boxes: Array) -> bool:
    """Return whether a map has a solid cell in one of the boxes."""
    if cells is None:
        return False
    corner = np.tile((cells.x_min, cells.y_min), 2)
    limit = np.tile(cells.values.shape[::-1], 2)
    places = np.clip((boxes - corner) / cells.resolution, -1, limit).astype(int)
    return any((cells.values[max(y0, 0):y1 + 1, max(x0, 0):x1 + 1] > SOLID).any()
               for x0, y0, x1, y1 in places.tolist())


def _boxes(things: Sequence[_Solid]) -> Array:
    """Return smallest x, smallest y, largest x, largest y around each thing, shape (N, 4) [m]."""
    known: dict[int, float] = {}  # radius around the origin of each polygon
    boxes = np.empty((len(things), 4))
    for row, thing in zip(boxes, things, strict=True):
        if thing.body:
            radius = known.get(id(thing.polygon))
            if radius is None:
                radius = known[id(thing.polygon)] = max(math.hypot(*at) for at in thing.polygon)
            x, y = thing.pose.x, thing.pose.y
            row[:] = x - radius, y - radius, x + radius, y + radius
        else:
            (x0, x1), (y0, y1) = ((min(along), max(along))
                                  for along in zip(*thing.polygon, strict=True))
            row[:] = x0, y0, x1, y1
    return boxes


def _near(boxes: Array, others: Array) -> Iterator[tuple[int, int]]:
    """Yield the numbers of a box and another whose boxes overlap."""
    order = np.argsort(others[:, 0], kind='stable')
    ordered = others[order]
    widest = float((others[:, 2] - others[:, 0]).max(initial=0.0))
    first = np.searchsorted(ordered[:, 0], boxes[:, 0] - widest)
    last = np.searchsorted(ordered[:, 0], boxes[:, 2])
    begin = 0
    while begin < len(boxes):
        counts = np.cumsum(last[begin:] - first[begin:])
        end = begin + max(1, int(np.searchsorted(counts, _AT_ONCE)))
        sizes = (last - first)[begin:end]
        number = np.repeat(np.arange(begin, end), sizes)
        k = np.arange(len(number)) - np.repeat(np.cumsum(sizes) - sizes, sizes) + first[number]
        one, other = boxes[number], ordered[k]
        meets = ((one[:, :2] < other[:, 2:]) & (other[:, :2] < one[:, 2:])).all(1)
        yield from sorted(zip(number[meets].tolist(), order[k[meets]].tolist(), strict=True))
        begin = end


def _solid(kind: str, spec: VehicleSpec | BlockSpec, footprint: Footprint, z: float, below: str,
           ) -> _Solid:
    return _Solid(f'{kind} {spec.name!r}', spec.source, footprint.polygon, footprint.zmin + z,
                  footprint.zmax + z, spec.init_pose, spec.name, below)


def overlap(one: Polygon, other: Polygon) -> float:
    """
    Return how far two convex polygons must be moved to be apart [m], 0 where they are.

    By the axes that can separate them.

    >>> from mvsim_ros2.world.file.at_start import overlap
    >>> square = (0, 0), (1, 0), (1, 1), (0, 1)
    >>> overlap(square, tuple((x + 0.75, y + 0.5) for x, y in square))
    0.25
    """
    return max(0.0, min(_least(one, other), _least(other, one)))


def _least(one: Sequence[Point], other: Sequence[Point]) -> float:
    """Return the least overlap along the normals of the edges of the first polygon [m]."""
    corners: Array = np.array(one, float)
    edges = np.roll(corners, -1, 0) - corners
    edges = edges[np.hypot(*edges.T) > 0.0]
    normals = np.stack((edges[:, 1], -edges[:, 0]), 1) / np.hypot(*edges.T)[:, None]
    a, b = corners @ normals.T, np.array(other, float) @ normals.T
    return float(np.minimum(a.max(0) - b.min(0), b.max(0) - a.min(0)).min())


def _at(anchor: Point, pose: Pose) -> Point:
    return placed((anchor,), pose)[0]


def _shown(pose: Pose) -> str:
    return f'({pose.x:g}, {pose.y:g})'
