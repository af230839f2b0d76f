# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
A step of the engine: what the stages of `pipeline` do to its bodies.

The functions call the engine by their arguments' addresses, from compiled kernels and from plain
Python.

In mode `physical` blocks slide on the ground. Friction assumes an even pressure below the block.
The limit surface of its force F and torque T is ``(F / mu N)^2 + (T / mu N d)^2 = 1``. d is the
mean distance of the points below it from the centre of mass. They oppose the motion along its
normal (R. D. Howe, M. R. Cutkosky, *Practical force-motion models for sliding manipulation*, Int.
J. Robotics Research 15 (1996) 557). For a block that slides at v and turns at w ``F = (mu N)^2 v /
D``, ``T = (mu N d)^2 w / D`` with ``D^2 = (mu N v)^2 + (mu N d w)^2``. A friction joint of the
engine holds or brakes the block within these limits. On a slope s ``N = m g / sqrt(1 + s^2)``, of
the friction only the part ``1 / sqrt(1 + (s . e)^2)`` is horizontal for a motion along e, and the
ground pushes by ``-m g s / (1 + s^2)``.

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

from mvsim_ros2.frames import Array, Records
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.engine import bridge
from mvsim_ros2.physics.engine.bodies import Body
from mvsim_ros2.physics.engine.bridge import (
    bodies_awake, bodies_collided, bodies_dynamics, bodies_farthest, bodies_motion, bodies_push,
    bodies_stay_awake, bodies_widen, body_is_free, body_move, body_push, body_set_velocity,
    friction_joint_limit, world_step)
from mvsim_ros2.physics.engine.continuous import all_slow, DYNAMICS, find_fast, WIDE
from mvsim_ros2.physics.engine.far_places import carry_joined, NO_TIES
from mvsim_ros2.physics.state.record_layout import (
    ANGLE, COM_X, COM_Y, GROUP, KEPT, MOTION, OMEGA, VX, VY, X, Y)
from mvsim_ros2.world.spec.outlines import SKIN

Addresses = NDArray[np.int64]
Flags = NDArray[np.bool_]

# columns of what slides: velocity and yaw rate before the step; 1 for what ends a step as above;
# weight, largest force and torque of friction on level ground; mass, inertia; slope of the ground,
# world frame; 1 where it is on the ground; load of what stands on it
(BEFORE, UNTOUCHED, WEIGHT, MOST_FORCE, MOST_TORQUE, MASS, INERTIA, SLOPE_X, SLOPE_Y, STANDS,
 LOAD) = (0, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
SLIDING = 13

# m/s, rad/s; what moves faster never goes to sleep
VEHICLE_RESTS = 2.0 ** -75  # up to here the square vanishes in single precision
BLOCK_RESTS = 2.0 ** -20  # in the original as above; far below what can be seen


class Friction(NamedTuple):
    """Friction that holds and brakes a block on level ground."""

    joint: int  # of the engine
    weight: float  # N
    most_force: float  # N
    most_torque: float  # N m
    mass: float  # kg
    inertia: float  # about the centre of mass [kg m^2]


class Engine(NamedTuple):
    """A world of the engine and its bodies, as kernels take them."""

    world: int
    velocity_iterations: int
    position_iterations: int
    vehicles: Addresses  # their bodies, (V,)
    blocks: Addresses  # those that forces move, (B,)
    bodies: Addresses  # vehicles, blocks, and kinematic bodies, (n,)
    reach: Array  # how far these reach from their origins, (n,) [m]
    thick: Array  # how thick they are, (n,) [m]
    thinnest: float  # of these [m]
    thicknesses: NDArray[np.float32]  # of what stands, see `continuous`
    joints: Addresses  # that brake blocks, (B,), 0 for none; none in mode mvsim
    sliding: Array  # (B, SLIDING); none in mode mvsim
    ties: Records  # joints between vehicles, see `far_places`
    dynamics: Array  # scratch, (n, DYNAMICS), as the following
    motion: Array  # (B, MOTION)
    awake: Flags  # (B,)
    fast: Flags  # (V + B,)
    bullets: Flags  # (V + B,)


_NO_BODIES = np.zeros(0, np.int64)
NO_ENGINE = Engine(
    0, 0, 0, _NO_BODIES, _NO_BODIES, _NO_BODIES, np.zeros(0), np.zeros(0), 0.0,
    np.zeros(0, np.float32), _NO_BODIES, np.zeros((0, SLIDING)), NO_TIES,
    np.zeros((0, DYNAMICS)), np.zeros((0, MOTION)), *np.zeros((3, 0), bool))


@compiled(inlined=True)
def stay_awake(engine: Engine) -> None:
    """
    Let bodies that move count their time at rest anew, before a step, and wake all vehicles.

    The engine puts bodies to sleep that have hardly moved for 0.5 s. MVSim sets all velocities in
    each step, which restarts this time if they are not zero. It also applies forces to vehicles,
    which wakes them.
    """
    bodies_stay_awake(engine.blocks.ctypes.data, len(engine.blocks), BLOCK_RESTS, 0)
    bodies_stay_awake(engine.vehicles.ctypes.data, len(engine.vehicles), VEHICLE_RESTS, 1)


@compiled(inlined=True)
def set_velocities(engine: Engine, vehicles: Records, motion: Array) -> None:
    """Give the bodies of the vehicles with ideal controllers the velocities in `motion`."""
    for i in range(len(engine.vehicles)):
        if vehicles[i]['is_ideal'] != 0.0:
            body_set_velocity(engine.vehicles[i], motion[i, VX], motion[i, VY], motion[i, OMEGA])


@compiled(inlined=True)
def push(engine: Engine, wrench: Array) -> None:
    """Add forces [N] and torques [N m] about the centres of mass of the vehicles, (V, 3)."""
    bodies_push(engine.vehicles.ctypes.data, len(engine.vehicles), wrench.ctypes.data)


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
          awake: Flags, dt: float) -> None:
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
def slide_on(bodies: Addresses, rows: Array, motion: Array, awake: Flags, dt: float) -> None:
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


