# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Kernels: plain Python first, machine code later, kept on disk, and entered directly."""

from collections.abc import Callable
from pathlib import Path
import shutil
import subprocess
import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray
import pytest

from mvsim_ros2.jit.kernel import bound
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.kernel import ENOUGH
from mvsim_ros2.sensors.lidar import hash_noise

cache = pytest.importorskip('mvsim_ros2.jit.cache')

Run = Callable[..., list[str]]

ROOT = Path(__file__).resolve().parents[1]

LAW = """
import numpy as np

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.sensors.lidar.hash_noise import share

from plugin import table
from plugin.size import LIMIT


@compiled(inner=True)
def inside(value: float) -> float:
    return value if value < LIMIT else LIMIT


@compiled
def law(value: float) -> float:
    return inside(value) + share(np.uint64(7)) * table.SHARE
"""
CALL = """
from numba.core import event

class Names(event.Listener):
    def on_start(self, event):
        print(event.data['dispatcher'].py_func.__qualname__)

    def on_end(self, event):
        pass

event.register('numba:compile', Names())
from mvsim_ros2.jit.kernel import use_machine_code
from plugin.law import law
use_machine_code()
law(3.0)
"""
CALLED = hash_noise.__file__.removeprefix(f'{ROOT}/')
CHANGES = {
    'nothing': ('plugin/law.py', '', '', []),
    'another room': ('mvsim_ros2/cli/check.py', '"""', 'WORTH = 7\n"""', []),
    'a comment in a kernel': ('plugin/law.py', '    return inside', '\n    #\n    return inside',
                              []),
    'a docstring': (CALLED, 'Return a number in', 'Well, return a number in', []),
    'another constant': ('plugin/size.py', 'OTHER = 1.0', 'OTHER = 2.0', []),
    'a constant': ('plugin/size.py', 'LIMIT = 1.0', 'LIMIT = 2.0', ['law', 'inside']),
    'a constant of a module': ('plugin/table.py', '0.5', '0.25', ['law']),
    'the kernel': ('plugin/law.py', ' + share', ' - share', ['law']),
    'a kernel that it calls': (CALLED, '= float(word >> _S11)', '= float(word >> _S27)',
                               ['law', 'share']),
    'a constant of a kernel that it calls': (CALLED, '_UNIT = 2.0', '_UNIT = 4.0',
                                             ['law', 'share']),
    'how kernels are compiled': ('mvsim_ros2/compiled.py', 'ENOUGH = ', 'ENOUGH = 0 + ',
                                 ['law', 'inside', 'share']),
}
FINGERPRINTS = """
import importlib
import pkgutil

import mvsim_ros2
from mvsim_ros2.jit.kernel import Kernel, import_numba
from mvsim_ros2.jit.cache import fingerprint
import_numba()
kernels = {}
for package in ('physics', 'sensors'):
    for found in pkgutil.walk_packages([f'{mvsim_ros2.__path__[0]}/{package}'],
                                       f'mvsim_ros2.{package}.'):
        if '.gl' not in found.name:
            for value in vars(importlib.import_module(found.name)).values():
                if isinstance(value, Kernel):
                    kernels[f'{value.function.__module__}.{value.function.__qualname__}'] = value
for name in sorted(kernels):
    print(name, fingerprint(kernels[name]))
"""
PHASES = f"""
import sys

import numpy as np

from mvsim_ros2.jit.kernel import compiled, runs_machine_code


@compiled(inner=True)
def twice(x: float) -> float:
    return 2.0 * x


@compiled
def doubled(values: np.ndarray, times: int) -> float:
    return doubled(values, times - 1) if times > 0 else twice(values[0])


for size in (5, {ENOUGH}, 5):
    print('numba' in sys.modules, runs_machine_code(), doubled(np.full(size, 0.1), 1))
    try:
        twice(1.0)
    except TypeError:
        print('refused')
"""


@pytest.fixture
def run(project: Path, tmp_path: Path) -> Run:
    """Return what runs a program in a process of its own and returns the lines it prints."""
    def run(program: str, *paths: Path, **environment: str) -> list[str]:
        environment = {
            'PYTHONPATH': ':'.join(map(str, paths or (project,))), 'PYTHONDONTWRITEBYTECODE': '1',
            'NUMBA_CACHE_DIR': str(tmp_path / 'cache'), **environment}
        return subprocess.run(
            [sys.executable, '-c', program], check=True, text=True, capture_output=True,
            cwd=tmp_path, env=environment).stdout.splitlines()
    return run


