# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Worlds of meshes on the card, and what many eyes in them see."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import CardError
from mvsim_ros2.frames import Array
from mvsim_ros2.jit.prepared_call import PreparedCall
from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.scene.scene import Mesh, Scene
from mvsim_ros2.sensors.cuda.card import blocks, check_card, pinned, THREADS, upload
from mvsim_ros2.sensors.cuda.mesh_kernels import cast, FIRST_LIMB, place
from mvsim_ros2.sensors.raycast.bvh.bvh import join_trees, Tree, tree_of, tree_of_triangles
from mvsim_ros2.sensors.raycast.opacity import FULL, opacity_of
from mvsim_ros2.sensors.raycast.ray_scene import middle_of
from mvsim_ros2.sensors.raycast.target import planes_of, VisibilityMasks
from mvsim_ros2.sensors.views.pose_history import blocks_that_move, lay_states

Numbers = NDArray[np.int64]

ALL = 0xFFFFFFFF


class MeshWorlds:
    """
    What rays meet in some worlds; what rests is stored once for equal worlds.

    :ivar states: of each world where everything is, to be written before `update`: rows of
        `pose_history.lay_states` one after the other; that of world w begins at `first[w]`.
    :ivar masks: of each world.
    """

    def __init__(self, scenes: Sequence[Scene], physics: Sequence[PhysicsWorld]) -> None:
        """
        Copy worlds to the card.

        :param physics: of each world.
        :raises CardError: where there is none, or a surface is not solid.
        """
        check_card()
        layouts = [StateLayout(each) for each in physics]
        self._movable = [layout.movable for layout in layouts]
        self.masks = [VisibilityMasks(
            scene.owner, scene.sensor, scene.casts,
            scene.label == Scene.LABELS.index('marker')) for scene in scenes]
        self.first = np.cumsum([0, *(layout.size for layout in layouts)])
        self.states = pinned((int(self.first[-1]),))
        forest = _Forest()
        datums, roots = np.zeros((len(scenes), 3)), np.zeros((len(scenes), 3), np.int64)
        movers: list[tuple[Any, ...]] = []
        known: dict[tuple[bytes, ...], int] = {}
        for world, (scene, layout) in enumerate(zip(scenes, layouts, strict=True)):
            _check_solid(scene)
            rest, moving = np.flatnonzero(~scene.moving), np.flatnonzero(scene.moving)
            triangles, masks = _resting(scene, rest, self.masks[world].instances)
            if len(triangles):
                corners = triangles.reshape(-1, 3)
                datums[world] = np.round((corners.min(axis=0) + corners.max(axis=0)) / 2)
            triangles -= datums[world]
            key = triangles.tobytes(), masks.tobytes()
            if key not in known:
                known[key] = forest.plant(tree_of_triangles(triangles), triangles, masks)
            roots[world] = known[key], len(movers), len(movers) + len(moving)
            movers += [(*_mover(forest, scene, i, self.masks[world].instances[i]), world,
                        layout.places(scene, i, int(self.first[world])))
                       for i in moving.tolist()]
        self._count = len(movers)
        trees, seen, wheels, local, centres, radii, of_world, rows = (
            zip(*movers) if movers else [()] * 8)
        self.forest, first = forest.upload()
        roots[:, 0] = first[roots[:, 0]]
        self.trees = upload(first[np.array(trees, np.int64)])
        self.instance_masks = upload(np.array(seen, np.uint32))
        self._movers = (
            upload(np.array(rows, np.int64).reshape(-1, 3)),
            upload(np.array(wheels, float).reshape(-1, 3)),
            upload(np.array(local, float).reshape(-1, 4, 4)),
            upload(np.array(centres, float).reshape(-1, 3)), upload(datums),
            upload(np.array(radii, float)), upload(np.array(of_world, np.int64)))
        self.inverses = upload(np.zeros((len(movers), 3, 4)))
        self.spheres = upload(np.zeros((len(movers), 4)))
        self._states, self.datums, self.roots = (
            upload(self.states), upload(datums), upload(roots))

    def update(self) -> None:
        """Copy where everything is to the card."""
        self._states.copy_to_device(self.states)
        if self._count:
            place[blocks(self._count), THREADS](
                self._states, *self._movers, self.inverses, self.spheres)

    def lay_ready(self, world: int, physics: PhysicsWorld) -> PreparedCall:
        """Return a call that writes where everything is in a world."""
        vehicles = physics.vehicles
        return PreparedCall(
            lay_states, vehicles.pose, vehicles.wheels, physics.blocks.pose,
            self._movable[world], physics.figures.pose, physics.figures.gait,
            self.states[self.first[world]:self.first[world + 1]])

    def cast(self, chosen: Any, eyes: 'Eyes', distances: Any) -> None:
        """
        Write how far the rays of some eyes go, see `mesh_kernels`.

        :param chosen: numbers of these eyes, on the card, at least one.
        :param distances: on the card, double precision, shape (K, N).
        """
        cast[(chosen.shape[0], blocks(eyes.rays)), THREADS](
            chosen, self._states, *eyes.arrays, self.roots, self.datums, *self.forest,
            self.trees, self.instance_masks, self.inverses, self.spheres, distances)


class Eyes:
    """Eyes with the same rays, each on a body in a world."""

    def __init__(self, bodies: Numbers, worlds: Numbers, mounts: Array, masks: NDArray[np.uint32],
                 origins: Array, directions: Array, limits: Array) -> None:
        """
        Copy them to the card.

        :param bodies: where the pose of its carrier is in `MeshWorlds.states`, shape (K,).
        :param worlds: shape (K,).
        :param mounts: from the frame of an eye to that of its carrier, shape (K, 4, 4).
        :param masks: what each sees, shape (K,).
        :param origins: of rays in the frame of an eye [m], shape (N, 3).
        :param directions: shape (N, 3).
        :param limits: nearest and farthest that each meets [lengths of the direction], (K, 2).
        """
        self.rays = len(directions)
        self.origins, self.directions = upload(origins), upload(directions)
        self.arrays = (upload(bodies), upload(worlds), upload(mounts), upload(masks),
                       self.origins, self.directions, upload(limits))


