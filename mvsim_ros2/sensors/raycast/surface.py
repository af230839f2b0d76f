# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The exact surface at a hit."""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.sensors.raycast import ray_block as column
from mvsim_ros2.sensors.raycast.ray_block import Block
from mvsim_ros2.sensors.raycast.target import inverse_of, map_normal, Target

Array = NDArray[np.float64]


def planes_of(triangles: Array) -> Array:
    """Return unit normal n and n.p of triangles, shape (F, 4), of shape (F, 3, 3); 0 if flat."""
    a, b, c = np.moveaxis(triangles, 1, 0)
    normal = np.cross(b - a, c - a)
    length = np.linalg.norm(normal, axis=1, keepdims=True)
    normal = np.divide(normal, length, out=np.zeros_like(normal), where=length > 0)
    return np.column_stack([normal, np.einsum('fi,fi->f', normal, a)])


@compiled(inner=True, counted=False)
def transform_at(forward: Array, steps: int, instance: int, time: float, place: Array) -> None:
    """
    Fill in the transform from the mesh of a moving instance to the target.

    The elements of the matrix are interpolated linearly between the times of `RayScene.update`;
    at each of these they are those to the bit, so that rays at time 1 meet what is there whether
    or not the scene has a past.

    :param forward: see `Target`.
    :param steps: number of these times, at least 2.
    :param time: 0 to 1.
    :param place: shape (3, 4).
    """
    step = max(0, min(int(time * (steps - 1)), steps - 2))
    fraction = time * (steps - 1) - step
    for i in range(3):
        for j in range(4):
            begin, end = forward[step, instance, i, j], forward[step + 1, instance, i, j]
            place[i, j] = end if fraction == 1.0 else begin + fraction * (end - begin)


@compiled(inlined=True)
def exact_distance(distance: float, slope: float, away: float) -> float:
    """
    Return the distance to a plane that a ray meets.

    :param distance: the same to single precision, which is kept at grazing incidence.
    :param slope: normal of the plane times the direction of the ray.
    :param away: from the origin of the ray to the plane along the normal.
    """
    if slope != 0.0:
        exact = away / slope
        if abs(exact - distance) < 1e-3 * (1.0 + distance):
            return exact
    return distance


@compiled(inner=True)
def meet_planes(target: Target, block: Block, count: int) -> None:
    """
    Compute distances and normals of hits in double precision.

    The triangle is found in single precision; this intersects the ray with its plane again.
    """
    rays, hits, found = block.rays, block.hits, block.found
    faces, first_face, steps = target.faces, target.first_face, target.steps
    forward, inverses = target.forward, target.inverse
    place, moved = np.empty((3, 4)), np.empty((3, 4))
    last_instance = last_face = -1
    nx = ny = nz = offset = unit = 0.0
    for n in range(count):
        instance, face = found[n, column.INSTANCE], found[n, column.FACE]
        if instance < 0:
            continue
        if instance != last_instance or face != last_face:  # else the plane is the same
            last_instance, last_face = instance, face
            row = first_face[instance] + face
            px, py, pz = faces[row, 0], faces[row, 1], faces[row, 2]
            if steps[instance] > 1:
                last_instance = -1
                transform_at(forward, steps[instance], instance, rays[n, column.TIME], place)
                inverse_of(place, moved)
            else:
                for i in range(3):
                    for j in range(4):
                        moved[i, j] = inverses[instance, i, j]
            nx, ny, nz = map_normal(moved, px, py, pz)
            offset = faces[row, 3] - (px * moved[0, 3] + py * moved[1, 3] + pz * moved[2, 3])
            length = math.sqrt(nx * nx + ny * ny + nz * nz)
            unit = 1.0 / length if length > 0.0 else 0.0
        slope = (nx * rays[n, column.DX] + ny * rays[n, column.DY] + nz * rays[n, column.DZ])
        hits[n, column.DISTANCE] = exact_distance(
            hits[n, column.DISTANCE], slope, offset - nx * rays[n, column.OX]
            - ny * rays[n, column.OY] - nz * rays[n, column.OZ])
        scale = -unit if slope > 0.0 else unit
        hits[n, column.NX] = scale * nx
        hits[n, column.NY] = scale * ny
        hits[n, column.NZ] = scale * nz
