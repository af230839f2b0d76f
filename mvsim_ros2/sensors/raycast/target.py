# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The scene as kernels cast rays at it, and the visibility masks of instances and rays."""

from collections.abc import Sequence
import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import SceneError
from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.sensors.raycast import ray_block as column
from mvsim_ros2.sensors.raycast.bvh.bvh import Trees
from mvsim_ros2.sensors.raycast.ray_block import Block

PLANE_X, PLANE_Y, PLANE_Z, PLANE_OFFSET = 0, 1, 2, 3  # columns of `Target.faces`
REFLECTIVITY = 4
_DIGITS = 14  # two bits each in a mask of 32
CASTERS = 1 << 31  # what throws shadows
SEEN_ONLY = 1 << 28  # what cameras alone see
EVERYTHING = 0xFFFFFFFF ^ SEEN_ONLY  # rays that hit all the rest


class Target(NamedTuple):
    """
    A scene for kernels; opaque to callers.

    Its frame is the world translated by the datum of the `RayScene`. Mesh frames are translated
    to the centre of the mesh.
    """

    top: int  # scene of Embree, 0: the BVH below
    moving: int  # a second one, of what moves while rays are cast, or 0
    intersect: int  # addresses of functions of Embree
    occluded: int
    coherent: int  # address of their arguments for coherent rays
    forward: Array  # (K, N, 3, 4): from the mesh to the target at K times of the motion
    inverse: Array  # (N, 3, 4): from the target to the mesh, at the end of the motion
    steps: NDArray[np.int64]  # (N,): number of distinct times, 1 for instances at rest
    first_face: NDArray[np.int64]  # (N,): index of the first face of an instance
    faces: Array  # (F, 5): unit normal n and offset n.p [m] in the mesh frame; reflectivity
    labels: NDArray[np.uint32]  # (N,): label, and thing times 65536
    trees: Trees  # BVH of this package, empty with Embree


@compiled(counted=False)
def inverse_of(m: Array, inverse: Array) -> float:
    """
    Fill in the inverse of an affine map and return the determinant of its linear part.

    :param m: shape (3, 4).
    :param inverse: shape (3, 4); unchanged where the map is singular.
    """
    xx = m[1, 1] * m[2, 2] - m[1, 2] * m[2, 1]
    yx = m[1, 2] * m[2, 0] - m[1, 0] * m[2, 2]
    zx = m[1, 0] * m[2, 1] - m[1, 1] * m[2, 0]
    determinant: float = m[0, 0] * xx + m[0, 1] * yx + m[0, 2] * zx
    if determinant == 0.0:
        return 0.0
    scale = 1.0 / determinant
    inverse[0, 0], inverse[1, 0], inverse[2, 0] = xx * scale, yx * scale, zx * scale
    inverse[0, 1] = (m[0, 2] * m[2, 1] - m[0, 1] * m[2, 2]) * scale
    inverse[1, 1] = (m[0, 0] * m[2, 2] - m[0, 2] * m[2, 0]) * scale
    inverse[2, 1] = (m[0, 1] * m[2, 0] - m[0, 0] * m[2, 1]) * scale
    inverse[0, 2] = (m[0, 1] * m[1, 2] - m[0, 2] * m[1, 1]) * scale
    inverse[1, 2] = (m[0, 2] * m[1, 0] - m[0, 0] * m[1, 2]) * scale
    inverse[2, 2] = (m[0, 0] * m[1, 1] - m[0, 1] * m[1, 0]) * scale
    for i in range(3):
        inverse[i, 3] = -(inverse[i, 0] * m[0, 3] + inverse[i, 1] * m[1, 3]
                          + inverse[i, 2] * m[2, 3])
    return determinant