@compiled(inlined=True)
def advance(engine: Engine, dt: float) -> None:
    """Let the engine make a step of `dt` [s]."""
    if len(engine.sliding) > 0:
        brake(engine.blocks, engine.joints, engine.sliding, engine.motion, engine.awake, dt)
    pushed = len(engine.vehicles) + len(engine.blocks)
    bodies = engine.bodies.ctypes.data
    parts = 0
    if not all_slow(
            bodies_farthest(bodies, pushed, engine.reach.ctypes.data, dt) + bodies_farthest(
                bodies + 8 * pushed, len(engine.bodies) - pushed,
                engine.reach.ctypes.data + 8 * pushed, dt),
            engine.thinnest, engine.thicknesses):
        bodies_dynamics(bodies, len(engine.bodies), engine.dynamics.ctypes.data)
        parts = find_fast(engine.dynamics, engine.reach, engine.thick, pushed,
                          engine.thicknesses, dt, engine.fast, engine.bullets)
    fast, bullets = engine.fast.ctypes.data, engine.bullets.ctypes.data
    if parts > 0:
        bodies_widen(bodies, pushed, fast, bullets, SKIN, WIDE, 0)
    world_step(engine.world, dt, engine.velocity_iterations, engine.position_iterations, parts)
    if parts > 0:
        bodies_widen(bodies, pushed, fast, bullets, SKIN, WIDE, 1)
    if len(engine.sliding) > 0:
        slide_on(engine.blocks, engine.sliding, engine.motion, engine.awake, dt / max(1, parts))


@compiled(inlined=True)
def read(engine: Engine, motion: Array) -> None:
    """Write the motion of the bodies of the vehicles into `motion`, shape (V, MOTION)."""
    bodies_motion(engine.vehicles.ctypes.data, len(engine.vehicles), motion.ctypes.data)


@compiled(inlined=True)
def move_vehicle(engine: Engine, i: int, motion: Array) -> None:
    """Move the body of vehicle `i` to its place in `motion`."""
    body_move(engine.vehicles[i], motion[i, X], motion[i, Y], motion[i, ANGLE])


@compiled(inlined=True)
def move_joined(engine: Engine, dt: float, vehicles: Records, motion: Array,
                places: Array) -> None:
    """Carry on the places of joined vehicles: see `far_places`."""
    if len(engine.ties) == 0:
        return
    carry_joined(dt, engine.position_iterations, engine.ties, vehicles, motion, places)
    for i in range(len(engine.vehicles)):
        if places[i, GROUP] != 0.0 and places[i, KEPT] != 0.0:
            move_vehicle(engine, i, motion)


@compiled(inlined=True)
def mark_collisions(engine: Engine, collided: Flags, threshold: float) -> None:
    """Set `collided`, shape (V,), of the vehicles that are nearer to another body [m]."""
    bodies_collided(engine.world, engine.vehicles.ctypes.data, len(engine.vehicles), threshold,
                    collided.ctypes.data)


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
