# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Plan outlines of blocks and vehicles, and of all solid objects that no force moves."""

from functools import lru_cache

import numpy as np

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.world.spec.block import BlockSpec, UNIT_SQUARE
from mvsim_ros2.world.spec.common import Footprint, GeometrySpec, Polygon
from mvsim_ros2.world.spec.element import ElementSpec, PlaneSpec
from mvsim_ros2.world.spec.elements import ELEMENTS
from mvsim_ros2.world.spec.grid import OccupancyMap
from mvsim_ros2.world.spec.outlines import convex_hull, geometry_footprint, shape_of, StaticOutline
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec
from mvsim_ros2.world.spec.walls import wall_outlines
from mvsim_ros2.world.spec.world import WorldSpec

SLICES = 16  # of a ramp, at most
THINNEST = 0.02  # m; Box2D knows nothing thinner than a centimetre


def block_footprint(block: BlockSpec, mesh: Footprint | None = None) -> Footprint:
    """
    Return outline and height range of a block in its own frame.

    The rules of the original: `<shape>` wins; `<geometry>`, or else the meshes, count only with
    `<shape_from_visual/>`; without any of them a square of 1 m. Heights given in the file override
    the shape's.
    """
    known = None
    if not isinstance(block.shape, list):
        known = _known(block.shape, block.shape_from_visual, block.geometry, block.zmin,
                       block.zmax, mesh)
    return known or _checked_footprint(block, mesh)


@lru_cache(maxsize=4096)
def _known(shape: Polygon | None, shape_from_visual: bool, geometry: GeometrySpec | None,
           zmin: float | None, zmax: float | None, mesh: Footprint | None) -> Footprint | None:
    """Return a footprint that many blocks may have; None where it is not possible."""
    try:
        return _checked_footprint(BlockSpec(
            shape=shape, shape_from_visual=shape_from_visual, geometry=geometry, zmin=zmin,
            zmax=zmax), mesh)
    except WorldFileError:
        return None


def _checked_footprint(block: BlockSpec, mesh: Footprint | None) -> Footprint:
    solid = None
    if block.shape_from_visual:
        solid = mesh if block.geometry is None else geometry_footprint(block.geometry)
    what = f'block {block.name!r}'
    if block.shape is not None:
        polygon = convex_hull(block.shape, what, block.source)
    else:
        polygon = UNIT_SQUARE if solid is None else convex_hull(solid.polygon, what, block.source)
    zmin = block.zmin if block.zmin is not None else solid.zmin if solid else 0.0
    zmax = block.zmax if block.zmax is not None else solid.zmax if solid else 1.0
    if zmax < zmin:
        raise WorldFileError(
            f'{block.source}: {what} has zmax {zmax} below zmin {zmin}: exchange them')
    return Footprint(polygon, zmin, zmax)


def vehicle_footprint(vehicle: VehicleSpec, mesh: Footprint | None = None) -> Footprint:
    """
    Return outline and height range of the chassis of a vehicle in the body frame.

    :param mesh: outline of its meshes, which counts with `<shape_from_visual/>`.
    """
    chassis = vehicle.dynamics.chassis
    what = f'vehicle {vehicle.name!r}'
    if chassis.shape_from_visual and mesh is not None:
        return Footprint(convex_hull(mesh.polygon, what, chassis.source), mesh.zmin, mesh.zmax)
    return Footprint(convex_hull(chassis.shape, what, chassis.source), chassis.zmin, chassis.zmax)


def solid_parts(block: BlockSpec, footprint: Footprint) -> tuple[Footprint, ...]:
    """
    Return the outlines of a block with their heights, in its frame.

    Seen from above a ramp or bump that cannot be pushed is cut into slices, each a wall as high as
    its lower edge. So the low side of a ramp stops no vehicle; its high end and its sides do where
    they are higher than a wheel climbs. Of any other block it is `footprint`.
    """
    solid = block.geometry
    pushed = not block.static and block.animation is None
    profile = None if solid is None else shape_of(solid).profile
    if solid is None or profile is None or pushed:
        return (footprint,)
    axis = profile.axis
    places = [point[axis] for point in footprint.polygon]
    count = max(1, min(SLICES, int((max(places) - min(places)) / THINNEST)))
    cuts = np.linspace(min(places), max(places), count + 1).tolist()
    parts = []
    for low, high in zip(cuts[:-1], cuts[1:], strict=True):
        top = min(profile.height(solid, low), profile.height(solid, high))
        outline = _cut(_cut(footprint.polygon, axis, low, 1.0), axis, high, -1.0)
        if top > footprint.zmin and len(outline) > 2:
            parts.append(Footprint(outline, footprint.zmin, top))
    return tuple(parts)


def _cut(polygon: Polygon, axis: int, at: float, sign: float) -> Polygon:
    """Return what of a convex polygon is beyond `at`, or before it where `sign` is -1."""
    kept: list[tuple[float, float]] = []
    for one, other in zip(polygon, polygon[1:] + polygon[:1], strict=True):
        here, there = sign * (one[axis] - at), sign * (other[axis] - at)
        if here >= 0.0:
            kept.append(one)
        if min(here, there) < 0.0 < max(here, there):
            share = here / (here - there)
            kept.append((one[0] + share * (other[0] - one[0]),
                         one[1] + share * (other[1] - one[1])))
    return tuple(kept)


def solids(world: WorldSpec, cells: bool = True) -> tuple[StaticOutline, ...]:
    """Return the pieces of all solid static objects of a world: of its elements, then walls."""
    pieces = [piece for element in world.elements if not is_moving(element)
              for piece in pieces_of(element, cells)]
    return (*pieces, *wall_pieces(world))


def wall_pieces(world: WorldSpec) -> tuple[StaticOutline, ...]:
    """Return the walls of all groups, numbered through."""
    pieces: list[StaticOutline] = []
    for group in world.walls:
        pieces += wall_outlines(group, len(pieces) + 1)
    return tuple(pieces)


def pieces_of(element: ElementSpec, cells: bool = True) -> tuple[StaticOutline, ...]:
    """Return the pieces of an element where it stands, or starts."""
    record = ELEMENTS[type(element)]
    return record.outlines(element) if cells or not record.cells else ()


def occupancy_maps(world: WorldSpec) -> list[OccupancyMap]:
    """Return the maps of the elements whose solid is cells."""
    maps = [record.cells(element) for element in world.elements
            for record in (ELEMENTS[type(element)],) if record.cells]
    return [each for each in maps if each is not None]


def is_moving(element: ElementSpec) -> bool:
    """Return whether keyframes move an element."""
    return isinstance(element, PlaneSpec) and element.animation is not None


def moving_elements(world: WorldSpec, solid: bool) -> list[PlaneSpec]:
    """
    Return the elements that keyframes move, in the order of the world file.

    :param solid: those that bodies collide with, or the others, whose rows follow.
    """
    return [element for element in world.elements
            if isinstance(element, PlaneSpec) and is_moving(element)
            and bool(pieces_of(element)) == solid]


def has_ground(world: WorldSpec) -> bool:
    """Return whether a world defines its own ground."""
    return any(ELEMENTS[type(element)].is_ground for element in world.elements)
