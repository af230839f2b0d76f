# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Symbols of the objects of a world in a top view, and its terrain, shaded by its slopes.

The light of the terrain comes from the upper left, 45 degrees high, as maps have it; level ground
keeps its colour. See B. K. P. Horn, *Hill shading and the reflectance map*, Proc. IEEE 69 (1981)
14.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import SceneError
from mvsim_ros2.frames import Pose
from mvsim_ros2.pictures.canvas import Bounds, Canvas, rgba, shade
from mvsim_ros2.scene.footprint import mesh_footprint
from mvsim_ros2.scene.planar import wheel_polygon
from mvsim_ros2.scene.shapes.ground import terrain_mesh
from mvsim_ros2.scene.shapes.models import load_model, painted
from mvsim_ros2.world.spec import (
    ActorSpec, BlockSpec, ElevationMapSpec, HorizontalPlaneSpec, OccupancyMap, StaticOutline,
    VehicleSpec, VerticalPlaneSpec, VisualSpec, WorldSpec)
from mvsim_ros2.world.spec.common import Colour, Polygon
from mvsim_ros2.world.spec.fields import per_axis
from mvsim_ros2.world.spec.outlines import circle, placed
from mvsim_ros2.world.spec.solids import (
    block_footprint, occupancy_maps, pieces_of, vehicle_footprint, wall_pieces)

GLASS = rgba('#7cc8e8')
CLOTHES, SKIN = rgba('#8a4f7d'), rgba('#e8c39e')
DOOR = rgba('#6b7580', 0.55)
TYRE, TYRE_EDGE = rgba('#23272e'), rgba('#0f1114')
_LIGHT = np.array([-0.5, 0.5, np.sqrt(0.5)])  # towards it
_FINEST = 8  # parts of a cell that are drawn by themselves
_STRENGTH = 0.9  # of the shading: 0 none, 1 as Lambert's law has it


def solid_polygons(world: WorldSpec, poses: Mapping[str, Pose]) -> list[Polygon]:
    """Return the outlines of all walls and blocks in the world frame, without maps."""
    pieces = [piece for element in world.elements for piece in pieces_of(element, cells=False)]
    return [*(piece.polygon for piece in (*pieces, *wall_pieces(world))),
            *(block_polygon(block, poses) for block in world.blocks)]


def block_polygon(block: BlockSpec, poses: Mapping[str, Pose]) -> Polygon:
    """Return the outline of a block in the world frame."""
    return placed(block_footprint(block).polygon, poses.get(block.name, block.init_pose))


def map_corners(world: WorldSpec) -> list[NDArray[np.float64]]:
    """Return the least and the greatest corner of each occupancy map, shape (2, 2) [m]."""
    return [np.array([grid.x_min, grid.y_min]) + grid.resolution * np.array(
        [(0, 0), grid.values.shape[::-1]]) for grid in occupancy_maps(world)]


def draw_floors(canvas: Canvas, world: WorldSpec) -> None:
    """Draw the horizontal planes, the highest last, and the occupancy maps."""
    planes = [item for item in world.elements if isinstance(item, HorizontalPlaneSpec)]
    for plane in sorted(planes, key=lambda item: item.init_pose.z + item.z):
        corners = ((plane.x_min, plane.y_min), (plane.x_max, plane.y_min),
                   (plane.x_max, plane.y_max), (plane.x_min, plane.y_max))
        canvas.polygon(placed(corners, plane.init_pose), shade(rgba(plane.color), 1.6))
    for grid in occupancy_maps(world):
        canvas.cells(_map_pixels(grid), grid.x_min, grid.y_min, grid.resolution)


def _map_pixels(grid: OccupancyMap) -> NDArray[np.uint8]:
    """Return colours: free light, occupied dark, unknown clear, shape (rows, columns, 4)."""
    pixels = np.zeros((*grid.values.shape, 4), np.uint8)
    pixels[grid.values >= 0] = 246, 246, 243, 255
    pixels[grid.solid] = 62, 72, 82, 255
    return pixels


def draw_walls(canvas: Canvas, world: WorldSpec) -> None:
    """Draw walls, with doors as thresholds and windows as glass."""
    _draw_pieces(canvas, wall_pieces(world))
    for element in world.elements:
        _draw_pieces(canvas, pieces_of(element, cells=False))
        if isinstance(element, VerticalPlaneSpec):
            _draw_openings(canvas, element)


def _draw_pieces(canvas: Canvas, pieces: Iterable[StaticOutline]) -> None:
    for piece in pieces:
        canvas.polygon(piece.polygon, rgba(piece.colour), shade(rgba(piece.colour), 0.7), 0.8)


