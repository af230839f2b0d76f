# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Steps of bodies that nothing is near, without the engine.

The engine makes an island of every body and takes the time of each with six calls of the system's
clock, which is most of what a body costs that touches nothing. Here compiled code does what
`b2Island::Solve` does to such a body, in the same order in single precision, so that the numbers
are the same to the last bit; then the engine's own function tells its broad phase. In the step
that follows the body sleeps, so that the engine passes over it, unless it finds a new contact.

Only bodies that move, so that the engine would not let them rest, and not so fast that it would
slow them down. `test_lone_bodies` compares with the engine.
"""

import ctypes
from functools import cache
import math

import Box2D
import numpy as np

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.memory import read_float
from mvsim_ros2.jit.memory import read_int
from mvsim_ros2.jit.memory import read_short
from mvsim_ros2.jit.memory import read_word
from mvsim_ros2.jit.memory import write_float
from mvsim_ros2.jit.memory import write_short
from mvsim_ros2.jit.native_call import call_method
from mvsim_ros2.physics.engine.body_access import AWAKE
from mvsim_ros2.physics.engine.body_access import BASE
from mvsim_ros2.physics.engine.body_access import CONTACTS
from mvsim_ros2.physics.engine.body_access import FLAGS
from mvsim_ros2.physics.engine.body_access import INVERSE_MASS
from mvsim_ros2.physics.engine.body_access import SLEEP_TIME

DYNAMIC = 2  # value of the type of a body, which is its first number
# bytes before transform, local centre, sweep, velocities, forces, joints, inertia, dampings
TRANSFORM, CENTRE, BEFORE, NOW = BASE, BASE + 16, BASE + 24, BASE + 32
ANGLE_BEFORE, ANGLE, VELOCITY, FORCE = BASE + 40, BASE + 44, BASE + 52, BASE + 64
JOINTS, INVERSE_INERTIA, DAMPING = 128, 156, 160
_ZERO, _ONE = np.float32(0.0), np.float32(1.0)
# what the engine lets rest, squared: b2_linearSleepTolerance, b2_angularSleepTolerance
SLOW, TURNS_SLOWLY = np.float32(1.01e-4), np.float32(1.23e-3)
FAR, WIDE = np.float32(3.9), np.float32(2.4)  # below b2_maxTranslation, b2_maxRotation, squared
_SYMBOL = '_ZN6b2Body19SynchronizeFixturesEv'  # void b2Body::SynchronizeFixtures()


@compiled(inner=True)
def _f(address: int) -> np.float32:
    return np.float32(read_float(address))


@compiled(inner=True)
def move_alone(body: int, synchronise: int, dt: float) -> None:
    """
    Make the next step of a body in advance and let it sleep, where that can be done here.

    :param body: its address.
    :param synchronise: address of the engine's function for that.
    """
    if (read_int(body) != DYNAMIC or read_word(body + CONTACTS) != 0
            or read_word(body + JOINTS) != 0):
        return
    h, mass = np.float32(dt), _f(body + INVERSE_MASS)
    vx = _f(body + VELOCITY) + h * (mass * _f(body + FORCE))
    vy = _f(body + VELOCITY + 4) + h * (mass * _f(body + FORCE + 4))
    w = _f(body + VELOCITY + 8) + h * _f(body + INVERSE_INERTIA) * _f(body + FORCE + 8)
    keeps = max(_ZERO, min(_ONE - h * _f(body + DAMPING), _ONE))
    vx, vy = vx * keeps, vy * keeps
    w = w * max(_ZERO, min(_ONE - h * _f(body + DAMPING + 4), _ONE))
    speed, turn, x, y, angle = vx * vx + vy * vy, w * w, h * vx, h * vy, h * w
    if not ((speed > SLOW or turn > TURNS_SLOWLY) and x * x + y * y < FAR
            and angle * angle < WIDE):
        return
    old_x, old_y, old = _f(body + NOW), _f(body + NOW + 4), _f(body + ANGLE)
    x, y, angle = old_x + x, old_y + y, old + angle
    sine, cosine = math.sin(angle), math.cos(angle)
    centre_x, centre_y = _f(body + CENTRE), _f(body + CENTRE + 4)
    write_float(body + BEFORE, old_x)
    write_float(body + BEFORE + 4, old_y)
    write_float(body + ANGLE_BEFORE, old)
    write_float(body + NOW, x)
    write_float(body + NOW + 4, y)
    write_float(body + ANGLE, angle)
    write_float(body + VELOCITY, vx)
    write_float(body + VELOCITY + 4, vy)
    write_float(body + VELOCITY + 8, w)
    write_float(body + TRANSFORM, x - (cosine * centre_x - sine * centre_y))
    write_float(body + TRANSFORM + 4, y - (sine * centre_x + cosine * centre_y))
    write_float(body + TRANSFORM + 8, sine)
    write_float(body + TRANSFORM + 12, cosine)
    write_float(body + SLEEP_TIME, 0.0)
    call_method(synchronise, body)
    write_short(body + FLAGS, read_short(body + FLAGS) & ~AWAKE)


@compiled(inner=True)
def wake(body: int) -> None:
    """Wake a body that was moved alone: of those that sleep only these have a velocity."""
    flags = read_short(body + FLAGS)
    if not flags & AWAKE and (
            read_float(body + VELOCITY) != 0.0 or read_float(body + VELOCITY + 4) != 0.0
            or read_float(body + VELOCITY + 8) != 0.0):
        write_short(body + FLAGS, flags | AWAKE)


@cache
def synchronise_address() -> int:
    """Return the address of b2Body::SynchronizeFixtures, 0 where bodies are not as expected."""
    world = Box2D.b2World(gravity=(0, 0))
    body = world.CreateDynamicBody(linearDamping=0.125, angularDamping=0.375)
    body.CreatePolygonFixture(box=(0.5, 0.25), density=2)
    address = int(body.this)

    def joined() -> bool:
        return ctypes.c_uint64.from_address(address + JOINTS).value != 0

    alone = joined()
    world.CreateFrictionJoint(bodyA=world.CreateStaticBody(), bodyB=body)
    inverse, linear, angular = (
        ctypes.c_float.from_address(address + place).value
        for place in (INVERSE_INERTIA, DAMPING, DAMPING + 4))
    if alone or not joined() or (linear, angular) != (0.125, 0.375) or not math.isclose(
            inverse * body.inertia, 1.0, rel_tol=1e-6) or (
            ctypes.c_int.from_address(address).value != DYNAMIC):
        return 0
    try:
        library = ctypes.CDLL(Box2D._Box2D.__file__)
        return ctypes.cast(getattr(library, _SYMBOL), ctypes.c_void_p).value or 0
    except (AttributeError, OSError):
        return 0
