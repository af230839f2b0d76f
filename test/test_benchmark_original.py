# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The benchmark beside MVSim says what it needs; its worlds and our side do what it counts."""

from collections.abc import Iterator
import importlib
from pathlib import Path
import sys
from types import ModuleType

from processes import python
import pytest

from mvsim_ros2 import load_world, Simulation
from mvsim_ros2.world.spec import WorldSpec

BENCHMARKS = Path(__file__).resolve().parents[1] / 'benchmarks'


@pytest.fixture(scope='module')
def original() -> Iterator[ModuleType]:
    """Return the benchmark."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCHMARKS))
        yield importlib.import_module('original')
        del sys.modules['original'], sys.modules['original_worlds']


@pytest.fixture(scope='module')
def worlds(original: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the worlds."""
    folder = tmp_path_factory.mktemp('worlds')
    original.write_worlds(folder)
    return folder


@pytest.fixture(scope='module')
def loaded(original: ModuleType, worlds: Path) -> dict[str, WorldSpec]:
    """Return all worlds that are measured, by name."""
    named = {name for row in original.ROWS for name in (row.world, row.bare)}
    return {name: load_world(worlds / f'{name}.world.xml')
            for name in (named | set(original.PLACED)) - {''}}


def test_without_a_build_it_says_how_to_make_one() -> None:
    done = python(BENCHMARKS / 'original.py', code=2)
    for needed in ('--original BUILD', 'https://github.com/MRPT/mvsim', '1.2.0', '2.15.9',
                   'Box2D with -O3', 'CXXFLAGS=', 'mvsim-simulator-config.cmake'):
        assert needed in done.stderr


@pytest.mark.parametrize(('there', 'missing'), [
    (False, 'CMakeCache.txt'), (True, 'cmake/mvsim-simulator-config.cmake')])
def test_a_folder_that_is_no_build_is_refused(tmp_path: Path, there: bool, missing: str) -> None:
    if there:
        (tmp_path / 'CMakeCache.txt').touch()
    done = python(BENCHMARKS / 'original.py', '--original', tmp_path, code=2)
    assert f'there is no {missing}' in done.stderr


def test_every_row_has_its_world_with_the_vehicles_that_are_commanded(
        worlds: Path, loaded: dict[str, WorldSpec]) -> None:
    for name, world in loaded.items():
        vehicles = {vehicle.name for vehicle in world.vehicles}
        lines = (worlds / f'{name}.world.xml.twists').read_text().splitlines()
        assert {line.split()[0] for line in lines} <= vehicles
        assert len(lines) in (len(vehicles), len(vehicles) - 1)  # but one that watches


def test_rows_are_divided_by_what_is_made(
        original: ModuleType, loaded: dict[str, WorldSpec]) -> None:
    for row in original.ROWS:
        vehicles = loaded[row.world].vehicles
        sensors = [sensor for vehicle in vehicles for sensor in vehicle.sensors]
        if row.what:
            continue
        if sensors:  # each measures once a call
            assert row.steps * loaded[row.world].simul_timestep == sensors[0].sensor_period == 0.1
            made = sum(sensor.vert_nrays * sensor.horz_nrays if row.unit == original.BEAMS else 1
                       for sensor in sensors) * row.calls
        else:
            made = row.calls * row.steps * (
                1 if row.name.startswith('a step') else len(vehicles))
        assert row.count == made, row.name


@pytest.mark.parametrize(('mode', 'options'), [('mvsim', ()), ('physical', ('compiled',))])
def test_our_side_makes_the_steps_that_it_is_told(
        original: ModuleType, worlds: Path, mode: str, options: tuple[str, ...]) -> None:
    path = str(worlds / 'hall_1_laser.world.xml')
    with original.Server([sys.executable, BENCHMARKS / 'original.py', '--serve', mode, path,
                          *options]) as server:
        first, second = server.run(3, 20), server.run(2, 1)
        poses = server.poses()
    assert first[1] == 3 and second[1] <= 1
    assert 0 < first[0] < first[2] < second[2] and server.loading > 0
    simulation = Simulation.from_file(path, physics=mode)
    simulation.vehicles['r0'].set_twist(0.1, 0.1)
    simulation.step(62)
    pose = simulation.vehicles['r0'].pose
    assert poses == {'r0': pytest.approx([pose.x, pose.y, pose.yaw], abs=1e-8)}


def test_what_ends_a_server_is_told(original: ModuleType) -> None:
    with pytest.raises(SystemExit, match='lost.world.xml'):
        original.Server([sys.executable, BENCHMARKS / 'original.py', '--serve', 'mvsim',
                         'lost.world.xml'])


def test_a_line_has_ratios_that_grow_with_our_speed(original: ModuleType) -> None:
    taken = {'original': [2.0, 4.0, 3.0], 'mvsim': [1.0, 1.0, 1.0], 'physical': [6.0, 6.0, 9.0]}
    time, rate = (original.line_of(original.Row('x', 'x', unit), taken).split()[2:]
                  for unit in (original.US, original.IMAGES))
    assert time == ['3', '1', '6', '3.00', '0.50', '2..4']
    assert rate == ['3', '1', '6', '0.33', '2.00', '2..4']
