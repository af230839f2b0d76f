# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A scene with acceleration structures for ray casting."""

from dataclasses import dataclass
from functools import cache
import logging
import os

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mvsim_ros2.errors import SceneError
from mvsim_ros2.frames import Array, Numbers
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.scene.scene import Mesh, Scene
from mvsim_ros2.sensors.raycast.bvh.bvh import BvhTree
from mvsim_ros2.sensors.raycast.embree.embree import embree, EmbreeTree
from mvsim_ros2.sensors.raycast.matter import matter_of
from mvsim_ros2.sensors.raycast.opacity import ANYTHING, find_opaque, Opacity, opacity_of
from mvsim_ros2.sensors.raycast.ray_block import Beyond, BLOCK, Block, new_beyond, new_block
from mvsim_ros2.sensors.raycast.target import (
    EVERYTHING, inverse_of, planes_of, Target, VisibilityMasks)

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class Hits:
    """Closest hits of rays."""

    distance: Array  # (N,): in lengths of the direction, inf without a hit; double precision
    instance: NDArray[np.int32]  # (N,): index in the scene, -1 without a hit
    face: NDArray[np.int32]  # (N,): index in the mesh of the instance, -1 without a hit
    weights: Array  # (N, 2): of the second and third corner of the triangle
    normal: Array  # (N, 3): unit normal in the world, towards the origin of the ray


