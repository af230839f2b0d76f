# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Blocks that slide on the ground, in mode `physical`.

Friction is that of an even pressure below the block. Its force F and torque T end at the limit
surface ``(F / mu N)^2 + (T / mu N d)^2 = 1``, d the mean distance of the points below it from the
centre of mass, and oppose the motion as its normal does (R. D. Howe, M. R. Cutkosky, *Practical
force-motion models for sliding manipulation*, Int. J. Robotics Research 15 (1996) 557): of a
block that slides at v and turns at w ``F = (mu N)^2 v / D``, ``T = (mu N d)^2 w / D`` with
``D^2 = (mu N v)^2 + (mu N d w)^2``. A friction joint of the engine holds or brakes the block
within these limits. On a slope s ``N = m g / sqrt(1 + s^2)``, of the friction only the part
``1 / sqrt(1 + (s . e)^2)`` is horizontal for a motion along e, and the ground pushes by
``-m g s / (1 + s^2)``.

The engine moves a body by the velocity at the end of a step. Under friction, which changes it by
as much in each step, that is ``v dt / 2`` short of a stop at ``v^2 / (2 mu g)``. So a block that
nothing touched in a step is moved by half the change of its velocity once more; what contacts
and joints did to its velocity says nothing about its way.
"""

from collections.abc import Mapping, Sequence
import ctypes
from functools import cache
import math
from typing import Any, NamedTuple

import Box2D
import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.memory import (
    read_double, read_float, read_int, read_short, read_word, write_double, write_float)
from mvsim_ros2.physics.engine.body_access import (
    AWAKE, BASE, CONTACTS, FLAGS, FORCE_SLOTS, VELOCITY_SLOTS)
from mvsim_ros2.physics.engine.contact_filter import ENABLED
from mvsim_ros2.physics.engine.contact_memory import (
    CONTACT_FLAGS, EDGE_CONTACT, EDGE_NEXT, TOUCHING)

Array = NDArray[np.float64]

# columns of what slides: velocity and yaw rate before the step; 1 for what ends a step as above;
# weight, largest force and torque of friction on level ground; mass, inertia; slope of the ground,
# world frame; 1 where it is on the ground
BEFORE, GLIDES, WEIGHT, MOST_FORCE, MOST_TORQUE, MASS, INERTIA, SLOPE_X, SLOPE_Y, STANDS = (
    0, 3, 4, 5, 6, 7, 8, 9, 10, 11)
SLIDING = 12
ROW = 8 * SLIDING  # bytes
# bytes of a friction joint before its impulses and its limits
IMPULSES, FORCE_LIMIT, TORQUE_LIMIT = 144, 156, 160
VELOCITY, FORCE = BASE + 4 * int(VELOCITY_SLOTS[0]), BASE + 4 * int(FORCE_SLOTS[0])
SLOT = 4  # bytes of a float
# floats of a body: see `body_access`
_X, _Y, _SIN, _COS, _LOCAL_X, _LOCAL_Y, _C0_X, _C0_Y, _C_X, _C_Y, _A0, _A = (
    BASE + SLOT * k for k in range(12))


class Rub(NamedTuple):
    """What holds and brakes a block on level ground."""

    joint: Any  # of the engine
    weight: float  # N
    most_force: float  # N
    most_torque: float  # N m


@compiled
def friction(vx: float, vy: float, turn: float, slope_x: float, slope_y: float, weight: float,
             most_force: float, most_torque: float, mass: float, inertia: float, dt: float,
             ) -> tuple[float, float, float, float]:
    """
    Return the limits of friction, force and torque, and the force of the slope along x and y.

    What friction brings to rest within the step it can hold with all that it has.
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


