# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Steps of bodies that nothing is near, without the engine.

The engine makes an island of every body and takes the time of each with six calls of the system's
clock, which is most of what a body costs that touches nothing. Here compiled code does what
`b2Island::Solve` does to such a body, in the same order in single precision, so that the numbers
are the same to the last bit; then the engine's own function tells its broad phase. In the step
that follows the body sleeps, so that the engine passes over it, unless it finds a new contact.

Where all that can move was moved so, the engine's own step is left out: of it, the search for
contacts of those whose boxes have moved is called alone, and forces are forgotten by `rest`.

What is near a body, without touching it, does not act on it either. The engine's own function
looks at these contacts before such a step; where one touches then, the step is the engine's.

The broad phase has a box around each fixture with a margin, and does nothing as long as the
fixture stays in it. How large that margin was is noted for each body, so that the engine is not
asked before a body may have left it; it would look at memory far and wide.

Only bodies that move, so that the engine would not let them rest, and not so fast that it would
slow them down. `test_lone_bodies` compares with the engine.
"""

import ctypes
from functools import cache
import math

import Box2D
import numpy as np

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.memory import (
    read_double, read_float, read_int, read_short, read_word, write_double, write_float,
    write_short)
from mvsim_ros2.jit.native_call import call_method
from mvsim_ros2.physics.engine.body_access import (
    AWAKE, BASE, CONTACTS, FLAGS, INVERSE_MASS, SLEEP_TIME)
from mvsim_ros2.physics.engine.contact_memory import (
    CONTACT_FLAGS, EDGE_CONTACT, EDGE_NEXT, FIXTURE_NEXT, FIXTURES, TOUCHING)
from mvsim_ros2.physics.engine.world_memory import world_flags

DYNAMIC = 2  # value of the type of a body, which is its first number
# bytes before transform, local centre, sweep, velocities, forces, joints, inertia, dampings
TRANSFORM, CENTRE, BEFORE, NOW = BASE, BASE + 16, BASE + 24, BASE + 32
ANGLE_BEFORE, ANGLE, VELOCITY, FORCE = BASE + 40, BASE + 44, BASE + 52, BASE + 64
JOINTS, INVERSE_INERTIA, DAMPING = 128, 156, 160
_ZERO, _ONE = np.float32(0.0), np.float32(1.0)
# what the engine lets rest, squared: b2_linearSleepTolerance, b2_angularSleepTolerance
# columns of what is noted of a body: place of its origin and angle when the broad phase was told,
# how far its points may have moved since [m], -1 where that is not known; 0 while it may change
# its shape, so that it is always told
NOTED_X, NOTED_Y, NOTED_ANGLE, MARGIN = range(4)
NOTED = 4
# bytes of a fixture before its boxes, of a box before its number in the tree; of a tree's node;
# of the world, behind its flags, before the nodes
PROXIES, PROXY, NODE, NODES = 40, 28, 40, 16
MOVED = 68  # bytes from the flags of a world to how many boxes wait for a search for contacts
ROUNDING = 1e-6  # share of coordinates in single precision
SLOW, TURNS_SLOWLY = np.float32(1.01e-4), np.float32(1.23e-3)
FAR, WIDE = np.float32(3.9), np.float32(2.4)  # below b2_maxTranslation, b2_maxRotation, squared
MANAGER = 8  # bytes from the flags of a world to what holds its contacts, the first one of them
FIRST_CONTACT = 88
# of a body: nothing near it; near, not touching; touching
FREE, NEAR, TOUCHES = 0, 1, 2
_SYMBOL = '_ZN6b2Body19SynchronizeFixturesEv'  # void b2Body::SynchronizeFixtures()
_COLLIDE = '_ZN16b2ContactManager7CollideEv'  # void b2ContactManager::Collide()
_FIND = '_ZN16b2ContactManager15FindNewContactsEv'  # void b2ContactManager::FindNewContacts()


@compiled(inlined=True)
def _f(address: int) -> np.float32:
    return np.float32(read_float(address))


@compiled(inlined=True)
def forget(noted: int) -> None:
    """Forget what is noted of a body, since the engine moves it now."""
    if read_double(noted + 8 * MARGIN) != 0.0:
        write_double(noted + 8 * MARGIN, -1.0)


@compiled(inlined=True)
def nearness(body: int) -> int:
    """Return FREE, NEAR or TOUCHES, as the engine last looked at the contacts of a body."""
    edge = read_word(body + CONTACTS)
    near = FREE if edge == 0 else NEAR
    while edge != 0:
        if read_int(read_word(edge + EDGE_CONTACT) + CONTACT_FLAGS) & TOUCHING:
            return TOUCHES
        edge = read_word(edge + EDGE_NEXT)
    return near


@compiled(inlined=True)
def _next_velocity(body: int, h: np.float32) -> tuple[np.float32, np.float32, np.float32]:
    """Return what the engine makes of the velocity of a body in a step of `h` [s]."""
    mass = _f(body + INVERSE_MASS)
    vx = _f(body + VELOCITY) + h * (mass * _f(body + FORCE))
    vy = _f(body + VELOCITY + 4) + h * (mass * _f(body + FORCE + 4))
    w = _f(body + VELOCITY + 8) + h * _f(body + INVERSE_INERTIA) * _f(body + FORCE + 8)
    keeps = max(_ZERO, min(_ONE - h * _f(body + DAMPING), _ONE))
    return vx * keeps, vy * keeps, w * max(_ZERO, min(_ONE - h * _f(body + DAMPING + 4), _ONE))


@compiled(inlined=True)
def _goes(body: int, h: np.float32, vx: np.float32, vy: np.float32, w: np.float32) -> bool:
    """Return whether a body of the next velocity can be moved alone, contacts aside."""
    speed, turn, x, y, angle = vx * vx + vy * vy, w * w, h * vx, h * vy, h * w
    return bool(
        read_int(body) == DYNAMIC and read_word(body + JOINTS) == 0
        and (speed > SLOW or turn > TURNS_SLOWLY) and x * x + y * y < FAR
        and angle * angle < WIDE)


@compiled(inlined=True)
def can_go_alone(body: int, dt: float) -> bool:
    """Return whether `move_alone` would move a body that nothing is near."""
    h = np.float32(dt)
    vx, vy, w = _next_velocity(body, h)
    return _goes(body, h, vx, vy, w)


@compiled(inlined=True)
def move_alone(body: int, near: bool, synchronise: int, noted: int, reach: float, tree: int,
               dt: float) -> bool:
    """
    Make the next step of a body in advance and let it sleep, where that can be done here.

    Returns whether it was.

    :param body: its address.
    :param near: also where something is near it: contacts are known, and none touches.
    :param synchronise: address of the engine's function that tells the broad phase.
    :param noted: address of what is noted of it, float64.
    :param reach: how far it reaches from its origin [m].
    :param tree: address of the address of the nodes of the broad phase.
    """
    known = read_double(noted + 8 * MARGIN)
    forget(noted)
    if not near and read_word(body + CONTACTS) != 0:
        return False
    h = np.float32(dt)
    vx, vy, w = _next_velocity(body, h)
    if not _goes(body, h, vx, vy, w):
        return False
    x, y, angle = h * vx, h * vy, h * w
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
    x -= cosine * centre_x - sine * centre_y
    y -= sine * centre_x + cosine * centre_y
    write_float(body + TRANSFORM, x)
    write_float(body + TRANSFORM + 4, y)
    write_float(body + TRANSFORM + 8, sine)
    write_float(body + TRANSFORM + 12, cosine)
    write_float(body + SLEEP_TIME, 0.0)
    write_short(body + FLAGS, read_short(body + FLAGS) & ~AWAKE)
    if known > 0.0:
        # along x or along y, as the edges of boxes are
        away = reach * abs(angle - read_double(noted + 8 * NOTED_ANGLE)) + max(
            abs(x - read_double(noted + 8 * NOTED_X)), abs(y - read_double(noted + 8 * NOTED_Y)))
        if away < known - ROUNDING * (abs(x) + abs(y) + reach):
            write_double(noted + 8 * MARGIN, known)
            return True
    call_method(synchronise, body)
    if known != 0.0:
        write_double(noted + 8 * NOTED_X, x)
        write_double(noted + 8 * NOTED_Y, y)
        write_double(noted + 8 * NOTED_ANGLE, angle)
        write_double(noted + 8 * MARGIN, margin(body, tree))
    return True


@compiled(inlined=True)
def rest(body: int) -> None:
    """Forget the forces on a body, as the engine does at the end of its step."""
    for k in range(3):
        write_float(body + FORCE + 4 * k, 0.0)


@compiled(inlined=True)
def margin(body: int, tree: int) -> float:
    """Return how far all fixtures of a body are from the edges of their boxes [m], or -1."""
    least = math.inf
    fixture = read_word(body + FIXTURES)
    while fixture != 0:
        tight = read_word(fixture + PROXIES)
        node = read_word(tree) + NODE * read_int(tight + PROXY)
        for k in range(2):
            least = min(least, read_float(tight + 4 * k) - read_float(node + 4 * k),
                        read_float(node + 8 + 4 * k) - read_float(tight + 8 + 4 * k))
        fixture = read_word(fixture + FIXTURE_NEXT)
    return least if 0.0 < least < math.inf else -1.0


@compiled(inlined=True)
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
    inertia = math.isclose(inverse * body.inertia, 1.0, rel_tol=1e-6)
    if (alone or not joined() or not inertia or (linear, angular) != (0.125, 0.375)
            or ctypes.c_int.from_address(address).value != DYNAMIC or not _boxes_as_expected()):
        return 0
    return _address_of(_SYMBOL)


@cache
def contact_functions() -> tuple[int, int]:
    """
    Return the addresses of what a step of the engine does with contacts, 0 where unknown.

    b2ContactManager::Collide looks at the contacts that there are, FindNewContacts for others.
    """
    flags, found = world_flags()[1], (_address_of(_COLLIDE), _address_of(_FIND))
    if not (flags and all(found)):
        return 0, 0
    collide, find = (ctypes.CFUNCTYPE(None, ctypes.c_void_p)(each) for each in found)
    world = Box2D.b2World(gravity=(0, 0))
    manager = int(world.this) + flags + MANAGER
    body, other = (world.CreateDynamicBody(position=(x, 0.0)) for x in (0.0, 0.9))
    for each in (body, other):
        each.CreatePolygonFixture(box=(0.5, 0.25))
    first = ctypes.c_uint64.from_address(manager + FIRST_CONTACT)
    if first.value != 0:
        return 0, 0
    find(manager)
    contacts = world.contacts
    if [int(each.this) for each in contacts] != [first.value] or contacts[0].touching:
        return 0, 0
    collide(manager)
    if not contacts[0].touching:
        return 0, 0
    other.position = 5.0, 0.0
    collide(manager)
    return found if first.value == 0 else (0, 0)


def _address_of(symbol: str) -> int:
    """Return the address of a function of the engine, 0 where it has none of this name."""
    try:
        library = ctypes.CDLL(Box2D._Box2D.__file__)
        return ctypes.cast(getattr(library, symbol), ctypes.c_void_p).value or 0
    except (AttributeError, OSError):
        return 0


def _boxes_as_expected() -> bool:
    """Return whether boxes of fixtures are where they should be."""
    world = Box2D.b2World(gravity=(0, 0))
    flags = world_flags()[1]
    if not flags:
        return False
    after, moved = int(world.this) + flags, []
    for x in (-20.0, 0.0, 7.0):
        body = world.CreateStaticBody(position=(x, 3.0))
        body.CreatePolygonFixture(box=(0.5, 0.25))
        moved.append(ctypes.c_int.from_address(after + MOVED).value)
    world.Step(0.01, 1, 1)
    if [*moved, ctypes.c_int.from_address(after + MOVED).value] != [1, 2, 3, 0]:
        return False
    root, count, room = (
        ctypes.c_int.from_address(after + NODES + place).value for place in (-8, 8, 12))
    if not (0 <= root < count == 5 and count <= room <= 64):  # not a tree of three leaves
        return False
    nodes = ctypes.c_uint64.from_address(after + NODES).value
    fixture = ctypes.c_uint64.from_address(int(body.this) + FIXTURES).value
    tight = ctypes.c_uint64.from_address(fixture + PROXIES).value
    number = ctypes.c_int.from_address(tight + PROXY).value
    if not nodes or not 0 <= number < 16:
        return False
    own = np.array((ctypes.c_float * 4).from_address(tight))
    wide = np.array((ctypes.c_float * 4).from_address(nodes + NODE * number))
    skin = body.fixtures[0].shape.radius
    return bool(np.allclose(own, (6.5 - skin, 2.75 - skin, 7.5 + skin, 3.25 + skin), atol=1e-5)
                and np.allclose(wide - own, (-0.1, -0.1, 0.1, 0.1), atol=1e-5))
