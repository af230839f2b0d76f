# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The things of a world in the browser: what stands, and what moves.

A link is everything that is fixed on a body, or on a wheel of it. Links of the same shape, such
as the wheels of many robots, are one batch: their shape is sent once, their poses in one array.
"""

from collections.abc import Mapping
from dataclasses import dataclass
import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray
import viser

from mvsim_ros2.frames import Array, quaternions
from mvsim_ros2.pictures.sight import hidden_sides
from mvsim_ros2.scene.poses import Motion
from mvsim_ros2.scene.scene import MoverStates, Scene
from mvsim_ros2.window.drawing.glb import glb, hidden_from, Piece
from mvsim_ros2.window.frame import Frame
from mvsim_ros2.world.spec.world import WorldSpec

_STEP = 1e-5  # m and parts of a turn; smaller motions are not sent


@dataclass(frozen=True)
class Link:
    """Carriers of parts of a scene."""

    body: int  # row among vehicles, then blocks, then figures
    wheel: int = -1  # row among the wheels of all vehicles, -1 for none
    spins: bool = False  # False: it only steers
    place: tuple[float, float, float] = (0.0, 0.0, 0.0)  # as in `Motion`
    limb: int = -1  # part of a person, -1 for none


@dataclass(frozen=True, eq=False)
class Batch:
    """Links of one shape."""

    name: str  # says what shape it is
    pieces: tuple[Piece, ...]  # in the frame of the link
    links: tuple[Link, ...]


@dataclass(frozen=True, eq=False)
class Structure:
    """A scene as static parts and parts that bodies carry."""

    standing: tuple[Piece, ...]  # in the world frame
    batches: tuple[Batch, ...]


def structure_of(scene: Scene, hidden: Mapping[str, Array]) -> Structure:
    """Sort the instances of a scene; for hidden sides of planes see `pictures.sight`."""
    motion = scene.motion
    assert motion is not None
    mounts = {int(row): i for i, row in enumerate(motion.turning)}
    standing: list[Piece] = []
    links: dict[Link, list[int]] = {}
    for row, body in enumerate(motion.body.tolist()):
        if body < 0:
            piece = _piece(scene, row, scene.transform[row])
            side = hidden.get(scene.thing_names[scene.thing[row]])
            standing.append(piece if side is None else hidden_from(piece, side))
        elif row in mounts:
            i = mounts[row]
            x, y, z = motion.place[i].tolist()
            links.setdefault(Link(body, int(motion.wheel[i]), bool(motion.spins[i]), (x, y, z),
                                  int(motion.limb[i])), []).append(row)
        else:
            links.setdefault(Link(body), []).append(row)
    shapes: dict[str, list[Link]] = {}
    rows_of: dict[str, list[int]] = {}
    for link, rows in links.items():
        key = hashlib.sha1(b''.join(
            scene.mesh[row].tobytes() + motion.local[row].tobytes() + scene.colour[row].tobytes()
            for row in rows), usedforsecurity=False).hexdigest()[:16]
        shapes.setdefault(key, []).append(link)
        rows_of.setdefault(key, rows)
    return Structure(tuple(standing), tuple(
        Batch(key, tuple(_piece(scene, row, motion.local[row]) for row in rows_of[key]),
              tuple(members)) for key, members in shapes.items()))


def _piece(scene: Scene, row: int, transform: Array) -> Piece:
    red, green, blue, alpha = scene.colour[row].tolist()
    return Piece(scene.meshes[scene.mesh[row]], transform, (red, green, blue, alpha))


class Placement:
    """Where links are."""

    def __init__(self, links: tuple[Link, ...]) -> None:
        turning = [i for i, link in enumerate(links) if link.wheel >= 0 or link.limb >= 0]
        mounts = [links[i] for i in turning]
        self._motion = Motion(
            np.tile(np.eye(4), (len(links), 1, 1)), np.array([link.body for link in links], int),
            np.array(turning, int), np.array([link.wheel for link in mounts], int),
            np.array([link.place for link in mounts], float).reshape(-1, 3),
            np.array([link.spins for link in mounts], bool),
            np.array([link.limb for link in mounts], int))

    def matrices(self, states: MoverStates) -> Array:
        """Return the poses of the links in the world, shape (n, 4, 4)."""
        result = self._motion.local.copy()
        self._motion.put(states, np.arange(len(result)), result)
        return result


@dataclass(eq=False)
class _Shown:
    """A batch that the browsers have."""

    batch: Batch
    node: viser.BatchedGlbHandle
    rows: slice  # of its links among all
    places: NDArray[np.float32]
    turns: NDArray[np.float32]


class Shapes:
    """
    Sends shapes once and poses as they change.

    A new scene, after something came or went, replaces only the batches that are other ones.
    """

    def __init__(self, server: viser.ViserServer, world: WorldSpec) -> None:
        self._server = server
        self._hidden = hidden_sides(world)
        self._standing: tuple[bytes, Any] | None = None
        self._shown: dict[str, _Shown] = {}
        self._placement = Placement(())

    def draw(self, frame: Frame) -> None:
        """Show a frame."""
        if frame.scene is not None:
            self._build(frame.scene, frame)
        else:
            self._move(frame)

    def _build(self, scene: Scene, frame: Frame) -> None:
        structure = structure_of(scene, self._hidden)
        file = glb(structure.standing)
        if self._standing is None or self._standing[0] != file:
            self._standing = file, self._server.scene.add_glb('/world/standing', file)
        links = tuple(link for batch in structure.batches for link in batch.links)
        self._placement = Placement(links)
        places, turns = _poses(self._placement.matrices(frame.states))
        kept, first = {}, 0
        for batch in structure.batches:
            rows = slice(first, first + len(batch.links))
            first = rows.stop
            old = self._shown.pop(batch.name, None)
            if old is not None and len(old.batch.links) == len(batch.links):
                kept[batch.name] = _Shown(batch, old.node, rows, old.places, old.turns)
                continue
            node = self._server.scene.add_batched_glb(
                f'/world/{batch.name}', glb(batch.pieces), batched_wxyzs=turns[rows],
                batched_positions=places[rows], lod='off')
            kept[batch.name] = _Shown(batch, node, rows, places[rows], turns[rows])
        for gone in self._shown.values():
            gone.node.remove()
        self._shown = kept
        self._move(frame)

    def _move(self, frame: Frame) -> None:
        places, turns = _poses(self._placement.matrices(frame.states))
        for shown in self._shown.values():
            place, turn = places[shown.rows], turns[shown.rows]
            if np.abs(place - shown.places).max() > _STEP:
                shown.node.batched_positions = shown.places = place
            if np.abs(turn - shown.turns).max() > _STEP:
                shown.node.batched_wxyzs = shown.turns = turn


def _poses(matrices: NDArray[np.float64]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return places (n, 3) and quaternions w x y z (n, 4) of poses (n, 4, 4)."""
    turns = np.roll(quaternions(matrices[:, :3, :3]), 1, axis=1)
    return matrices[:, :3, 3].astype(np.float32), turns.astype(np.float32)
