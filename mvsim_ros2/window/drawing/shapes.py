# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The things of a world in the browser: what stands, and what moves."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
import viser

from mvsim_ros2.frames import quaternions
from mvsim_ros2.pictures.sight import hidden_sides
from mvsim_ros2.scene.scene import Scene
from mvsim_ros2.window.drawing.glb import glb
from mvsim_ros2.window.drawing.links import Batch, Placement, structure_of
from mvsim_ros2.window.frame import Frame
from mvsim_ros2.world.spec.world import WorldSpec

_STEP = 1e-5  # m and parts of a turn; smaller motions are not sent


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
