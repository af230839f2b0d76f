# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Motion of the instances of a scene with bodies, wheels and limbs."""

from dataclasses import dataclass
from functools import cached_property
import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import SceneError
from mvsim_ros2.frames import Array, Numbers, rotation_matrix
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.scene.limbs import limb as limb_at

if TYPE_CHECKING:
    from mvsim_ros2.scene.scene import MoverStates, MoverTrack


_POSE = 6


@dataclass(frozen=True, eq=False)
class Motion:
    """
    The bodies of N instances.

    M of them are limbs of people, or belong to a wheel: they rotate about z with its steering,
    some about y with its axle.
    """

    local: Array  # (N, 4, 4): from the mesh to the frame of the body, or of the wheel
    body: NDArray[np.int64]  # (N,): row among vehicles, then blocks, then figures; -1 none
    turning: NDArray[np.int64]  # (M,): indices of those instances
    wheel: NDArray[np.int64]  # (M,): row of the wheel, -1 for limbs
    place: Array  # (M, 3): of the wheel in the body frame; of limbs height of the person, y, 0 [m]
    spins: NDArray[np.bool_]  # (M,)
    limb: NDArray[np.int64]  # (M,): part of a person, see `limbs.limb`, -1 for wheels

    @cached_property
    def mount(self) -> NDArray[np.int64]:
        """Return the place of each instance in `turning`, -1 for others, shape (N,)."""
        mount = np.full(len(self.local), -1)
        mount[self.turning] = np.arange(len(self.turning))
        return mount

    @cached_property
    def _last(self) -> tuple[int, int]:
        """Return the last rows of bodies and of wheels that there are, -1 for none."""
        return int(self.body.max(initial=-1)), int(self.wheel.max(initial=-1))

    def put(self, states: 'MoverStates', rows: NDArray[np.int64],
            transform: Array) -> NDArray[np.int64]:
        """
        Put instances where their bodies are; return those whose transform has changed.

        :param transform: of all instances, updated, shape (N, 4, 4).
        """
        bodies = len(states.vehicles) + len(states.blocks) + len(states.figures)
        wheels = min(len(states.wheel_steer), len(states.wheel_angle))
        self._check(bodies, wheels)
        changed = np.empty(len(rows), np.int64)
        gait = states.gait if len(states.gait) else np.zeros((len(states.figures), 2))
        count = put(states.vehicles, states.blocks, states.figures, gait, states.wheel_steer,
                    states.wheel_angle, self.local, self.body, self.mount, self.wheel, self.place,
                    self.spins, self.limb, rows, rows, transform, changed)
        return changed[:count]

    def trace(self, track: 'MoverTrack', rows: NDArray[np.int64]) -> Array:
        """Return where instances were at K times, shape (K, len(rows), 4, 4)."""
        now = track.now
        self._check(len(now.vehicles) + len(now.blocks) + len(now.figures), len(now.wheel_steer))
        path = np.zeros((len(track.rows), len(rows), 4, 4))
        path[:, :, 3, 3] = 1.0
        trace(track.rows, len(now.vehicles), len(now.wheel_steer), track.movable,
              now.blocks.copy(), self.local, self.body, self.mount, self.wheel, self.place,
              self.spins, self.limb, rows, path)
        return path

    def _check(self, bodies: int, wheels: int) -> None:
        """Make sure that states are of so many bodies and wheels as there are."""
        if self._last[0] >= bodies or self._last[1] >= wheels:
            raise SceneError(f'these are states of {bodies} bodies and {wheels} wheels: the scene '
                             f'has {self._last[0] + 1} and {self._last[1] + 1}')


def body_transforms(states: 'MoverStates') -> Array:
    """Return those of vehicles, blocks, figures and the world itself, shape (B + 1, 4, 4)."""
    poses = np.concatenate([states.vehicles, states.blocks, states.figures, np.zeros((1, 6))])
    return homogeneous(rotation_matrix(poses[:, 3], poses[:, 4], poses[:, 5]), poses[:, :3])


@compiled
def rotate(yaw: float, pitch: float, roll: float, matrix: Array) -> None:
    """Fill in Rz(yaw) Ry(pitch) Rx(roll), as `frames.rotation_matrix`, shape (3, 3) or more."""
    cy, sy = math.cos(yaw), math.sin(yaw)
    cp, sp, cr, sr = 1.0, pitch, 1.0, roll  # of 0, as for most things
    if pitch != 0.0:
        cp, sp = math.cos(pitch), math.sin(pitch)
    if roll != 0.0:
        cr, sr = math.cos(roll), math.sin(roll)
    matrix[0, 0], matrix[1, 0], matrix[2, 0] = cy * cp, sy * cp, -sp
    matrix[0, 1], matrix[0, 2] = cy * sp * sr - sy * cr, cy * sp * cr + sy * sr
    matrix[1, 1], matrix[1, 2] = sy * sp * sr + cy * cr, sy * sp * cr - cy * sr
    matrix[2, 1], matrix[2, 2] = cp * sr, cp * cr


