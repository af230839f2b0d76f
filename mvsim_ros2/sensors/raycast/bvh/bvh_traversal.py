# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Traversal of the BVH by rays, of the processor and of graphics cards."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.sensors.raycast import ray_block as column
from mvsim_ros2.sensors.raycast.bvh.bvh import DEPTH
from mvsim_ros2.sensors.raycast.ray_block import Block
from mvsim_ros2.sensors.raycast.target import (
    inverse_of, map_direction, map_point, Target, transform_at)

# tolerance of barycentric coordinates, so that no ray passes between two triangles
_SEAM = 1e-6
_NO_MASKS = np.zeros(0, np.uint32)


@compiled
def traverse(target: Target, block: Block, count: int, nearest: float, farthest: float, mask: int,
             any_hit: bool) -> None:
    """
    Fill in the closest hits of rays; see `query.find`.

    :param any_hit: stop at the first hit found.
    """
    rays, hits, found, trees = block.rays, block.hits, block.found, target.trees
    nodes, links, corners, faces = trees.nodes, trees.links, trees.corners, trees.face
    top_nodes, top_links, top_order = trees.top_nodes, trees.top_links, trees.top_order
    roots, masks = trees.root, trees.masks
    steps, forward, inverses = target.steps, target.forward, target.inverse
    place, moved = np.empty((3, 4)), np.empty((3, 4))
    top_stack, stack = np.empty(2 * DEPTH, np.int32), np.empty(2 * DEPTH, np.int32)
    for n in range(count):
        ox, oy, oz = rays[n, column.OX], rays[n, column.OY], rays[n, column.OZ]
        dx, dy, dz = rays[n, column.DX], rays[n, column.DY], rays[n, column.DZ]
        ix, iy, iz = _inverse(dx), _inverse(dy), _inverse(dz)
        best = farthest
        found[n, column.INSTANCE] = found[n, column.FACE] = -1
        hits[n, column.DISTANCE] = math.inf
        top_stack[0], top_height = 0, min(1, top_nodes.shape[0])
        while top_height > 0:
            top_height -= 1
            top = top_stack[top_height]
            enter, leave = _meet_box(top_nodes, top, ox, oy, oz, ix, iy, iz)
            if not max(enter, nearest) <= min(leave, best):
                continue
            first, many = top_links[top, 0], top_links[top, 1]
            if many == 0:
                swap = _nearer_child(top_nodes, first, dx, dy, dz)
                top_stack[top_height], top_stack[top_height + 1] = first + swap, first + 1 - swap
                top_height += 2
                continue
            for k in range(first, first + many):
                instance = top_order[k]
                if not masks[instance] & np.uint32(mask):
                    continue
                if steps[instance] > 1:
                    transform_at(forward, steps[instance], instance, rays[n, column.TIME], place)
                    inverse_of(place, moved)
                else:
                    for i in range(3):
                        for j in range(4):
                            moved[i, j] = inverses[instance, i, j]
                px, py, pz = map_point(moved, ox, oy, oz)
                ex, ey, ez = map_direction(moved, dx, dy, dz)
                distance, triangle, u, v = meet_tree(
                    nodes, links, corners, _NO_MASKS, np.uint32(0), roots[instance], px, py, pz,
                    ex, ey, ez, nearest, best, any_hit, stack)
                if triangle >= 0:
                    best = distance
                    found[n, column.INSTANCE], found[n, column.FACE] = instance, faces[triangle]
                    hits[n, column.DISTANCE] = distance
                    hits[n, column.WEIGHT_1], hits[n, column.WEIGHT_2] = u, v
                    if any_hit:
                        top_height = 0
                        break


