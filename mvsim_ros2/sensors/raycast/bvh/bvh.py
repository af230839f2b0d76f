# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Bounding volume hierarchy (BVH) of two levels, for platforms without a wheel of Embree.

They are binary, built by the surface area heuristic (SAH) with 16 bins: Wald, On fast construction
of SAH-based bounding volume hierarchies, 2007.
"""

from collections.abc import Sequence
import math
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array, Numbers, Reals
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.scene.scene import Mesh

LEAF = 4  # most boxes in a leaf, unless no plane separates them
DEPTH = 64  # of the stacks of traversals
_BINS = 16


def build(boxes: Array) -> tuple[Array, NDArray[np.int32], Numbers]:
    """
    Return boxes and links of the nodes, and the primitives in the order of the leaves.

    Node 0 is the root. The link of a leaf is its first primitive and their number. An inner node
    has its first child, which the second follows, and 0.

    :param boxes: of the primitives: smallest x, y, z, then largest, shape (P, 6).
    """
    count = len(boxes)
    nodes = np.zeros((max(1, 2 * count - 1), 6))
    links = np.zeros((len(nodes), 2), np.int32)
    order = np.arange(count)
    used = _divide(np.ascontiguousarray(boxes), nodes, links, order,
                   np.zeros((2, _BINS, 7)), np.zeros((DEPTH, 4), np.int64)) if count else 1
    if not count:
        nodes[0] = [1, 1, 1, -1, -1, -1]  # empty: never traversed
    return nodes[:used], links[:used], order


@compiled
def _divide(boxes: Array, nodes: Array, links: NDArray[np.int32], order: Numbers, bins: Array,
            stack: Numbers) -> int:
    """Fill in the nodes and return their number; `bins` and `stack` are scratch memory."""
    used, height = 1, 1
    stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3] = 0, 0, boxes.shape[0], 0
    low, high = np.empty(3), np.empty(3)
    while height > 0:
        height -= 1
        node, begin, end, depth = (
            stack[height, 0], stack[height, 1], stack[height, 2], stack[height, 3])
        for i in range(3):
            nodes[node, i], nodes[node, i + 3] = math.inf, -math.inf
            low[i], high[i] = math.inf, -math.inf
        for k in range(begin, end):
            thing = order[k]
            for i in range(3):
                middle = 0.5 * (boxes[thing, i] + boxes[thing, i + 3])
                nodes[node, i] = min(nodes[node, i], boxes[thing, i])
                nodes[node, i + 3] = max(nodes[node, i + 3], boxes[thing, i + 3])
                low[i], high[i] = min(low[i], middle), max(high[i], middle)
        links[node, 0], links[node, 1] = begin, end - begin
        axis = 0
        for i in range(1, 3):
            if high[i] - low[i] > high[axis] - low[axis]:
                axis = i
        if end - begin <= 1 or not high[axis] > low[axis] or depth >= DEPTH - 2:
            continue
        scale = _BINS * (1.0 - 1e-9) / (high[axis] - low[axis])
        best, cost = _best_bin(boxes, order, begin, end, axis, low[axis], scale, bins)
        if end - begin <= LEAF and cost >= (end - begin) * _area(nodes[node]):
            continue
        left, right = begin, end - 1
        while left <= right:
            thing = order[left]
            middle = 0.5 * (boxes[thing, axis] + boxes[thing, axis + 3])
            if int((middle - low[axis]) * scale) < best:
                left += 1
            else:
                order[left], order[right] = order[right], order[left]
                right -= 1
        links[node, 0], links[node, 1] = used, 0
        # the larger part is pushed, which bounds the stack
        small, large = (begin, left), (left, end)
        children = used, used + 1
        if left - begin > end - left:
            small, large = large, small
            children = used + 1, used
        stack[height, 0], stack[height, 1], stack[height, 2], stack[height, 3] = (
            children[1], large[0], large[1], depth + 1)
        height += 1
        stack[height, 0], stack[height, 1], stack[height, 2], stack[height, 3] = (
            children[0], small[0], small[1], depth + 1)
        height += 1
        used += 2
    return used


@compiled(counted=False)
def _area(box: Array) -> float:
    """Return half the surface of a box."""
    x, y, z = box[3] - box[0], box[4] - box[1], box[5] - box[2]
    area: float = x * y + y * z + z * x
    return area


@compiled(counted=False)
def _best_bin(boxes: Array, order: Numbers, begin: int, end: int, axis: int, low: float,
              scale: float, bins: Array) -> tuple[int, float]:
    """Return the first bin of the right part with the least cost, and the cost."""
    # row 0: of each bin; row 1: of all from each bin on; last column: number
    for b in range(_BINS):
        for i in range(3):
            bins[0, b, i], bins[0, b, i + 3] = math.inf, -math.inf
        bins[0, b, 6] = 0.0
    for k in range(begin, end):
        thing = order[k]
        b = int((0.5 * (boxes[thing, axis] + boxes[thing, axis + 3]) - low) * scale)
        for i in range(3):
            bins[0, b, i] = min(bins[0, b, i], boxes[thing, i])
            bins[0, b, i + 3] = max(bins[0, b, i + 3], boxes[thing, i + 3])
        bins[0, b, 6] += 1.0
    for i in range(7):
        bins[1, _BINS - 1, i] = bins[0, _BINS - 1, i]
    for b in range(_BINS - 2, -1, -1):
        for i in range(3):
            bins[1, b, i] = min(bins[1, b + 1, i], bins[0, b, i])
            bins[1, b, i + 3] = max(bins[1, b + 1, i + 3], bins[0, b, i + 3])
        bins[1, b, 6] = bins[1, b + 1, 6] + bins[0, b, 6]
    best, least = 1, math.inf
    for b in range(1, _BINS):
        if b > 1:  # bin b - 1 includes all before it
            for i in range(3):
                bins[0, b - 1, i] = min(bins[0, b - 1, i], bins[0, b - 2, i])
                bins[0, b - 1, i + 3] = max(bins[0, b - 1, i + 3], bins[0, b - 2, i + 3])
            bins[0, b - 1, 6] += bins[0, b - 2, 6]
        if bins[0, b - 1, 6] == 0.0 or bins[1, b, 6] == 0.0:
            continue
        cost = (bins[0, b - 1, 6] * _area(bins[0, b - 1])
                + bins[1, b, 6] * _area(bins[1, b]))
        if cost < least:
            best, least = b, cost
    return best, least


Links = NDArray[np.int32]


class Trees(NamedTuple):
    """
    The trees for kernels and shaders; nodes and links are as of `build`.

    The trees of the meshes are concatenated; the tree of the instances is separate.
    """

    nodes: Reals  # (B, 6): in the frame of the mesh, translated to its centre
    links: Links  # (B, 2): first triangle, or first child, of all meshes
    corners: Reals  # (F, 9): first corner, and its vectors to the second and third
    face: Links  # (F,): number of a triangle in its mesh
    root: Links  # (N,): node of the mesh of an instance
    top_nodes: Reals  # (T, 6): in the frame of the target
    top_links: Links  # (T, 2)
    top_order: Links  # (N,): instances in the order of the leaves
    masks: NDArray[np.uint32]  # (N,): visibility masks of the instances


Tree = tuple[Reals, Links, Reals, Links]  # nodes, links, corners, face as in `Trees`
_MESHES: WeakKeyDictionary[Mesh, Tree] = WeakKeyDictionary()


def no_trees() -> Trees:
    """Return empty trees, for a target of Embree."""
    boxes, links = np.zeros((0, 6), np.float32), np.zeros((0, 2), np.int32)
    numbers = np.zeros(0, np.int32)
    return Trees(boxes, links, np.zeros((0, 9), np.float32), numbers, numbers, boxes, links,
                 numbers, np.zeros(0, np.uint32))


class BvhTree:
    """All instances of a scene, as `embree.EmbreeTree`."""

    top = moving = intersect = occluded = coherent = 0  # no pointers of Embree

    def __init__(self, meshes: Sequence[Mesh], centres: Array, mesh: NDArray[np.int32],
                 masks: NDArray[np.uint32]) -> None:
        """Build the trees of the meshes; `place` must follow. See `EmbreeTree`."""
        self.trees, roots, counts = join_trees([
            tree_of(*pair) for pair in zip(meshes, centres, strict=True)])
        # no ray hits a mesh without triangles, whose tree has no leaf
        self.trees = self.trees._replace(
            root=roots[mesh].astype(np.int32),
            masks=np.where(counts[mesh] > 0, masks, 0).astype(np.uint32))

    def place(self, rows: Numbers, forward: Array, steps: Numbers) -> None:
        """Move instances and rebuild their tree, see `EmbreeTree.place`."""
        boxes = self.trees.nodes[self.trees.root].astype(float)
        middle, half = (boxes[:, 3:] + boxes[:, :3]) / 2, (boxes[:, 3:] - boxes[:, :3]) / 2
        middles = np.einsum('knij,nj->kni', forward[..., :3], middle) + forward[..., 3]
        halves = np.einsum('knij,nj->kni', abs(forward[..., :3]), abs(half))
        halves += 1e-6 * (abs(middles) + halves)  # margin for single precision
        # instances at rest have the last transform at all times
        still = steps == 1
        middles[:, still], halves[:, still] = middles[-1:, still], halves[-1:, still]
        nodes, links, order = build(np.concatenate(
            [(middles - halves).min(axis=0), (middles + halves).max(axis=0)], axis=1))
        self.trees = self.trees._replace(
            top_nodes=nodes.astype(np.float32), top_links=links,
            top_order=order.astype(np.int32))


def tree_of(mesh: Mesh, centre: Array) -> Tree:
    """Return the tree of a mesh about its centre."""
    if mesh not in _MESHES:
        _MESHES[mesh] = tree_of_triangles((mesh.vertices - centre)[mesh.faces])
    return _MESHES[mesh]


def tree_of_triangles(triangles: Array) -> Tree:
    """Return nodes, links, corners and indices of triangles, shape (F, 3, 3)."""
    single = triangles.astype(np.float32)
    nodes, links, order = build(np.concatenate(
        [single.min(axis=1), single.max(axis=1)], axis=1).astype(float))
    single = single[order]
    corners = np.concatenate(
        [single[:, 0], single[:, 1] - single[:, 0], single[:, 2] - single[:, 0]], axis=1)
    return nodes.astype(np.float32), links, corners, order.astype(np.int32)


def join_trees(trees: Sequence[Tree]) -> tuple[Trees, Numbers, Numbers]:
    """Return trees one after the other, root and number of triangles of each."""
    first_node = np.cumsum([0, *(len(nodes) for nodes, *_ in trees)])
    first_face = np.cumsum([0, *(len(face) for *_, face in trees)])
    empty = no_trees()
    nodes, links, corners, face = [empty.nodes], [empty.links], [empty.corners], [empty.face]
    for tree, node, begin in zip(trees, first_node, first_face, strict=False):
        nodes.append(tree[0])
        links.append(tree[1].copy())
        links[-1][:, 0] += np.where(tree[1][:, 1] > 0, begin, node)
        corners.append(tree[2])
        face.append(tree[3])
    joined = empty._replace(
        nodes=np.concatenate(nodes), links=np.concatenate(links),
        corners=np.concatenate(corners), face=np.concatenate(face))
    return joined, first_node[:-1], np.diff(first_face)
