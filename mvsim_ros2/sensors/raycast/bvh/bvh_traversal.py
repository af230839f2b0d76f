# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Traversal of the BVH by rays."""

import math

import numpy as np

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.sensors.raycast import ray_block as column
from mvsim_ros2.sensors.raycast.bvh.bvh_build import DEPTH
from mvsim_ros2.sensors.raycast.ray_block import Block
from mvsim_ros2.sensors.raycast.surface import transform_at
from mvsim_ros2.sensors.raycast.target import inverse_of, Target

# tolerance of barycentric coordinates, so that no ray passes between two triangles
_SEAM = 1e-6


@compiled(inner=True)
def traverse(target: Target, block: Block, count: int, nearest: float, farthest: float, mask: int,
             any_hit: bool) -> None:
    """
    Fill in the closest hits of rays; see `query.find`.

    Triangles are intersected as by Moeller and Trumbore, Fast, minimum storage ray/triangle
    intersection, 1997.

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
            x, y = (top_nodes[top, 0] - ox) * ix, (top_nodes[top, 3] - ox) * ix
            enter, leave = min(x, y), max(x, y)
            x, y = (top_nodes[top, 1] - oy) * iy, (top_nodes[top, 4] - oy) * iy
            enter, leave = max(enter, min(x, y)), min(leave, max(x, y))
            x, y = (top_nodes[top, 2] - oz) * iz, (top_nodes[top, 5] - oz) * iz
            enter, leave = max(enter, min(x, y)), min(leave, max(x, y))
            if not max(enter, nearest) <= min(leave, best):
                continue
            first, many = top_links[top, 0], top_links[top, 1]
            if many == 0:
                axis = 0 if abs(dx) >= abs(dy) and abs(dx) >= abs(dz) else (
                    1 if abs(dy) >= abs(dz) else 2)
                along = dx if axis == 0 else dy if axis == 1 else dz
                # the nearer child is traversed first
                ahead = (top_nodes[first, axis] + top_nodes[first, axis + 3]
                         <= top_nodes[first + 1, axis] + top_nodes[first + 1, axis + 3])
                swap = 1 if ahead == (along > 0.0) else 0
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
                px = moved[0, 0] * ox + moved[0, 1] * oy + moved[0, 2] * oz + moved[0, 3]
                py = moved[1, 0] * ox + moved[1, 1] * oy + moved[1, 2] * oz + moved[1, 3]
                pz = moved[2, 0] * ox + moved[2, 1] * oy + moved[2, 2] * oz + moved[2, 3]
                ex = moved[0, 0] * dx + moved[0, 1] * dy + moved[0, 2] * dz
                ey = moved[1, 0] * dx + moved[1, 1] * dy + moved[1, 2] * dz
                ez = moved[2, 0] * dx + moved[2, 1] * dy + moved[2, 2] * dz
                jx, jy, jz = _inverse(ex), _inverse(ey), _inverse(ez)
                stack[0], height = roots[instance], 1
                while height > 0:
                    height -= 1
                    node = stack[height]
                    x, y = (nodes[node, 0] - px) * jx, (nodes[node, 3] - px) * jx
                    enter, leave = min(x, y), max(x, y)
                    x, y = (nodes[node, 1] - py) * jy, (nodes[node, 4] - py) * jy
                    enter, leave = max(enter, min(x, y)), min(leave, max(x, y))
                    x, y = (nodes[node, 2] - pz) * jz, (nodes[node, 5] - pz) * jz
                    enter, leave = max(enter, min(x, y)), min(leave, max(x, y))
                    slack = 1e-6 * (1.0 + abs(enter))  # flat boxes are not entered
                    if not max(enter - slack, nearest) <= min(leave + slack, best):
                        continue
                    begin, size = links[node, 0], links[node, 1]
                    if size == 0:
                        axis = 0 if abs(ex) >= abs(ey) and abs(ex) >= abs(ez) else (
                            1 if abs(ey) >= abs(ez) else 2)
                        along = ex if axis == 0 else ey if axis == 1 else ez
                        ahead = (nodes[begin, axis] + nodes[begin, axis + 3]
                                 <= nodes[begin + 1, axis] + nodes[begin + 1, axis + 3])
                        swap = 1 if ahead == (along > 0.0) else 0
                        stack[height], stack[height + 1] = begin + swap, begin + 1 - swap
                        height += 2
                        continue
                    for t in range(begin, begin + size):
                        ax, ay, az = corners[t, 3], corners[t, 4], corners[t, 5]
                        bx, by, bz = corners[t, 6], corners[t, 7], corners[t, 8]
                        cx, cy, cz = ey * bz - ez * by, ez * bx - ex * bz, ex * by - ey * bx
                        volume = ax * cx + ay * cy + az * cz
                        if volume == 0.0:
                            continue
                        share = 1.0 / volume
                        x, y, z = px - corners[t, 0], py - corners[t, 1], pz - corners[t, 2]
                        u = (x * cx + y * cy + z * cz) * share
                        if u < -_SEAM or u > 1.0 + _SEAM:
                            continue
                        cx, cy, cz = y * az - z * ay, z * ax - x * az, x * ay - y * ax
                        v = (ex * cx + ey * cy + ez * cz) * share
                        if v < -_SEAM or u + v > 1.0 + _SEAM:
                            continue
                        distance = (bx * cx + by * cy + bz * cz) * share
                        if nearest <= distance < best:
                            best = distance
                            found[n, column.INSTANCE] = instance
                            found[n, column.FACE] = faces[t]
                            hits[n, column.DISTANCE] = distance
                            hits[n, column.WEIGHT_1] = u
                            hits[n, column.WEIGHT_2] = v
                            if any_hit:
                                height = top_height = 0
                                break


@compiled(inner=True, counted=False)
def _inverse(x: float) -> float:
    """Return 1 / x, a very large number for 0."""
    if abs(x) > 1e-30:
        return 1.0 / x
    return 1e30 if x >= 0.0 else -1e30
