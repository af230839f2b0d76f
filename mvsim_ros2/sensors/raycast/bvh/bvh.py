# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Bounding volume hierarchy (BVH) of two levels, for platforms without a wheel of Embree."""

from collections.abc import Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.scene.scene import Mesh
from mvsim_ros2.sensors.raycast.bvh.bvh_build import build

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]
Reals = NDArray[np.float32]
Links = NDArray[np.int32]


class Trees(NamedTuple):
    """
    The trees for kernels and shaders; nodes and links are as of `bvh_build.build`.

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
        """
        Build the trees of the meshes; `place` must follow.

        :param centres: origin of the tree of each mesh in its frame, shape (M, 3).
        :param mesh: number of the mesh of each instance.
        :param masks: visibility masks of the instances.
        """
        self.trees, roots, counts = join_trees([
            tree_of(*pair) for pair in zip(meshes, centres, strict=True)])
        # no ray hits a mesh without triangles, whose tree has no leaf
        self.trees = self.trees._replace(
            root=roots[mesh].astype(np.int32),
            masks=np.where(counts[mesh] > 0, masks, 0).astype(np.uint32))

    def place(self, rows: Numbers, forward: Array, steps: Numbers) -> None:
        """
        Move instances and rebuild their tree.

        :param rows: indices of the moved instances.
        :param forward: transforms of all at K times, shape (K, N, 3, 4).
        :param steps: number of valid times, shape (N,).
        """
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
