# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The world for planar LiDARs: line segments in plan, each with the heights that it covers.

Static geometry is one set of segments in the world frame; every moving body has a set in its body
frame. Intangible blocks, horizontal planes and terrain are left out, as in the original. In mode
`physical` round blocks are circles, whatever outline their bodies have.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mvsim_ros2.base.bulk import appended
from mvsim_ros2.frames import Array, Pose
from mvsim_ros2.scene.limbs import HIPS_ASIDE
from mvsim_ros2.scene.shapes.geometry_meshes import round_footprint
from mvsim_ros2.world.spec import (
    ActorSpec, BlockSpec, Footprint, StaticOutline, VehicleSpec, WheelSpec, WorldSpec)
from mvsim_ros2.world.spec.common import Polygon
from mvsim_ros2.world.spec.grid import grid_segments
from mvsim_ros2.world.spec.outlines import circle, placed
from mvsim_ros2.world.spec.solids import block_footprint, occupancy_maps, solids, vehicle_footprint

_NO_FOOTPRINTS: Mapping[str, Footprint] = {}
Figure = ActorSpec | Sequence[StaticOutline]
_NO_FIGURES: Mapping[str, Figure] = {}
_UPRIGHT = 1e-3  # rad; a block at a greater angle to the vertical counts at all heights

# columns of surfaces
LOW, HIGH = 0, 1  # m; above the reference point of a mover, else above the origin
REFLECTIVITY = 2
_ANY = -math.inf, math.inf, 0.5


class Piece(NamedTuple):
    """A convex outline with the heights that it covers."""

    polygon: Polygon
    low: float = _ANY[LOW]  # m
    high: float = _ANY[HIGH]
    reflectivity: float = _ANY[REFLECTIVITY]
    ball: bool = False  # a sphere: the outline is the circle at half its height


def polygon_segments(polygon: ArrayLike) -> Array:
    """Return the edges of a polygon as x0 y0 x1 y1, shape (n, 4), without edges of no length."""
    points = np.asarray(polygon, float).reshape(-1, 2)
    edges = np.hstack([points, np.roll(points, -1, axis=0)])
    return edges[np.any(edges[:, :2] != edges[:, 2:], axis=1)]


@dataclass(frozen=True, eq=False)
class StaticGeometry:
    """Static geometry in the world frame."""

    segments: Array  # (S, 4): x0, y0, x1, y1 [m]
    is_grid: NDArray[np.bool_]  # (S,): edge of an occupancy grid
    surfaces: Array  # (S, 3): see the columns above
    ball: NDArray[np.int64]  # (S,): number of the sphere that it belongs to, 0 none

    @classmethod
    def of_segments(cls, segments: Array, is_grid: NDArray[np.bool_]) -> 'StaticGeometry':
        """Return segments that cover all heights."""
        return cls(segments, is_grid, _surfaces_of(segments), np.zeros(len(segments), np.int64))

    @classmethod
    def from_world(
            cls, world: WorldSpec, footprints: Mapping[str, Footprint] = _NO_FOOTPRINTS,
            physical: bool = False) -> 'StaticGeometry':
        """Return walls, solid elements and static blocks of `world`."""
        walls = [_piece_of(outline) for outline in solids(world, cells=False)]
        grids = np.concatenate([np.empty((0, 4)), *map(grid_segments, occupancy_maps(world))])
        return cls._of_pieces(walls, [Pose()] * len(walls)).with_blocks(
            world.blocks, footprints, physical).with_geometry(
                cls.of_segments(grids, np.ones(len(grids), bool)))

    @classmethod
    def _of_pieces(cls, pieces: Sequence[Piece], poses: Sequence[Pose]) -> 'StaticGeometry':
        """Return pieces of which each stands at a pose."""
        segments, surfaces, counts = _segments_of(pieces, poses)
        is_ball = np.array([piece.ball for piece in pieces], np.int64)
        return cls(segments, np.zeros(len(segments), bool), surfaces,
                   np.repeat(np.cumsum(is_ball) * is_ball, counts))

    def with_blocks(self, blocks: Sequence[BlockSpec], footprints: Mapping[str, Footprint],
                    physical: bool) -> 'StaticGeometry':
        """Return it with the blocks that stand and can be touched behind the rest."""
        standing = [block for block in blocks if not (block.moves or block.intangible)]
        return self.with_geometry(self._of_pieces(
            [block_piece(block, footprints.get(block.name), physical) for block in standing],
            [block.init_pose for block in standing])) if standing else self

    def with_geometry(self, other: 'StaticGeometry') -> 'StaticGeometry':
        """Return it with another one behind it; it must get no other one once more."""
        ball = other.ball
        if ball.any():
            ball = ball + (ball > 0) * self.ball.max(initial=0)
        return StaticGeometry(
            appended(self.segments, other.segments), appended(self.is_grid, other.is_grid),
            appended(self.surfaces, other.surfaces), appended(self.ball, ball))


