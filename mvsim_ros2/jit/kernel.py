# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Compile numerical kernels where numba is installed; run them as plain Python where not."""

from collections.abc import Callable
from functools import cache
from functools import partial
import gc
import hashlib
import logging
from pathlib import Path
from typing import Any
from typing import overload
from typing import TypeVar

_LOG = logging.getLogger(__name__)
_PACKAGE = __name__.partition('.')[0] + '.'

F = TypeVar('F', bound=Callable[..., Any])


@overload
def compiled(function: F, /) -> F: ...


@overload
def compiled(*, inner: bool) -> Callable[[F], F]: ...


def compiled(function: Any = None, /, *, inner: bool = False) -> Any:
    """
    Return `function` compiled by numba, or unchanged where numba is not installed.

    To be used as ``@compiled`` or ``@compiled(inner=True)``.

    A kernel gives the same numbers either way: numba neither fuses nor reorders floating
    point operations here. Division by zero must be ruled out by the kernel itself, since the
    compiled code does not check for it. The machine code is cached on disk where that is
    possible, until any source file of this package changes.

    :param inner: only other kernels call this one, which saves half of its compilation; a call
        from Python raises TypeError.
    """
    if function is None:
        return partial(compiled, inner=inner)
    try:
        from numba import njit
    except ImportError:
        return function
    _listen_to_compilation()
    options = {'nogil': True, 'error_model': 'numpy', 'no_cfunc_wrapper': True,
               'no_cpython_wrapper': inner}
    try:
        kernel: Any = njit(cache=True, **options)(function)
    except RuntimeError:  # no writable folder for the cache
        kernel = njit(**options)(function)
    else:
        files = getattr(getattr(kernel, '_cache', None), '_cache_file', None)
        if files is not None:
            # numba looks at the file of the kernel only, not at those of the kernels it calls
            files._source_stamp = _sources()
            files.save = partial(_save, files)
    if inner:
        _refuse_python(kernel)
    return kernel


def bound(kernel: Any, *like: Any) -> Callable[..., Any]:
    """
    Return a kernel for arguments of one kind, which it does not look at in each call.

    That is two thirds of the cost of a call with many arguments. Others than such as `like` end
    in wrong numbers, or worse.

    :param kernel: that is `compiled`.
    :param like: an example of each argument.
    """
    if not hasattr(kernel, 'compile'):
        return kernel  # type: ignore[no-any-return]
    from numba import typeof
    return kernel.compile(tuple(map(typeof, like)))  # type: ignore[no-any-return]


def _save(files: Any, key: Any, data: Any) -> None:
    """
    Keep machine code on disk.

    numba numbers its files by an index that several processes read and write. Two that compile at
    once, for other arguments or from other sources, then take the same number, and a third one
    runs code that was made for something else. Here the name of a file says what is in it.

    :param files: of one kernel, in numba.
    :param key: signature and processor.
    """
    content = hashlib.sha256(repr((files._source_stamp, key)).encode()).hexdigest()
    name = files._data_name(int(content[:16], 16))
    files._save_data(name, data)
    overloads = files._load_index() | {key: name}
    files._save_index(overloads)
    stem = files._data_name(0)[:-len('0.nbc')]
    for file in Path(files._cache_path).iterdir():  # of former sources; they are not needed
        if (file.name.startswith(stem) and file.suffix == '.nbc'
                and file.name not in overloads.values()):
            file.unlink(missing_ok=True)


def _refuse_python(kernel: Any) -> None:
    """Keep Python from entering a kernel that was compiled without an entry for it."""
    def refuse(*arguments: Any, **_: Any) -> None:
        raise TypeError(f'{kernel.__qualname__} is compiled for calls from kernels only: leave '
                        'out inner=True where it is defined to call it from Python')

    # numba looks among the entries first, then asks for one to be compiled
    kernel._insert = lambda *entry: None
    kernel._compile_for_args = refuse


@cache
def _listen_to_compilation() -> None:
    """
    Log the first compilation of a kernel, and disable garbage collection during compilations.

    The collector would scan the many live objects of a compilation repeatedly, which takes a
    seventh of its time.
    """
    from numba.core import event

    class CompilationListener(event.Listener):  # type: ignore[misc]
        logged = False
        depth = 0  # compilations are nested; a lock excludes other threads
        collects = False

        def on_start(self, event: Any) -> None:
            kernel = event.data['dispatcher'].py_func
            if not self.logged and kernel.__module__.startswith(_PACKAGE):
                self.logged = True
                _LOG.info('compiling numerical kernels, once after each installation: '
                          'this takes some seconds')
            if self.depth == 0:
                self.collects = gc.isenabled()
                gc.disable()
            self.depth += 1

        def on_end(self, event: Any) -> None:
            self.depth -= 1
            if self.depth == 0 and self.collects:
                gc.enable()

    event.register('numba:compile', CompilationListener())


@cache
def _sources() -> str:
    """Return a hash of all source files of this package."""
    digest = hashlib.sha256()
    for file in sorted(Path(__file__).parents[1].rglob('*.py')):
        digest.update(file.read_bytes())
    return digest.hexdigest()