@compiled(inlined=True)
def meet_tree(
        nodes: Any, links: NDArray[np.int32], corners: Any, masks: NDArray[np.uint32],
        mask: np.uint32, root: int, px: Any, py: Any, pz: Any, ex: Any, ey: Any, ez: Any,
        nearest: Any, best: Any, any_hit: bool, stack: Any) -> tuple[Any, int, Any, Any]:
    """
    Return the first triangle of a tree that a ray meets: its distance, number and weights.

    The number is -1, and the distance `best`, where none is nearer. Triangles are intersected as
    by Moeller and Trumbore, Fast, minimum storage ray/triangle intersection, 1997, in the
    precision of the ray.

    :param nodes: of all trees, as `links` and `corners`, see `bvh.Trees`.
    :param masks: of triangles, shape (F,): those that share no bit with `mask` are not met; no
        rows: all are.
    :param px: origin of the ray in the frame of the tree, as `py` and `pz`.
    :param ex: its direction, as `ey` and `ez`; the unit of distances is its length.
    :param any_hit: stop at the first hit found.
    :param stack: scratch, shape (2 DEPTH,).
    """
    real = type(px)
    one, seam, play = real(1.0), real(_SEAM), real(1e-6)
    jx, jy, jz = _inverse(ex), _inverse(ey), _inverse(ez)
    met, weight_1, weight_2 = -1, real(0.0), real(0.0)
    stack[0], height = root, 1
    while height > 0:
        height -= 1
        node = stack[height]
        enter, leave = _meet_box(nodes, node, px, py, pz, jx, jy, jz)
        slack = play * (one + abs(enter))  # flat boxes are not entered
        if not max(enter - slack, nearest) <= min(leave + slack, best):
            continue
        begin, size = links[node, 0], links[node, 1]
        if size == 0:
            swap = _nearer_child(nodes, begin, ex, ey, ez)
            stack[height], stack[height + 1] = begin + swap, begin + 1 - swap
            height += 2
            continue
        for t in range(begin, begin + size):
            if masks.shape[0] > 0 and masks[t] & mask == 0:
                continue
            ax, ay, az = corners[t, 3], corners[t, 4], corners[t, 5]
            bx, by, bz = corners[t, 6], corners[t, 7], corners[t, 8]
            cx, cy, cz = ey * bz - ez * by, ez * bx - ex * bz, ex * by - ey * bx
            volume = ax * cx + ay * cy + az * cz
            if volume == 0.0:
                continue
            share = one / volume
            x, y, z = px - corners[t, 0], py - corners[t, 1], pz - corners[t, 2]
            u = (x * cx + y * cy + z * cz) * share
            if u < -seam or u > one + seam:
                continue
            cx, cy, cz = y * az - z * ay, z * ax - x * az, x * ay - y * ax
            v = (ex * cx + ey * cy + ez * cz) * share
            if v < -seam or u + v > one + seam:
                continue
            distance = (bx * cx + by * cy + bz * cz) * share
            if nearest <= distance and distance < best:
                best, met, weight_1, weight_2 = distance, t, u, v
                if any_hit:
                    height = 0
                    break
    return best, met, weight_1, weight_2


@compiled(inlined=True)
def _meet_box(nodes: Any, node: int, px: Any, py: Any, pz: Any, jx: Any, jy: Any,
              jz: Any) -> tuple[Any, Any]:
    """
    Return where a ray enters the box of a node and where it leaves it.

    :param px: origin of the ray, as `py` and `pz`.
    :param jx: 1 / direction, as `jy` and `jz`.
    """
    x, y = (nodes[node, 0] - px) * jx, (nodes[node, 3] - px) * jx
    enter, leave = min(x, y), max(x, y)
    x, y = (nodes[node, 1] - py) * jy, (nodes[node, 4] - py) * jy
    enter, leave = max(enter, min(x, y)), min(leave, max(x, y))
    x, y = (nodes[node, 2] - pz) * jz, (nodes[node, 5] - pz) * jz
    return max(enter, min(x, y)), min(leave, max(x, y))


@compiled(inlined=True)
def _nearer_child(nodes: Any, first: int, ex: Any, ey: Any, ez: Any) -> int:
    """Return 1 if a ray meets the second child of a node after the first, else 0."""
    axis, along = 2, ez
    if abs(ex) >= abs(ey) and abs(ex) >= abs(ez):
        axis, along = 0, ex
    elif abs(ey) >= abs(ez):
        axis, along = 1, ey
    ahead = (nodes[first, axis] + nodes[first, axis + 3]
             <= nodes[first + 1, axis] + nodes[first + 1, axis + 3])
    return 1 if ahead == (along > 0.0) else 0


@compiled(inlined=True)
def _inverse(x: Any) -> Any:
    """Return 1 / x, a very large number for 0."""
    real = type(x)
    if abs(x) > real(1e-30):
        return real(1.0) / x
    return real(1e30) if x >= 0.0 else real(-1e30)