@dataclass(frozen=True)
class SteeredWheel:
    """A wheel whose outline rotates with the steering."""

    mover: int  # number of its mover
    wheel: int  # number of the wheel on that vehicle
    first: int  # index of its first of four segments among those of all movers
    spec: WheelSpec


@dataclass(frozen=True, eq=False)
class PlanarScene:
    """
    Static geometry and the outlines of moving bodies.

    The movers are vehicles, tangible blocks that can move, and moving objects (actors and animated
    walls), each in the order of the world. All arrays of movers have this order.
    """

    static: StaticGeometry
    mover_names: tuple[str, ...]
    mover_segments: Array  # (Q, 4): x0, y0, x1, y1 in the frame of their body [m]
    mover_first: NDArray[np.int64]  # (M + 1,): index of the first segment of a mover
    mover_surfaces: Array  # (Q, 3): see the columns above
    mover_is_ball: NDArray[np.bool_]  # (M,): a sphere
    steered: tuple[SteeredWheel, ...] = ()  # with segments at zero steering
    # number among the figures and height of each person, see `person_pieces`
    people: tuple[tuple[int, float], ...] = ()
    vehicles: int = 0  # how many movers these are, the first ones
    blocks: int = 0  # how many follow

    @classmethod
    def of_segments(cls, static: StaticGeometry, names: tuple[str, ...], segments: Array,
                    first: NDArray[np.int64]) -> 'PlanarScene':
        """Return a scene whose movers cover all heights."""
        return cls(static, names, segments, first, _surfaces_of(segments),
                   np.zeros(len(names), bool))

    @classmethod
    def from_world(
            cls, world: WorldSpec, footprints: Mapping[str, Footprint] = _NO_FOOTPRINTS,
            physical: bool = False) -> 'PlanarScene':
        """Return the planar scene of `world`."""
        return cls.from_parts(
            StaticGeometry.from_world(world, footprints, physical), world.vehicles, world.blocks,
            footprints, physical=physical)

    @classmethod
    def from_parts(
            cls, static: StaticGeometry, vehicles: Sequence[VehicleSpec],
            blocks: Sequence[BlockSpec],
            footprints: Mapping[str, Footprint] = _NO_FOOTPRINTS,
            figures: Mapping[str, Figure] = _NO_FIGURES,
            physical: bool = False) -> 'PlanarScene':
        """Return a scene of bodies and existing static geometry."""
        pieces = {vehicle.name: vehicle_pieces(vehicle, footprints.get(vehicle.name), physical)
                  for vehicle in vehicles}
        movable = [block for block in blocks if block.moves]
        pieces |= {block.name: [block_piece(block, footprints.get(block.name), physical)]
                   for block in movable}
        pieces |= {name: person_pieces(figure.height) if isinstance(figure, ActorSpec)
                   else [_piece_of(outline) for outline in figure]
                   for name, figure in figures.items()}
        segments, surfaces, counts = _segments_of([*chain.from_iterable(pieces.values())])
        ends = np.cumsum([0, *map(len, pieces.values())])  # of the pieces of each mover
        first = np.concatenate([[0], np.cumsum(counts)])[ends]
        steered = [each for i, vehicle in enumerate(vehicles) for each in _steered_wheels(
            vehicle, footprints.get(vehicle.name), physical, i, int(first[i + 1]))]
        return cls(
            static, tuple(pieces), segments, first, surfaces,
            np.array([each[0].ball for each in pieces.values()], bool), tuple(steered),
            tuple((row, figure.height) for row, figure in enumerate(figures.values())
                  if isinstance(figure, ActorSpec)), len(vehicles), len(movable))

    def with_things(self, things: Sequence[VehicleSpec | BlockSpec],
                    footprints: Mapping[str, Footprint], physical: bool) -> 'PlanarScene':
        """
        Return the scene with vehicles and blocks that came, each behind the others of its kind.

        Its static geometry begins with that of this scene, which must not get others once more.
        """
        scene = replace(self, static=self.static.with_blocks(
            [thing for thing in things if isinstance(thing, BlockSpec)], footprints, physical))
        for thing in things:
            mesh = footprints.get(thing.name)
            if isinstance(thing, VehicleSpec):
                row = scene.vehicles
                scene = scene._with_mover(row, thing.name, vehicle_pieces(thing, mesh, physical))
                scene = replace(scene, vehicles=row + 1, steered=(
                    *scene.steered, *_steered_wheels(
                        thing, mesh, physical, row, int(scene.mover_first[row + 1]))))
            elif thing.moves:
                scene = replace(scene._with_mover(
                    scene.vehicles + scene.blocks, thing.name,
                    [block_piece(thing, mesh, physical)]), blocks=scene.blocks + 1)
        return scene

    def _with_mover(self, row: int, name: str, pieces: Sequence[Piece]) -> 'PlanarScene':
        """Return the scene with another mover at a row."""
        (segments, surfaces, _), first = _segments_of(pieces), self.mover_first
        at = int(first[row])
        return replace(
            self, mover_names=(*self.mover_names[:row], name, *self.mover_names[row:]),
            mover_segments=np.insert(self.mover_segments, at, segments, axis=0),
            mover_first=np.concatenate([first[:row + 1], first[row:] + len(segments)]),
            mover_surfaces=np.insert(self.mover_surfaces, at, surfaces, axis=0),
            mover_is_ball=np.insert(self.mover_is_ball, row, pieces[0].ball))


