# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Blocks that slide on the ground, in mode `physical`.

Friction assumes an even pressure below the block. The limit surface of its force F and torque T is
``(F / mu N)^2 + (T / mu N d)^2 = 1``. d is the mean distance of the points below it from the
centre of mass. They oppose the motion along its normal (R. D. Howe, M. R. Cutkosky, *Practical
force-motion models for sliding manipulation*, Int. J. Robotics Research 15 (1996) 557). For a
block that slides at v and turns at w ``F = (mu N)^2 v / D``, ``T = (mu N d)^2 w / D`` with ``D^2 =
(mu N v)^2 + (mu N d w)^2``. A friction joint of the engine holds or brakes the block within these
limits. On a slope s ``N = m g / sqrt(1 + s^2)``, of the friction only the part ``1 / sqrt(1 + (s .
e)^2)`` is horizontal for a motion along e, and the ground pushes by ``-m g s / (1 + s^2)``.

The engine moves a body by the velocity at the end of a step. Under friction, which changes it by
as much in each step, that is ``v dt / 2`` short of a stop at ``v^2 / (2 mu g)``. So a block
without contacts in a step moves by half the change of its velocity once more. After contacts and
joints the change of velocity does not determine the way.
"""

from collections.abc import Mapping, Sequence
import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.engine import bridge
from mvsim_ros2.physics.engine.bodies import Body
from mvsim_ros2.physics.engine.bridge import (
    bodies_awake, bodies_motion, body_is_free, body_move, body_push, friction_joint_limit)
from mvsim_ros2.physics.state.record_layout import ANGLE, COM_X, COM_Y, OMEGA, VX, VY, X, Y

Addresses = NDArray[np.int64]

# columns of what slides: velocity and yaw rate before the step; 1 for what ends a step as above;
# weight, largest force and torque of friction on level ground; mass, inertia; slope of the ground,
# world frame; 1 where it is on the ground; load of what stands on it
(BEFORE, UNTOUCHED, WEIGHT, MOST_FORCE, MOST_TORQUE, MASS, INERTIA, SLOPE_X, SLOPE_Y, STANDS,
 LOAD) = (0, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
SLIDING = 13


class Friction(NamedTuple):
    """Friction that holds and brakes a block on level ground."""

    joint: int  # of the engine
    weight: float  # N
    most_force: float  # N
    most_torque: float  # N m
    mass: float  # kg
    inertia: float  # about the centre of mass [kg m^2]


@compiled
def friction(vx: float, vy: float, turn: float, slope_x: float, slope_y: float, weight: float,
             most_force: float, most_torque: float, mass: float, inertia: float, dt: float,
             ) -> tuple[float, float, float, float]:
    """
    Return the limits of friction, force and torque, and the force of the slope along x and y.

    A body that friction stops within the step can be held by the full friction.
    """
    steep = 1.0 + slope_x * slope_x + slope_y * slope_y
    speed = math.sqrt(vx * vx + vy * vy)
    climb = steep - 1.0
    if speed > 0.0:
        climb = (slope_x * vx + slope_y * vy) / speed
        climb *= climb
    force = most_force / math.sqrt(steep * (1.0 + climb))
    torque = most_torque / math.sqrt(steep)
    if mass * speed > force * dt or inertia * abs(turn) > torque * dt:
        both = math.sqrt(force * force * speed * speed + torque * torque * turn * turn)
        if both > 0.0:
            force *= force * speed / both
            torque *= torque * abs(turn) / both
    return force, torque, -weight * slope_x / steep, -weight * slope_y / steep


@compiled(counted=False)
def brake(bodies: Addresses, joints: Addresses, rows: Array, motion: Array,
          awake: NDArray[np.bool_], dt: float) -> None:
    """
    Set the friction of bodies that are awake, before a step, and let the slope push them.

    :param bodies: of blocks, shape (n,); so the joints that brake them, 0 for none.
    :param rows: of what slides, shape (n, SLIDING).
    :param motion: scratch, shape (n, MOTION).
    :param awake: filled in, which of them are awake, shape (n,).
    """
    bodies_awake(bodies.ctypes.data, len(bodies), awake.ctypes.data, 0)
    for i in range(len(bodies)):
        row = rows[i]
        row[BEFORE], row[BEFORE + 1], row[BEFORE + 2] = 0.0, 0.0, 0.0
        if not awake[i]:
            continue
        bodies_motion(bodies[i:].ctypes.data, 1, motion[i:].ctypes.data)
        vx, vy, turn = motion[i, VX], motion[i, VY], motion[i, OMEGA]
        row[BEFORE], row[BEFORE + 1], row[BEFORE + 2] = vx, vy, turn
        if joints[i] == 0:
            continue
        part = 1.0 + row[LOAD] / row[WEIGHT]
        force, torque, push_x, push_y = friction(
            vx, vy, turn, row[SLOPE_X], row[SLOPE_Y], row[WEIGHT] * part, row[MOST_FORCE] * part,
            row[MOST_TORQUE] * part, row[MASS], row[INERTIA], dt)
        friction_joint_limit(joints[i], row[STANDS] * force, row[STANDS] * torque)
        if row[STANDS] != 0.0 and (row[SLOPE_X] != 0.0 or row[SLOPE_Y] != 0.0):
            body_push(bodies[i], push_x, push_y, 0.0)


@compiled(counted=False)
def slide_on(bodies: Addresses, rows: Array, motion: Array, awake: NDArray[np.bool_],
             dt: float) -> None:
    """Move bodies without contact, after a step; parameters as `brake` left them."""
    bodies_awake(bodies.ctypes.data, len(bodies), awake.ctypes.data, 1)
    for i in range(len(bodies)):
        if not awake[i]:
            continue
        bodies_motion(bodies[i:].ctypes.data, 1, motion[i:].ctypes.data)
        row, now = rows[i], motion[i]
        slower_x, slower_y = row[BEFORE] - now[VX], row[BEFORE + 1] - now[VY]
        slower_turn = row[BEFORE + 2] - now[OMEGA]
        if slower_x == 0.0 and slower_y == 0.0 and slower_turn == 0.0:
            continue
        if row[UNTOUCHED] != 0.0 and body_is_free(bodies[i]) != 0:
            turn, arm_x, arm_y = 0.5 * dt * slower_turn, now[COM_X] - now[X], now[COM_Y] - now[Y]
            cosine, sine = math.cos(turn), math.sin(turn)
            body_move(
                bodies[i],
                now[X] + 0.5 * dt * slower_x + arm_x - cosine * arm_x + sine * arm_y,
                now[Y] + 0.5 * dt * slower_y + arm_y - sine * arm_x - cosine * arm_y,
                now[ANGLE] + turn)


def sliding_rows(bodies: Sequence[Body], frictions: Mapping[int, Friction],
                 tied: Sequence[bool]) -> tuple[Array, Addresses]:
    """
    Return rows of what slides, on level ground, and the joints that brake, 0 for none.

    :param bodies: of blocks.
    :param frictions: by the addresses of bodies.
    :param tied: whether other joints are at them.
    """
    rows, joints = np.zeros((len(bodies), SLIDING)), np.zeros(len(bodies), np.int64)
    rows[:, STANDS] = 1.0
    for i, (body, bound) in enumerate(zip(bodies, tied, strict=True)):
        known = frictions.get(body.address)
        if known is not None:
            joints[i] = known.joint
            rows[i, UNTOUCHED:SLOPE_X] = not bound, *known[1:]
    return rows, joints


def impulses(joints: Sequence[int]) -> Array:
    """Return what friction joints remember of the last step, shape (n, 3)."""
    known, remembered = np.array(joints, np.int64), np.zeros((len(joints), 3))
    bridge.friction_joints_impulses(known.ctypes.data, len(known), remembered.ctypes.data)
    return remembered


def set_impulses(joints: Sequence[int], remembered: Array) -> None:
    """Give back what `impulses` returned."""
    known, numbers = np.array(joints, np.int64), np.ascontiguousarray(remembered)
    bridge.friction_joints_set_impulses(known.ctypes.data, len(known), numbers.ctypes.data)
