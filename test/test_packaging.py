# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What pip and colcon install is complete: code, shared files, commands."""

from importlib.metadata import distributions
import os
from pathlib import Path
import shutil
import subprocess
import sys
import xml.etree.ElementTree as xml

from packaging.requirements import Requirement
import pytest

from mvsim_ros2 import __version__

SHARED = ('config', 'launch', 'worlds')
COMMANDS = {
    'demo_tour', 'mvsim_create', 'mvsim_node', 'mvsim_ros2', 'mvsim_teleop', 'policy_node'}
LEFT_OUT = shutil.ignore_patterns(
    '.*', '__pycache__', '*.egg-info', '*.so', 'build', 'install', 'log', 'out')
NATIVE = '_native.abi3.so'
SOURCES = {'jit/native_calls.cpp', 'physics/engine/box2d_bridge.cpp'}  # of it, in the package
WHERE = 'import mvsim_ros2.base.package_files as s; print(s.__file__); print(s.share_directory())'
PRIVATE_PARTS_USED = {'embreex', 'numba', 'rosbags', 'viser'}
COLCON = 'import colcon_core.command as c, sys; sys.exit(c.main())'  # with this very Python

pytestmark = pytest.mark.slow


def files_under(folder: Path) -> set[str]:
    """Return the paths of all files under `folder`, relative to it, but for compiled code."""
    return {str(path.relative_to(folder)) for path in folder.rglob('*')
            if path.is_file() and path.suffix != '.pyc'}


@pytest.fixture(scope='module')
def source(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the project to build from, so that nothing is written into it."""
    return Path(shutil.copytree(
        project, tmp_path_factory.mktemp('packaging') / 'mvsim_ros2', ignore=LEFT_OUT))


def run(*command: str, cwd: Path, **environment: str) -> str:
    """Run `command` in `cwd` and return what it prints; fail the test where it fails."""
    done = subprocess.run(
        command, cwd=cwd, env={**os.environ, **environment}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def pip_install(source: Path, prefix: Path, *options: str) -> Path:
    """Install `source` into `prefix` with pip and return where its Python modules are."""
    run(sys.executable, '-m', 'pip', 'install', '--quiet', '--no-deps', '--no-build-isolation',
        '--ignore-installed', '--prefix', str(prefix), *options, str(source), cwd=source)
    return next(prefix.rglob('site-packages'))


def assert_complete(source: Path, share: Path) -> None:
    """Check that `share` has every shared file of `source`, and its manifest."""
    assert (share / 'package.xml').is_file()
    for folder in SHARED:
        assert files_under(share / folder) == files_under(source / folder), folder


def test_pip_install(source: Path, tmp_path: Path) -> None:
    modules = pip_install(source, tmp_path)
    assert files_under(modules / 'mvsim_ros2') == (
        files_under(source / 'mvsim_ros2') - SOURCES | {NATIVE})
    assert (modules / 'mvsim_ros2' / 'py.typed').is_file()
    share = tmp_path / 'share' / 'mvsim_ros2'
    assert_complete(source, share)
    assert (tmp_path / 'share/ament_index/resource_index/packages/mvsim_ros2').is_file()
    assert {path.name for path in (tmp_path / 'bin').iterdir()} == COMMANDS
    run(str(tmp_path / 'bin' / 'mvsim_ros2'), 'check', str(share / 'worlds' / 'demo.world.xml'),
        cwd=tmp_path, PYTHONPATH=str(modules))
    code, found = run(
        sys.executable, '-c', WHERE, cwd=tmp_path, PYTHONPATH=str(modules)).splitlines()
    assert Path(code).is_relative_to(modules)
    assert Path(found) == share
    (installed,) = distributions(path=[str(modules)])
    assert installed.version == __version__ == xml.parse(share / 'package.xml').findtext('version')
    bounded = {requirement.name for requirement in map(Requirement, installed.requires or ())
               if any(bound.operator == '<' for bound in requirement.specifier)}
    assert bounded == PRIVATE_PARTS_USED


def test_pip_install_editable(source: Path, tmp_path: Path) -> None:
    modules = pip_install(source, tmp_path, '--editable')
    assert {path.name for path in (tmp_path / 'bin').iterdir()} == COMMANDS
    assert not (modules / 'mvsim_ros2').exists()
    code, found = run(sys.executable, '-c', WHERE, cwd=source).splitlines()
    assert Path(code).is_relative_to(source)
    assert Path(found) == source


SCRIPT = """
from mvsim_ros2 import Simulation
from mvsim_ros2.sensors import LaserScan2D
from mvsim_ros2.world.spec import LaserSpec

simulation = Simulation.from_file('demo.world.xml')
reveal_type(simulation.vehicles['robot'].pose)
reveal_type(LaserSpec().nrays)
scan = simulation.measure('robot/scan')
assert isinstance(scan, LaserScan2D)
reveal_type(scan.range_max)
simulation.fly()
"""


def test_type_checkers_see_an_editable_install(source: Path, tmp_path: Path) -> None:
    pytest.importorskip('mypy', reason='mypy is not installed')
    place = tmp_path / 'environment'
    run(sys.executable, '-m', 'venv', '--without-pip', str(place), cwd=tmp_path)
    pip_install(source, place, '--editable')
    (tmp_path / 'drive.py').write_text(SCRIPT)
    checked = subprocess.run(
        [sys.executable, '-m', 'mypy', '--python-executable', str(place / 'bin/python'),
         '--cache-dir', str(tmp_path / 'cache'), '--no-error-summary', 'drive.py'],
        cwd=tmp_path, capture_output=True, text=True,
        env={name: value for name, value in os.environ.items() if name != 'PYTHONPATH'}).stdout
    assert [line.partition(': ')[2] for line in checked.splitlines()] == [
        'note: Revealed type is "mvsim_ros2.frames.Pose"',
        'note: Revealed type is "int"',
        'note: Revealed type is "float"',
        'error: "Simulation" has no attribute "fly"  [attr-defined]'], checked


def test_colcon_build(source: Path, tmp_path: Path) -> None:
    pytest.importorskip('colcon_core.command', reason='colcon is not installed')
    run(sys.executable, '-c', COLCON, '--log-base', 'log', 'build', '--base-paths', str(source),
        cwd=tmp_path, MVSIM_ROS2_KERNELS='demo')
    install = tmp_path / 'install' / 'mvsim_ros2'
    assert list((install / 'lib').rglob('*.nbc')), 'no kernels are compiled by the build'
    share = install / 'share' / 'mvsim_ros2'
    assert_complete(source, share)
    assert {path.name for path in (install / 'lib' / 'mvsim_ros2').iterdir()} == COMMANDS
    run('bash', '-c', 'source install/setup.bash; "$0" check "$1"',
        str(install / 'lib/mvsim_ros2/mvsim_ros2'), str(share / 'worlds/demo.world.xml'),
        cwd=tmp_path)
    indexed = (
        'from ament_index_python.packages import get_package_share_directory as find;'
        'print(find("mvsim_ros2"))')
    code, found, index = run(
        'bash', '-c', f'source install/setup.bash; "$0" -c \'{WHERE}\'; "$0" -c \'{indexed}\'',
        sys.executable, cwd=tmp_path).splitlines()
    assert Path(code).is_relative_to(install)
    assert Path(found) == share
    assert Path(index) == share
