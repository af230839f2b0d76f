# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Machine code of kernels on disk, under a name that says all it is made from.

numba checks only the file of a kernel, not the files of the kernels it calls. Two processes that
compile at once corrupt its index of files. Here the name of a file has two hashes: of the kernel
with the functions and constants that it reaches, and of arguments and processor. A change of
anything else recompiles nothing; nor does one of a comment or docstring.
"""

from collections.abc import Iterator
from functools import cache
import hashlib
import inspect
import os
from pathlib import Path
import pickle
import stat
import sys
from types import CodeType, FunctionType, ModuleType
from typing import Any
from uuid import uuid4

import numba
from numba.core.caching import CompileResultCacheImpl
from numba.core.compiler_lock import global_compiler_lock
from numba.core.serialize import dumps
from numba.core.sigutils import normalize_signature
import numpy as np

from mvsim_ros2.base.progress import LOGGER
from mvsim_ros2.jit.kernel import Callee, Kernel, names_in

_DIGEST = hashlib.sha256().digest_size
# packages whose functions are known by their names; the version of numba is noted
_KNOWN = {*sys.stdlib_module_names, 'llvmlite', 'numba', 'numpy'}


def keep_on_disk(dispatcher: Any, kernel: Kernel) -> None:
    """Let numba keep the machine code of a kernel on disk, where there is a folder for that."""
    try:
        code = CompileResultCacheImpl(kernel.function)
    except RuntimeError:  # no writable folder
        return
    files = KernelFiles(Path(code.locator.get_cache_path()), kernel, dispatcher.targetoptions)
    compile_anew = dispatcher.compile

    @global_compiler_lock  # type: ignore[untyped-decorator]
    def load_or_compile(signature: Any) -> Any:
        kinds, context = tuple(normalize_signature(signature)[0]), dispatcher.targetctx
        if kinds not in dispatcher.overloads:
            key = signature, context.codegen().magic_tuple()
            saved = files.load(key)
            if saved is not None:
                context.refresh()
                made = code.rebuild(context, saved)
                context.insert_user_function(made.entry_point, made.fndesc, [made.library])
                dispatcher.add_overload(made)
            else:
                compile_anew(signature)
                if code.check_cachable(dispatcher.overloads[kinds]):
                    files.save(key, code.reduce(dispatcher.overloads[kinds]))
        return dispatcher.overloads[kinds].entry_point
    dispatcher.compile = load_or_compile


class KernelFiles:
    """The files of one kernel."""

    def __init__(self, folder: Path, kernel: Kernel, options: dict[str, Any]) -> None:
        """Look at nothing yet; `folder` can be written; `options` are those of numba."""
        function = kernel.function
        name = f'{function.__module__.rpartition(".")[2]}.{function.__qualname__}'
        self._name = f'{name.replace("<", "").replace(">", "")}.py{sys.version_info[1]}'
        self._folder = folder
        self._kernel = kernel
        self._options = sorted(options.items())
        self._sources = ''

    def load(self, key: tuple[Any, ...]) -> Any:
        """Return what was saved for kinds of arguments and a processor, or None."""
        try:
            code = read_trusted(self._file(key))
            return None if code is None else pickle.loads(code)
        except (ImportError, AttributeError):  # its classes have moved
            return None

    def save(self, key: tuple[Any, ...], data: Any) -> None:
        """Save machine code where there is room; remove what was made from other sources."""
        code = dumps(data)
        if not write_at_once(self._file(key), hashlib.sha256(code).digest() + code):
            return
        for other in self._folder.glob(f'{self._name}.*.nbc'):
            if self._sources not in other.name:
                other.unlink(missing_ok=True)

    def _file(self, key: tuple[Any, ...]) -> Path:
        self._sources = self._sources or fingerprint(self._kernel)  # once all is there: not before
        kinds = digest(repr((key, list(_fields(key)), self._options)))
        return self._folder / f'{self._name}.{self._sources}.{kinds}.nbc'


def read_trusted(path: Path) -> bytes | None:
    """
    Return the machine code in a file; None where there is none, or it is not to be run.

    Users who can write there run code in this process. So file and folder must belong to the user
    or to root, and no other user may write to them. The hash at the beginning must fit.
    """
    try:
        with path.open('rb') as file:
            if not (_is_own(os.fstat(file.fileno())) and _is_own(os.stat(path.parent))):
                LOGGER.warning('%s is not used: other users can write to it or its folder; '
                               'take the right away with chmod o-w', path)
                return None
            data = file.read()
    except FileNotFoundError:
        return None
    code = data[_DIGEST:]
    return code if hashlib.sha256(code).digest() == data[:_DIGEST] else None


def _is_own(status: os.stat_result) -> bool:
    """Return whether only this user and root can write."""
    return not hasattr(os, 'getuid') or (
        status.st_uid in (os.getuid(), 0) and not status.st_mode & stat.S_IWOTH)


def fingerprint(kernel: Kernel) -> str:
    """Return a hash of what the machine code of a kernel is made from, but for its arguments."""
    options, functions = Kernel.made_from(kernel)  # not only what its callers know of it
    parts = [numba.__version__, _sources(type(kernel)), options]
    reached = list(functions)
    numbers = {function: i for i, function in enumerate(reached)}
    for function in reached:  # which grows meanwhile
        text, called = _function(function)
        for each in called:
            if each not in numbers:
                numbers[each] = len(reached)
                reached.append(each)
        parts.append(f'{text} {[numbers[each] for each in called]}')
    return digest('\n'.join(parts))


@cache
def _function(function: Any) -> tuple[str, tuple[Any, ...]]:
    """Return a hash of what a function does, but for the functions it reaches, and these."""
    used = names_in(function.__code__)
    values = {name: function.__globals__[name] for name in used
              if name in function.__globals__}
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    functions: list[Any] = []
    text = _described((_code(function.__code__, function.__doc__), function.__defaults__,
                       function.__kwdefaults__, cells, values), used, functions, set())
    return digest(text), tuple(functions)


def _described(value: Any, used: tuple[str, ...], functions: list[Any], seen: set[int]) -> str:
    """
    Return what a value is that a function uses.

    :param used: names: of a module or class only the attributes of these names count.
    :param functions: that are met on the way, added to.
    :param seen: modules and classes met so far, added to.
    """
    def described(value: Any) -> str:
        return _described(value, used, functions, seen)
    if isinstance(value, (int, float, str, bytes, np.generic, np.dtype)):
        return repr(value)
    if isinstance(value, Callee):
        text, reached = value.made_from()
        functions.extend(reached)
        return f'{_sources(type(value))} {text}'
    if isinstance(value, dict):
        return f'{[(key, described(each)) for key, each in value.items()]}'
    if isinstance(value, (tuple, list)):
        return f'{type(value).__name__} {[described(each) for each in value]}'
    if isinstance(value, (frozenset, set)):
        return f'{sorted(described(each) for each in value)}'
    if isinstance(value, np.ndarray):
        return f'{value.dtype} {value.shape} {digest(value.tobytes())}'
    if isinstance(value, CodeType):
        return described(_code(value, None))
    if not isinstance(value, (FunctionType, ModuleType, type)):
        return repr(value)  # with an address in it: the code is found by no other process
    is_module = isinstance(value, ModuleType)
    package = value.__name__ if is_module else value.__module__
    name = package if is_module else f'{package}.{value.__qualname__}'
    if package.partition('.')[0] in _KNOWN or id(value) in seen:
        return name
    if isinstance(value, FunctionType):
        functions.append(value)
        return 'function'
    seen.add(id(value))
    inside = {each: vars(value)[each] for each in used if each in vars(value)}
    return f'{name} {getattr(value, "_fields", "")} {described(inside)}'


def _code(code: CodeType, docstring: str | None) -> tuple[Any, ...]:
    """Return what code does; not where it stands."""
    constants = [each for each in code.co_consts if each is not docstring]
    return (code.co_code, code.co_flags, code.co_argcount, code.co_kwonlyargcount,
            code.co_names, code.co_varnames, constants)


def _fields(key: Any) -> Iterator[tuple[str, ...]]:
    """Yield the names of the fields of named tuples among kinds, which their names leave out."""
    if isinstance(key, tuple):
        for each in key:
            yield from _fields(each)
    elif isinstance(key, numba.core.typing.Signature):
        yield from _fields((key.args, key.return_type))
    elif isinstance(key, numba.types.BaseTuple):
        yield tuple(getattr(key, 'fields', ()))
        yield from _fields(tuple(key.types))


def _sources(kind: type) -> str:
    """Return a hash of each source file of a class and of those that it is made from."""
    files = dict.fromkeys(inspect.getfile(each) for each in kind.__mro__ if each is not object)
    return ' '.join(map(_source, files))


@cache
def _source(file: str) -> str:
    """Return a hash of a source file."""
    return digest(Path(file).read_bytes())


def write_at_once(file: Path, data: bytes) -> bool:
    """Write a file that others may read meanwhile; return whether there was room for it."""
    part = file.with_suffix(f'.{uuid4().hex}')
    try:
        part.write_bytes(data)
        part.replace(file)
    except OSError:
        part.unlink(missing_ok=True)
        return False
    return True


def digest(data: bytes | str) -> str:
    """Return a short hash for the name of a file."""
    return hashlib.sha256(data.encode() if isinstance(data, str) else data).hexdigest()[:16]
