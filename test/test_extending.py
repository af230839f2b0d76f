# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Recipes of docs/extending.md for elements, controllers and vehicle classes, as packages."""

import json
from pathlib import Path
import shutil
from typing import Any

from processes import python
import pytest
from recipes import follow

LOAD = """
from mvsim_ros2 import load_world
from mvsim_ros2.world.file.manual import manual
world = load_world('my.world.xml', strict=True)
print(world.elements[0].XML_CLASS, world.elements[0].radius, len(world.warnings))
print('## `<element class="bollard">`' in manual(), 'Post that keeps vehicles out.' in manual())
"""
DRIVE = """
import json
import sys

from mvsim_ros2 import load_world
from mvsim_ros2 import Simulation
from mvsim_ros2.recording.csv_log import CsvLog
from mvsim_ros2.world.file.manual import manual

world = load_world('my.world.xml', strict=True)
found = {}
for mode in ('mvsim', 'physical'):
    simulation = Simulation(world, physics=mode)
    robot = simulation.vehicles['robot']
    robot.set_twist(0.5, 0.0)
    with CsvLog(simulation, mode) as log:
        log.run(3.0)
    first = next(path for path in log.paths if path.name.endswith('wheel_1.csv'))
    names, *rows = [line.split(', ') for line in first.read_text().splitlines()[2:]]
    kept = simulation.snapshot()
    ends = []
    for _ in range(2):
        simulation.restore(kept)
        simulation.run(0.5)
        ends.append(repr(robot.pose))
    found[mode] = {
        'x': robot.pose.x, 'speed': float(robot.twist_body[0]), 'commands': robot.commands,
        'torques': [float(row[names.index('torque')]) for row in rows], 'columns': names,
        'ends': ends, 'wheels': len(robot.wheels)}
found['manual'] = manual()
json.dump(found, sys.stdout)
"""
START = """
from mvsim_ros2 import load_world
from mvsim_ros2 import Simulation

try:
    Simulation(load_world('my.world.xml'))
except Exception as error:
    print(type(error).__name__, error)
"""


def run(script: str, folder: Path) -> str:
    """Run a script beside the package of a recipe; return what it prints."""
    return python('-c', script, cwd=folder, paths=(folder,)).stdout


@pytest.fixture(scope='module')
def bollard(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the package with the element."""
    return follow(project, 'An element of the world', tmp_path_factory.mktemp('elements'))


def test_a_world_has_an_element_of_a_package_and_so_has_the_manual(bollard: Path) -> None:
    assert run(LOAD, bollard).split() == ['bollard', '0.3', '0', 'True', 'True']


def test_an_element_of_a_package_keeps_the_contract_of_solids(
        bollard: Path, project: Path) -> None:
    done = python('-m', 'pytest', '-q', '-n', '0', '-p', 'no:cacheprovider', '-k', 'bollard',
                  'test/scene/test_solid_contract.py', cwd=project, paths=(bollard,), code=None)
    assert '5 passed' in done.stdout, done.stdout + done.stderr


@pytest.fixture(scope='module')
def controller(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the package with the controller."""
    return follow(project, 'A controller', tmp_path_factory.mktemp('controllers'))


@pytest.fixture(scope='module')
def driven(controller: Path) -> dict[str, Any]:
    """Return what a run with the controller found."""
    return json.loads(run(DRIVE, controller))  # type: ignore[no-any-return]


@pytest.mark.parametrize('mode', ['mvsim', 'physical'])
def test_a_controller_of_a_package_drives_a_vehicle(driven: dict[str, Any], mode: str) -> None:
    """0.5 m/s within 3 %, by no more than 5 N m, which it takes at first."""
    found = driven[mode]
    assert found['speed'] == pytest.approx(0.5, rel=0.03)
    assert 1.0 < found['x']
    assert max(found['torques']) == pytest.approx(5.0)
    assert found['commands'] == ['set_twist']
    assert found['ends'][0] == found['ends'][1]
    assert 'pid_error_l' not in found['columns']  # it has no PID


def test_a_controller_of_a_package_is_in_the_manual(driven: dict[str, Any]) -> None:
    _, found, section = driven['manual'].partition('## `<controller class="twist_proportional">`')
    assert found
    assert '| `<gain>` | float | N m s/m | 20 | > 0 | torque over error |' in (
        section.partition('\n## ')[0])


def test_a_controller_of_a_package_is_refused_where_it_cannot_drive(
        controller: Path, tmp_path: Path) -> None:
    folder = tmp_path / 'package'
    shutil.copytree(controller, folder)
    world = folder / 'my.world.xml'
    world.write_text(world.read_text().replace('"differential"', '"ackermann"'))
    message = run(START, folder)
    assert message.startswith('PhysicsError')
    assert f'{world.name}:5:' in message
    assert "'twist_proportional', which it cannot have; use " in message


def test_a_kernel_with_other_parameters_is_an_error_that_names_it(
        controller: Path, tmp_path: Path) -> None:
    folder = tmp_path / 'package'
    shutil.copytree(controller, folder)
    module = folder / 'my_controllers.py'
    module.write_text(module.read_text().replace('pitch, pid, dt)', 'pid, dt)'))
    message = run(START, folder)
    assert message.startswith("PluginError the controller 'twist_proportional' cannot be used")
    assert 'it must take (vehicle, wheels, pitch, pid, dt)' in message


@pytest.fixture(scope='module')
def six_wheels(project: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return what a run with the vehicle class found."""
    folder = follow(project, 'A vehicle class', tmp_path_factory.mktemp('vehicles'))
    return json.loads(run(DRIVE, folder))  # type: ignore[no-any-return]


@pytest.mark.parametrize('mode', ['mvsim', 'physical'])
def test_a_vehicle_class_of_a_package_drives(six_wheels: dict[str, Any], mode: str) -> None:
    found = six_wheels[mode]
    assert found['wheels'] == 6
    assert found['speed'] == pytest.approx(0.5, rel=0.05)
    assert 'pid_error_l' in found['columns']
    assert found['ends'][0] == found['ends'][1]
    assert '## `<dynamics class="six_wheels">`' in six_wheels['manual']
