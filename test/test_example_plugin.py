# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The package in examples/plugin: installed, and used by a world."""

import json
from pathlib import Path
import re
import shutil
import subprocess
import sys

from processes import python
import pytest

RUN = """
import json
import sys
from mvsim_ros2 import Simulation

sim = Simulation.from_file(sys.argv[1], strict=True)
robot = sim.vehicles['robot']
ahead = float(sim.measure('robot/scan').ranges[90])
temperature = sim.measure('robot/air').temperature
robot.set_twist(0.5, 0.0)
sim.run(2.0)
speed = float(robot.twist_body[0])
sim.run(8.0)
print(json.dumps({
    'ahead': ahead, 'temperature': temperature, 'speed': speed, 'x': robot.pose.x,
    'collided': robot.collided}))
"""


@pytest.fixture(scope='module')
def example(project: Path) -> Path:
    """Return the folder of the example."""
    return project / 'examples' / 'plugin'


@pytest.fixture(scope='module')
def installed(example: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that the package of the example is installed in."""
    source = tmp_path_factory.mktemp('source') / 'plugin'
    shutil.copytree(example, source)
    target = tmp_path_factory.mktemp('site')
    subprocess.run(
        [sys.executable, '-m', 'pip', 'install', '--quiet', '--no-deps', '--no-build-isolation',
         '--disable-pip-version-check', '--target', str(target), str(source)], check=True)
    return target


def test_a_world_uses_all_of_it(example: Path, installed: Path) -> None:
    """
    The robot drives as told, sees the bollard where it is, and is stopped by it.

    :claim: An external package adds sensors, tyres, controllers, vehicles and elements
    :reference: the package in examples/plugin
    :figure: gallery/plugin.webp
    """
    told = json.loads(
        python('-c', RUN, example / 'orchard.world.xml', paths=(installed,)).stdout)
    assert told['ahead'] == pytest.approx(3.0 - 0.3, abs=0.01)
    assert told['temperature'] == pytest.approx(15.0, abs=0.01)
    assert told['speed'] == pytest.approx(0.5, rel=0.05)
    assert told['x'] == pytest.approx(3.0 - 0.3 - 0.6, abs=0.03)
    assert told['collided']


def test_the_command_line_knows_it(example: Path, installed: Path) -> None:
    python('-m', 'mvsim_ros2', 'check', example / 'orchard.world.xml', '--strict',
           paths=(installed,))


def test_without_the_package_its_classes_are_named(example: Path) -> None:
    done = python('-m', 'mvsim_ros2', 'check', example / 'orchard.world.xml', code=1)
    assert re.search(r"orchard.world.xml:\d+: .*'(six_wheels|dugoff|bollard)'", done.stderr)


@pytest.mark.parametrize('file', ['bollard', 'dugoff', 'six_wheels', 'twist_proportional'])
def test_the_manual_prints_these_files(project: Path, example: Path, file: str) -> None:
    printed = re.findall(
        r'```python\n(.*?)```', (project / 'docs' / 'extending.md').read_text(), re.DOTALL)
    code = (example / 'orchard_robots' / f'{file}.py').read_text()
    assert any(code.endswith(block) for block in printed)
