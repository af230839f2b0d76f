# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Rays at meshes on the card.

As in `raycast`, trees of boxes find the first triangle on a ray in single precision. The distance
to its plane is in double precision. What rests is one tree in each world; what moves is met one
after the other, in its own frame.
"""

import math
from typing import Any

from numba import cuda
import numpy as np

from mvsim_ros2.scene import limbs
from mvsim_ros2.scene.poses import multiply, rotate
from mvsim_ros2.sensors.cuda.card import kernel, on_card, part
from mvsim_ros2.sensors.raycast.bvh.bvh import DEPTH
from mvsim_ros2.sensors.raycast.bvh.bvh_traversal import meet_tree
from mvsim_ros2.sensors.raycast.target import exact_distance, inverse_of, map_direction, map_point

_WIDER = 1.0 + 1e-4  # of the radius of a bounding sphere, and 1 mm: covers rounding
# of an instance that moves: places in the states of its body, and of steering and turn of its
# wheel, -1 for none; or of the gait, and `FIRST_LIMB` less the number of a limb
BODY, STEER, TURN = range(3)
FIRST_LIMB = -2
# of a world: root of what rests, first and last of what moves
ROOT, FIRST, LAST = range(3)

_rotate, _multiply, _invert = on_card(rotate), on_card(multiply), on_card(inverse_of)
_limb = on_card(limbs.limb)
_map_point, _map_direction = on_card(map_point), on_card(map_direction)
_meet_tree, _exact_distance = on_card(meet_tree), on_card(exact_distance)
_real = np.float32  # all of a traversal is in single precision
_STACK = 2 * DEPTH


@part
def _pose_of(states: Any, body: Any, pose: Any) -> None:
    """Fill in the transform from a body to the world, shape (3, 4)."""
    _rotate(states[body + 3], states[body + 4], states[body + 5], pose)
    for k in range(3):
        pose[k, 3] = states[body + k]


@kernel
def place(states: Any, rows: Any, wheels: Any, local: Any, centres: Any, datums: Any,
          radii: Any, of_world: Any, inverses: Any, spheres: Any) -> None:
    """
    Put what moves where it is, as `scene.poses.put`.

    :param states: of all worlds one after the other, see `pose_history.lay_states`.
    :param rows: places of each instance in them, shape (I, 3): `BODY`, `STEER`, `TURN`.
    :param wheels: places of wheels in the frame of the body [m], shape (I, 3).
    :param local: transforms from the meshes to bodies or wheels, shape (I, 4, 4).
    :param centres: of the meshes in their frames, shape (I, 3).
    :param datums: of the worlds, shape (W, 3).
    :param radii: of the meshes about their centres [m], shape (I,).
    :param of_world: shape (I,).
    :param inverses: filled in: from the world less its datum to the mesh less its centre,
        shape (I, 3, 4).
    :param spheres: filled in: x, y, z in the world less its datum, radius, shape (I, 4).
    """
    i = cuda.grid(1)
    if i >= rows.shape[0]:
        return
    carrier = cuda.local.array((3, 4), np.float64)
    turned = cuda.local.array((3, 4), np.float64)
    own = cuda.local.array((3, 4), np.float64)
    result = cuda.local.array((3, 4), np.float64)
    body, steer, turn = rows[i, BODY], rows[i, STEER], rows[i, TURN]
    _pose_of(states, body, carrier)
    if steer >= 0:
        if turn <= FIRST_LIMB:
            x, z, pitch = _limb(FIRST_LIMB - turn, states[steer], states[steer + 1])
            _rotate(0.0, pitch, 0.0, turned)
            turned[0, 3], turned[1, 3] = wheels[i, 0] * x, wheels[i, 1]
            turned[2, 3] = wheels[i, 0] * z
        else:
            _rotate(states[steer], states[turn] if turn >= 0 else 0.0, 0.0, turned)
            for k in range(3):
                turned[k, 3] = wheels[i, k]
        _multiply(turned, local[i], own)
        _multiply(carrier, own, result)
    else:
        _multiply(carrier, local[i], result)
    world, square = of_world[i], 0.0
    place = _map_point(result, centres[i, 0], centres[i, 1], centres[i, 2])
    for k in range(3):
        spheres[i, k] = result[k, 3] = place[k] - datums[world, k]
        for j in range(3):
            square += result[k, j] ** 2
    spheres[i, 3] = math.sqrt(square) * radii[i] * _WIDER + 1e-3
    _invert(result, inverses[i])


@kernel
def cast(rows: Any, states: Any, bodies: Any, worlds: Any, mounts: Any, masks_of: Any,
         origins: Any, directions: Any, limits: Any, roots: Any, datums: Any, nodes: Any,
         links: Any, corners: Any, planes: Any, masks: Any, trees: Any, instance_masks: Any,
         inverses: Any, spheres: Any, distances: Any) -> None:
    """
    Write how far the rays of some eyes go [lengths of the direction], inf for any distance.

    A block of threads has rays of one eye. For the eyes see `mesh_worlds.Eyes`.

    :param rows: numbers of the eyes.
    :param roots: of each world, shape (W, 3): `ROOT`, `FIRST`, `LAST`.
    :param nodes: of all trees, as `links` and `corners`, see `bvh.Trees`.
    :param planes: of triangles: unit normal n and n.p, shape (F, 4); `masks` of each, shape (F,).
    :param trees: root of the mesh of each instance that moves, shape (I,).
    :param distances: filled in, double precision, shape (K, N).
    """
    k = rows[cuda.blockIdx.x]
    world = worlds[k]
    eye = cuda.shared.array((3, 4), np.float64)
    if cuda.threadIdx.x == 0:
        carrier = cuda.local.array((3, 4), np.float64)
        _pose_of(states, bodies[k], carrier)
        _multiply(carrier, mounts[k], eye)
        for i in range(3):
            eye[i, 3] -= datums[world, i]
    cuda.syncthreads()
    n = cuda.blockIdx.y * cuda.blockDim.x + cuda.threadIdx.x
    if n >= directions.shape[0]:
        return
    stack = cuda.local.array(_STACK, np.int32)
    ox, oy, oz = _map_point(eye, origins[n, 0], origins[n, 1], origins[n, 2])
    dx, dy, dz = _map_direction(eye, directions[n, 0], directions[n, 1], directions[n, 2])
    mask, nearest = masks_of[k], _real(limits[k, 0])
    best, triangle, _, _ = _meet_tree(
        nodes, links, corners, masks, mask, roots[world, ROOT], _real(ox), _real(oy), _real(oz),
        _real(dx), _real(dy), _real(dz), nearest, _real(limits[k, 1]), False, stack)
    length, instance = _real(dx * dx + dy * dy + dz * dz), -1
    for i in range(roots[world, FIRST], roots[world, LAST]):
        if instance_masks[i] & mask == 0:
            continue
        x, y, z = _real(spheres[i, 0] - ox), _real(spheres[i, 1] - oy), _real(spheres[i, 2] - oz)
        along = (x * _real(dx) + y * _real(dy) + z * _real(dz)) / length
        radius = _real(spheres[i, 3])
        x, y, z = x - along * _real(dx), y - along * _real(dy), z - along * _real(dz)
        if x * x + y * y + z * z > radius * radius:
            continue
        px, py, pz = _map_point(inverses[i], ox, oy, oz)
        ex, ey, ez = _map_direction(inverses[i], dx, dy, dz)
        distance, found, _, _ = _meet_tree(
            nodes, links, corners, masks, mask, trees[i], _real(px), _real(py), _real(pz),
            _real(ex), _real(ey), _real(ez), nearest, best, False, stack)
        if found >= 0:
            best, triangle, instance = distance, found, i
    if triangle < 0:
        distances[k, n] = math.inf
        return
    if instance >= 0:
        ox, oy, oz = _map_point(inverses[instance], ox, oy, oz)
        dx, dy, dz = _map_direction(inverses[instance], dx, dy, dz)
    nx, ny, nz = planes[triangle, 0], planes[triangle, 1], planes[triangle, 2]
    distances[k, n] = _exact_distance(
        float(best), nx * dx + ny * dy + nz * dz,
        planes[triangle, 3] - nx * ox - ny * oy - nz * oz)