def _steered_wheels(vehicle: VehicleSpec, mesh: Footprint | None, physical: bool, mover: int,
                    last: int) -> list[SteeredWheel]:
    """Return the steered wheels of a vehicle that is a mover."""
    if not vehicle.dynamics.steered_wheels:
        return []
    wheels = wheels_in_sight(vehicle, mesh, physical)
    return [SteeredWheel(mover, wheel, last - 4 * (len(wheels) - k),
                         vehicle.dynamics.wheels[wheel]) for k, wheel in enumerate(wheels)]


def block_piece(block: BlockSpec, mesh: Footprint | None, physical: bool) -> Piece:
    """Return the outline of a block in its own frame; if `physical`, a circle if it is round."""
    disc = round_footprint(block) if physical else None
    outline, ball = (block_footprint(block, mesh), False) if disc is None else disc
    tilted = max(abs(block.init_pose.pitch), abs(block.init_pose.roll)) > _UPRIGHT
    low, high = (_ANY[LOW], _ANY[HIGH]) if tilted and not ball else (outline.zmin, outline.zmax)
    return Piece(outline.polygon, low, high, block.reflectivity, ball)


TRUNK_SIDES, LEG_SIDES = 12, 8
_HIP, _TRUNK, _LEG = 0.48, (0.075, 0.145), 0.032  # shares of the height of a person


def person_pieces(height: float) -> list[Piece]:
    """Return trunk, left and right leg of somebody who stands, of a height [m]."""
    deep, wide = _TRUNK
    trunk = tuple((deep * height * x, wide * height * y) for x, y in circle(1.0, TRUNK_SIDES))
    leg = np.array(circle(_LEG * height, LEG_SIDES))
    return [Piece(trunk, _HIP * height, height),
            *(Piece(tuple(map(tuple, (leg + (0.0, side * HIPS_ASIDE * height)).tolist())),
                    0.0, _HIP * height) for side in (1, -1))]


def _piece_of(outline: StaticOutline) -> Piece:
    return Piece(outline.polygon, outline.zmin, outline.zmax, outline.reflectivity)


