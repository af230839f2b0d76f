# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Let contacts pass whose parts are above each other: see `heights`.

The engine asks a listener about each touching pair before it solves it. Where possible that is
a compiled function in the table of virtual functions of a listener of our own, which costs some
10 nanoseconds a contact; else a method in Python, some microseconds.
"""

import ctypes
from functools import cache
from typing import Any

import Box2D
import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import import_numba
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.jit.memory import carray, pointer, read_int, read_short, read_word, write_int
from mvsim_ros2.jit.native_call import callback
from mvsim_ros2.physics.engine.collision_heights import apart, row_of, ROWS
from mvsim_ros2.physics.engine.contact_memory import (
    CONTACT_FIXTURES, CONTACT_FLAGS, contacts_as_expected, FIXTURE_FILTER)

Array = NDArray[np.float64]

ENABLED = 4  # the flag of a contact that is to be solved
_SET_LISTENER = '_ZN7b2World18SetContactListenerEP17b2ContactListener'
_FUNCTIONS = '_ZTV17b2ContactListener'  # the table of the class that does nothing
_FUNCTION_COUNT, _FIRST_FUNCTION, _PRE_SOLVE = 8, 2, 6  # words; before it are two of another use


@lazy_kernel(0, 0)
def pass_over(listener: int, contact: int) -> None:
    """Switch a contact off where its parts are apart."""
    # slots of the listener: see `_Listener`
    table = carray(pointer(read_word(listener + 8)), (read_word(listener + 16), 4), np.float64)
    one = read_word(contact + CONTACT_FIXTURES)
    other = read_word(contact + CONTACT_FIXTURES + 8)
    if apart(table, read_short(one + FIXTURE_FILTER) & ROWS,
             read_short(other + FIXTURE_FILTER) & ROWS):
        flags = read_int(contact + CONTACT_FLAGS)
        write_int(contact + CONTACT_FLAGS, flags & ~ENABLED)


def _pre_solve(listener: int, contact: int, manifold: int) -> None:
    """Do so as the engine calls it."""
    pass_over(listener, contact)


@cache
def _compiled_pre_solve() -> int:
    return callback(_pre_solve, 3)


class _Listener(ctypes.Structure):
    """A `b2ContactListener` of the engine, and what its functions know."""

    _fields_ = (('functions', ctypes.c_void_p), ('table', ctypes.c_void_p),
                ('rows', ctypes.c_int64))


class _PublicListener(Box2D.b2ContactListener):  # type: ignore[misc]
    """The same through the functions of the binding."""

    def __init__(self, table: Array) -> None:
        super().__init__()
        self._table = table

    def PreSolve(self, contact: Any, oldManifold: Any) -> None:  # noqa: N802, N803
        """Switch a contact off where its parts are apart."""
        if apart(self._table, row_of(contact.fixtureA), row_of(contact.fixtureB)):
            contact.enabled = False


class HeightFilter:
    """What makes the contacts of a world of the engine heed a table of heights."""

    def __init__(self, world: Any, table: Array, public: bool = False) -> None:
        """
        Filter from now on.

        :param world: of the engine, which keeps no hold of this object: keep it.
        :param table: see `heights`; read anew in each step.
        :param public: use the functions of the binding only.
        """
        self._table = np.ascontiguousarray(table)
        assert self._table is table, 'a copy would not be heeded'
        self.calls_python = public or not _native()  # then no step without the binding
        if self.calls_python:
            self._public = _PublicListener(table)
            world.contactListener = self._public
            return
        library = _library()
        functions = _FIRST_FUNCTION * 8 + ctypes.addressof(
            ctypes.c_char.in_dll(library, _FUNCTIONS))
        words = (ctypes.c_uint64 * _FUNCTION_COUNT).from_address(functions - _FIRST_FUNCTION * 8)
        self._functions = (ctypes.c_uint64 * _FUNCTION_COUNT)(*words)
        self._functions[_PRE_SOLVE] = _compiled_pre_solve()
        self._listener = _Listener(
            ctypes.addressof(self._functions) + _FIRST_FUNCTION * 8, table.ctypes.data,
            len(table))
        _set_listener(library)(int(world.this), ctypes.addressof(self._listener))


@cache
def _library() -> Any:
    return ctypes.CDLL(Box2D._Box2D.__file__)


def _set_listener(library: Any) -> Any:
    function = getattr(library, _SET_LISTENER)
    function.argtypes, function.restype = (ctypes.c_void_p, ctypes.c_void_p), None
    return function


@cache
def _native() -> bool:
    """Return whether the engine can be given a listener of our own."""
    if not (import_numba() and contacts_as_expected()):
        return False
    try:
        library = _library()
        _set_listener(library)
        ctypes.c_char.in_dll(library, _FUNCTIONS)
        names = 'D1Ev', 'D0Ev', '12BeginContactEP9b2Contact', '10EndContactEP9b2Contact', (
            '8PreSolveEP9b2ContactPK10b2Manifold'), '9PostSolveEP9b2ContactPK16b2ContactImpulse'
        expected = [ctypes.cast(getattr(library, f'_ZN17b2ContactListener{name}'),
                                ctypes.c_void_p).value for name in names]
    except (AttributeError, OSError, ValueError):
        return False
    start = ctypes.addressof(ctypes.c_char.in_dll(library, _FUNCTIONS))
    words = (ctypes.c_uint64 * _FUNCTION_COUNT).from_address(start)
    return list(words)[_FIRST_FUNCTION:] == expected
