# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Vehicles, blocks, actors, and objects that are only seen, as instances."""

from dataclasses import replace
from functools import lru_cache
import logging
import math
from weakref import WeakValueDictionary

import numpy as np

from mvsim_ros2.errors import SceneError
from mvsim_ros2.frames import Array, Pose, rotation_matrix
from mvsim_ros2.scene.limbs import LEGS
from mvsim_ros2.scene.planar import block_piece, person_pieces, Piece
from mvsim_ros2.scene.scene import Material, Mesh
from mvsim_ros2.scene.scene_builder import Limb, matrix, Mount, Parts, Thing, WHITE
from mvsim_ros2.scene.shapes.geometry_meshes import (
    flat_mesh, prism, solid_of, unit_box, wheel as wheel_solid)
from mvsim_ros2.scene.shapes.models import load_model, texture_of
from mvsim_ros2.scene.shapes.people import add_person
from mvsim_ros2.world.spec import (
    ActorSpec, BlockSpec, ElementSpec, Footprint, PlaneSpec, RuntimeObject, SensorSpec,
    VehicleSpec, VerticalPlaneSpec, VisualSpec, WorldSpec)
from mvsim_ros2.world.spec.common import Colour
from mvsim_ros2.world.spec.fields import per_axis
from mvsim_ros2.world.spec.outlines import circle, shape_of
from mvsim_ros2.world.spec.solids import block_footprint, pieces_of, vehicle_footprint

_LOG = logging.getLogger(__name__)

SENSOR_SIZE = 0.06  # m; edge of the box of a sensor without a mesh
_GAP = 1e-3  # m, below translucent blocks
_PLANTS = ('tree', 'palm', 'bush', 'plant', 'grass', 'hedge', 'crop', 'vegetation')
# visuals with a warning already, by identity, as long as their world is there
_faulty: WeakValueDictionary[int, VisualSpec] = WeakValueDictionary()


def add_vehicle(parts: Parts, vehicle: VehicleSpec, row: int, first_wheel: int,
                outline: Footprint | None) -> None:
    """
    Add a vehicle: meshes, or else its chassis as a prism; wheels and sensors.

    Rows are among the vehicles and among all wheels; `outline` is that of its meshes.
    """
    chassis, wheels = vehicle.dynamics.chassis, vehicle.dynamics.wheels
    thing = parts.thing(vehicle.name, 'vehicle', row, True, row, chassis.reflectivity,
                        chassis.transmittance, chassis.material)
    linked = {wheel.linked_yaw: i for i, wheel in enumerate(wheels) if wheel.linked_yaw}
    shown = False
    for visual in vehicle.visuals:
        mount, local = None, visual_matrix(visual)
        if visual.name in linked:
            i = linked[visual.name]
            offset = (visual.model_offset_x, visual.model_offset_y, visual.model_offset_z)
            mount = Mount(first_wheel + i, offset, False)
            local = visual_matrix(replace(
                visual, model_offset_x=0.0, model_offset_y=0.0, model_offset_z=0.0,
                model_yaw=wheels[i].linked_yaw_offset))
        shown |= _add_visual(parts, thing, visual, local, mount, visual.light_group)
    if not shown:
        body = vehicle_footprint(vehicle, outline)
        parts.add(thing, prism(body.polygon, body.zmin, body.zmax), np.eye(4), chassis.color)
    for i, wheel in enumerate(wheels):
        mount = Mount(first_wheel + i, (wheel.pos[0], wheel.pos[1], wheel.radius), True)
        if not sum(_add_visual(parts, thing, visual, visual_matrix(visual), mount)
                   for visual in wheel.visuals):
            mesh, local = wheel_solid(wheel.radius, wheel.width)
            parts.add(thing, mesh, local, wheel.color, mount)
    for sensor in vehicle.sensors:
        add_sensor(parts, replace(thing, label='sensor'), sensor, f'{vehicle.name}/{sensor.name}')


