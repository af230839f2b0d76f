# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
"""
Many steps in one compiled call, the engine's own included.

The binding exports `b2World::Step`; compiled code can call it by its address and read the
bodies where they lie. All of this is used only where it proves to work; `BodyView` and the
same stages in plain Python give the same numbers without it.
"""

import ctypes
from functools import cache
from typing import Any
from typing import NamedTuple

import Box2D
import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.compiled import compiled
from mvsim_ros2.compiled import NUMBA
from mvsim_ros2.physics.body_view import AWAKE
from mvsim_ros2.physics.body_view import BASE
from mvsim_ros2.physics.body_view import BLOCK_RESTS
from mvsim_ros2.physics.body_view import CONTACTS
from mvsim_ros2.physics.body_view import FLAGS
from mvsim_ros2.physics.body_view import FORCE_SLOTS
from mvsim_ros2.physics.body_view import layout_as_expected
from mvsim_ros2.physics.body_view import MOTION_SLOTS
from mvsim_ros2.physics.body_view import SLEEP_TIME
from mvsim_ros2.physics.body_view import VEHICLE_RESTS
from mvsim_ros2.physics.body_view import VELOCITY_SLOTS
from mvsim_ros2.physics.contact_memory import contacts_as_expected
from mvsim_ros2.physics.contact_memory import near_another
from mvsim_ros2.physics.heights import Heights
from mvsim_ros2.physics.layout import MOTION
from mvsim_ros2.physics.layout import VX
from mvsim_ros2.physics.pipeline import steps_with
from mvsim_ros2.physics.pointer import Intrinsic
from mvsim_ros2.physics.pointer import read_float
from mvsim_ros2.physics.pointer import read_short
from mvsim_ros2.physics.pointer import read_word
from mvsim_ros2.physics.pointer import write_float
from mvsim_ros2.physics.pointer import write_short

Array = NDArray[np.float64]
Records = NDArray[np.void]

# where a body has its velocities and forces; of its floats, which make a row of `motion`
VELOCITY, FORCE = BASE + 4 * int(VELOCITY_SLOTS[0]), BASE + 4 * int(FORCE_SLOTS[0])
SLOTS = tuple(MOTION_SLOTS.tolist())


class BodyAddresses(NamedTuple):
    """Where the engine and its bodies lie in memory."""

    step: int  # function of the engine, 0 where it cannot be called
    world: int
    velocity_iterations: int
    position_iterations: int
    vehicles: NDArray[np.int64]  # their bodies
    blocks: NDArray[np.int64]  # those that can move


_SYMBOL = '_ZN7b2World4StepEfii'  # void b2World::Step(float, int, int)


def _call_step() -> Any:
    """Return what makes code that calls b2World::Step at the address `function`."""
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    def step(typing: Any, function: Any, world: Any, dt: Any, velocity: Any,
             position: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            integer = ir.IntType(32)
            kind = ir.FunctionType(
                ir.VoidType(), [cgutils.voidptr_t, ir.FloatType(), integer, integer])
            builder.call(
                builder.inttoptr(arguments[0], kind.as_pointer()),
                [builder.inttoptr(arguments[1], cgutils.voidptr_t), *arguments[2:]])
            return context.get_dummy_value()
        return types.void(
            types.int64, types.int64, types.float32, types.int32, types.int32), build
    return intrinsic(step)


_step = Intrinsic(_call_step)


@compiled(inner=True)
def _rouse_one(body: int, rest: float, sleeper: bool) -> None:
    flags = read_short(body + FLAGS)
    if (abs(read_float(body + VELOCITY)) > rest
            or abs(read_float(body + VELOCITY + 4)) > rest
            or abs(read_float(body + VELOCITY + 8)) > rest
            or sleeper and not flags & AWAKE):
        write_short(body + FLAGS, flags | AWAKE)
        write_float(body + SLEEP_TIME, 0.0)


@compiled(inner=True)
def _rouse(bodies: BodyAddresses) -> None:
    """See `pipeline`, as for the functions below."""
    for address in bodies.blocks:
        _rouse_one(address, BLOCK_RESTS, False)
    for address in bodies.vehicles:
        _rouse_one(address, VEHICLE_RESTS, True)


@compiled(inner=True)
def _set_velocities(bodies: BodyAddresses, vehicles: Records, motion: Array) -> None:
    for i in range(len(bodies.vehicles)):
        if vehicles[i]['is_ideal'] != 0.0:
            for k in range(3):
                write_float(bodies.vehicles[i] + VELOCITY + 4 * k, motion[i, VX + k])


@compiled(inner=True)
def _push(bodies: BodyAddresses, wrench: Array) -> None:
    for i in range(len(bodies.vehicles)):
        for k in range(3):
            force = bodies.vehicles[i] + FORCE + 4 * k
            # the engine adds in single precision too
            write_float(force, read_float(force) + np.float32(wrench[i, k]))


@compiled(inner=True)
def _advance(bodies: BodyAddresses, dt: float) -> None:
    _step(bodies.step, bodies.world, np.float32(dt), np.int32(bodies.velocity_iterations),
          np.int32(bodies.position_iterations))


@compiled(inner=True)
def _read(bodies: BodyAddresses, motion: Array) -> None:
    for i in range(len(bodies.vehicles)):
        for k in range(MOTION):
            motion[i, k] = read_float(bodies.vehicles[i] + BASE + 4 * SLOTS[k])


@compiled(inner=True)
def _mark_collisions(bodies: BodyAddresses, collided: NDArray[np.bool_], threshold: float,
                     heights: Heights) -> None:
    for i in range(len(bodies.vehicles)):
        if not collided[i] and read_word(bodies.vehicles[i] + CONTACTS) != 0:
            collided[i] = near_another(bodies.vehicles[i], threshold, heights)


native_steps = compiled(steps_with(
    rouse=_rouse, set_velocities=_set_velocities, push=_push, advance=_advance, read=_read,
    mark_collisions=_mark_collisions))


@cache
def step_address() -> int:
    """Return the address of b2World::Step, or 0 where it cannot be called in compiled code."""
    if not (NUMBA and layout_as_expected() and contacts_as_expected()):
        return 0
    try:
        library = ctypes.CDLL(Box2D._Box2D.__file__)
        address = ctypes.cast(getattr(library, _SYMBOL), ctypes.c_void_p).value or 0
    except (AttributeError, OSError):
        return 0
    return address if address and _agrees(address) else 0


def _agrees(address: int) -> bool:
    """Return whether a body moves the same by the address as by the binding."""
    step = ctypes.CFUNCTYPE(
        None, ctypes.c_void_p, ctypes.c_float, ctypes.c_int, ctypes.c_int)(address)
    results = []
    for direct in (True, False):
        world = Box2D.b2World(gravity=(1.0, -2.0))
        body = world.CreateDynamicBody(angularVelocity=3.0)
        body.CreatePolygonFixture(box=(0.5, 0.3), density=2)
        if direct:
            for _ in range(5):
                step(int(world.this), 0.01, 8, 3)
        else:
            for _ in range(5):
                world.Step(0.01, 8, 3)
        results.append((*body.position, body.angle, *body.linearVelocity))
    return results[0] == results[1]
