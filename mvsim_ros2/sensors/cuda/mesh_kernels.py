# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Rays at meshes on the card.

As in `raycast`, the triangle that a ray meets first is found in single precision by trees of
boxes, and the distance to its plane computed in double precision. What rests is one tree in
each world; what moves is met one after the other, in its own frame.
"""

import math
from typing import Any

from numba import cuda
import numpy as np

from mvsim_ros2.scene.poses import multiply, rotate
from mvsim_ros2.sensors.cuda.card import kernel, on_card, part
from mvsim_ros2.sensors.raycast.bvh.bvh_build import DEPTH
from mvsim_ros2.sensors.raycast.target import inverse_of

_SEAM = 1e-6  # as in `raycast.bvh.bvh_traversal`
_WIDER = 1.0 + 1e-4  # of the radius of a bounding sphere, and 1 mm: covers rounding
_CLOSE = 1e-3  # by which the exact distance may differ, of 1 m and of the distance
# of an instance that moves: places in the states of its body, and of steering and turn of its
# wheel, -1 for none
BODY, STEER, TURN = range(3)
# of a world: root of what rests, first and last of what moves
ROOT, FIRST, LAST = range(3)

_turn_to, _times, _invert = on_card(rotate), on_card(multiply), on_card(inverse_of)
_real = np.float32  # all of a traversal is in single precision
_ZERO, _ONE, _TINY, _HUGE = _real(0.0), _real(1.0), _real(1e-30), _real(1e30)
_EDGE, _PLAY = _real(_SEAM), _real(1e-6)
_STACK = 2 * DEPTH


@part
def _inverse(x: Any) -> Any:
    """Return 1 / x, a very large number for 0."""
    if abs(x) > _TINY:
        return _ONE / x
    return _HUGE if x >= _ZERO else -_HUGE


@part
def _traverse(nodes: Any, links: Any, corners: Any, masks: Any, mask: Any, root: Any,
              px: Any, py: Any, pz: Any, ex: Any, ey: Any, ez: Any, nearest: Any,
              best: Any) -> Any:
    """
    Return the distance to the first triangle of a tree that a ray meets, and its number.

    The number is -1, and the distance `best`, where none is nearer; all is in single
    precision. See `raycast.bvh.bvh_traversal.traverse`.
    """
    stack = cuda.local.array(_STACK, np.int32)
    jx, jy, jz = _inverse(ex), _inverse(ey), _inverse(ez)
    met = -1
    stack[0], height = root, 1
    while height > 0:
        height -= 1
        node = stack[height]
        x, y = (nodes[node, 0] - px) * jx, (nodes[node, 3] - px) * jx
        enter, leave = min(x, y), max(x, y)
        x, y = (nodes[node, 1] - py) * jy, (nodes[node, 4] - py) * jy
        enter, leave = max(enter, min(x, y)), min(leave, max(x, y))
        x, y = (nodes[node, 2] - pz) * jz, (nodes[node, 5] - pz) * jz
        enter, leave = max(enter, min(x, y)), min(leave, max(x, y))
        play = _PLAY * (_ONE + abs(enter))  # flat boxes are not entered
        if not max(enter - play, nearest) <= min(leave + play, best):
            continue
        begin, size = links[node, 0], links[node, 1]
        if size == 0:
            axis, along = 2, ez
            if abs(ex) >= abs(ey) and abs(ex) >= abs(ez):
                axis, along = 0, ex
            elif abs(ey) >= abs(ez):
                axis, along = 1, ey
            ahead = (nodes[begin, axis] + nodes[begin, axis + 3]
                     <= nodes[begin + 1, axis] + nodes[begin + 1, axis + 3])
            swap = 1 if ahead == (along > _ZERO) else 0
            stack[height], stack[height + 1] = begin + swap, begin + 1 - swap
            height += 2
            continue
        for t in range(begin, begin + size):
            if masks[t] & mask == 0:
                continue
            ax, ay, az = corners[t, 3], corners[t, 4], corners[t, 5]
            bx, by, bz = corners[t, 6], corners[t, 7], corners[t, 8]
            cx, cy, cz = ey * bz - ez * by, ez * bx - ex * bz, ex * by - ey * bx
            volume = ax * cx + ay * cy + az * cz
            if volume == _ZERO:
                continue
            share = _ONE / volume
            x, y, z = px - corners[t, 0], py - corners[t, 1], pz - corners[t, 2]
            u = (x * cx + y * cy + z * cz) * share
            if u < -_EDGE or u > _ONE + _EDGE:
                continue
            cx, cy, cz = y * az - z * ay, z * ax - x * az, x * ay - y * ax
            v = (ex * cx + ey * cy + ez * cz) * share
            if v < -_EDGE or u + v > _ONE + _EDGE:
                continue
            distance = (bx * cx + by * cy + bz * cz) * share
            if nearest <= distance and distance < best:
                best, met = distance, t
    return best, met


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
    _turn_to(states[body + 3], states[body + 4], states[body + 5], carrier)
    for k in range(3):
        carrier[k, 3] = states[body + k]
    if steer >= 0:
        _turn_to(states[steer], states[turn] if turn >= 0 else 0.0, 0.0, turned)
        for k in range(3):
            turned[k, 3] = wheels[i, k]
        _times(turned, local[i], own)
        _times(carrier, own, result)
    else:
        _times(carrier, local[i], result)
    world, square = of_world[i], 0.0
    for k in range(3):
        result[k, 3] += (result[k, 0] * centres[i, 0] + result[k, 1] * centres[i, 1]
                         + result[k, 2] * centres[i, 2]) - datums[world, k]
        spheres[i, k] = result[k, 3]
        for j in range(3):
            square += result[k, j] ** 2
    spheres[i, 3] = math.sqrt(square) * radii[i] * _WIDER + 1e-3
    _invert(result, inverses[i])


@part
def _inside(inverses: Any, i: Any, x: Any, y: Any, z: Any, shift: Any) -> Any:
    """Return a point in the frame of an instance, or with `shift` 0 instead of 1 a direction."""
    return (inverses[i, 0, 0] * x + inverses[i, 0, 1] * y + inverses[i, 0, 2] * z
            + shift * inverses[i, 0, 3],
            inverses[i, 1, 0] * x + inverses[i, 1, 1] * y + inverses[i, 1, 2] * z
            + shift * inverses[i, 1, 3],
            inverses[i, 2, 0] * x + inverses[i, 2, 1] * y + inverses[i, 2, 2] * z
            + shift * inverses[i, 2, 3])


@kernel
def cast(rows: Any, states: Any, bodies: Any, worlds: Any, mounts: Any, masks_of: Any,
         origins: Any, directions: Any, limits: Any, roots: Any, datums: Any, nodes: Any,
         links: Any, corners: Any, planes: Any, masks: Any, trees: Any, instance_masks: Any,
         inverses: Any, spheres: Any, distances: Any) -> None:
    """
    Write how far the rays of some eyes go [lengths of the direction], inf for any distance.

    A block of threads has rays of one eye.

    :param rows: numbers of the eyes.
    :param bodies: place of the pose of the carrier of each in `states`, shape (K,).
    :param worlds: of each, shape (K,).
    :param mounts: transforms from the frames of the eyes to those of carriers, (K, 4, 4).
    :param masks_of: what each sees, see `RayScene.mask`, shape (K,).
    :param origins: of the rays in the frame of an eye [m], shape (N, 3).
    :param directions: shape (N, 3).
    :param limits: nearest and farthest of each [lengths of the direction], shape (K, 2).
    :param roots: of each world, shape (W, 3): `ROOT`, `FIRST`, `LAST`.
    :param nodes: of all trees, as `links`, see `bvh_build.build`.
    :param corners: of triangles, see `bvh.Trees`, shape (F, 9).
    :param planes: of triangles: unit normal n and n.p, shape (F, 4).
    :param masks: of triangles, shape (F,).
    :param trees: root of the mesh of each instance that moves, shape (I,).
    :param distances: filled in, double precision, shape (K, N).
    """
    k = rows[cuda.blockIdx.x]
    world = worlds[k]
    eye = cuda.shared.array((3, 4), np.float64)
    if cuda.threadIdx.x == 0:
        carrier = cuda.local.array((3, 4), np.float64)
        body = bodies[k]
        _turn_to(states[body + 3], states[body + 4], states[body + 5], carrier)
        for i in range(3):
            carrier[i, 3] = states[body + i]
        _times(carrier, mounts[k], eye)
        for i in range(3):
            eye[i, 3] -= datums[world, i]
    cuda.syncthreads()
    n = cuda.blockIdx.y * cuda.blockDim.x + cuda.threadIdx.x
    if n >= directions.shape[0]:
        return
    ox, oy, oz = origins[n, 0], origins[n, 1], origins[n, 2]
    dx, dy, dz = directions[n, 0], directions[n, 1], directions[n, 2]
    ox, oy, oz = (
        eye[0, 0] * ox + eye[0, 1] * oy + eye[0, 2] * oz + eye[0, 3],
        eye[1, 0] * ox + eye[1, 1] * oy + eye[1, 2] * oz + eye[1, 3],
        eye[2, 0] * ox + eye[2, 1] * oy + eye[2, 2] * oz + eye[2, 3])
    dx, dy, dz = (eye[0, 0] * dx + eye[0, 1] * dy + eye[0, 2] * dz,
                  eye[1, 0] * dx + eye[1, 1] * dy + eye[1, 2] * dz,
                  eye[2, 0] * dx + eye[2, 1] * dy + eye[2, 2] * dz)
    mask, nearest = masks_of[k], _real(limits[k, 0])
    best, triangle = _traverse(
        nodes, links, corners, masks, mask, roots[world, ROOT], _real(ox), _real(oy), _real(oz),
        _real(dx), _real(dy), _real(dz), nearest, _real(limits[k, 1]))
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
        px, py, pz = _inside(inverses, i, ox, oy, oz, 1.0)
        ex, ey, ez = _inside(inverses, i, dx, dy, dz, 0.0)
        distance, found = _traverse(
            nodes, links, corners, masks, mask, trees[i], _real(px), _real(py), _real(pz),
            _real(ex), _real(ey), _real(ez), nearest, best)
        if found >= 0:
            best, triangle, instance = distance, found, i
    if triangle < 0:
        distances[k, n] = math.inf
        return
    if instance >= 0:
        ox, oy, oz = _inside(inverses, instance, ox, oy, oz, 1.0)
        dx, dy, dz = _inside(inverses, instance, dx, dy, dz, 0.0)
    nx, ny, nz = planes[triangle, 0], planes[triangle, 1], planes[triangle, 2]
    slope, distance = nx * dx + ny * dy + nz * dz, float(best)
    if slope != 0.0:
        exact = (planes[triangle, 3] - nx * ox - ny * oy - nz * oz) / slope
        # they differ at grazing incidence, where the first distance is kept
        if abs(exact - distance) < _CLOSE * (1.0 + distance):
            distance = exact
    distances[k, n] = distance