@compiled(inlined=True)
def map_direction(m: Array, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Return a direction mapped by a matrix, shape (3, 3), or by an affine map, shape (3, 4)."""
    return (m[0, 0] * x + m[0, 1] * y + m[0, 2] * z, m[1, 0] * x + m[1, 1] * y + m[1, 2] * z,
            m[2, 0] * x + m[2, 1] * y + m[2, 2] * z)


@compiled(inlined=True)
def map_point(m: Array, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Return a point mapped by an affine map, shape (3, 4)."""
    x, y, z = map_direction(m, x, y, z)
    return x + m[0, 3], y + m[1, 3], z + m[2, 3]


@compiled(inlined=True)
def map_normal(m: Array, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Return a row vector times a matrix, shape (3, 3 or 4): a normal, by the inverse map."""
    return (x * m[0, 0] + y * m[1, 0] + z * m[2, 0], x * m[0, 1] + y * m[1, 1] + z * m[2, 1],
            x * m[0, 2] + y * m[1, 2] + z * m[2, 2])


class VisibilityMasks:
    """
    Masks that hide a vehicle or the body of a sensor from rays.

    A ray hits an instance where their masks share a bit. Each binary digit of a group number has
    two bits, one for 0 and one for 1. An instance has the bits of its digits. A ray that ignores a
    group has the other bits: it shares none with this group and at least one with any other.
    """

    def __init__(self, owner: NDArray[np.int32], sensor: Sequence[str],
                 casts: NDArray[np.bool_], seen_only: NDArray[np.bool_] | None = None) -> None:
        """
        Assign the masks of the instances.

        :param owner: number of the vehicle of each instance, -1 for none.
        :param sensor: name of the sensor that an instance is the body of, '' for none.
        :param casts: whether instances throw shadows.
        :param seen_only: which ones cameras alone see; None for none.
        :raises SceneError: where there are too many vehicles with sensor bodies.
        """
        self._sensors: dict[tuple[int, str], int] = {}  # number within the owner
        counts: dict[int, int] = {}
        codes = []
        for vehicle, name in zip(owner.tolist(), sensor, strict=True):
            number = 0
            if name:
                number = self._sensors.setdefault(
                    (vehicle, name), counts.get(vehicle, 0) + 1)
                counts[vehicle] = max(number, counts.get(vehicle, 0))
            codes.append((vehicle + 1, number))
        vehicles = max((vehicle for vehicle, _ in codes), default=0)
        self._vehicles, self._vehicle_digits = vehicles, vehicles.bit_length()
        self._digits = self._vehicle_digits + max(counts.values(), default=0).bit_length()
        if self._digits > _DIGITS:
            raise SceneError(
                f'{vehicles} vehicles with up to {max(counts.values())} sensors that have '
                f'shapes are too many to distinguish in a mask of {2 * _DIGITS} bits: leave out '
                'some of the <visual> of sensors')
        # the second highest bit marks the instances where there is one group only
        self.instances = np.array(
            [self._pairs(self._code(*code), self._digits) or 1 << 30 for code in codes],
            np.uint32) | np.where(casts, np.uint32(CASTERS), np.uint32(0))
        if seen_only is not None:
            self.instances[seen_only] = SEEN_ONLY

    def _code(self, vehicle: int, number: int) -> int:
        return vehicle | number << self._vehicle_digits

    def _pairs(self, code: int, digits: int) -> int:
        return sum(1 << (2 * i + (code >> i & 1)) for i in range(digits))

    def ray(self, vehicle: int, sensor: str, hide_vehicle: bool) -> int:
        """
        Return the mask of the rays of a sensor, which never hit its own body.

        :param vehicle: number of the vehicle of the sensor, -1 for none.
        :param hide_vehicle: ignore the whole vehicle.
        """
        if hide_vehicle and 0 <= vehicle < self._vehicles:
            return self._pairs(~(vehicle + 1), self._vehicle_digits)
        number = self._sensors.get((vehicle, sensor), 0)
        if not number:
            return EVERYTHING
        return self._pairs(~self._code(vehicle + 1, number), self._digits)


def planes_of(triangles: Array) -> Array:
    """Return unit normal n and n.p of triangles, shape (F, 4), of shape (F, 3, 3); 0 if flat."""
    a, b, c = np.moveaxis(triangles, 1, 0)
    normal = np.cross(b - a, c - a)
    length = np.linalg.norm(normal, axis=1, keepdims=True)
    normal = np.divide(normal, length, out=np.zeros_like(normal), where=length > 0)
    return np.column_stack([normal, np.einsum('fi,fi->f', normal, a)])


@compiled(counted=False)
def transform_at(forward: Array, steps: int, instance: int, time: float, place: Array) -> None:
    """
    Fill in the transform from the mesh of a moving instance to the target at a time, 0 to 1.

    The elements of the matrix are interpolated linearly between the times of `RayScene.update`,
    and equal the given ones bit for bit at these times. So rays at time 1 do not depend on the
    past of the scene.
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


@compiled
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