class RayScene:
    """
    A scene with bounding volume hierarchies (BVH) for ray casting.

    Rays are cast in single precision relative to a datum near the centre of the scene. Distances
    and normals come from the plane of the hit triangle in double precision. Triangles are
    two-sided. Any number of threads may cast at the same time, none during `update`.

    `cast` and `occluded` are for few rays. A kernel for many rays takes `ray_scene.target` and a
    block for each thread as arguments, and processes block after block::

        from mvsim_ros2.sensors.raycast import ray_block as column
        from mvsim_ros2.sensors.raycast.ray_block import BLOCK, new_block
        from mvsim_ros2.sensors.raycast.query import find, find_any

        @compiled
        def kernel(target, block, mask, ...):
            rays, hits, found = block.rays, block.hits, block.found  # not in the loop
            for begin in range(0, total, BLOCK):
                count = min(BLOCK, total - begin)
                for n in range(count):
                    rays[n, column.OX] = ...  # origin, direction, time: all seven
                find(target, block, count, 0.0, math.inf, mask)
                for n in range(count):
                    if found[n, column.INSTANCE] < 0:
                        continue  # no hit
                    hits[n, column.DISTANCE], hits[n, column.NX], hits[n, column.WEIGHT_1]

    Loops over rays must neither slice arrays nor call functions with array arguments: each costs
    more than a ray. For shadows fill in the rays, call `find_any`, and test
    ``found[n, column.INSTANCE] >= 0``.

    Origins are in the world minus `datum`, subtracted in double precision. Distances are in
    lengths of the direction: for directions of depth 1 they are depths. Every `update` makes a
    new target.
    """

    def __init__(self, scene: Scene, backend: str = 'auto') -> None:
        """
        Build the hierarchies.

        :param backend: 'embree', 'bvh' for that of this package, or 'auto': from the environment
            variable MVSIM_ROS2_RAYCASTER, else Embree where it is installed.
        :raises SceneError: where a mesh or a transform is not valid, or there is no such backend.
        """
        self.scene = scene
        self.masks = VisibilityMasks(
            scene.owner, scene.sensor, scene.casts, scene.label == Scene.LABELS.index('marker'))
        self._mover_bits = int(np.bitwise_or.reduce(
            self.masks.instances[scene.movers], initial=0))
        centres = np.stack([middle_of(mesh) for mesh in scene.meshes]) if scene.meshes else (
            np.zeros((0, 3)))
        self._centres = centres[scene.mesh]
        middles = np.einsum('nij,nj->ni', scene.first[:, :3, :3], self._centres)
        middles += scene.first[:, :3, 3]
        self.datum: Array = np.round((middles.min(axis=0) + middles.max(axis=0)) / 2) if len(
            middles) else np.zeros(3)
        counts = np.array([len(mesh.faces) for mesh in scene.meshes], np.int64)
        first = np.concatenate([[0], np.cumsum(counts)])
        faces = [_faces(mesh, centre) for mesh, centre in zip(
            scene.meshes, centres, strict=True)]
        count = len(scene.mesh)
        self._all = np.arange(count)
        self._tree = _backend(backend)(
            scene.meshes, centres, scene.mesh, self.masks.instances)
        self.target = Target(
            self._tree.top, self._tree.moving, self._tree.intersect, self._tree.occluded,
            self._tree.coherent,
            np.full((1, count, 3, 4), np.nan), np.zeros((count, 3, 4)), np.ones(count, np.int64),
            first[scene.mesh], np.concatenate(faces) if faces else np.zeros((0, 5)),
            (scene.label + (scene.thing.astype(np.int64) << 16)).astype(np.uint32),
            self._tree.trees)
        self.opacity = opacity_of(scene)
        self.matter = matter_of(scene)
        self._block, self._beyond = new_block(), new_beyond()
        self.update()

    def update(self, path: Array | None = None, span: float = 0.0,
               rows: Numbers | None = None) -> None:
        """
        Update the transforms of instances from the scene.

        :param path: transforms at K evenly spaced times, the last the present one, shape
            (K, M, 4, 4), for rays with a time: 0 the first, 1 the last. Elements of the
            matrices are interpolated linearly. One: at rest there. Default: all where they are.
        :param span: time from the first to the last transform [s].
        :param rows: indices of the instances with these transforms, shape (M,); the others are
            where they have been all the time. Default: all.
        :raises SceneError: where a transform is not finite or singular.
        """
        places = self.scene.transform[np.newaxis] if path is None else path
        self.span = span
        count = len(self.scene.mesh)
        if rows is None:
            rows = self._all
        if places.shape[1:] != (len(rows), 4, 4) or not len(places):
            raise SceneError(f'the places of the instances have shape {places.shape}: it must '
                             f'be (K, {len(rows)}, 4, 4)')
        forward = self.target.forward
        if len(places) not in (1, len(forward)):
            forward = np.full((len(places), count, 3, 4), np.nan)
            if len(rows) < count:
                known, places = places, np.tile(self.scene.transform, (len(places), 1, 1, 1))
                places[:, rows] = known
                rows = self._all
        moved = np.zeros(count, np.int64)
        number, bad = _update_transforms(
            np.ascontiguousarray(places, float), rows, self._centres, self.datum, forward,
            self.target.inverse, self.target.steps, moved)
        if bad >= 0:
            name = self.scene.thing_names[self.scene.thing[bad]]
            raise SceneError(f'the place of {name or "instance"} (instance {bad}) is not finite '
                             f'or flattens its mesh: {self.scene.transform[bad].tolist()}')
        self.target = self.target._replace(forward=forward)
        if number:
            self._tree.place(moved[:number], forward, self.target.steps)
            self.target = self.target._replace(
                top=self._tree.top, moving=self._tree.moving, trees=self._tree.trees)

    def mask(self, vehicle: int, sensor: str, hide_vehicle: bool = False) -> int:
        """Return the mask of the rays of a sensor, see `VisibilityMasks.ray`."""
        return self.masks.ray(vehicle, sensor, hide_vehicle)

    def sees_movers(self, mask: int) -> bool:
        """Return whether rays with a mask can hit something that moves."""
        return bool(self._mover_bits & mask)

    def cast(self, origins: ArrayLike, directions: ArrayLike, nearest: float = 0.0,
             farthest: float = np.inf, mask: int = EVERYTHING, times: ArrayLike = 1.0,
             least: float = ANYTHING) -> Hits:
        """
        Return the closest hit of each ray.

        :param origins: in the world [m], shape (N, 3) or (3,).
        :param directions: shape (N, 3) or (3,); distances are in their lengths.
        :param times: 0 to 1, within the motion of the last `update`, shape (N,) or a number.
        :param least: opacity of a surface that is hit; rays pass others, and all holes.
        :raises SceneError: where a number is not finite.
        """
        start = np.atleast_2d(np.asarray(origins, float)) - self.datum
        heading = np.atleast_2d(np.asarray(directions, float))
        rays = np.empty((max(len(start), len(heading), np.size(times)), 7))
        rays[:, 0:3], rays[:, 3:6], rays[:, 6] = start, heading, times
        if not np.isfinite(rays).all():
            raise SceneError('a ray needs a finite origin, direction and time')
        hits, found = np.zeros((len(rays), 6)), np.empty((len(rays), 2), np.int32)
        _cast(self.target, self.opacity, self._block, self._beyond, rays, nearest, farthest,
              mask, least, hits, found)
        hits[found[:, 0] < 0] = [np.inf, 0, 0, 0, 0, 0]
        return Hits(hits[:, 0], found[:, 0], found[:, 1], hits[:, 4:6], hits[:, 1:4])

    def occluded(self, origins: ArrayLike, directions: ArrayLike, nearest: float = 0.0,
                 farthest: float = np.inf, mask: int = EVERYTHING,
                 times: ArrayLike = 1.0) -> NDArray[np.bool_]:
        """Return whether each ray has any hit, shape (N,); parameters as of `cast`."""
        return np.asarray(self.cast(
            origins, directions, nearest, farthest, mask, times).instance >= 0)