def add_sensor(parts: Parts, thing: Thing, sensor: SensorSpec, name: str) -> None:
    """Add the meshes of a sensor."""
    for visual in sensor.visuals:
        local = sensor.pose.matrix @ visual_matrix(visual)
        if not _add_visual(parts, thing, visual, local, sensor=name) and (
                visual.enabled and visual.model_uri is not None):
            box = matrix(scale=(SENSOR_SIZE,) * 3, place=(-0.5 * SENSOR_SIZE,) * 3)
            parts.add(thing, unit_box(), sensor.pose.matrix @ box, (0.1, 0.1, 0.1, 1.0), None,
                      name)


def add_block(parts: Parts, block: BlockSpec, body: int, outline: Footprint | None) -> None:
    """
    Add a block: its meshes, or else its geometry, or else its outline as a prism.

    `body` is its row among vehicles and blocks; `outline` is that of its meshes.
    """
    moving = block.moves or block.animation is not None
    thing = parts.thing(block.name, _label_of(block), body, moving,
                        reflectivity=block.reflectivity, transmittance=block.transmittance,
                        matter=block.material)
    if sum(_add_visual(parts, thing, visual, visual_matrix(visual), group=visual.light_group,
                       sways=visual.sways) for visual in block.scaled_visuals):
        return
    if block.geometry is not None:
        mesh, local = solid_of(block.geometry)
    else:
        body_outline = block_footprint(block, outline)
        mesh, local = prism(body_outline.polygon, body_outline.zmin, body_outline.zmax), np.eye(4)
    if block.color[3] < 1.0 or block.transmittance:
        local = _off_the_ground(mesh, local)
    parts.add(thing, mesh, local, block.color)


def _off_the_ground(mesh: Mesh, local: Array) -> Array:
    """
    Return a matrix (4, 4) that is `local`, but for a bottom that is a little higher.

    A ray that has passed the bottom of a translucent solid goes on behind it, and would miss
    ground in the same plane.
    """
    heights = mesh.vertices @ local[2, :3] + local[2, 3]
    low, high = float(heights.min()), float(heights.max())
    flat = float(heights[mesh.faces].max(axis=1).min()) < low + 1e-9
    if not flat or high - low < 10.0 * _GAP:
        return local
    share = 1.0 - _GAP / (high - low)
    return matrix(scale=(1.0, 1.0, share), place=(0.0, 0.0, high * (1.0 - share))) @ local


def add_actor(parts: Parts, actor: ActorSpec, body: int) -> None:
    """Add a person: its meshes, or else a body with limbs."""
    thing = parts.thing(actor.name, 'person', body, True)
    if not sum(_add_visual(parts, thing, visual, visual_matrix(visual))
               for visual in actor.visuals):
        add_person(parts, thing, actor)


def visual_matrix(visual: VisualSpec) -> Array:
    """Return the matrix (4, 4) from a mesh to the frame of its owner."""
    placed = matrix(
        rotation_matrix(visual.model_yaw, visual.model_pitch, visual.model_roll),
        (visual.model_offset_x, visual.model_offset_y, visual.model_offset_z),
        per_axis(visual.model_scale))
    return placed if visual.geometry is None else placed @ solid_of(visual.geometry)[1]


def _add_visual(parts: Parts, thing: Thing, visual: VisualSpec, local: Array,
                mount: Mount | None = None, group: str = '', sensor: str = '',
                sways: float = 0.0) -> bool:
    """Add the mesh of a visual, see `Parts.add`; return whether it has one."""
    mesh = _mesh_of(visual)
    if mesh is not None:
        colour = WHITE if visual.model_color is None else visual.model_color
        signs = tuple(np.sign(per_axis(visual.model_scale)).tolist())
        if -1.0 in signs:
            mesh, local = _mirrored(mesh, signs), local @ np.diag((*signs, 1.0))
        parts.add(thing, mesh, local, colour, mount, sensor, visual.cast_shadows, group, sways)
    return mesh is not None