@compiled(inlined=True)
def rub(body: int, joint: int, row: int, dt: float) -> None:
    """
    Set the friction of a body that is awake, before a step, and let the slope push it.

    :param body: its address; so that of its joint and of its row of what slides.
    """
    for k in range(3):
        write_double(row + 8 * k, read_float(body + VELOCITY + SLOT * k))
    if joint == 0 or read_short(body + FLAGS) & AWAKE == 0:
        return
    on_ground = read_double(row + 8 * STANDS)
    slope_x, slope_y = read_double(row + 8 * SLOPE_X), read_double(row + 8 * SLOPE_Y)
    force, torque, push_x, push_y = friction(
        read_float(body + VELOCITY), read_float(body + VELOCITY + SLOT),
        read_float(body + VELOCITY + 2 * SLOT), slope_x, slope_y, read_double(row + 8 * WEIGHT),
        read_double(row + 8 * MOST_FORCE), read_double(row + 8 * MOST_TORQUE),
        read_double(row + 8 * MASS), read_double(row + 8 * INERTIA), dt)
    write_float(joint + FORCE_LIMIT, on_ground * force)
    write_float(joint + TORQUE_LIMIT, on_ground * torque)
    if on_ground != 0.0 and (slope_x != 0.0 or slope_y != 0.0):
        write_float(body + FORCE, read_float(body + FORCE) + np.float32(push_x))
        write_float(body + FORCE + SLOT, read_float(body + FORCE + SLOT) + np.float32(push_y))


def rub_publicly(body: Any, joint: Any, row: Array, dt: float) -> tuple[float, float]:
    """Do the same through the functions of the binding, and return the force of the slope."""
    velocity = body.linearVelocity
    row[BEFORE:BEFORE + 3] = velocity.x, velocity.y, body.angularVelocity
    if joint is None or not body.awake:
        return 0.0, 0.0
    force, torque, push_x, push_y = friction(
        row[BEFORE], row[BEFORE + 1], row[BEFORE + 2], row[SLOPE_X], row[SLOPE_Y], row[WEIGHT],
        row[MOST_FORCE], row[MOST_TORQUE], row[MASS], row[INERTIA], dt)
    joint.maxForce, joint.maxTorque = row[STANDS] * force, row[STANDS] * torque
    if not row[STANDS] or not (row[SLOPE_X] or row[SLOPE_Y]):
        return 0.0, 0.0
    body.ApplyForce((push_x, push_y), body.worldCenter, False)
    return float(np.float32(push_x)), float(np.float32(push_y))


@compiled
def slid(x: float, y: float, arm_x: float, arm_y: float, angle: float, slower_x: float,
         slower_y: float, slower_turn: float, dt: float) -> tuple[float, float, float]:
    """
    Return place and angle of a body whose velocity became smaller by so much in a step.

    :param arm_x: from its origin to its centre of mass, world frame [m]; so arm_y.
    """
    turn = 0.5 * dt * slower_turn
    cosine, sine = math.cos(turn), math.sin(turn)
    return (x + 0.5 * dt * slower_x + arm_x - cosine * arm_x + sine * arm_y,
            y + 0.5 * dt * slower_y + arm_y - sine * arm_x - cosine * arm_y, angle + turn)


@compiled(inlined=True)
def glide(body: int, row: int, dt: float) -> None:
    """
    Move a body that nothing touched, after a step.

    :param body: its address.
    :param row: that of its row of what slides.
    """
    slower_x = read_double(row) - read_float(body + VELOCITY)
    slower_y = read_double(row + 8) - read_float(body + VELOCITY + SLOT)
    slower_turn = read_double(row + 16) - read_float(body + VELOCITY + 2 * SLOT)
    if slower_x == 0.0 and slower_y == 0.0 and slower_turn == 0.0:
        return
    if read_double(row + 8 * GLIDES) == 0.0:
        return
    if read_short(body + FLAGS) & AWAKE == 0 or _touched(body):
        return
    at_x, at_y, angle = slid(
        read_float(body + _X), read_float(body + _Y),
        read_float(body + _C_X) - read_float(body + _X),
        read_float(body + _C_Y) - read_float(body + _Y), read_float(body + _A),
        slower_x, slower_y, slower_turn, dt)
    # as b2Body::SetTransform does, in single precision
    x, y, turned = np.float32(at_x), np.float32(at_y), np.float32(angle)
    sine, cosine = np.float32(math.sin(turned)), np.float32(math.cos(turned))
    local_x, local_y = (np.float32(read_float(body + _LOCAL_X)),
                        np.float32(read_float(body + _LOCAL_Y)))
    com_x = np.float32(np.float32(cosine * local_x) - np.float32(sine * local_y)) + x
    com_y = np.float32(np.float32(sine * local_x) + np.float32(cosine * local_y)) + y
    write_float(body + _X, x)
    write_float(body + _Y, y)
    write_float(body + _SIN, sine)
    write_float(body + _COS, cosine)
    write_float(body + _C_X, com_x)
    write_float(body + _C_Y, com_y)
    write_float(body + _C0_X, com_x)
    write_float(body + _C0_Y, com_y)
    write_float(body + _A, turned)
    write_float(body + _A0, turned)


