# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
A step of the engine: what the stages of `pipeline` do to its bodies.

The functions call the engine by their arguments' addresses, from compiled kernels and from plain
Python.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array, Records
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.engine.bridge import (
    bodies_collided, bodies_dynamics, bodies_farthest, bodies_motion, bodies_push,
    bodies_stay_awake, bodies_widen, body_move, body_set_velocity, world_step)
from mvsim_ros2.physics.engine.continuous import all_slow, DYNAMICS, find_fast, WIDE
from mvsim_ros2.physics.engine.far_places import carry_joined, NO_TIES
from mvsim_ros2.physics.engine.sliding import Addresses, brake, slide_on, SLIDING
from mvsim_ros2.physics.state.record_layout import ANGLE, GROUP, KEPT, MOTION, OMEGA, VX, VY, X, Y
from mvsim_ros2.world.spec.outlines import SKIN

Flags = NDArray[np.bool_]

# m/s, rad/s; what moves faster never goes to sleep
VEHICLE_RESTS = 2.0 ** -75  # up to here the square vanishes in single precision
BLOCK_RESTS = 2.0 ** -20  # in the original as above; far below what can be seen


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
    sliding: Array  # see `sliding`, (B, SLIDING); none in mode mvsim
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
            body_set_velocity(
                engine.vehicles[i], motion[i, VX], motion[i, VY], motion[i, OMEGA])


@compiled(inlined=True)
def push(engine: Engine, wrench: Array) -> None:
    """Add forces [N] and torques [N m] about the centres of mass of the vehicles, (V, 3)."""
    bodies_push(engine.vehicles.ctypes.data, len(engine.vehicles), wrench.ctypes.data)


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
        slide_on(engine.blocks, engine.sliding, engine.motion, engine.awake,
                 dt / max(1, parts))


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