def _draw_openings(canvas: Canvas, plane: VerticalPlaneSpec) -> None:
    colour = rgba(plane.color)
    start = np.array([plane.x0, plane.y0])
    along = np.array([plane.x1, plane.y1]) - start
    length = float(np.hypot(*along))
    along = along / length
    across = 0.5 * plane.thickness * np.array([-along[1], along[0]])

    def strip(centre: float, width: float, depth: float) -> Polygon:
        middle = start + centre * length * along
        a, b, side = middle - 0.5 * width * along, middle + 0.5 * width * along, depth * across
        corners = a - side, b - side, b + side, a + side
        return placed(tuple((float(x), float(y)) for x, y in corners), plane.init_pose)

    for window in plane.windows:
        pane = strip(window.position, window.width, 1.0)
        canvas.polygon(pane, shade(GLASS, 2.0), shade(colour, 0.7), 0.8)
        canvas.polygon(strip(window.position, window.width, 0.25), shade(GLASS, 0.8))
    for door in plane.doors:
        sill = strip(door.position, door.width, 1.0)
        canvas.polygon(sill, rgba('#ffffff', 0.55))
        for edge in ((sill[0], sill[1]), (sill[3], sill[2])):
            canvas.dashed(edge, DOOR, 1.0, 4.0, 3.0)


def draw_blocks(canvas: Canvas, blocks: Iterable[BlockSpec], poses: Mapping[str, Pose]) -> None:
    """Draw blocks; those without collisions as an outline only."""
    for block in blocks:
        look = _look_of_meshes(block)
        polygon = block_polygon(block, poses)
        colour = rgba(block.color if look is None else look[1])
        if block.intangible:
            canvas.dashed((*polygon, polygon[0]), shade(colour, 0.8), 1.2, 5.0, 3.0)
        else:
            canvas.polygon(polygon, colour, shade(colour, 0.62), 1.2)
            canvas.polygon(_inset(polygon, 0.72), shade(colour, 1.25))
        if look is not None:  # the crown of a tree is wider than its trunk, which collides
            canvas.polygon(placed(look[0], poses.get(block.name, block.init_pose)),
                           rgba(look[1], 0.75), shade(colour, 0.62), 0.8)


def _look_of_meshes(block: BlockSpec) -> tuple[Polygon, Colour] | None:
    """Return the outline and the mean colour of the meshes of a block, where it has some."""
    visuals = tuple(visual for visual in block.scaled_visuals if visual.enabled
                    and visual.model_uri is not None and visual.model_uri.path is not None)
    try:
        return _look_of_visuals(visuals) if visuals else None
    except SceneError:  # loading has warned of it; the outline that collides is seen
        return None


@lru_cache(maxsize=256)
def _look_of_visuals(visuals: tuple[VisualSpec, ...]) -> tuple[Polygon, Colour]:
    """Return the outline of meshes from above, and their colours weighed by areas from above."""
    outline = mesh_footprint(visuals)
    assert outline is not None
    colours: list[Colour] = []
    weights: list[float] = []
    for visual in visuals:
        assert visual.model_uri is not None and visual.model_uri.path is not None
        mesh = load_model(visual.model_uri.path, visual.model_color is not None)
        a, b, c = (mesh.vertices[mesh.faces[:, corner], :2] for corner in range(3))
        one, other = b - a, c - a
        areas = abs(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0])
        for number, material in enumerate(mesh.materials):
            colours.append(painted(visual.model_color or material.colour, material.texture))
            x, y, _ = per_axis(visual.model_scale)
            weights.append(abs(x * y) * float(areas[
                mesh.face_material == number].sum()))
    red, green, blue, alpha = np.average(
        colours, axis=0, weights=weights if any(weights) else None)  # seen edge-on it has no area
    return outline.polygon, (float(red), float(green), float(blue), float(alpha))


def _inset(polygon: Polygon, factor: float) -> NDArray[np.float64]:
    corners = np.asarray(polygon)
    centre = corners.mean(axis=0)
    return np.asarray(centre + factor * (corners - centre))


def draw_actor(canvas: Canvas, actor: ActorSpec, pose: Pose) -> None:
    """Draw a person: shoulders, head and heading."""
    radius = actor.collision_radius
    canvas.polygon(actor_outline(actor, pose), CLOTHES, shade(CLOTHES, 0.6), 1.2)
    canvas.polygon(placed(circle(0.45 * radius), pose), SKIN, shade(SKIN, 0.6), 1.0)
    nose = ((0.4 * radius, -0.2 * radius), (0.8 * radius, 0.0), (0.4 * radius, 0.2 * radius))
    canvas.polygon(placed(nose, pose), rgba('#ffffff', 0.95))


def actor_outline(actor: ActorSpec, pose: Pose) -> Polygon:
    """Return the outline of a person in the world frame."""
    return placed(circle(actor.collision_radius), pose)


