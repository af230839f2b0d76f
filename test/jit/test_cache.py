# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Machine code on disk: found again as long as nothing changes that it is made from."""

from collections.abc import Callable
import hashlib
import os
from pathlib import Path
import shutil
import subprocess
import sys
from typing import Any

from listener import LISTEN
import pytest

import mvsim_ros2
from mvsim_ros2.jit import kernel
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.sensors.lidar import hash_noise

cache = pytest.importorskip('mvsim_ros2.jit.cache')

Run = Callable[..., list[str]]

LAW = """
import numpy as np

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.sensors.lidar.hash_noise import share

from plugin import table
from plugin.size import LIMIT


@compiled
def inside(value: float) -> float:
    return value if value < LIMIT else LIMIT


@compiled
def law(value: float) -> float:
    return inside(value) + share(np.uint64(7)) * table.SHARE
"""
CALL = LISTEN + """
from mvsim_ros2.jit.kernel import use_machine_code
from plugin.law import law
use_machine_code()
law(3.0)
for name in compiled:
    print(name)
"""
SUMS = """
from mvsim_ros2.jit.kernel import compiled

@compiled
def first_of(values):
    return values[0]

@compiled
def last_of(values):
    return values[-1]
"""
PREPARED = LISTEN + """
import numpy as np
from mvsim_ros2.jit.kernel import use_machine_code
from mvsim_ros2.jit.prepared_call import PreparedCall
import sums
use_machine_code()
for kernel in sums.first_of, sums.last_of:
    for kind in np.float64, np.int64:
        PreparedCall(kernel, np.ones(3, kind))()
for name in compiled:
    print(name)
"""
PACKAGE = Path(mvsim_ros2.__file__).parent
CALLED, COMPILER = (
    str(Path(module.__file__).relative_to(PACKAGE.parent)) for module in (hash_noise, kernel))
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
    'how kernels are compiled': (COMPILER, 'ENOUGH = ', 'ENOUGH = 0 + ',
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
        if '.opengl' not in found.name and '.cuda' not in found.name:
            for value in vars(importlib.import_module(found.name)).values():
                if isinstance(value, Kernel):
                    kernels[f'{value.function.__module__}.{value.function.__qualname__}'] = value
for name in sorted(kernels):
    print(name, fingerprint(kernels[name]))
"""


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
        assert run(CALL, paths=(installed,), NUMBA_CACHE_DIR=str(installed / 'copy')) == expected
    finally:
        file.write_text(text)
        shutil.rmtree(installed / 'copy')


@pytest.mark.parametrize('make', [kernel.compiled, lazy_kernel(0.0)], ids=['compiled', 'lazy'])
def test_a_fingerprint_tells_what_a_kernel_reaches(make: Callable[..., Any]) -> None:
    """Also of one that is compiled by itself, of which its callers know the parameters only."""
    found = []
    for limit in (1.0, 2.0, 1.0):
        names: dict[str, Any] = {'LIMIT': limit, '__name__': __name__}
        exec('def bend(x: float) -> float:\n    return x * LIMIT', names)
        found.append(cache.fingerprint(make(names['bend'])))
    assert found[0] == found[2] != found[1]


def test_fingerprints_are_the_same_in_each_process(run: Run) -> None:
    """They hold no address and no order of a set."""
    first, second = (run(FINGERPRINTS, PYTHONHASHSEED=seed) for seed in ('1', '2'))
    assert first == second
    assert len(first) > 100


def holding(number: float) -> Any:
    """Return a kernel that holds a number."""
    def held() -> float:
        return number
    return kernel.compiled(held)


def test_code_is_found_again(tmp_path: Path) -> None:
    """By what has the same sources and takes the same arguments."""
    for key in ('float', 'int'):
        cache.KernelFiles(tmp_path, holding(1.0), {}).save((key,), f'code for {key}')
    again, other = (cache.KernelFiles(tmp_path, holding(number), {}) for number in (1.0, 2.0))
    assert [again.load((key,)) for key in ('float', 'int', 'other')] == [
        'code for float', 'code for int', None]
    assert other.load(('float',)) is None


def test_all_prepared_calls_are_found_again(run: Run, tmp_path: Path) -> None:
    """One for each kernel and kind of arguments."""
    (tmp_path / 'sums.py').write_text(SUMS)
    assert sum(name.startswith('enter') for name in run(PREPARED)) == 4
    assert run(PREPARED) == []


def test_former_code_is_cleared_away(tmp_path: Path) -> None:
    """Of the same kernel, not of another."""
    for number in (1.0, 2.0):
        cache.KernelFiles(tmp_path, holding(number), {}).save(('float',), number)
        (tmp_path / f'other.kernel.py3.{number}.nbc').touch()
    last = cache.KernelFiles(tmp_path, holding(2.0), {})
    last.save(('int',), 3.0)
    assert len(list(tmp_path.iterdir())) == 4
    assert [last.load((key,)) for key in ('float', 'int')] == [2.0, 3.0]


def sealed(code: bytes) -> bytes:
    """Return a file with this code."""
    return hashlib.sha256(code).digest() + code


MOVED = b'cmvsim_ros2.no_such_module\nkernel\n.'  # a pickle that names it


@pytest.mark.parametrize('change', [
    pytest.param(lambda file: file.write_bytes(sealed(MOVED)), id='moved modules'),
    pytest.param(lambda file: file.write_bytes(file.read_bytes()[:-3]), id='cut'),
    pytest.param(lambda file: file.write_bytes(file.read_bytes()[:40] + b'x'), id='changed'),
    pytest.param(lambda file: file.write_bytes(b''), id='empty'),
    pytest.param(lambda file: file.chmod(0o666), id='others can write'),
    pytest.param(lambda file: file.parent.chmod(0o777), id='others can write to its folder'),
    pytest.param(lambda file: os.chown(file, 12345, 12345), id='of another user', marks=(
        pytest.mark.skipif(os.getuid() != 0, reason='only root gives files away')))])
def test_code_that_cannot_be_trusted_is_compiled_anew(
        tmp_path: Path, change: Callable[[Path], object]) -> None:
    folder = tmp_path / 'kernels'
    folder.mkdir(mode=0o755)
    files = cache.KernelFiles(folder, holding(1.0), {})
    files.save(('float',), 1.0)
    assert files.load(('float',)) == 1.0
    (file,) = folder.iterdir()
    change(file)
    assert files.load(('float',)) is None