@pytest.fixture(scope='module')
def installed(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a copy of the package, and one of a plugin."""
    folder = tmp_path_factory.mktemp('installed')
    shutil.copytree(project / 'mvsim_ros2', folder / 'mvsim_ros2',
                    ignore=shutil.ignore_patterns('__pycache__'))
    plugin = folder / 'plugin'
    plugin.mkdir()
    (plugin / 'law.py').write_text(LAW)
    (plugin / 'size.py').write_text('LIMIT = 1.0\nOTHER = 1.0\n')
    (plugin / 'table.py').write_text('SHARE = 0.5\nREST = []\n')
    subprocess.run([sys.executable, '-c', CALL], check=True, capture_output=True,
                   cwd=folder,
                   env={'PYTHONPATH': str(folder), 'NUMBA_CACHE_DIR': str(folder / 'cache')})
    return folder


@pytest.mark.parametrize('change', CHANGES)
def test_only_what_reaches_a_change_is_compiled_anew(
        installed: Path, run: Run, change: str) -> None:
    """Kernels of a plugin too, which call some of this package."""
    name, before, after, expected = CHANGES[change]
    file = installed / name
    text = file.read_text()
    assert before in text
    shutil.copytree(installed / 'cache', installed / 'copy')
    try:
        file.write_text(text.replace(before, after, 1))
        assert run(CALL, installed, NUMBA_CACHE_DIR=str(installed / 'copy')) == expected
    finally:
        file.write_text(text)
        shutil.rmtree(installed / 'copy')


def test_fingerprints_are_the_same_in_each_process(run: Run) -> None:
    """They hold no address and no order of a set."""
    first, second = (run(FINGERPRINTS, PYTHONHASHSEED=seed) for seed in ('1', '2'))
    assert first == second
    assert len(first) > 100


def test_numba_is_not_imported_for_little_work(run: Run) -> None:
    """Many numbers bring it in; kernels that only kernels call refuse Python before and after."""
    assert run(PHASES) == [
        'False False 0.2', 'refused', 'False False 0.2', 'refused', 'True True 0.2', 'refused']


def test_numba_that_cannot_be_imported_is_done_without(run: Run, project: Path,
                                                       tmp_path: Path) -> None:
    """As one that does not go with the installed numpy."""
    (tmp_path / 'numba.py').write_text('raise ImportError("Numba needs NumPy 1.0 or less")')
    assert run(PHASES, tmp_path, project)[-2:] == ['False False 0.2', 'refused']


def test_numba_can_be_switched_off(run: Run) -> None:
    """Then kernels are functions."""
    assert run(
        'from mvsim_ros2.sensors.lidar.hash_noise import share; print(type(share).__name__)',
        NUMBA_DISABLE_JIT='1') == ['function']


def kernel(number: float) -> Any:
    """Return a kernel that holds a number."""
    def held() -> float:
        return number
    return compiled(held)


def test_code_is_found_again(tmp_path: Path) -> None:
    """By what has the same sources and takes the same arguments."""
    for key in ('float', 'int'):
        cache.KernelFiles(tmp_path, kernel(1.0)).save((key,), f'code for {key}')
    again, other = (cache.KernelFiles(tmp_path, kernel(number)) for number in (1.0, 2.0))
    assert [again.load((key,)) for key in ('float', 'int', 'other')] == [
        'code for float', 'code for int', None]
    assert other.load(('float',)) is None


def test_former_code_is_cleared_away(tmp_path: Path) -> None:
    """Of the same kernel, not of another."""
    for number in (1.0, 2.0):
        cache.KernelFiles(tmp_path, kernel(number)).save(('float',), number)
        (tmp_path / f'other.kernel.py3.{number}.nbc').touch()
    last = cache.KernelFiles(tmp_path, kernel(2.0))
    last.save(('int',), 3.0)
    assert len(list(tmp_path.iterdir())) == 4
    assert [last.load((key,)) for key in ('float', 'int')] == [2.0, 3.0]


def _sum_of(values: NDArray[np.float64], pair: tuple[int, float]) -> tuple[float, int]:
    total = 0.0
    for value in values:
        total += value * pair[1]
    return total, pair[0]


def test_bound_kernels_are_the_same_kernels() -> None:
    """They take any numbers of the same kinds."""
    values = np.array([1.0, 2.5, -7.0])
    kernel = compiled(_sum_of)
    direct = bound(kernel, values, (3, 0.5))
    for numbers, pair in ((values, (4, 2.0)), (np.zeros(0), (1, 1.0)), (values[:2], (-1, 1.5))):
        assert direct(numbers, pair) == kernel(numbers, pair) == _sum_of(numbers, pair)
    assert bound(_sum_of, values, (3, 0.5)) is _sum_of
