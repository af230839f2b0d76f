# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Meshes of the simple solids (`<geometry>`): unit solids, and matrices that give them a size.

Round ones deviate from the exact solid by at most a quarter of a millimetre.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mvsim_ros2.base.registry import named
from mvsim_ros2.frames import Array, Pose
from mvsim_ros2.scene.scene import Material, Mesh
from mvsim_ros2.scene.scene_builder import matrix
from mvsim_ros2.world.spec import BlockSpec, Footprint, GeometrySpec
from mvsim_ros2.world.spec.common import Polygon
from mvsim_ros2.world.spec.fields import per_axis
from mvsim_ros2.world.spec.outlines import circle, circle_vertices, placed, shape_of

Sized = tuple[Mesh, NDArray[np.float64]]  # a unit solid, and the matrix (4, 4) to its size

_FEWER = 2, 4, 6  # times fewer sides that rough ones have
_FEWEST = 8  # sides of these
SMALLEST_SIZE = 1e-4  # m; so that the matrix has an inverse


def solid_of(geometry: GeometrySpec, scale: float = 1.0) -> Sized:
    """Return a unit solid and the matrix that brings it to the size of `geometry`."""
    sized: Sized = named(shape_of(geometry).mesh)(geometry, scale)
    return sized


def body_solid_of(geometry: GeometrySpec) -> Sized:
    """Return the same with the number of vertices that the world file asks for, as of bodies."""
    mesh, local = solid_of(geometry)
    if geometry.kind in ('cylinder', 'sphere'):
        count = circle_vertices(geometry)
        mesh = unit_cylinder(count) if geometry.kind == 'cylinder' else unit_sphere(count)
    return mesh, local


def wheel(radius: float, width: float) -> Sized:
    """Return a cylinder about y, centred."""
    return _sized(_enlarged(unit_wheel, side_count(radius), (True, False, True)),
                  radius, width, radius)


