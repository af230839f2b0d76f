# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What numba does before the first kernel: nothing that a start can do without."""

from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip('numba')
Run = Callable[..., list[str]]

KERNEL = """
from mvsim_ros2.jit.kernel import compiled

@compiled
def total(values):
    kept = values.copy()  # counts references
    return kept.sum()
"""
START = """
import sys
import numpy as np
from numba.core.runtime import nrtdynmod
{before}
from mvsim_ros2.jit.kernel import use_machine_code
use_machine_code()
from kernel import total
print(total(np.arange(4.0)))
"""
COUNTED = """
make = nrtdynmod.create_nrt_module

def count(*arguments):
    print('compiled')
    return make(*arguments)

nrtdynmod.create_nrt_module = count
"""


def start(run: Run, folder: Path, project: Path, before: str, after: str = '') -> list[str]:
    """Run a process that calls a kernel, and return what it prints."""
    (folder / 'kernel.py').write_text(KERNEL)
    return run(START.format(before=before) + after, project, folder)


def test_the_runtime_is_compiled_once_and_kept(run: Run, tmp_path: Path, project: Path) -> None:
    assert start(run, tmp_path, project, COUNTED) == ['compiled', '6.0']
    assert start(run, tmp_path, project, COUNTED) == ['6.0']
    file, = (tmp_path / 'cache').rglob('numba_runtime.*')
    file.write_bytes(file.read_bytes()[:1000])
    assert start(run, tmp_path, project, COUNTED) == ['compiled', '6.0']
    assert start(run, tmp_path, project, COUNTED) == ['6.0']


@pytest.mark.parametrize('other', [
    'del nrtdynmod.create_nrt_module', 'nrtdynmod.create_nrt_module = lambda: None'],
    ids=['without a part', 'other arguments'])
def test_a_release_of_numba_with_another_runtime_starts_as_it_is(
        run: Run, tmp_path: Path, project: Path, other: str) -> None:
    compile_it = (
        'make = nrtdynmod.create_nrt_module\n'
        'def compile_it(context):\n'
        '    print("as it is")\n'
        '    module, library = make(context)\n'
        '    library.add_ir_module(module)\n'
        '    library.finalize()\n'
        '    return library\n'
        'nrtdynmod.compile_nrt_functions = compile_it\n')
    assert start(run, tmp_path, project, f'{compile_it}{other}') == ['as it is', '6.0']


def test_linear_algebra_is_imported_when_it_is_compiled(
        run: Run, tmp_path: Path, project: Path) -> None:
    """By kernels of others too, in the same process."""
    pytest.importorskip('scipy')
    product = """
print('scipy.linalg' in sys.modules)
from numba import njit

@njit
def product(a, b):
    return np.vdot(a, b), (a.reshape(2, 2) @ b.reshape(2, 2)).sum(), np.cov(a, b)[0, 1]

print(*(float(number) for number in product(np.arange(4.0), np.ones(4))))
from numba.np import arraymath
print('scipy.linalg' in sys.modules, arraymath._HAVE_BLAS)
"""
    assert start(run, tmp_path, project, '', product) == [
        '6.0', 'False', '6.0 12.0 0.0', 'True True']


def test_nothing_is_collected_while_numba_is_imported(run: Run) -> None:
    """The collector would look through all its modules some 200 times, and find little."""
    assert run("""
import gc
from mvsim_ros2.jit.kernel import use_machine_code
seen = []
gc.callbacks.append(lambda phase, information: seen.append(phase))
use_machine_code()
gc.callbacks.clear()
print(len(seen) < 20, gc.isenabled())
""") == ['True True']
