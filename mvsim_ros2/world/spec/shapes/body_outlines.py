# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Plan outlines of blocks and vehicles."""

from functools import lru_cache

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.world.spec.block import BlockSpec, UNIT_SQUARE
from mvsim_ros2.world.spec.common import Footprint, GeometrySpec, Polygon
from mvsim_ros2.world.spec.shapes.geometry_shapes import geometry_footprint
from mvsim_ros2.world.spec.shapes.outlines import convex_hull
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec


def block_footprint(block: BlockSpec, mesh: Footprint | None = None) -> Footprint:
    """
    Return outline and height range of a block in its own frame.

    The rules of the original: `<shape>` wins; `<geometry>`, or else the meshes, count only
    with `<shape_from_visual/>`; without any of them a square of 1 m. Heights given in the
    file win over those of the shape.

    :param mesh: outline of the meshes of the block, where they have been read.
    :raises WorldFileError: where the outline is not possible.
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
        polygon = UNIT_SQUARE if solid is None else convex_hull(
            solid.polygon, what, block.source)
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
    :raises WorldFileError: where the outline is not possible.
    """
    chassis = vehicle.dynamics.chassis
    what = f'vehicle {vehicle.name!r}'
    if chassis.shape_from_visual and mesh is not None:
        return Footprint(convex_hull(mesh.polygon, what, chassis.source), mesh.zmin, mesh.zmax)
    return Footprint(
        convex_hull(chassis.shape, what, chassis.source), chassis.zmin, chassis.zmax)
