# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
What numba does once in a process before it runs machine code, without the part nobody needs.

It compiles a few functions that count references, which has LLVM read 20 MB of its code generator
into memory: here they are kept on disk like kernels. It imports `scipy.linalg` to see whether
that is there, which with its OpenBLAS takes 15 MB and a tenth of a second: here it finds that out
when something is compiled that multiplies matrices. A release of numba in which these places are
others starts as it is.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from importlib.abc import MetaPathFinder
from importlib.util import find_spec
from pathlib import Path
import pickle
import sys
from threading import get_ident
from typing import Any

import llvmlite
import numba
from numba.core import config
from numba.core.caching import FunctionCache
from numba.core.registry import cpu_target
from numba.core.runtime import nrtdynmod

from mvsim_ros2.jit.cache import digest, write_at_once

_LATER = 'scipy.linalg'


def begin() -> None:
    """Make numba ready to load machine code, before any is."""
    compile_runtime = getattr(nrtdynmod, 'compile_nrt_functions', None)
    if compile_runtime is not None:
        nrtdynmod.compile_nrt_functions = partial(_runtime, compile_runtime)
    with _without_matrices():
        cpu_target.target_context.refresh()


def _runtime(compile_runtime: Callable[..., Any], *arguments: Any) -> Any:
    """Return the library of numba's runtime, from disk where that is possible."""
    try:
        return _kept_runtime(*arguments)
    except Exception:  # another release, no folder that can be written
        return compile_runtime(*arguments)


def _kept_runtime(context: Any) -> Any:
    codegen = context.codegen()
    made_from = numba.__version__, llvmlite.__version__, codegen.magic_tuple(), config.DEBUG_NRT
    file = Path(FunctionCache(_kept_runtime).cache_path) / (
        f'numba_runtime.py{sys.version_info[1]}.{digest(repr(made_from))}.nbc')
    with suppress(Exception):  # none yet, or one cut short
        return codegen.unserialize_library(pickle.loads(file.read_bytes()))
    module, library = nrtdynmod.create_nrt_module(context)
    library.enable_object_caching()
    library.add_ir_module(module)
    library.finalize()
    write_at_once(file, pickle.dumps(library.serialize_using_object_code()))
    return library


class _Refusal(MetaPathFinder):
    """Lets no import of `_LATER` succeed in the thread that made it."""

    def __init__(self) -> None:
        self._thread = get_ident()

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        """Refuse it; leave all others to the finders behind this one."""
        if name == _LATER and get_ident() == self._thread:
            raise ModuleNotFoundError(f'{name} is not imported before it is needed', name=name)


@contextmanager
def _without_matrices() -> Iterator[None]:
    """Let numba import no linear algebra, but know that it could."""
    refusal = _Refusal()
    sys.meta_path.insert(0, refusal)
    try:
        yield
    finally:
        sys.meta_path.remove(refusal)
        arrays: Any = sys.modules.get('numba.np.arraymath')
        if hasattr(arrays, '_HAVE_BLAS'):
            arrays._HAVE_BLAS = find_spec(_LATER.partition('.')[0]) is not None
