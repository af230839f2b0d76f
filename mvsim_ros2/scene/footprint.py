# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Outlines in plan of meshes, for bodies with the shape of their visuals."""

from collections.abc import Sequence
from dataclasses import replace
import logging

import numpy as np

from mvsim_ros2.errors import SceneError
from mvsim_ros2.frames import Array, rotation_matrix
from mvsim_ros2.scene.shapes.bodies import visual_matrix
from mvsim_ros2.scene.shapes.geometry_meshes import body_solid_of
from mvsim_ros2.scene.shapes.meshes import load_mesh, TriangleMesh
from mvsim_ros2.world.spec import Footprint, VisualSpec, WorldSpec
from mvsim_ros2.world.spec.fields import per_axis
from mvsim_ros2.world.spec.outlines import MAX_VERTICES

_LOG = logging.getLogger(__name__)
_SMALLEST_AREA = 1e-8  # m^2


def visual_mesh(visual: VisualSpec) -> TriangleMesh | None:
    """Return the mesh of a visual in the frame of its owner; None where it has none."""
    if not visual.enabled or (visual.model_uri is None and visual.geometry is None):
        return None
    if visual.geometry is not None:
        solid, _ = body_solid_of(visual.geometry)
        local = visual_matrix(visual)
        return TriangleMesh(solid.vertices @ local[:3, :3].T + local[:3, 3],
                            solid.faces.astype(np.int64))
    assert visual.model_uri is not None
    if visual.model_uri.path is None:
        raise SceneError(f'the mesh {visual.model_uri.uri} is missing: {visual.model_uri.reason}')
    mesh = load_mesh(visual.model_uri.path)
    rotation = rotation_matrix(visual.model_yaw, visual.model_pitch, visual.model_roll)
    offset = np.array([visual.model_offset_x, visual.model_offset_y, visual.model_offset_z])
    scaled = mesh.vertices * per_axis(visual.model_scale)
    return TriangleMesh(scaled @ rotation.T + offset, mesh.faces)


def mesh_footprint(
        visuals: Sequence[VisualSpec], zmin: float | None = None,
        zmax: float | None = None) -> Footprint | None:
    """
    Return the convex outline in plan of the meshes between two heights [m].

    It has at most 16 vertices and encloses the meshes. None: there is no mesh.
    """
    meshes = [mesh for mesh in map(visual_mesh, visuals) if mesh is not None]
    if not meshes:
        return None
    low = -np.inf if zmin is None else zmin
    high = np.inf if zmax is None else zmax
    points = np.concatenate([_between(mesh, low, high) for mesh in meshes])
    hull = _convex_hull(points[:, :2]) if len(points) else np.empty((0, 2))
    if _area(hull) < _SMALLEST_AREA:
        names = ', '.join(visual.model_uri.uri for visual in visuals if visual.model_uri)
        raise SceneError(f'the meshes {names} have no area in plan between z {low} and {high}')
    outline = tuple((float(x), float(y)) for x, y in _fewer_vertices(hull, MAX_VERTICES))
    return Footprint(outline, float(points[:, 2].min()), float(points[:, 2].max()))


def world_footprints(world: WorldSpec) -> dict[str, Footprint]:
    """
    Return the outlines of all vehicles and blocks with shapes from meshes, by name.

    Where meshes are not available the body is left out and keeps its default outline, with one
    warning for all bodies with the same fault.
    """
    footprints: dict[str, Footprint] = {}
    known: dict[object, Footprint | SceneError | None] = {}
    faults: dict[str, list[str]] = {}
    wanted: list[tuple[str, str, tuple[VisualSpec, ...], float | None, float | None]] = [
        ('vehicle', vehicle.name, vehicle.visuals, None, None) for vehicle in world.vehicles
        if vehicle.dynamics.chassis.shape_from_visual]
    for block in world.blocks:
        if block.shape_from_visual and block.geometry is None and block.shape is None:
            wanted.append(('block', block.name, block.scaled_visuals, block.zmin, block.zmax))
    for what, name, visuals, zmin, zmax in wanted:
        key = visuals, zmin, zmax
        if key not in known:
            try:
                known[key] = mesh_footprint(visuals, zmin, zmax)
            except SceneError as error:
                known[key] = error
        footprint = known[key]
        if isinstance(footprint, Footprint):
            footprints[name] = footprint
        else:
            fault = str(footprint or 'it takes its shape from its meshes but has none')
            place = visuals[0].source if visuals else world.path
            faults.setdefault(fault, []).append(f'{place}: {what} {name}')
    for fault, bodies in faults.items():
        _LOG.warning('%s%s keeps its default outline: %s', bodies[0],
                     f' (and {len(bodies) - 1} more)' if len(bodies) > 1 else '', fault)
    return footprints


