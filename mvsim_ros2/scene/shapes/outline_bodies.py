# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Walls, vehicles, blocks and actors as their outlines, upright between their heights.

So planar LiDARs that measure in space meet the same things as in the plane, see `scene.planar`.
Balls, blocks whose top is not level, and planes that let light pass are what they are.
"""

from dataclasses import replace

import numpy as np

from mvsim_ros2.frames import Pose
from mvsim_ros2.scene.planar import block_piece
from mvsim_ros2.scene.scene_builder import Mount, Parts
from mvsim_ros2.scene.shapes.bodies import add_block
from mvsim_ros2.scene.shapes.solids import prism
from mvsim_ros2.scene.shapes.textures import texture_of
from mvsim_ros2.world.spec import (
    ActorSpec, BlockSpec, ElementSpec, Footprint, PlaneSpec, VehicleSpec, VerticalPlaneSpec,
    WorldSpec)
from mvsim_ros2.world.spec.shapes.body_outlines import block_footprint, vehicle_footprint
from mvsim_ros2.world.spec.shapes.geometry_shapes import shape_of
from mvsim_ros2.world.spec.shapes.outlines import circle
from mvsim_ros2.world.spec.shapes.solid_outlines import pieces_of


def lets_light_pass(world: WorldSpec) -> bool:
    """Return whether something that planar LiDARs meet is translucent, or has holes."""
    return (any(_is_clear(_opacity_of(block), block.transmittance) for block in world.blocks
                if not block.intangible)
            or any(_is_clear(_chassis_opacity(vehicle), vehicle.dynamics.chassis.transmittance)
                   for vehicle in world.vehicles)
            or any(_is_clear(walls.color[3], walls.transmittance) for walls in world.walls)
            or any(map(_is_clear_plane, world.elements)))


def _is_clear(opacity: float, transmittance: float | None) -> bool:
    return opacity < 1.0 or bool(transmittance)


def _is_clear_plane(element: ElementSpec) -> bool:
    if not isinstance(element, VerticalPlaneSpec):
        return False
    texture = texture_of(element.texture)
    return _is_clear(element.color[3], element.transmittance) or bool(
        texture and texture.has_holes)


def _opacity_of(block: BlockSpec) -> float:
    """Return the opacity of a block; that of meshes is theirs."""
    return 1.0 if block.visuals else block.color[3]


def _chassis_opacity(vehicle: VehicleSpec) -> float:
    return 1.0 if vehicle.visuals else vehicle.dynamics.chassis.color[3]


def add_element_outline(parts: Parts, element: ElementSpec, body: int) -> bool:
    """
    Add the pieces of an element; return whether it has some, and is solid to light.

    :param body: its row among vehicles, blocks and moving objects, -1 for none.
    """
    if _is_clear_plane(element):
        return False
    if body >= 0 and isinstance(element, PlaneSpec):
        element = replace(element, init_pose=Pose())  # its pieces are in the frame of its body
    pieces = pieces_of(element, cells=False)
    for piece in pieces:
        parts.add(parts.thing(f'element {element.name}', 'wall', body, body >= 0,
                              reflectivity=piece.reflectivity),
                  prism(piece.polygon, piece.zmin, piece.zmax), np.eye(4))
    return bool(pieces)


def add_vehicle_outline(parts: Parts, vehicle: VehicleSpec, row: int, first_wheel: int,
                        outline: Footprint | None) -> None:
    """Add chassis and wheels of a vehicle; parameters as of `bodies.add_vehicle`."""
    thing = parts.thing(vehicle.name, 'vehicle', row, True, row,
                        vehicle.dynamics.chassis.reflectivity,
                        vehicle.dynamics.chassis.transmittance)
    body = vehicle_footprint(vehicle, outline)
    parts.add(thing, prism(body.polygon, body.zmin, body.zmax), np.eye(4),
              (1.0, 1.0, 1.0, _chassis_opacity(vehicle)))
    for i, wheel in enumerate(vehicle.dynamics.wheels):
        x, y = 0.5 * wheel.diameter, 0.5 * wheel.width
        parts.add(thing, prism(((-x, -y), (x, -y), (x, y), (-x, y)), 0.0, wheel.diameter),
                  np.eye(4), mount=Mount(
                      first_wheel + i, (wheel.pos[0], wheel.pos[1], 0.0), False))


def add_block_outline(parts: Parts, block: BlockSpec, body: int,
                      outline: Footprint | None) -> None:
    """Add a block that can be touched; parameters as of `bodies.add_block`."""
    if block.intangible:
        return
    piece, solid = block_piece(block, outline, True), block.geometry
    if piece.ball or solid is not None and shape_of(solid).profile is not None:
        add_block(parts, block, body, outline)
        return
    heights = block_footprint(block, outline)
    low, high = (piece.low, piece.high) if np.isfinite(piece.high) else (
        heights.zmin, heights.zmax)  # a tilted one counts at all heights in the plane
    parts.add(parts.thing(block.name, 'block', body, block.moves,
                          reflectivity=block.reflectivity, transmittance=block.transmittance),
              prism(piece.polygon, low, high), np.eye(4), (1.0, 1.0, 1.0, _opacity_of(block)))


def add_actor_outline(parts: Parts, actor: ActorSpec, body: int) -> None:
    """Add the body of a person; parameters as of `bodies.add_actor`."""
    parts.add(parts.thing(actor.name, 'person', body, True),
              prism(circle(actor.collision_radius), 0.0, actor.collision_height), np.eye(4))
