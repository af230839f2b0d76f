# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Motion of many Box2D bodies at once.

A `b2Body` of Box2D 2.3 is a plain struct that holds transform, sweep, velocities and forces
in one run of 19 floats. Reading and adding to them in place saves ten calls a body and step.
Whether the struct looks as expected is found out once, on a body of known state; where it
does not, the public functions of the binding do the same, slower.
"""

from collections.abc import Sequence
import ctypes
from functools import cache
from typing import Any, Protocol

import Box2D
import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.physics.state.record_layout import MOTION, OMEGA, VX, VY

Array = NDArray[np.float64]
Dump = tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.float32]]

BASE = 12  # bytes before the floats
FLOATS = 19
# slots: transform x y sin cos 0..3, local centre 4 5, sweep start 6 7 10, sweep end 8 9 11
MOTION_SLOTS = np.array([0, 1, 2, 3, 8, 9, 11, 13, 14, 15])
VELOCITY_SLOTS = np.array([13, 14, 15])
FORCE_SLOTS = np.array([16, 17, 18])
FLAGS = 4  # bytes before the 16 bit flags
AWAKE = 2  # the flag of a body that is not asleep
BULLET = 8  # the flag of one that others that forces move are looked for on its way
CONTACTS = 136  # bytes before the pointer to the first contact, 0 where there is none
INVERSE_MASS = 148  # bytes before 1 / mass
SLEEP_TIME = 172  # bytes before the time for which the body has hardly moved
SIZE = 176  # bytes of a body that are looked at

# m/s, rad/s; what moves faster never goes to sleep
VEHICLE_RESTS = 2.0 ** -75  # up to here the square vanishes in single precision
BLOCK_RESTS = 2.0 ** -20  # in the original as above; far below what can be seen


class BodyView(Protocol):
    """Motion of a fixed set of bodies, in order."""

    def read(self, motion: Array) -> None:
        """Write the motion of the bodies into `motion`, shape (n, MOTION)."""

    def rouse(self, rest: float, sleepers: bool) -> None:
        """
        Before a step let bodies that move count their time of rest anew.

        The engine puts bodies to sleep that have hardly moved for 0.5 s. The original sets
        all velocities in each step, which starts that time anew where they are not zero, and
        gives forces to vehicles, which wakes them.

        :param rest: velocities up to here do not count as moving [m/s, rad/s].
        :param sleepers: wake the bodies that sleep.
        """

    def push(self, wrench: Array) -> None:
        """Add forces [N] and torques [N m] about the centres of mass, shape (n, 3)."""

    def set_velocity(self, bodies: NDArray[np.int64], motion: Array) -> None:
        """Set the velocities of the bodies of these indices to those in `motion`."""

    def has_contacts(self) -> NDArray[np.bool_]:
        """Return which bodies have another one nearby, shape (n,)."""


class PublicView:
    """Motion through the functions of the binding."""

    def __init__(self, bodies: Sequence[Any]) -> None:
        self._bodies = tuple(bodies)

    def read(self, motion: Array) -> None:
        """Write the motion of the bodies into `motion`, shape (n, MOTION)."""
        for row, body in zip(motion, self._bodies, strict=True):
            transform = body.transform
            position, rotation = transform.position, transform.q
            centre, velocity = body.worldCenter, body.linearVelocity
            row[:] = (position.x, position.y, rotation.s, rotation.c, centre.x, centre.y,
                      body.angle, velocity.x, velocity.y, body.angularVelocity)

    def rouse(self, rest: float, sleepers: bool) -> None:
        """Before a step let bodies that move count their time of rest anew."""
        for body in self._bodies:
            velocity, turn = tuple(body.linearVelocity), body.angularVelocity
            if max(abs(velocity[0]), abs(velocity[1]), abs(turn)) > rest:
                body.awake = False  # forgets the time, and the velocity
                body.awake = True
                body.linearVelocity, body.angularVelocity = velocity, turn
            elif sleepers:
                body.awake = True

    def push(self, wrench: Array) -> None:
        """Add forces [N] and torques [N m] about the centres of mass, shape (n, 3)."""
        for (fx, fy, torque), body in zip(wrench.tolist(), self._bodies, strict=True):
            body.ApplyForce((fx, fy), body.worldCenter, True)
            body.ApplyTorque(torque, True)

    def set_velocity(self, bodies: NDArray[np.int64], motion: Array) -> None:
        """Set the velocities of the bodies of these indices to those in `motion`."""
        for i in bodies.tolist():
            self._bodies[i].linearVelocity = (float(motion[i, VX]), float(motion[i, VY]))
            self._bodies[i].angularVelocity = float(motion[i, OMEGA])

    def has_contacts(self) -> NDArray[np.bool_]:
        """Return which bodies have another one nearby, shape (n,)."""
        return np.array([bool(body.contacts) for body in self._bodies], bool)


class MemoryView:
    """Motion read and written in place; valid as long as none of the bodies is destroyed."""

    def __init__(self, bodies: Sequence[Any], where: NDArray[np.int64]) -> None:
        """Look at bodies by their `addresses`."""
        self._bodies = tuple(bodies)  # kept alive
        self.addresses = where
        low = int(self.addresses.min())
        span = int(self.addresses.max()) - low + SIZE
        self._halves = np.ctypeslib.as_array((ctypes.c_uint16 * (span // 2)).from_address(low))
        self._words = np.ctypeslib.as_array((ctypes.c_float * (span // 4)).from_address(low))
        self._pointers = np.ctypeslib.as_array(
            (ctypes.c_uint64 * (span // 8)).from_address(low))
        start = (self.addresses - low + BASE) // 4
        self._motion = start[:, None] + MOTION_SLOTS
        self._velocity = start[:, None] + VELOCITY_SLOTS
        self._force = start[:, None] + FORCE_SLOTS
        self._flags = (self.addresses - low + FLAGS) // 2
        self._rest = (self.addresses - low + SLEEP_TIME) // 4
        self._contact = (self.addresses - low + CONTACTS) // 8
        self._all = start[:, None] + np.arange(FLOATS)

    def read(self, motion: Array) -> None:
        """Write the motion of the bodies into `motion`, shape (n, MOTION)."""
        motion[:] = self._words[self._motion]

    def rouse(self, rest: float, sleepers: bool) -> None:
        """Before a step let bodies that move count their time of rest anew."""
        anew = np.any(np.abs(self._words[self._velocity]) > rest, axis=1)
        if sleepers:
            anew |= ~self._awake()
        self._halves[self._flags[anew]] |= AWAKE
        self._words[self._rest[anew]] = 0.0

    def _awake(self) -> NDArray[np.bool_]:
        return np.asarray(self._halves[self._flags] & AWAKE != 0)

    def push(self, wrench: Array) -> None:
        """Add forces [N] and torques [N m] about the centres of mass, shape (n, 3)."""
        self._words[self._force] += wrench.astype(np.float32)

    def set_velocity(self, bodies: NDArray[np.int64], motion: Array) -> None:
        """Set the velocities of the bodies of these indices to those in `motion`."""
        self._words[self._velocity[bodies]] = motion[bodies, VX:MOTION]

    def has_contacts(self) -> NDArray[np.bool_]:
        """Return which bodies have another one nearby, shape (n,)."""
        return np.asarray(self._pointers[self._contact] != 0)

    def dump(self) -> Dump:
        """Return all floats of the bodies, shape (n, FLOATS), who is awake, times of rest."""
        return self._words[self._all], self._awake(), self._words[self._rest]

    def load(self, state: Dump) -> None:
        """Put back what `dump` returned, to the last bit."""
        self._words[self._all], awake, self._words[self._rest] = state
        others = self._halves[self._flags] & ~np.uint16(AWAKE)
        self._halves[self._flags] = others | awake * np.uint16(AWAKE)


def addresses(bodies: Sequence[Any]) -> NDArray[np.int64]:
    """Return where the bodies lie in memory."""
    return np.array([int(body.this) for body in bodies], np.int64)


def view(bodies: Sequence[Any], where: NDArray[np.int64] | None = None) -> BodyView:
    """Return the fastest view of `bodies` that works here; `where`: `addresses`, if known."""
    if not bodies or not layout_as_expected():
        return PublicView(bodies)
    return MemoryView(bodies, addresses(bodies) if where is None else where)


@cache
def layout_as_expected() -> bool:
    """Return whether a body of known state has its numbers where `MemoryView` looks."""
    world = Box2D.b2World(gravity=(0, 0))
    body = world.CreateDynamicBody(position=(1234.5, -987.25), angle=0.75)
    body.CreatePolygonFixture(box=(0.5, 0.3, (0.25, 0.125), 0.0), density=2)
    body.linearVelocity, body.angularVelocity = (11.125, -7.375), 3.625
    body.ApplyForce((5.5, 6.5), body.worldCenter, True)
    body.ApplyTorque(9.25, True)
    address = int(body.this)
    floats = np.array((ctypes.c_float * FLOATS).from_address(address + BASE))
    centre = body.worldCenter
    expected = [1234.5, -987.25, np.sin(0.75), np.cos(0.75), 0.25, 0.125, centre.x, centre.y,
                centre.x, centre.y, 0.75, 0.75, floats[12], 11.125, -7.375, 3.625, 5.5, 6.5, 9.25]
    if not np.allclose(floats, expected, rtol=1e-6):
        return False

    def has_contact() -> bool:
        return ctypes.c_uint64.from_address(address + CONTACTS).value != 0

    alone = has_contact()
    world.CreateStaticBody(position=(1234.5, -987.25)).CreatePolygonFixture(box=(1, 1))
    world.Step(0.001, 1, 1)
    inverse = ctypes.c_float.from_address(address + INVERSE_MASS).value
    if not np.isclose(inverse * body.mass, 1.0, rtol=1e-6):
        return False
    return not alone and has_contact() and _sleep_as_expected()


def _sleep_as_expected() -> bool:
    """Return whether the flags and the time of a body that rests are where they should be."""
    world = Box2D.b2World(gravity=(0, 0))
    body = world.CreateDynamicBody()
    body.CreatePolygonFixture(box=(0.5, 0.3), density=2)
    address, seen = int(body.this), []
    for on in (True, False, True):
        body.awake = body.bullet = on
        flags = ctypes.c_uint16.from_address(address + FLAGS).value
        seen.append(flags & (AWAKE | BULLET))
    body.bullet = False
    world.Step(0.125, 1, 1)
    world.Step(0.25, 1, 1)
    rest = ctypes.c_float.from_address(address + SLEEP_TIME).value
    return seen == [AWAKE | BULLET, 0, AWAKE | BULLET] and rest == 0.375