def with_mesh_outlines(world: WorldSpec) -> WorldSpec:
    """Return a world with the outlines of `world_footprints` as shapes of its bodies."""
    outlines = world_footprints(world)
    return replace(
        world,
        blocks=tuple(
            replace(block, shape=outlines[block.name].polygon, shape_from_visual=False)
            if block.name in outlines else block for block in world.blocks),
        vehicles=tuple(
            replace(vehicle, dynamics=replace(vehicle.dynamics, chassis=replace(
                vehicle.dynamics.chassis, shape=outlines[vehicle.name].polygon,
                shape_from_visual=False)))
            if vehicle.name in outlines else vehicle for vehicle in world.vehicles))


def _between(mesh: TriangleMesh, low: float, high: float) -> Array:
    """Return points (n, 3) with the convex hull of the part of a mesh between two heights."""
    corners = mesh.vertices[np.unique(mesh.faces)]
    parts = [corners[(corners[:, 2] >= low) & (corners[:, 2] <= high)]]
    ends = mesh.vertices[np.concatenate(
        [mesh.faces[:, [0, 1]], mesh.faces[:, [1, 2]], mesh.faces[:, [2, 0]]])]
    start, along = ends[:, 0], ends[:, 1] - ends[:, 0]
    for height in (low, high):
        cut = (start[:, 2] < height) != (start[:, 2] + along[:, 2] < height)
        share = (height - start[cut, 2]) / along[cut, 2]
        parts.append(start[cut] + share[:, None] * along[cut])
    return np.concatenate(parts)


def _convex_hull(points: Array) -> Array:
    """Return the convex hull, counter-clockwise (Andrew's monotone chain), shape (n, 2)."""
    ordered = np.unique(np.round(points, 9), axis=0).tolist()
    hull: list[list[float]] = []
    for run in (ordered, ordered[::-1]):
        half: list[list[float]] = []
        for x, y in run:
            while len(half) > 1 and (
                    (half[-1][0] - half[-2][0]) * (y - half[-2][1])
                    - (half[-1][1] - half[-2][1]) * (x - half[-2][0])) <= 0:
                half.pop()
            half.append([x, y])
        hull += half[:-1]
    return np.array(hull).reshape(-1, 2)


def _area(polygon: Array) -> float:
    x, y = polygon.T
    return float(0.5 * np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))


def _cross(a: Array, b: Array) -> Array:
    product: Array = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return product


def _fewer_vertices(hull: Array, most: int) -> Array:
    """
    Return a convex polygon of at most `most` vertices around `hull`.

    Edges are removed one by one by extending their neighbours to their intersection, first where
    this adds the least area.
    """
    while len(hull) > most:
        before, after = np.roll(hull, 1, axis=0), np.roll(hull, -1, axis=0)
        beyond = np.roll(hull, -2, axis=0)
        one, other, edge = hull - before, after - beyond, after - hull
        turn = _cross(one, other)
        with np.errstate(divide='ignore', invalid='ignore'):
            ahead = _cross(edge, other) / turn  # hull + ahead * one: where the neighbours meet
            growth = 0.5 * ahead * _cross(one, edge)
        growth[~(turn < 0) | ~(ahead > 0)] = np.inf
        best = int(np.argmin(growth))
        apex = hull[best] + ahead[best] * one[best]
        hull[best] = apex
        hull = np.delete(hull, (best + 1) % len(hull), axis=0)
    return hull
