# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The recipes of docs/extending.md for controllers and vehicle classes, followed to the letter."""

from collections.abc import Callable
import json
import os
from pathlib import Path
import shutil
import subprocess
import sys
from typing import Any

import pytest

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
Follow = Callable[[str, str], Path]


def run(script: str, folder: Path, project: Path) -> str:
    """Run a script beside the package of a recipe; return what it prints."""
    done = subprocess.run(
        [sys.executable, '-c', script], cwd=folder, capture_output=True, text=True,
        env={**os.environ, 'PYTHONPATH': f'{project}{os.pathsep}{folder}'})
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope='module')
def controller(follow_recipe: Follow) -> Path:
    """Return the folder of the package with the controller."""
    return follow_recipe('A controller', 'my_controllers')


@pytest.fixture(scope='module')
def driven(controller: Path, project: Path) -> dict[str, Any]:
    """Return what a run with the controller found."""
    return json.loads(run(DRIVE, controller, project))  # type: ignore[no-any-return]


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
        controller: Path, project: Path, tmp_path: Path) -> None:
    folder = tmp_path / 'package'
    shutil.copytree(controller, folder)
    world = folder / 'my.world.xml'
    world.write_text(world.read_text().replace('"differential"', '"ackermann"'))
    message = run(START, folder, project)
    assert message.startswith('PhysicsError')
    assert f'{world.name}:5:' in message
    assert "'twist_proportional', which it cannot have; use " in message


def test_a_kernel_with_other_parameters_is_an_error_that_names_it(
        controller: Path, project: Path, tmp_path: Path) -> None:
    folder = tmp_path / 'package'
    shutil.copytree(controller, folder)
    module = folder / 'my_controllers.py'
    module.write_text(module.read_text().replace('pitch, pid, dt)', 'pid, dt)'))
    message = run(START, folder, project)
    assert message.startswith("PluginError the controller 'twist_proportional' cannot be used")
    assert 'it must take (vehicle, wheels, pitch, pid, dt)' in message


@pytest.fixture(scope='module')
def six_wheels(follow_recipe: Follow, project: Path) -> dict[str, Any]:
    """Return what a run with the vehicle class found."""
    folder = follow_recipe('A vehicle class', 'my_vehicles')
    return json.loads(run(DRIVE, folder, project))  # type: ignore[no-any-return]


@pytest.mark.parametrize('mode', ['mvsim', 'physical'])
def test_a_vehicle_class_of_a_package_drives(six_wheels: dict[str, Any], mode: str) -> None:
    found = six_wheels[mode]
    assert found['wheels'] == 6
    assert found['speed'] == pytest.approx(0.5, rel=0.05)
    assert 'pid_error_l' in found['columns']
    assert found['ends'][0] == found['ends'][1]
    assert '## `<dynamics class="six_wheels">`' in six_wheels['manual']
