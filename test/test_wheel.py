# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
What `python -m build` makes is complete, small, and runs where nothing else is.

:claim: The wheel contains every file and runs with only lxml and numpy installed
:reference: a separate environment
"""

import os
from pathlib import Path
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile

from environments import linked
import pytest

from mvsim_ros2 import __version__

pytest.importorskip('build', reason='build is not installed')
pytestmark = pytest.mark.slow

LEFT_OUT = shutil.ignore_patterns('.*', '__pycache__', '*.egg-info', '*.so', 'docs', 'test', 'out')
NATIVE = 'mvsim_ros2/_native.abi3.so'
MOST = 20e6  # bytes of a package; beyond, the worlds would be a package of their own


def run(*command: str, cwd: Path, code: int = 0) -> str:
    """Return what a command prints, without what the environment of the tests adds to a Python."""
    clean = {name: value for name, value in os.environ.items() if name != 'PYTHONPATH'}
    done = subprocess.run(command, cwd=cwd, env=clean, capture_output=True, text=True)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope='module')
def built(project: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return the sdist, and the wheel that was made from nothing else."""
    place = tmp_path_factory.mktemp('wheel')
    source = shutil.copytree(project, place / 'source', ignore=LEFT_OUT)
    done = subprocess.run(
        [sys.executable, '-m', 'build', '--no-isolation', '--outdir', str(place / 'dist'),
         str(source)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    found = sorted((place / 'dist').iterdir())
    machine = sysconfig.get_platform().replace('-', '_')
    assert [path.name for path in found] == [
        f'mvsim_ros2-{__version__}-cp311-abi3-{machine}.whl', f'mvsim_ros2-{__version__}.tar.gz']
    return {path.suffix: path for path in found}


def test_an_update_leaves_no_old_modules(project: Path, tmp_path: Path) -> None:
    old = tmp_path / 'mvsim_ros2/errors/__init__.py'
    old.parent.mkdir(parents=True)
    old.touch()
    run(sys.executable, 'setup.py', '-q', 'build_py', '--build-lib', str(tmp_path), cwd=project)
    assert (tmp_path / 'mvsim_ros2/errors.py').exists() and not old.exists()


def test_packages_are_small(built: dict[str, Path]) -> None:
    sizes = {ending: path.stat().st_size for ending, path in built.items()}
    assert max(sizes.values()) < MOST, sizes


def test_the_wheel_has_every_file(built: dict[str, Path], project: Path) -> None:
    with zipfile.ZipFile(built['.whl']) as wheel:
        names = set(wheel.namelist())
        metadata = wheel.read(f'mvsim_ros2-{__version__}.dist-info/METADATA').decode()
    code = {str(path.relative_to(project)) for path in (project / 'mvsim_ros2').rglob('*')
            if path.is_file() and path.suffix not in ('.pyc', '.nbc', '.nbi', '.so', '.cpp')}
    share = {f'mvsim_ros2-{__version__}.data/data/share/mvsim_ros2/{path.relative_to(project)}'
             for folder in ('config', 'launch', 'worlds') for path in (project / folder).rglob('*')
             if path.is_file() and path.suffix != '.pyc'}
    assert not (code | share | {NATIVE}) - names
    assert not [name for name in names if name.endswith(('.cpp', '.h'))]
    assert not [name for name in names if name.startswith(('test/', 'docs/')) or '.pyc' in name]
    assert 'Description-Content-Type: text/markdown' in metadata
    assert 'Version: ' + __version__ in metadata


def test_the_sdist_has_what_it_is_built_from(built: dict[str, Path]) -> None:
    with tarfile.open(built['.gz']) as sdist:
        names = {name.partition('/')[2] for name in sdist.getnames()}
    assert {'CHANGELOG.md', 'LICENSE', 'README.md', 'package.xml', 'pyproject.toml', 'setup.py',
            'resource/mvsim_ros2', 'mvsim_ros2/py.typed', 'worlds/demo.world.xml',
            'mvsim_ros2/jit/native_calls.cpp', 'mvsim_ros2/physics/engine/box2d_bridge.cpp',
            'vendor/box2d/LICENSE',
            'vendor/box2d/Box2D/Dynamics/b2World.h'} <= names
    assert not [name for name in names if name.endswith('.so')]


@pytest.fixture(scope='module')
def empty(built: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an environment with the wheel, and the packages that it cannot do without."""
    place = linked(tmp_path_factory.mktemp('empty'))
    run(sys.executable, '-m', 'pip', '--python', str(place / 'bin/python'), 'install', '--quiet',
        '--no-deps', '--no-index', str(built['.whl']), cwd=place)
    return place


def test_it_runs_where_nothing_else_is(empty: Path, tmp_path: Path) -> None:
    command = str(empty / 'bin/mvsim_ros2')
    assert run(command, '--version', cwd=tmp_path) == f'mvsim_ros2 {__version__}\n'
    assert 'warnings: 0' in run(command, 'check', 'demo', cwd=tmp_path)
    run(command, 'new', 'my.world.xml', cwd=tmp_path)
    run(command, 'log', 'my.world.xml', '--duration', '0.2', '--twist', '0.5', '0', cwd=tmp_path)
    assert (tmp_path / 'logs').is_dir()
    script = ('import sys, mvsim_ros2; s = mvsim_ros2.Simulation.from_file('
              'mvsim_ros2.world_path("demo")); s.run(0.2); print(s.time, "numba" in sys.modules)')
    assert run(str(empty / 'bin/python'), '-c', script, cwd=tmp_path) == '0.2 False\n'


@pytest.mark.parametrize('words, package', [
    pytest.param(['record', 'demo', '-o', 'run'], 'rosbags', id='record'),
    pytest.param(['view', 'demo', '--no-browser'], 'viser', id='view'),
    pytest.param(['tune', 'demo', 'robot', '-o', 'a.png'], 'matplotlib', id='figure')])
def test_what_it_cannot_do_there_is_said_in_a_line(
        words: list[str], package: str, empty: Path, tmp_path: Path) -> None:
    said = run(str(empty / 'bin/mvsim_ros2'), *words, cwd=tmp_path, code=1).splitlines()[-1]
    assert said.startswith('error: ') and package in said and 'pip install' in said, said