def _backend(name: str) -> type[EmbreeTree] | type[BvhTree]:
    """
    Return the class of the hierarchies.

    :raises SceneError: where there is no such backend, or Embree is not installed.
    """
    if name == 'auto':
        name = os.environ.get('MVSIM_ROS2_RAYCASTER', 'auto')
    if name == 'bvh':
        return BvhTree
    if name not in ('auto', 'embree'):
        raise SceneError(f'there is no ray caster {name!r}: choose embree, bvh or auto')
    try:
        embree()
    except SceneError as error:
        if name == 'embree':
            raise
        _warn_of_fallback(str(error))
        return BvhTree
    return EmbreeTree


@cache
def _warn_of_fallback(reason: str) -> None:
    _LOG.info('rays are cast without Embree, at a fifth of its speed: %s', reason)


def middle_of(mesh: Mesh) -> Array:
    """Return the centre of the bounds of a mesh."""
    if not len(mesh.vertices):
        return np.zeros(3)
    if not np.isfinite(mesh.vertices).all():
        raise SceneError('a mesh has vertices that are not finite')
    middle: Array = (mesh.vertices.min(axis=0) + mesh.vertices.max(axis=0)) / 2
    return middle


def _faces(mesh: Mesh, centre: Array) -> Array:
    """Return the rows of `Target.faces` of a mesh."""
    faces = np.zeros((len(mesh.faces), 5))
    if not len(faces):
        return faces
    if mesh.faces.min() < 0 or mesh.faces.max() >= len(mesh.vertices):
        raise SceneError('a mesh has faces with indices of vertices that it does not have')
    faces[:, :4] = planes_of((mesh.vertices - centre)[mesh.faces])
    faces[:, 4] = np.array([m.reflectivity for m in mesh.materials])[mesh.face_material]
    return faces


@compiled(counted=False)
def _update_transforms(
        places: Array, rows: Numbers, centres: Array, datum: Array, forward: Array,
        inverse: Array, steps: Numbers, moved: Numbers) -> tuple[int, int]:
    """
    Fill in the arrays of a target, and the indices of the moved instances.

    Returns the number of moved instances, and the index of one that is not valid, or -1.

    :param places: transforms, shape (K, M, 4, 4), or (1, M, 4, 4) for all times.
    :param rows: indices of the instances that have them, shape (M,).
    :param centres: centre of the mesh of each instance, shape (N, 3).
    :param forward: shape (K, N, 3, 4), previous values or NaN; the rest as in `Target`.
    :param moved: shape (N,).
    """
    count, last, bad = 0, forward.shape[0] - 1, -1
    known = places.shape[0] - 1
    for row in range(places.shape[1]):
        n = rows[row]
        changed, still = False, True
        for k in range(last + 1):
            for i in range(3):
                for j in range(4):
                    place = places[min(k, known), row, i]
                    value = place[j]
                    still = still and value == places[known, row, i, j]
                    if j == 3:
                        value += (place[0] * centres[n, 0] + place[1] * centres[n, 1]
                                  + place[2] * centres[n, 2]) - datum[i]
                    if value != forward[k, n, i, j]:
                        changed = True
                        forward[k, n, i, j] = value
                    if not -1e30 < value < 1e30:
                        bad = n
        if not changed:
            continue
        steps[n] = 1 if still else last + 1
        if inverse_of(forward[last, n], inverse[n]) == 0.0:
            bad = n
        moved[count] = n
        count += 1
    return count, bad


@compiled
def _cast(target: Target, opacity: Opacity, block: Block, beyond: Beyond, rays: Array,
          nearest: float, farthest: float, mask: int, least: float, hits: Array,
          found: NDArray[np.int32]) -> None:
    """Cast rays in blocks, see `RayScene.cast`; 0 without a hit."""
    cast, answered, met = block.rays, block.hits, block.found
    for begin in range(0, rays.shape[0], BLOCK):
        count = min(BLOCK, rays.shape[0] - begin)
        for n in range(count):
            for i in range(7):
                cast[n, i] = rays[begin + n, i]
        find_opaque(target, opacity, block, beyond, count, nearest, farthest, mask, least,
                    False)
        for n in range(count):
            for i in range(6):
                hits[begin + n, i] = answered[n, i]
            found[begin + n, 0], found[begin + n, 1] = met[n, 0], met[n, 1]
