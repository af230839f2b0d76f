# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Which parts of a scene move together, and where they are.

A link is everything that is fixed on a body, or on a wheel of it. Links of the same shape, such
as the wheels of many robots, are one batch: their shape is sent once, their poses in one array.
"""

from collections.abc import Mapping
from dataclasses import dataclass
import hashlib

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import rotation_matrix
from mvsim_ros2.scene.poses import homogeneous
from mvsim_ros2.scene.scene import MoverStates, Scene
from mvsim_ros2.window.drawing.glb import hidden_from, Piece

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Link:
    """What carries parts of a scene."""

    body: int  # row among vehicles, then blocks, then figures
    wheel: int = -1  # row among the wheels of all vehicles, -1 for none
    spins: bool = False  # False: it only steers
    place: tuple[float, float, float] = (0.0, 0.0, 0.0)  # of the wheel in the body frame [m]


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
    """
    Sort the instances of a scene.

    :param hidden: of planes that are not to be seen from one side: where that is, as a unit
        vector in the world frame, by the name of the thing in the scene.
    """
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
            links.setdefault(Link(body, int(motion.wheel[i]), bool(motion.spins[i]), (x, y, z)),
                             []).append(row)
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
        self._body = np.array([link.body for link in links], np.int64)
        self._turning = np.flatnonzero([link.wheel >= 0 for link in links])
        wheels = [link for link in links if link.wheel >= 0]
        self._wheel = np.array([link.wheel for link in wheels], np.int64)
        self._spins = np.array([link.spins for link in wheels], bool)
        self._place = np.array([link.place for link in wheels], float).reshape(-1, 3)

    def matrices(self, states: MoverStates) -> Array:
        """Return the poses of the links in the world, shape (n, 4, 4)."""
        poses = np.concatenate([states.vehicles, states.blocks, states.figures])[self._body]
        result = homogeneous(rotation_matrix(poses[:, 3], poses[:, 4], poses[:, 5]), poses[:, :3])
        turns = rotation_matrix(
            states.wheel_steer[self._wheel],
            np.where(self._spins, states.wheel_angle[self._wheel], 0.0))
        result[self._turning] = result[self._turning] @ homogeneous(turns, self._place)
        return result