def draw_vehicle(canvas: Canvas, vehicle: VehicleSpec, pose: Pose,
                 steering: Sequence[float] | None = None) -> None:
    """Draw wheels at their steering angles [rad], chassis and a wedge for the heading."""
    colour = rgba(vehicle.dynamics.chassis.color)
    wheels = vehicle.dynamics.wheels
    if steering is None and vehicle.dynamics.steered_wheels:
        front = max(wheel.pos[0] for wheel in wheels)
        angle = vehicle.dynamics.controller.initial_steering
        steering = [angle if wheel.pos[0] == front else 0.0 for wheel in wheels]
    for wheel, angle in zip(wheels, steering or [0.0] * len(wheels), strict=True):
        canvas.polygon(placed(wheel_polygon(wheel, angle), pose), TYRE, TYRE_EDGE, 1.0)
    outline = np.asarray(vehicle_footprint(vehicle).polygon)
    canvas.polygon(vehicle_outline(vehicle, pose), colour, shade(colour, 0.55), 1.4)
    low, high = outline.min(axis=0), outline.max(axis=0)
    centre, half = 0.5 * (low + high), 0.5 * (high - low)
    wedge = centre + half * np.array([[0.62, 0.0], [-0.5, 0.55], [-0.25, 0.0], [-0.5, -0.55]])
    canvas.polygon(placed(tuple((x, y) for x, y in wedge.tolist()), pose), rgba('#ffffff', 0.95))


def vehicle_outline(vehicle: VehicleSpec, pose: Pose) -> Polygon:
    """Return the outline of the chassis of a vehicle in the world frame."""
    return placed(vehicle_footprint(vehicle).polygon, pose)


def terrain_bounds(world: WorldSpec) -> list[Bounds]:
    """Return the bounds of the elevation maps of a world."""
    result = []
    for spec in _terrain(world):
        assert spec.heights is not None
        grid = spec.heights
        rows, columns = np.array(grid.values.shape) - 1
        result.append((grid.x_min, grid.y_min, grid.x_min + grid.resolution * rows,
                       grid.y_min + grid.resolution * columns))
    return result


def draw_terrain(canvas: Canvas, world: WorldSpec) -> None:
    """Draw the elevation maps of a world, the lowest first."""
    for spec in sorted(_terrain(world), key=_mean_height):
        assert spec.heights is not None
        grid = spec.heights
        shape = grid.values.shape
        mesh = terrain_mesh(spec)
        times = max(1, min(_FINEST, round(grid.resolution * canvas.scale / 2.0)))
        light = (mesh.normals @ _LIGHT).clip(0.0) / _LIGHT[2]
        light = 1.0 + _STRENGTH * (_finer(light.reshape(*shape, 1), times) - 1.0)
        pixels = np.full((*light.shape[:2], 4), 255.0)
        colours = _colours(spec, _finer(mesh.uv.reshape(*shape, 2), times))
        pixels[..., :3] = (colours * light).clip(0.0, 255.0)
        cell = grid.resolution / times
        canvas.cells(np.rint(pixels).astype(np.uint8).swapaxes(0, 1),
                     grid.x_min - 0.5 * cell, grid.y_min - 0.5 * cell, cell)


def _finer(values: NDArray[np.floating[Any]], times: int) -> NDArray[np.float64]:
    """Return values of nodes, shape (rows, columns, n), with linear ones between them."""
    for axis in 0, 1:
        count = values.shape[axis]
        at = np.arange((count - 1) * times + 1) / times
        low = np.minimum(at.astype(int), max(count - 2, 0))
        share = np.expand_dims(at - low, tuple({0, 1, 2} - {axis}))
        after = np.minimum(low + 1, count - 1)
        values = (1.0 - share) * values.take(low, axis) + share * values.take(after, axis)
    return np.asarray(values, float)


def _terrain(world: WorldSpec) -> Iterator[ElevationMapSpec]:
    for element in world.elements:
        if isinstance(element, ElevationMapSpec) and element.heights is not None:
            yield element


def _mean_height(spec: ElevationMapSpec) -> float:
    assert spec.heights is not None
    return float(np.mean(spec.heights.values))


def _colours(spec: ElevationMapSpec, uv: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the colours of the nodes, 0 to 255, shape (rows, columns, 3)."""
    texture = terrain_mesh(spec).materials[0].texture
    if texture is None:
        return np.broadcast_to(255.0 * np.array(spec.mesh_color[:3]), (*uv.shape[:2], 3))
    height, width = texture.pixels.shape[:2]
    column = (uv[..., 0] * width).astype(int) % width
    row = ((1.0 - uv[..., 1]) * height).astype(int) % height
    return texture.pixels[row, column, :3].astype(float)