@compiled
def multiply(a: Array, b: Array, product: Array) -> None:
    """Fill in the product of two transforms, but for the last row, shapes (3 or 4, 4)."""
    for i in range(3):
        for j in range(4):
            product[i, j] = a[i, 0] * b[0, j] + a[i, 1] * b[1, j] + a[i, 2] * b[2, j]
        product[i, 3] += a[i, 3]


@compiled
def put_limb(part: int, gait: Array, height: float, aside: float, matrix: Array) -> None:
    """
    Fill in the transform (3, 4) from a part of a person to the body.

    :param gait: phase and stride, see `limbs.limb`, shape (2,); height and y are in m.
    """
    x, z, pitch = limb_at(part, gait[0], gait[1])
    rotate(0.0, pitch, 0.0, matrix)
    matrix[0, 3], matrix[1, 3], matrix[2, 3] = height * x, aside, height * z


@compiled
def put(
        vehicles: Array, blocks: Array, figures: Array, gait: Array, wheel_steer: Array,
        wheel_angle: Array, local: Array, body: Numbers, mount: Numbers, wheel: Numbers,
        place: Array, spins: NDArray[np.bool_], limb: Numbers, rows: Numbers, into: Numbers,
        transform: Array, changed: Numbers) -> int:
    """
    Put instances where their bodies are, see `Motion.put`; return how many have moved.

    :param vehicles: poses, shape (V, 6); the others as in `MoverStates` and `Motion`.
    :param into: which of `transform` are theirs, shape (len(rows),).
    :param changed: filled in: numbers of those that have moved, shape (len(rows),).
    """
    count, known = 0, -2
    at_wheel, own = np.zeros((3, 4)), np.zeros((3, 4))
    carrier, result = np.zeros((3, 4)), np.zeros((3, 4))
    for n in range(len(rows)):
        row, to = rows[n], into[n]
        if body[row] != known:
            known = body[row]
            pose, group = known, vehicles
            if pose >= vehicles.shape[0]:
                pose, group = pose - vehicles.shape[0], blocks
                if pose >= blocks.shape[0]:
                    pose, group = pose - blocks.shape[0], figures
            if known < 0:
                rotate(0.0, 0.0, 0.0, carrier)
                for i in range(3):
                    carrier[i, 3] = 0.0
            else:
                rotate(group[pose, 3], group[pose, 4], group[pose, 5], carrier)
                for i in range(3):
                    carrier[i, 3] = group[pose, i]
        number = mount[row]
        if number < 0:
            multiply(carrier, local[row], result)
        else:
            if limb[number] >= 0:
                put_limb(limb[number], gait[pose], place[number, 0], place[number, 1], at_wheel)
            else:
                turn = wheel_angle[wheel[number]] if spins[number] else 0.0
                rotate(wheel_steer[wheel[number]], turn, 0.0, at_wheel)
                for i in range(3):
                    at_wheel[i, 3] = place[number, i]
            multiply(at_wheel, local[row], own)
            multiply(carrier, own, result)
        moved = False
        for i in range(3):
            for j in range(4):
                moved = moved or transform[to, i, j] != result[i, j]
                transform[to, i, j] = result[i, j]
        if moved:
            changed[count] = row
            count += 1
    return count


@compiled
def trace(
        states: Array, vehicles: int, wheels: int, movable: Numbers, blocks: Array, local: Array,
        body: Numbers, mount: Numbers, wheel: Numbers, place: Array, spins: NDArray[np.bool_],
        limb: Numbers, rows: Numbers, path: Array) -> None:
    """
    Put instances where their bodies were at some times, see `Motion.trace`.

    :param blocks: poses, shape (B, 6); overwritten.
    :param path: filled in, shape (K, len(rows), 4, 4).
    """
    into, changed = np.arange(len(rows)), np.empty(len(rows), np.int64)
    steer = _POSE * vehicles
    angle, block = steer + wheels, steer + 2 * wheels
    figure = block + _POSE * len(movable)
    gait = figure + (states.shape[1] - figure) // (_POSE + 2) * _POSE
    for k in range(len(states)):
        row = states[k]
        for i in range(len(movable)):
            for j in range(_POSE):
                blocks[movable[i], j] = row[block + _POSE * i + j]
        put(row[:steer].reshape((-1, _POSE)), blocks, row[figure:gait].reshape((-1, _POSE)),
            row[gait:].reshape((-1, 2)), row[steer:angle], row[angle:block], local, body, mount,
            wheel, place, spins, limb, rows, into, path[k], changed)


def homogeneous(rotation: Array, place: Array) -> Array:
    """Return matrices (..., 4, 4) of rotations (..., 3, 3) and positions (..., 3)."""
    result = np.zeros((*rotation.shape[:-2], 4, 4))
    result[..., :3, :3] = rotation
    result[..., :3, 3] = place
    result[..., 3, 3] = 1.0
    return result
