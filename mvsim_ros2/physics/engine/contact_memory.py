# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Contacts of bodies read where they lie in memory.

What `collisions` finds out through the functions of the binding, some 10 microseconds a
contact, takes well below one here. Offsets are those of Box2D 2.3 on 64 bit machines, where
all fixtures are polygons and none is a sensor; `contacts_as_expected` tries them.
"""

import ctypes
from typing import Any

import Box2D
import numpy as np

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.jit.memory import carray, pointer, read_float, read_int, read_short, read_word
from mvsim_ros2.physics.engine.body_access import BASE, CONTACTS
from mvsim_ros2.physics.engine.collision_heights import apart, Heights, NO_HEIGHTS, ROWS
from mvsim_ros2.physics.engine.collisions import is_nearer

EDGE_CONTACT, EDGE_NEXT = 8, 24  # in an edge of the contact list of a body
CONTACT_FLAGS, CONTACT_FIXTURES = 8, 96  # in a contact
TOUCHING = 2  # the flag of a contact whose fixtures touch
FIXTURES = 112  # bytes of a body before the pointer to its first fixture
FIXTURE_NEXT, FIXTURE_BODY, FIXTURE_SHAPE, FIXTURE_FILTER = 8, 16, 24, 52  # in a fixture
SHAPE_RADIUS, SHAPE_CORNERS, SHAPE_COUNT = 12, 24, 280  # in a polygon
MOST_CORNERS = 16


@lazy_kernel(0, 0.0, NO_HEIGHTS)
def near_another(body: int, threshold: float, heights: Heights) -> bool:
    """
    Return what `collisions.is_near_another` does.

    :param body: its address.
    """
    edge = read_word(body + CONTACTS)
    while edge != 0:
        contact = read_word(edge + EDGE_CONTACT)
        edge = read_word(edge + EDGE_NEXT)
        if len(heights.table) > 0 and apart(
                heights.table, _row(read_word(contact + CONTACT_FIXTURES)),
                _row(read_word(contact + CONTACT_FIXTURES + 8))):
            continue
        if read_int(contact + CONTACT_FLAGS) & TOUCHING:
            return True
        if threshold > 0.0:
            first = read_word(contact + CONTACT_FIXTURES)
            second = read_word(contact + CONTACT_FIXTURES + 8)
            one, other = read_word(first + FIXTURE_SHAPE), read_word(second + FIXTURE_SHAPE)
            if is_nearer(
                    _corners(one), _placement(read_word(first + FIXTURE_BODY)),
                    _corners(other), _placement(read_word(second + FIXTURE_BODY)),
                    threshold + read_float(one + SHAPE_RADIUS)
                    + read_float(other + SHAPE_RADIUS)):
                return True
    return False


@compiled(inlined=True)
def _row(fixture: int) -> int:
    """Return what `collision_heights.row_of` does."""
    return int(read_short(fixture + FIXTURE_FILTER) & ROWS)


@compiled(inner=True)
def _corners(shape: int) -> Any:
    count = read_int(shape + SHAPE_COUNT)
    return carray(pointer(shape + SHAPE_CORNERS), (MOST_CORNERS, 2), np.float32)[:count]


@compiled(inner=True)
def _placement(body: int) -> Any:
    return carray(pointer(body + BASE), (4,), np.float32)


def contacts_as_expected() -> bool:
    """
    Return whether the contacts of known bodies are where `near_another` looks.

    Compares every address with that of the binding before it reads there.
    """
    world = Box2D.b2World(gravity=(0, 0))
    bodies = [world.CreateDynamicBody(position=(x, 2.0)) for x in (0.0, 0.25, -1.3)]
    for body in bodies:
        body.CreatePolygonFixture(
            vertices=((-0.5, -0.5), (0.5, -0.5), (0.75, 0.25), (0.0, 0.5), (-0.5, 0.25)),
            density=1, categoryBits=5, groupIndex=1)
    world.Step(1e-3, 1, 1)
    edges = bodies[0].contacts[::-1]  # the binding lists the last one first
    links = [_word_at(int(bodies[0].this) + CONTACTS)]
    links += [_word_at(int(edge.this) + EDGE_NEXT) for edge in edges]
    return (
        _word_at(int(bodies[0].this) + FIXTURES) == int(bodies[0].fixtures[0].this)
        and links == [*(int(edge.this) for edge in edges), 0]
        and sorted(edge.contact.touching for edge in edges) == [False, True]
        and all(_edge_as_expected(edge) for edge in edges))


def _edge_as_expected(edge: Any) -> bool:
    contact = edge.contact
    address = int(contact.this)
    fixtures = contact.fixtureA, contact.fixtureB
    flags = ctypes.c_uint32.from_address(address + CONTACT_FLAGS).value
    return (
        _word_at(int(edge.this) + EDGE_CONTACT) == address
        and bool(flags & TOUCHING) == contact.touching
        and [_word_at(address + CONTACT_FIXTURES + 8 * i) for i in range(2)] == [
            int(fixture.this) for fixture in fixtures]
        and all(_fixture_as_expected(fixture) for fixture in fixtures))


def _fixture_as_expected(fixture: Any) -> bool:
    shape = fixture.shape
    address = int(shape.this)
    corners = (ctypes.c_float * (2 * MOST_CORNERS)).from_address(address + SHAPE_CORNERS)
    category, mask, group = (ctypes.c_uint16 * 3).from_address(
        int(fixture.this) + FIXTURE_FILTER)
    listed = [number for corner in shape.vertices for number in corner]
    return (
        [category, mask, group] == [5, 0xFFFF, 1]
        and _word_at(int(fixture.this) + FIXTURE_BODY) == int(fixture.body.this)
        and _word_at(int(fixture.this) + FIXTURE_SHAPE) == address
        and ctypes.c_float.from_address(address + SHAPE_RADIUS).value == shape.radius
        and ctypes.c_int32.from_address(address + SHAPE_COUNT).value == len(listed) // 2
        and corners[:len(listed)] == listed)


def _word_at(address: int) -> int:
    return ctypes.c_uint64.from_address(address).value
