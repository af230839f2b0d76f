# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The world for planar LiDARs: line segments in plan, independent of height.

Static geometry is one set of segments in the world frame; every moving body has a set in its body
frame. Intangible blocks, horizontal planes and terrain are left out, as in the original.
"""

from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from numpy.typing import NDArray

from mvsim_ros2.spec.block import BlockSpec
from mvsim_ros2.spec.common import Footprint
from mvsim_ros2.spec.common import Polygon
from mvsim_ros2.spec.shapes.body_outlines import block_footprint
from mvsim_ros2.spec.shapes.body_outlines import vehicle_footprint
from mvsim_ros2.spec.shapes.cell_outlines import grid_segments
from mvsim_ros2.spec.shapes.outlines import placed
from mvsim_ros2.spec.shapes.solid_outlines import occupancy_maps
from mvsim_ros2.spec.shapes.solid_outlines import solids
from mvsim_ros2.spec.vehicle.vehicle import VehicleSpec
from mvsim_ros2.spec.vehicle.wheel import WheelSpec
from mvsim_ros2.spec.world import WorldSpec

Array = NDArray[np.float64]
_NO_FOOTPRINTS: Mapping[str, Footprint] = {}
_NO_FIGURES: Mapping[str, Sequence[Polygon]] = {}


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

    @classmethod
    def from_world(
            cls, world: WorldSpec,
            footprints: Mapping[str, Footprint] = _NO_FOOTPRINTS) -> 'StaticGeometry':
        """
        Return walls, solid elements and static blocks of `world`.

        :param footprints: outlines of meshes by name of block.
        :raises WorldFileError: where an outline is not possible.
        """
        polygons = [outline.polygon for outline in solids(world, cells=False)]
        polygons += [
            placed(block_footprint(block, footprints.get(block.name)).polygon, block.init_pose)
            for block in world.blocks if not block.moves and not block.intangible]
        bodies = [polygon_segments(polygon) for polygon in polygons]
        grids = [grid_segments(cells) for cells in occupancy_maps(world)]
        segments = np.concatenate([np.empty((0, 4)), *bodies, *grids])
        return cls(segments, np.arange(len(segments)) >= sum(map(len, bodies)))


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

    The movers are all vehicles, all tangible blocks that can move, and moving objects (actors and
    animated walls), each in the order of the world; all arrays of movers have this order.
    """

    static: StaticGeometry
    mover_names: tuple[str, ...]
    mover_segments: Array  # (Q, 4): x0, y0, x1, y1 in the frame of their body [m]
    mover_first: NDArray[np.int64]  # (M + 1,): index of the first segment of a mover
    steered: tuple[SteeredWheel, ...] = ()  # with segments at zero steering

    @classmethod
    def from_world(
            cls, world: WorldSpec,
            footprints: Mapping[str, Footprint] = _NO_FOOTPRINTS) -> 'PlanarScene':
        """
        Return the planar scene of `world`.

        :param footprints: outlines of meshes by name of vehicle or block, as
            `footprint.world_footprints` gives them.
        :raises WorldFileError: where an outline is not possible.
        """
        return cls.from_parts(
            StaticGeometry.from_world(world, footprints), world.vehicles, world.blocks,
            footprints)

    @classmethod
    def from_parts(
            cls, static: StaticGeometry, vehicles: Sequence[VehicleSpec],
            blocks: Sequence[BlockSpec],
            footprints: Mapping[str, Footprint] = _NO_FOOTPRINTS,
            figures: Mapping[str, Sequence[Polygon]] = _NO_FIGURES) -> 'PlanarScene':
        """
        Return a scene of bodies and existing static geometry.

        :param blocks: all blocks; those that cannot move or are intangible are left out.
        :param figures: outlines of actors and animated walls by name.
        """
        outlines, steered, count = {}, [], 0
        for i, vehicle in enumerate(vehicles):
            mesh = footprints.get(vehicle.name)
            outlines[vehicle.name] = segments = vehicle_segments(vehicle, mesh)
            wheels = wheels_in_sight(vehicle, mesh)
            count += len(segments)
            if vehicle.dynamics.steered_wheels:
                steered += [
                    SteeredWheel(i, wheel, count - 4 * (len(wheels) - k),
                                 vehicle.dynamics.wheels[wheel])
                    for k, wheel in enumerate(wheels)]
        outlines |= {
            block.name: polygon_segments(
                block_footprint(block, footprints.get(block.name)).polygon)
            for block in blocks if block.moves}
        outlines |= {name: np.concatenate([polygon_segments(polygon) for polygon in polygons])
                     for name, polygons in figures.items()}
        first = np.cumsum([0, *map(len, outlines.values())], dtype=np.int64)
        return cls(static, tuple(outlines), np.concatenate(
            [np.empty((0, 4)), *outlines.values()]), first, tuple(steered))


def vehicle_segments(vehicle: VehicleSpec, mesh: Footprint | None = None) -> Array:
    """
    Return the outlines of the chassis and of wheels that protrude from it, shape (n, 4).

    The wheels are at zero steering, and include those that protrude only when steered.
    """
    wheels = vehicle.dynamics.wheels
    return np.concatenate([polygon_segments(polygon) for polygon in (
        vehicle_footprint(vehicle, mesh).polygon,
        *(wheel_polygon(wheels[k]) for k in wheels_in_sight(vehicle, mesh)))])


def wheels_in_sight(vehicle: VehicleSpec, mesh: Footprint | None = None) -> list[int]:
    """Return the indices of the wheels that protrude from the chassis at any steering angle."""
    dynamics = vehicle.dynamics
    chassis = vehicle_footprint(vehicle, mesh).polygon
    angles: tuple[float, ...] = (0.0,)
    if dynamics.steered_wheels:
        most = dynamics.largest_steering
        inner = min(1.5 * most, 0.5 * np.pi)  # the inner wheel has the larger angle
        angles = (0.0, most, -most, inner, -inner)
    return [k for k, wheel in enumerate(dynamics.wheels)
            if not all(_inside(wheel_polygon(wheel, angle), chassis) for angle in angles)]


def wheel_polygon(wheel: WheelSpec, steering: float = 0.0) -> Polygon:
    """
    Return the rectangle of a wheel in plan, in the body frame.

    :param steering: its angle, left positive [rad].
    """
    length, width = 0.5 * wheel.diameter, 0.5 * wheel.width
    x, y, yaw = wheel.pos
    cosine, sine = np.cos(yaw + steering), np.sin(yaw + steering)
    return tuple((float(x + cosine * a - sine * b), float(y + sine * a + cosine * b))
                 for a, b in ((-length, -width), (length, -width), (length, width),
                              (-length, width)))


def _inside(points: Polygon, outline: Polygon) -> bool:
    """Return whether all points lie in a convex, counter-clockwise outline."""
    edges = polygon_segments(outline)
    away = np.asarray(points)[:, None] - edges[:, :2]
    along = edges[:, 2:] - edges[:, :2]
    return bool(np.all(along[:, 0] * away[..., 1] - along[:, 1] * away[..., 0] >= 0))
