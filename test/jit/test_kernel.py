# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Kernels: plain Python first, machine code later."""

from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import pytest

from mvsim_ros2.jit.kernel import COMPILED, ENOUGH

pytest.importorskip('numba')

Run = Callable[..., list[str]]

PHASES = f"""
import sys

import numpy as np

from mvsim_ros2.jit.kernel import compiled, runs_machine_code


@compiled
def twice(x: float) -> float:
    return 2.0 * x


@compiled
def doubled(values: np.ndarray, times: int) -> float:
    overflow = 1e308 * values[0] * 1e3
    return doubled(values, times - 1) if times > 0 and overflow > 1.0 else twice(values[0])


for size in (5, {ENOUGH}, 5):
    print('numba' in sys.modules, runs_machine_code(), doubled(np.full(size, 0.1), 1))
"""
RECORDS = f"""
import numpy as np

from mvsim_ros2.jit.kernel import compiled, runs_machine_code


@compiled
def count(rows: np.ndarray) -> int:
    return len(rows)


few, many = (np.zeros(size, [(name, float) for name in 'abcd'])
             for size in ({ENOUGH} // 8, {ENOUGH} // 4))
print(*(bool(count(rows)) and runs_machine_code() for rows in (few, many)))
"""
LARGE = """
import numpy as np

from mvsim_ros2.jit.kernel import compiled, use_machine_code


def large(row: np.ndarray) -> float:
    total = 0.0
    for k in range(len(row)):
        total += np.sin(row[k]) * np.cos(row[k]) / (1.0 + np.sqrt(row[k]) * np.exp(row[k]))
        total += np.tan(row[k]) * np.log(row[k]) / (2.0 + np.sqrt(total) * np.exp(row[k]))
    return total


part = compiled(inlined=True)(large) if {inlined} else compiled(large)


@compiled
def twice(row: np.ndarray, other: np.ndarray) -> float:
    return part(row) + part(other)


use_machine_code()
row = np.ones(3)
twice(row, row)
code, = twice.dispatcher.inspect_llvm().values()
print(any(' call ' in line and 'large' in line for line in code.splitlines()))
"""
WATCHED = """
from mvsim_ros2.base.progress import watched
from mvsim_ros2.jit.kernel import compiled, use_machine_code


def half(x: float) -> float:
    return 0.5 * x


half.__module__ = 'mvsim_ros2.trial'
half = compiled(half)
use_machine_code()
with watched(print):
    half(1.0)
    half(2.0)
"""
DEMO = """
import sys

from mvsim_ros2 import Simulation

simulation = Simulation.from_file(sys.path[1] + '/worlds/demo.world.xml')
print(sorted({observation.sensor for observation in simulation.step(40)}), 'numba' in sys.modules)
"""

LOCKED = """
import sys
from threading import Lock, Thread

import numpy as np

from mvsim_ros2.jit.kernel import compiled, use_machine_code
from mvsim_ros2.jit.native_function import read_word

use_machine_code()


@compiled(counted=False, brief={brief})
def look(address: int, rounds: int) -> int:
    seen = 0
    for _ in range(rounds):
        seen = read_word(address)
        if seen:
            break
    return seen


def note(word: np.ndarray) -> None:
    with asked:
        word[0] = 1


sys.setswitchinterval(60.0)
word, asked = np.zeros(1, np.int64), Lock()
look(word.ctypes.data, 1)
asked.acquire()
other = Thread(target=note, args=(word,))
other.start()
asked.release()
print(look(word.ctypes.data, {rounds}))
"""


def test_watchers_are_told_what_is_compiled(run: Run) -> None:
    assert run(WATCHED) == [f'1 inf {COMPILED}']


def test_numba_is_not_imported_for_little_work(run: Run) -> None:
    """Many numbers bring it in; no kernel warns, before and after."""
    assert run(PHASES, PYTHONWARNINGS='error::RuntimeWarning') == [
        'False False 0.2', 'False False 0.2', 'True True 0.2']


def test_each_number_of_a_record_counts(run: Run) -> None:
    """A thousand vehicles are much to compute from their first step on."""
    assert run(RECORDS) == ['False True']


@pytest.mark.parametrize('numba, imported', [
    pytest.param('raise ImportError("Numba needs NumPy 1.0 or less")', False,
                 id='of another numpy'),
    pytest.param('from types import SimpleNamespace as S; config = S(DISABLE_JIT=0); '
                 'version_info = S(short=(0, 57))', True, id='too old')])
def test_numba_that_cannot_be_used_is_done_without(
        run: Run, project: Path, tmp_path: Path, numba: str, imported: bool) -> None:
    (tmp_path / 'numba.py').write_text(numba)
    assert run(PHASES, paths=(tmp_path, project))[-1:] == [f'{imported} False 0.2']


@pytest.mark.parametrize('inlined', [False, True])
def test_an_inlined_kernel_is_part_of_its_callers(run: Run, inlined: bool) -> None:
    """However large it is: no call is left."""
    if not inlined and version('numba') < '0.61':
        pytest.skip('LLVM 14 inlines functions of this size anyway')
    assert run(LARGE.format(inlined=inlined)) == [str(not inlined)]


@pytest.mark.parametrize('brief, rounds', [(True, 1_000_000), (False, 100_000_000_000)])
def test_other_threads_run_beside_a_kernel_unless_it_is_brief(
        run: Run, brief: bool, rounds: int) -> None:
    """It looks for what another thread writes, which in Python takes the interpreter's lock."""
    assert run(LOCKED.format(brief=brief, rounds=rounds)) == [str(int(not brief))]


def test_numba_can_be_switched_off(run: Run) -> None:
    """Then kernels are functions."""
    assert run(
        'from mvsim_ros2.sensors.lidar.hash_noise import share; print(type(share).__name__)',
        NUMBA_DISABLE_JIT='1') == ['function']


def test_the_first_observations_of_the_demo_wait_for_no_compiler(run: Run) -> None:
    """With nothing on disk, as after an installation: of all sensors, and without numba."""
    assert run(DEMO) == ["['robot/imu', 'robot/scan'] False"]


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