@lru_cache(maxsize=64)
def _enlarged(unit: Callable[[int], Mesh], count: int, axes: tuple[bool, bool, bool],
              power: int = 1) -> Mesh:
    """Return a unit solid with `count` sides, vertices a little outside of the exact one."""
    def about(sides: int) -> tuple[float, Mesh]:
        factor = vertex_radius(sides) if power == 1 else 2.0 / (
            1.0 + np.cos(np.pi / sides) ** power)
        mesh = unit(sides)
        return factor - 1.0, replace(mesh, vertices=mesh.vertices * np.where(axes, factor, 1.0))

    _, mesh = about(count)
    return replace(mesh, rough=tuple(
        about(count // part) for part in _FEWER if count // part >= _FEWEST))


def _sized(mesh: Mesh, x: float, y: float, z: float) -> Sized:
    return mesh, matrix(scale=(x, y, z))


def _at_least(*sizes: float) -> tuple[float, ...]:
    return tuple(max(size, SMALLEST_SIZE) for size in sizes)


def cylinder(g: GeometrySpec, scale: float) -> Sized:
    """Return a cylinder about z that stands on z = 0."""
    radius, length = _at_least(g.radius, g.length)
    mesh = _enlarged(unit_cylinder, side_count(scale * radius), (True, True, False))
    return _sized(mesh, radius, radius, length)


def sphere(g: GeometrySpec, scale: float) -> Sized:
    """Return a sphere around the origin."""
    radius, = _at_least(g.radius)
    mesh = _enlarged(unit_sphere, side_count(scale * radius, 0.5 * DEVIATION),
                     (True, True, True), 2)
    return _sized(mesh, radius, radius, radius)


def box(g: GeometrySpec, scale: float) -> Sized:
    """Return a box with a corner at the origin."""
    return _sized(unit_box(), *_at_least(g.lx, g.ly, g.lz))


def ramp(g: GeometrySpec, scale: float) -> Sized:
    """Return a ramp that rises along x."""
    return _sized(unit_ramp(), *_at_least(g.lx, g.ly, g.lz))


def bump(g: GeometrySpec, scale: float) -> Sized:
    """Return half a cylinder along x that lies on z = 0."""
    lx, ly, lz = _at_least(g.lx, g.ly, g.lz)
    count = side_count(scale * max(0.5 * ly, lz)) // 2
    return _sized(unit_bump(count), lx, 0.5 * ly, lz)


DEVIATION = 2.5e-4  # m; the largest of a polygon from its circle
ROUND = 'cylinder', 'sphere'  # kinds of solids with a round outline
# numbers of sides, so that solids of similar size share a mesh
_COUNTS = (16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024)
_LEVEL = 1e-3  # rad; a solid at a greater angle to the vertical has no round outline


def side_count(radius: float, deviation: float = DEVIATION) -> int:
    """Return how many sides a polygon needs for a circle of a radius [m]; at most 1024."""
    sides = math.pi / (2.0 * math.atan(math.sqrt(deviation / max(radius, deviation))))
    return next((count for count in _COUNTS if count >= sides), _COUNTS[-1])


def vertex_radius(count: int) -> float:
    """Return the radius of the vertices of a polygon with `count` sides for a circle of 1."""
    return 2.0 / (1.0 + math.cos(math.pi / count))


def round_footprint(block: BlockSpec) -> tuple[Footprint, bool] | None:
    """
    Return the outline of a round block in its own frame, and whether it is a sphere.

    It is that of its geometry, or of its only visual, whatever outline its body has. None: the
    block is not round, or does not stand upright.
    """
    upright = abs(block.init_pose.pitch) < _LEVEL and abs(block.init_pose.roll) < _LEVEL
    if len(block.visuals) == 1 and block.visuals[0].enabled:
        (visual,) = block.scaled_visuals
        if visual.geometry is None or visual.geometry.kind not in ROUND:
            return None
        scale, *others = per_axis(visual.model_scale)
        if scale < 0.0 or others != [scale, scale]:
            return None
        place = Pose(visual.model_offset_x, visual.model_offset_y, visual.model_offset_z)
        upright &= abs(visual.model_pitch) < _LEVEL and abs(visual.model_roll) < _LEVEL
        return _outline(visual.geometry, scale, place, upright)
    if block.visuals or block.geometry is None or block.geometry.kind not in ROUND:
        return None
    return _outline(block.geometry, 1.0, Pose(), upright)


def _outline(geometry: GeometrySpec, scale: float, place: Pose,
             upright: bool) -> tuple[Footprint, bool] | None:
    """Return what `round_footprint` does, of a solid of a size at a place."""
    radius, ball = scale * geometry.radius, geometry.kind == 'sphere'
    if not (upright or ball) or radius <= 0.0:
        return None
    count = side_count(radius)
    polygon = placed(circle(radius * vertex_radius(count), count), place)
    low, high = (-radius, radius) if ball else (0.0, scale * geometry.length)
    return Footprint(polygon, place.z + low, place.z + high), ball


WHITE = Material((1.0, 1.0, 1.0, 1.0))  # takes the colour of the instance
_SMALLEST = 1e-14  # m^2, twice the area; smaller triangles are dropped


def flat_mesh(triangles: ArrayLike, uv: ArrayLike | None = None,
              material: Material = WHITE) -> Mesh:
    """Return a flat-shaded mesh of triangles (F, 3, 3) [m]; those without area are dropped."""
    corners = np.asarray(triangles, float).reshape(-1, 3, 3)
    places = np.zeros((len(corners), 3, 2)) if uv is None else np.asarray(uv, float)
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    size = np.linalg.norm(normal, axis=1)
    kept = size > _SMALLEST
    unit = normal[kept] / size[kept, None]
    count = int(kept.sum())
    return Mesh(
        corners[kept].reshape(-1, 3), np.arange(3 * count, dtype=np.int32).reshape(-1, 3),
        np.repeat(unit, 3, axis=0), places[kept].reshape(-1, 2).astype(np.float32),
        np.zeros(count, np.int32), (material,))


def smooth_mesh(vertices: ArrayLike, faces: ArrayLike, normals: ArrayLike,
                uv: ArrayLike | None = None, material: Material = WHITE) -> Mesh:
    """Return a mesh with one normal per vertex; faces without area are dropped."""
    points, corners = np.asarray(vertices, float), np.asarray(faces, np.int32)
    places = np.zeros((len(points), 2)) if uv is None else np.asarray(uv)
    return without_slivers(
        Mesh(points, corners, np.asarray(normals, float), places.astype(np.float32),
             np.zeros(len(corners), np.int32), (material,)))


def without_slivers(mesh: Mesh) -> Mesh:
    """Return a mesh without the faces that have no area or a corner that is not finite."""
    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    kept = np.linalg.norm(np.cross(b - a, c - a), axis=1) > _SMALLEST
    return replace(mesh, faces=mesh.faces[kept], face_material=mesh.face_material[kept])


def joined(*meshes: Mesh) -> Mesh:
    """Return the union of meshes with their materials."""
    first = np.cumsum([0, *(len(mesh.vertices) for mesh in meshes)])
    material = np.cumsum([0, *(len(mesh.materials) for mesh in meshes)])
    return Mesh(
        np.concatenate([mesh.vertices for mesh in meshes]),
        np.concatenate([mesh.faces + np.int32(start)
                        for mesh, start in zip(meshes, first, strict=False)]),
        np.concatenate([mesh.normals for mesh in meshes]),
        np.concatenate([mesh.uv for mesh in meshes]),
        np.concatenate([mesh.face_material + np.int32(start)
                        for mesh, start in zip(meshes, material, strict=False)]),
        tuple(material for mesh in meshes for material in mesh.materials))


def quads(corners: ArrayLike) -> Array:
    """Return each quadrilateral, shape (n, 4, k), as two triangles, shape (2 n, 3, k)."""
    four = np.asarray(corners, float)
    return four[:, [[0, 1, 2], [0, 2, 3]]].reshape(-1, 3, four.shape[-1])


@lru_cache(maxsize=4096)
def prism(polygon: Polygon, zmin: float, zmax: float) -> Mesh:
    """Return an upright prism over a polygon [m] that is convex and counter-clockwise."""
    plan = np.asarray(polygon, float)
    low, high = (np.column_stack([plan, np.full(len(plan), z)]) for z in (zmin, zmax))
    sides = quads(np.stack([low, np.roll(low, -1, 0), np.roll(high, -1, 0), high], axis=1))
    fan = np.array([(0, i, i + 1) for i in range(1, len(plan) - 1)])
    return flat_mesh(np.concatenate([sides, high[fan], low[fan[:, ::-1]]]))


@lru_cache(maxsize=1)
def unit_box() -> Mesh:
    """Return the cube from 0 to 1."""
    return prism(((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)), 0.0, 1.0)


@lru_cache(maxsize=1)
def unit_ramp() -> Mesh:
    """Return a ramp that rises along x from 0 to 1; y from -1/2 to 1/2."""
    a, b, c = (0.0, -0.5, 0.0), (1.0, -0.5, 0.0), (1.0, -0.5, 1.0)
    d, e, f = (0.0, 0.5, 0.0), (1.0, 0.5, 0.0), (1.0, 0.5, 1.0)
    return flat_mesh([*quads([[a, c, f, d], [b, e, f, c], [a, d, e, b]]), (a, b, c), (d, f, e)])


@lru_cache(maxsize=64)
def turned(profile: tuple[tuple[float, float], ...], count: int, smooth: bool = True) -> Mesh:
    """
    Return the solid of revolution of a profile about z, as a smooth mesh with `count` sides.

    The vertices are on the circles, so that the mesh is inside the exact solid.

    :param smooth: False for separate shading of the bands of the profile.
    """
    angle = 2 * np.pi * np.arange(count + 1) / count
    ring = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    ring[-1] = ring[0]  # so that the mesh is closed
    r, z = np.asarray(profile, float).T
    slope = np.stack([np.diff(z), -np.diff(r)], axis=1)  # outwards, of each band
    slope /= np.maximum(np.linalg.norm(slope, axis=1), 1e-12)[:, None]
    bands = []
    for k in range(len(r) - 1):
        ends = [slope[k], slope[k]]
        if smooth:
            ends = [slope[max(k - 1, 0)] + slope[k], slope[k] + slope[min(k + 1, len(r) - 2)]]
        points, normals = [], []
        for end, (out, up) in zip((k, k + 1), ends, strict=True):
            length = np.hypot(out, up)
            points.append(np.column_stack([r[end] * ring, np.full(count + 1, z[end])]))
            normals.append(np.column_stack([out * ring, np.full(count + 1, up)]) / length)
        at = np.arange(count)
        lower, upper = at, at + count + 1
        faces = np.concatenate([np.stack([lower, lower + 1, upper + 1], axis=1),
                                np.stack([lower, upper + 1, upper], axis=1)])
        bands.append(smooth_mesh(np.concatenate(points), faces, np.concatenate(normals)))
    return joined(*bands)


def unit_cylinder(count: int) -> Mesh:
    """Return a cylinder of radius 1 about z from 0 to 1 with `count` sides."""
    return turned(((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)), count, smooth=False)


@lru_cache(maxsize=16)
def unit_wheel(count: int) -> Mesh:
    """Return a cylinder of radius 1 about y from -1/2 to 1/2 with `count` sides."""
    upright = unit_cylinder(count)
    turn = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
    return Mesh((upright.vertices - (0.0, 0.0, 0.5)) @ turn.T, upright.faces,
                upright.normals @ turn.T, upright.uv, upright.face_material, upright.materials)


def unit_sphere(count: int) -> Mesh:
    """Return a sphere of radius 1 around the origin with `count` meridians."""
    angle = np.linspace(-0.5 * np.pi, 0.5 * np.pi, max(count // 2, 2) + 1)
    profile = [(float(np.cos(a)), float(np.sin(a))) for a in angle]
    profile[0], profile[-1] = (0.0, -1.0), (0.0, 1.0)
    return turned(tuple(profile), count)


@lru_cache(maxsize=16)
def unit_bump(count: int) -> Mesh:
    """Return half a cylinder of radius 1 along x from -1/2 to 1/2, lying on z = 0."""
    angle = np.pi * np.arange(count + 1) / count
    arc = np.column_stack([np.cos(angle), np.sin(angle)])  # y, z
    arc[-1, 1] = 0.0
    ends = [np.column_stack([np.full(count + 1, x), arc]) for x in (-0.5, 0.5)]
    normals = np.column_stack([np.zeros(count + 1), arc])
    at = np.arange(count)
    back, front = at, at + count + 1
    faces = np.concatenate([np.stack([back, back + 1, front + 1], axis=1),
                            np.stack([back, front + 1, front], axis=1)])
    round_side = smooth_mesh(np.concatenate(ends), faces, np.concatenate([normals, normals]))
    fan = np.array([(0, i, i + 1) for i in range(1, count)])
    foot = quads([[ends[0][0], ends[1][0], ends[1][-1], ends[0][-1]]])
    return joined(
        round_side, flat_mesh(np.concatenate([ends[1][fan], ends[0][fan[:, ::-1]], foot])))