def _mesh_of(visual: VisualSpec) -> Mesh | None:
    """
    Return the mesh of a visual; None where it has none, or it is not available.

    Loading the world warns of a missing file, this function of a broken one, once.
    """
    if visual.enabled and visual.geometry is not None:
        largest = max(map(abs, per_axis(visual.model_scale)))
        return _glowing(solid_of(visual.geometry, largest)[0], visual.model_emissive,
                        visual.model_emissive_strength)
    if not visual.enabled or visual.model_uri is None or visual.model_uri.path is None:
        return None
    try:
        return _glowing(load_model(visual.model_uri.path, visual.model_color is not None),
                        visual.model_emissive, visual.model_emissive_strength)
    except SceneError as error:
        if id(visual) not in _faulty:
            _faulty[id(visual)] = visual
            _LOG.warning('%s: a primitive solid replaces the mesh %s: %s', visual.source,
                         visual.model_uri.uri, error)
        return None


@lru_cache(maxsize=256)
def _glowing(mesh: Mesh, colour: Colour | None, strength: float) -> Mesh:
    """Return a mesh that gives off light of a colour, of the same arrays."""
    if colour is None:
        return mesh
    if strength != 1.0:  # light is the square of a colour
        red, green, blue = (math.sqrt(strength) * part for part in colour[:3])
        colour = red, green, blue, colour[3]
    return replace(mesh, materials=tuple(
        replace(material, matter=replace(material.matter, emissive=colour))
        for material in mesh.materials))


@lru_cache(maxsize=256)
def _mirrored(mesh: Mesh, signs: tuple[float, float, float]) -> Mesh:
    """Return a mesh mirrored along the axes with the sign -1; its faces look outwards."""
    faces = mesh.faces if np.prod(signs) > 0.0 else np.ascontiguousarray(mesh.faces[:, ::-1])
    return replace(
        mesh, vertices=mesh.vertices * signs, faces=faces, normals=mesh.normals * signs,
        rough=tuple((error, _mirrored(each, signs)) for error, each in mesh.rough))


def _label_of(block: BlockSpec) -> str:
    """Return 'terrain' or 'vegetation' for a block whose class or mesh is named after these."""
    names = [block.class_name, *(visual.model_uri.uri.rpartition('/')[2]
                                 for visual in block.visuals if visual.model_uri)]
    if any('terrain' in name.lower() for name in names):
        return 'terrain'
    is_plant = any(plant in name.lower() for name in names for plant in _PLANTS)
    return 'vegetation' if is_plant else 'block'


def add_runtime_object(parts: Parts, thing: RuntimeObject) -> None:
    """Add an object, which throws no shadow."""
    parts.add(parts.thing(thing.name, 'marker'), _mesh(thing), thing.pose.matrix, casts=False)


def _mesh(thing: RuntimeObject) -> Mesh:
    a, b, c = thing.corners.transpose(1, 0, 2)
    kept = np.linalg.norm(np.cross(b - a, c - a), axis=1) > 1e-12
    colours, material = np.unique(
        np.clip(thing.colours[kept], 0.0, 1.0), axis=0, return_inverse=True)
    return replace(
        flat_mesh(thing.corners[kept]), face_material=material.reshape(-1).astype(np.int32),
        materials=tuple(Material(tuple(each)) for each in colours.tolist()))


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
    """Add the pieces of an element; return whether it has some, and is solid to light."""
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
    """Add what planar LiDARs see of a person; parameters as of `bodies.add_actor`."""
    thing = parts.thing(actor.name, 'person', body, True)
    pieces = [Piece(circle(actor.collision_radius), 0.0, actor.collision_height)] if (
        actor.visuals) else person_pieces(actor.height)
    for number, piece in enumerate(pieces):
        parts.add(thing, prism(piece.polygon, piece.low, piece.high), np.eye(4), mount=Limb(
            LEGS + number - 1, actor.height, 0.0) if number else None)
