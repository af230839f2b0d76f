# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Kernels: functions over numbers and arrays that numba compiles where it is installed.

A kernel gives the same numbers compiled and as plain Python: numba neither fuses nor reorders
floating point operations here. Division by zero must be ruled out by the kernel itself, since
compiled code does not check for it.

So a process begins with plain Python. Importing numba and loading machine code takes 0.7 s,
compiling for a world some 10 s, once after each installation. When the arguments of kernels have
amounted to `ENOUGH` numbers, each is compiled at its next call, or taken from disk.
"""

from collections.abc import Callable
from functools import cached_property, partial, update_wrapper
import gc
from importlib.util import find_spec
import logging
from math import inf
import os
from threading import RLock
from types import CellType, CodeType, FunctionType, ModuleType, SimpleNamespace
from typing import Any, overload, TypeVar

import numpy as np

from mvsim_ros2.base.bulk import without_collection
from mvsim_ros2.base.progress import tell

_LOG = logging.getLogger(__name__)
_PACKAGE = f"{__package__.partition('.')[0]}."

NUMBA = find_spec('numba') is not None and os.environ.get('NUMBA_DISABLE_JIT', '0') in ('', '0')
OLDEST = 0, 58  # numba before it knows no records in records
ENOUGH = 350_000  # about a quarter of a second of plain Python
COMPILED = 'numerical kernels compiled, once after each installation'
INLINED, MERGED = {'forceinline': True}, {'inline': 'always'}  # options of numba

F = TypeVar('F', bound=Callable[..., Any])


@overload
def compiled(function: F, /) -> F: ...


@overload
def compiled(
        *, inlined: bool = False, merged: bool = False, counted: bool = True, brief: bool = False,
        ) -> Callable[[F], F]: ...


def compiled(function: Any = None, /, *, inlined: bool = False, merged: bool = False,
             counted: bool = True, brief: bool = False) -> Any:
    """
    Return `function` as a kernel, or unchanged where numba is not installed.

    To be used as ``@compiled`` or ``@compiled(inlined=True)``. The machine code is kept on disk
    where that is possible, until anything changes that it is made from, see `cache`.

    :param inlined: make it part of each kernel that calls it. A call passes seven to nine words
        for each array, and memory is read again after it. Such a kernel does not count references.
    :param merged: the same, and before that is compiled, which saves its own compilation. It pays
        where the kernel is short, since numba copies it twice for each call and each kernel that
        is merged around it.
    :param counted: references to arrays are counted, which a kernel needs that makes arrays or
        returns them. Without, a loop that calls kernels with arrays takes half of the time.
    :param brief: keep the interpreter lock. For a few microseconds of work, releasing it and
        waiting for it may take longer.
    """
    if function is None:
        return partial(compiled, inlined=inlined, merged=merged, counted=counted, brief=brief)
    if not NUMBA:
        return function
    if merged or inlined:
        return Kernel(function, False, **(MERGED if merged else INLINED))
    return Kernel(function, counted, nogil=not brief)


def use_machine_code() -> bool:
    """
    Compile kernels from here on at the first call of each, or take them from disk.

    :returns: False where numba cannot be used, and kernels go on as plain Python.
    """
    _STATE.machine_code = _STATE.machine_code or import_numba()
    return _STATE.machine_code


def runs_machine_code() -> bool:
    """Return whether kernels that are called now are compiled."""
    return _STATE.machine_code


def import_numba() -> bool:
    """
    Import numba and make it known to kernels, once in a process.

    :returns: False where it cannot be used.
    """
    with _STATE.lock:
        if _STATE.usable is None:
            with without_collection():  # which takes a third of the time
                _STATE.usable = NUMBA and _is_usable()
                if _STATE.usable:
                    _listen_to_compilation()
                    for name in _STATE.names:
                        name()
        return _STATE.usable


def with_numba(name: Callable[[], None]) -> None:
    """
    Have `name` called once numba is imported: now, or before any machine code is loaded.

    :param name: makes names known to machine code.
    """
    with _STATE.lock:
        if _STATE.usable is None:
            _STATE.names.append(name)
        elif _STATE.usable:
            name()


class _State:
    """What has become of kernels in this process."""

    def __init__(self) -> None:
        self.machine_code = False
        self.given = 0  # numbers in the arguments of plain kernels
        self.usable: bool | None = None  # None before numba is imported
        self.names: list[Callable[[], None]] = []
        self.lock = RLock()

    def count(self, arguments: tuple[Any, ...]) -> bool:
        """Count the numbers in arguments; return whether kernels are to be compiled now."""
        self.given += 10 + sum(map(_numbers, arguments))
        return self.given >= ENOUGH and use_machine_code()


_STATE = _State()


class Callee:
    """A function that kernels can call; `_numba_type_` is its type for numba."""

    @property
    def plain(self) -> Callable[..., Any]:
        """Return what plain Python calls in its place."""
        raise NotImplementedError

    def made_from(self) -> tuple[str, tuple[Any, ...]]:
        """Return what it adds to the machine code of its callers, and functions that do so."""
        raise NotImplementedError


class Kernel(Callee):
    """
    A kernel, called like the function, by position.

    :ivar function: in Python.
    """

    __slots__ = ('__call__',)  # what a call enters, without a detour through Python
    __call__: Callable[..., Any]

    options: dict[str, Any] = {'nogil': True, 'error_model': 'numpy', 'no_cfunc_wrapper': True}

    def __init__(self, function: Callable[..., Any], counted: bool = True, **options: Any) -> None:
        """Make it; for `counted` see `compiled`; `options` are those of numba."""
        update_wrapper(self, function)
        self.function: Any = function
        self.py_func = function  # numba's names of both, for kernels that it merges
        self.targetoptions = self.options = {**self.options, '_nrt': counted, **options}
        self.__call__ = self._begin

    def _begin(self, *arguments: Any) -> Any:
        """Run as plain Python, until there is enough to compute."""
        if not (_STATE.machine_code or _STATE.count(arguments)):
            with np.errstate(all='ignore'):  # as machine code does
                return self.plain(*arguments)
        self.__call__ = self.dispatcher
        return self.dispatcher(*arguments)

    @cached_property
    def dispatcher(self) -> Any:
        """Return what numba compiles for calls from Python, for each kind of arguments."""
        return self._dispatcher()

    @cached_property
    def inner(self) -> Any:
        """Return the same for calls from kernels, which takes half of the time to compile."""
        return self._dispatcher(no_cpython_wrapper=True)

    def _dispatcher(self, **options: bool) -> Any:
        from numba import njit
        from numba.core.types.misc import unliteral

        from mvsim_ros2.jit.cache import keep_on_disk
        dispatcher = njit(**self.options, **options)(self.function)
        keep_on_disk(dispatcher, self)
        template = dispatcher.get_call_template
        # for a constant such as 0 numba would compile it once more
        dispatcher.get_call_template = lambda arguments, names: template(
            [unliteral(each) for each in arguments], names)
        return dispatcher

    @property
    def _numba_type_(self) -> Any:
        # what Python calls serves kernels too, and it may call itself
        return (self.__dict__.get('dispatcher') or self.inner)._numba_type_

    @cached_property
    def plain(self) -> Callable[..., Any]:
        """Return the function such that all kernels it calls are plain Python too."""
        function = self.function
        # what native code imports, as in `array.ctypes`, looks for builtins among the globals
        names: dict[str, Any] = {'__builtins__': function.__builtins__}
        used = names_in(function.__code__)
        cells = tuple(CellType(_plain(cell.cell_contents, used))
                      for cell in function.__closure__ or ())
        plain = FunctionType(
            function.__code__, names, function.__name__, function.__defaults__, cells)
        plain.__kwdefaults__ = function.__kwdefaults__
        self.__dict__['plain'] = plain  # it may call itself
        names |= {name: _plain(function.__globals__[name], used) for name in used
                  if name in function.__globals__}
        return plain

    def made_from(self) -> tuple[str, tuple[Any, ...]]:
        """Return its options, and the function."""
        return repr(self.options), (self.function,)


def names_in(code: CodeType) -> tuple[str, ...]:
    """Return the names of globals and attributes that code uses, functions in it included."""
    names = dict.fromkeys(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= dict.fromkeys(names_in(constant))
    return tuple(names)


def _plain(value: Any, used: tuple[str, ...]) -> Any:
    """Return what plain Python has in place of a value; of a module only the names `used`."""
    if isinstance(value, Callee):
        return value.plain
    if isinstance(value, ModuleType) and value is not np:  # whose old names warn
        inside = {name: getattr(value, name) for name in used if hasattr(value, name)}
        if any(isinstance(each, Callee) for each in inside.values()):
            return SimpleNamespace(**{name: _plain(each, ()) for name, each in inside.items()})
    return value


def _numbers(argument: Any) -> int:
    """Return how many numbers there are in an argument of a kernel, in records too."""
    if isinstance(argument, tuple):
        return sum(map(_numbers, argument))
    fields = getattr(getattr(argument, 'dtype', None), 'names', None)
    return getattr(argument, 'size', 1) * len(fields or '1')


def _is_usable() -> bool:
    """Return whether numba can be imported and compiles."""
    try:
        from numba import config, version_info
        if version_info.short < OLDEST:
            raise ImportError(f'it is older than {OLDEST[0]}.{OLDEST[1]}')
    except (ImportError, OSError) as error:  # such as another numpy, or too little memory
        _LOG.warning('numba is installed but cannot be used, so all kernels run as plain Python, '
                     'some hundred times slower: %s', error)
        return False
    return not config.DISABLE_JIT


def _listen_to_compilation() -> None:
    """
    Log a line when the first kernel is compiled, not taken from disk, and count for watchers.

    Pause garbage collection, which takes a seventh of the time and finds little.
    """
    from numba.core import event
    running: list[bool] = []  # compilations, one inside the other: whether there was a collector

    class CompilationListener(event.Listener):  # type: ignore[misc]
        count = 0

        def on_start(self, event: Any) -> None:
            if event.data['dispatcher'].py_func.__module__.startswith(_PACKAGE):
                if not self.count:
                    _LOG.info('compiling numerical kernels, once after each installation: '
                              'this takes some seconds')
                self.count += 1
                tell(self.count, inf, COMPILED)
            running.append(gc.isenabled())
            gc.disable()

        def on_end(self, event: Any) -> None:
            if running.pop():
                gc.enable()

    event.register('numba:compile', CompilationListener())
