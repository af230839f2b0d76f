# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Construction of a binary BVH by the surface area heuristic (SAH) with 16 bins.

Wald, On fast construction of SAH-based bounding volume hierarchies, 2007.
"""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]

LEAF = 4  # most boxes in a leaf, unless no plane separates them
DEPTH = 64  # of the stacks of traversals
_BINS = 16


def build(boxes: Array) -> tuple[Array, NDArray[np.int32], Numbers]:
    """
    Return boxes and links of the nodes, and the primitives in the order of the leaves.

    Node 0 is the root. The link of a leaf is its first primitive and their number; that of an
    inner node is its first child, followed by the second, and 0.

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


@compiled(inner=True, counted=False)
def _area(box: Array) -> float:
    """Return half the surface of a box."""
    x, y, z = box[3] - box[0], box[4] - box[1], box[5] - box[2]
    area: float = x * y + y * z + z * x
    return area


@compiled(inner=True, counted=False)
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