@compiled(inlined=True)
def _touched(body: int) -> bool:
    """Return whether something touched a body in the last step."""
    edge = read_word(body + CONTACTS)
    while edge != 0:
        flags = read_int(read_word(edge + EDGE_CONTACT) + CONTACT_FLAGS)
        if flags & TOUCHING and flags & ENABLED:
            return True
        edge = read_word(edge + EDGE_NEXT)
    return False


def glide_publicly(body: Any, row: Array, dt: float) -> None:
    """Do the same through the functions of the binding."""
    velocity = body.linearVelocity
    slower = (row[0] - velocity.x, row[1] - velocity.y, row[2] - body.angularVelocity)
    if not any(slower) or row[GLIDES] == 0.0 or not body.awake or any(
            edge.contact.touching and edge.contact.enabled for edge in body.contacts):
        return
    centre, position = body.worldCenter, body.position
    x, y, angle = slid(position.x, position.y, centre.x - position.x, centre.y - position.y,
                       body.angle, *slower, dt)
    body.transform = (x, y), angle


def sliding_rows(bodies: Sequence[Any], rubs: Mapping[int, Rub], tied: Sequence[bool],
                 ) -> tuple[Array, list[Any]]:
    """
    Return rows of what slides, on level ground, and the joints that rub, None for none.

    :param bodies: of blocks.
    :param rubs: by the addresses of bodies.
    :param tied: whether other joints are at them.
    """
    rows, joints = np.zeros((len(bodies), SLIDING)), []
    rows[:, STANDS] = 1.0
    for row, body, bound in zip(rows, bodies, tied, strict=True):
        rub = rubs.get(int(body.this))
        joints.append(rub and rub.joint)
        if rub is not None:
            centre = body.localCenter
            row[GLIDES:SLOPE_X] = (
                not bound, rub.weight, rub.most_force, rub.most_torque, body.mass,
                body.inertia - body.mass * centre.lengthSquared)
    return rows, joints


def impulses(joints: Sequence[Any]) -> Array:
    """Return what friction joints remember of the last step, shape (n, 3); none where unknown."""
    if not joint_as_expected():
        return np.zeros((0, 3))
    return np.array([_impulses(joint)[:] for joint in joints], float).reshape(-1, 3)


def set_impulses(joints: Sequence[Any], remembered: Array) -> None:
    """Give back what `impulses` returned."""
    for joint, row in zip(joints, remembered.tolist(), strict=False):
        _impulses(joint)[:] = row


def _impulses(joint: Any) -> Any:
    return (ctypes.c_float * 3).from_address(int(joint.this) + IMPULSES)


@cache
def joint_as_expected() -> bool:
    """Return whether a friction joint has limits and impulses where `rub` looks."""
    world = Box2D.b2World(gravity=(0, 0))
    body = world.CreateDynamicBody(linearVelocity=(1.0, 0.5), angularVelocity=3.0)
    body.CreatePolygonFixture(box=(0.5, 0.5), density=1)
    joint = world.CreateFrictionJoint(
        bodyA=world.CreateStaticBody(), bodyB=body, maxForce=1234.5, maxTorque=77.25)
    address = int(joint.this)
    limits = (ctypes.c_float * 2).from_address(address + FORCE_LIMIT)
    if TORQUE_LIMIT != FORCE_LIMIT + SLOT or list(limits) != [1234.5, 77.25]:
        return False
    world.Step(0.125, 8, 3)
    push, turn = joint.GetReactionForce(1.0), joint.GetReactionTorque(1.0)
    return list(_impulses(joint)) == [push.x, push.y, turn] and turn != 0.0