class StateLayout:
    """Where the poses of a world are in its row of states, see `pose_history.lay_states`."""

    def __init__(self, physics: PhysicsWorld) -> None:
        vehicles, standing = len(physics.vehicles), len(physics.blocks.pose)
        self.movable = blocks_that_move(physics)
        self._wheels_at, self._wheels = 6 * vehicles, len(physics.vehicles.wheels)
        blocks_at = self._wheels_at + 2 * self._wheels
        figures_at = blocks_at + 6 * len(self.movable)
        figures = len(physics.figures.pose)
        self._at = np.full(vehicles + standing + figures, -1)
        self._at[:vehicles] = 6 * np.arange(vehicles)
        self._at[vehicles + self.movable] = blocks_at + 6 * np.arange(len(self.movable))
        self._at[vehicles + standing:] = figures_at + 6 * np.arange(figures)
        self._first_figure, self._gaits_at = vehicles + standing, figures_at + 6 * figures
        self.size = self._gaits_at + 2 * figures

    def places(self, scene: Scene, instance: int, begin: int) -> Numbers:
        """
        Return where the states of an instance that moves are, as `mesh_kernels.place` takes them.

        :param begin: where the row begins.
        """
        motion = scene.motion
        assert motion is not None
        places, number = np.full(3, -1), int(motion.mount[instance])
        places[0] = self._at[motion.body[instance]]
        if number >= 0 and motion.limb[number] >= 0:
            places[1] = self._gaits_at + 2 * (motion.body[instance] - self._first_figure)
            places[2] = FIRST_LIMB - motion.limb[number]
        elif number >= 0:
            places[1] = self._wheels_at + motion.wheel[number]
            if motion.spins[number]:
                places[2] = places[1] + self._wheels
        places[places >= 0] += begin
        return places


class _Forest:
    """Trees one after the other, with the planes and masks of their triangles."""

    def __init__(self) -> None:
        self._trees: list[Tree] = []
        self._planes: list[Array] = []
        self._masks: list[NDArray[np.uint32]] = []
        self._meshes: dict[int, tuple[Mesh, int]] = {}

    def plant(self, tree: Tree, triangles: Array, masks: NDArray[np.uint32]) -> int:
        """Add a tree of triangles with masks; return its number."""
        self._trees.append(tree)
        self._planes.append(planes_of(triangles)[tree[3]])
        self._masks.append(masks[tree[3]])
        return len(self._trees) - 1

    def of_mesh(self, mesh: Mesh, centre: Array) -> int:
        """Return the number of the tree of a mesh about its centre."""
        if id(mesh) not in self._meshes:
            self._meshes[id(mesh)] = mesh, self.plant(
                tree_of(mesh, centre), (mesh.vertices - centre)[mesh.faces],
                np.full(len(mesh.faces), ALL, np.uint32))
        return self._meshes[id(mesh)][1]

    def upload(self) -> tuple[tuple[Any, ...], Numbers]:
        """Return nodes, links, corners, planes and masks on the card, and the roots of trees."""
        trees, roots, _ = join_trees(self._trees)
        return tuple(upload(each) for each in (
            trees.nodes, trees.links, trees.corners, np.concatenate(self._planes),
            np.concatenate(self._masks))), roots


def _mover(forest: _Forest, scene: Scene, instance: int,
           mask: np.uint32) -> tuple[int, int, Array, Array, Array, float]:
    """Return tree, mask, wheel, local transform, centre and radius of what moves."""
    motion = scene.motion
    assert motion is not None
    number, mesh = int(motion.mount[instance]), scene.meshes[scene.mesh[instance]]
    centre = middle_of(mesh)
    radius = np.linalg.norm(mesh.vertices - centre, axis=1).max(initial=0.0)
    return (forest.of_mesh(mesh, centre), int(mask) if len(mesh.faces) else 0,
            motion.place[number] if number >= 0 else np.zeros(3), motion.local[instance], centre,
            float(radius))


def _resting(scene: Scene, rows: Numbers,
             masks: NDArray[np.uint32]) -> tuple[Array, NDArray[np.uint32]]:
    """Return the triangles of instances in the world, shape (F, 3, 3), and their masks."""
    triangles, of_each = [np.zeros((0, 3, 3))], [np.zeros(0, np.uint32)]
    for i in rows.tolist():
        triangles.append(scene.triangles(i))
        of_each.append(np.full(len(triangles[-1]), masks[i], np.uint32))
    return np.concatenate(triangles), np.concatenate(of_each)


def _check_solid(scene: Scene) -> None:
    """
    Check that rays end at every surface.

    :raises CardError: where they do not.
    """
    opacity = opacity_of(scene)
    if not len(opacity.faces):
        return
    first = np.cumsum([0, *(len(mesh.faces) for mesh in scene.meshes)])
    for i, mesh in enumerate(scene.mesh.tolist()):
        faces = opacity.faces[first[mesh]:first[mesh + 1]]
        if len(faces) and not (faces[:, 0].min() * opacity.instances[i] >= FULL and (
                faces[:, 1] <= 0).all() and (faces[:, 2] < 0).all()):
            raise CardError(
                f'{scene.thing_names[scene.thing[i]] or "a surface"} lets light through, and on '
                "the graphics card all is solid: make it opaque, or take device='cpu'")
