# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Memory of a world of the engine, in pieces that are not much larger than what is in them.

The engine takes memory for things of about one size in pieces of 16 KiB. A world with a robot and
some walls has five, which are nearly empty: a third of the memory of worlds that learn together.
So it is given smaller ones before it takes its own, made by its own function, which it frees like
those. Where one is used up, it goes on as ever.
"""

from collections.abc import Callable
import ctypes
from functools import cache
from typing import Any

import Box2D
import numpy as np

# bytes of a world before the address of its list of pieces, how many are in it, how many fit in;
# and before the first free place of each size; an entry of the list is a size and an address
_PIECES, _COUNT, _ROOM, _FREE, _ENTRY = 0, 8, 12, 16, 16
_SIZES = 14  # of places
LARGEST = 0x2000  # bytes of a piece that is given; the engine takes twice as much
_ALLOCATE = '_Z7b2Alloci'  # void* b2Alloc(int32)
_LISTED = '_ZN16b2BlockAllocator12s_blockSizesE'  # int32 b2BlockAllocator::s_blockSizes[]


def provide(world: Any, bodies: int, fixtures: int, contacts: int) -> None:
    """
    Give a new world of the engine memory for so many things, where it is not much.

    :param fixtures: polygons.
    """
    start, counts = int(world.this), [0] * _SIZES
    for numbers, count in zip(places(), (bodies, fixtures, contacts), strict=True):
        for number in numbers:
            counts[number] += count
    entries, known, room = _word(start + _PIECES), _int(start + _COUNT), _int(start + _ROOM)
    for number, count in enumerate(counts):
        size = _sizes()[number]
        if not 0 < count * size <= LARGEST or known.value >= room.value:
            continue
        piece = _allocate(count * size)
        links = np.ctypeslib.as_array((ctypes.c_uint64 * (count * size // 8)).from_address(piece))
        links[::size // 8] = [*range(piece + size, piece + count * size, size), 0]
        entry = entries.value + _ENTRY * known.value
        _int(entry).value, _word(entry + 8).value = size, piece
        _word(start + _FREE + 8 * number).value = piece
        known.value += 1


@cache
def places() -> tuple[list[int], list[int], list[int]]:
    """
    Return the sizes, by number, of the places that a body, a fixture and a contact take.

    None where the memory of a world is not laid out as expected, so that nothing is given.
    """
    nothing: tuple[list[int], list[int], list[int]] = [], [], []
    if not (all(_sizes()) and hasattr(_engine(), _ALLOCATE)):
        return nothing
    world = Box2D.b2World(gravity=(0, 0))
    start = int(world.this)
    free = (ctypes.c_uint64 * _SIZES).from_address(start + _FREE)
    known = _int(start + _COUNT)
    if any(free) or known.value != 0 or not 10 < _int(start + _ROOM).value < 10_000:
        return nothing

    def taken(make: Callable[[], object]) -> list[int]:
        before = list(free)
        make()
        return [number for number in range(_SIZES) if free[number] != before[number]]

    of_body = taken(world.CreateDynamicBody)
    body = world.bodies[0]
    of_fixture = taken(lambda: body.CreatePolygonFixture(box=(1, 1)))
    world.CreateStaticBody().CreatePolygonFixture(box=(1, 1))
    of_contact = taken(lambda: world.Step(0.01, 1, 1))
    first = _word(start + _PIECES).value
    if (len(of_body) == len(of_contact) == 1 and of_fixture and 0 < known.value < 10
            and _int(first).value == _sizes()[of_body[0]]
            and _word(first + 8).value == int(body.this)):
        return of_body, of_fixture, of_contact
    return nothing


@cache
def _sizes() -> tuple[int, ...]:
    """Return the bytes of the places of the engine, 0 where it does not tell."""
    try:
        return tuple((ctypes.c_int32 * _SIZES).in_dll(_engine(), _LISTED))
    except (OSError, ValueError):
        return (0,) * _SIZES


def _allocate(size: int) -> int:
    """Return the address of new memory, taken as the engine does."""
    allocate = getattr(_engine(), _ALLOCATE)
    allocate.argtypes, allocate.restype = [ctypes.c_int32], ctypes.c_void_p
    return int(allocate(size))


@cache
def _engine() -> ctypes.CDLL:
    return ctypes.CDLL(Box2D._Box2D.__file__)


def _word(address: int) -> ctypes.c_uint64:
    return ctypes.c_uint64.from_address(address)


def _int(address: int) -> ctypes.c_int32:
    return ctypes.c_int32.from_address(address)