def _segments_of(pieces: Sequence[Piece], poses: Sequence[Pose] = (),
                 ) -> tuple[Array, Array, NDArray[np.int64]]:
    """Return segments, shape (n, 4), surfaces, shape (n, 3), and how many a piece has."""
    sizes = np.array([len(piece.polygon) for piece in pieces], np.int64)
    points = np.array(list(chain.from_iterable(piece.polygon for piece in pieces)), float)
    points = points.reshape(-1, 2)
    surfaces = np.array([(piece.low, piece.high, piece.reflectivity) for piece in pieces])
    surfaces = surfaces.reshape(-1, 3)
    if len(poses):
        places = np.array([(pose.x, pose.y, pose.yaw, pose.z) for pose in poses])
        surfaces[:, [LOW, HIGH]] += places[:, 3:]
        points = _placed(points, np.repeat(places, sizes, axis=0))
    following, last = np.arange(1, len(points) + 1), np.cumsum(sizes)
    following[last - 1] = last - sizes  # all pieces have points
    edges = np.hstack([points, points[following]])
    real = np.any(edges[:, :2] != edges[:, 2:], axis=1)
    owner = np.repeat(np.arange(len(pieces)), sizes)[real]
    return (edges[real], surfaces[owner],
            np.bincount(owner, minlength=len(pieces)).astype(np.int64))


def _placed(points: Array, places: Array) -> Array:
    """Return points at places, of which each has x, y and yaw: see `outlines.placed`."""
    cosine, sine = np.cos(places[:, 2]), np.sin(places[:, 2])
    return np.column_stack([places[:, 0] + cosine * points[:, 0] - sine * points[:, 1],
                            places[:, 1] + sine * points[:, 0] + cosine * points[:, 1]])


def _surfaces_of(segments: Array) -> Array:
    """Return surfaces at all heights, shape (n, 3)."""
    return np.tile(_ANY, (len(segments), 1))


def vehicle_pieces(vehicle: VehicleSpec, mesh: Footprint | None = None,
                   physical: bool = False) -> list[Piece]:
    """
    Return the chassis and wheels that a planar LiDAR can see.

    The wheels are at zero steering; see `wheels_in_sight`.
    """
    chassis, wheels = vehicle_footprint(vehicle, mesh), vehicle.dynamics.wheels
    reflectivity = vehicle.dynamics.chassis.reflectivity
    return [Piece(chassis.polygon, chassis.zmin, chassis.zmax, reflectivity),
            *(Piece(wheel_polygon(wheels[k]), 0.0, wheels[k].diameter, reflectivity)
              for k in wheels_in_sight(vehicle, mesh, physical))]


def wheels_in_sight(vehicle: VehicleSpec, mesh: Footprint | None = None,
                    physical: bool = False) -> list[int]:
    """Return the indices of the wheels that protrude from the chassis at any steering angle."""
    dynamics = vehicle.dynamics
    if physical:
        return list(range(len(dynamics.wheels)))
    chassis = vehicle_footprint(vehicle, mesh).polygon
    angles: tuple[float, ...] = (0.0,)
    if dynamics.steered_wheels:
        most = dynamics.largest_steering
        inner = min(1.5 * most, 0.5 * np.pi)  # the inner wheel has the larger angle
        angles = (0.0, most, -most, inner, -inner)
    return [k for k, wheel in enumerate(dynamics.wheels)
            if not all(_inside(wheel_polygon(wheel, angle), chassis) for angle in angles)]


def wheel_polygon(wheel: WheelSpec, steering: float = 0.0) -> Polygon:
    """Return the rectangle of a wheel in plan, in the body frame, steered to the left [rad]."""
    a, b = 0.5 * wheel.diameter, 0.5 * wheel.width
    x, y, yaw = wheel.pos
    return placed(((-a, -b), (a, -b), (a, b), (-a, b)), Pose(x, y, yaw=yaw + steering))


def _inside(points: Polygon, outline: Polygon) -> bool:
    """Return whether all points lie in a convex, counter-clockwise outline."""
    edges = polygon_segments(outline)
    away = np.asarray(points)[:, None] - edges[:, :2]
    along = edges[:, 2:] - edges[:, :2]
    return bool(np.all(along[:, 0] * away[..., 1] - along[:, 1] * away[..., 0] >= 0))
