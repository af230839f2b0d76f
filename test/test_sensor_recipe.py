# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The recipe for a sensor in docs/extending.md: followed to the letter, in a copy."""

from pathlib import Path
import shutil

import processes
import pytest
from recipes import recipe

LEFT_OUT = shutil.ignore_patterns('.*', '__pycache__', '*.egg-info', 'build', 'install', 'log',
                                  'out')
# without numba, which would compile all kernels anew for the copy and gives the same numbers
PYTEST = """
import sys
sys.modules['numba'] = None
import pytest
sys.exit(pytest.main(['-q', '-p', 'no:cacheprovider', '-p', 'no:xdist', *sys.argv[1:]]))
"""
SIX = ('mvsim_ros2/world/spec/sensors/thermometer.py', 'mvsim_ros2/sensors/thermometer.py',
       'mvsim_ros2/ros/messages/sensors/thermometer.py', 'test/sensors/test_thermometer.py',
       'docs/sensors.md', 'docs/world-format.md')
# what is said before a file is there
MISSING = {
    SIX[0]: "has the class 'thermometer': there are",
    SIX[1]: "sensor 't' cannot be made: nothing says what the sensor of class "
            'mvsim_ros2.world.spec.sensors.thermometer.ThermometerSpec does: add a record with '
            'this `spec` to MODELS of a file in mvsim_ros2/sensors',
    SIX[2]: 'add a record with this `spec` to MESSAGES of a file in '
            'mvsim_ros2/ros/messages/sensors'}
USE = """
import sys
sys.modules['numba'] = None
from pathlib import Path
from mvsim_ros2 import Simulation
from mvsim_ros2.errors import MvsimError
from mvsim_ros2.ros.messages.sensor_channels import channels_of
Path('w.xml').write_text('<mvsim_world><sensor class="thermometer" name="t"/></mvsim_world>')
try:
    channels_of(Simulation.from_file('w.xml').sensors['t'].spec)
except MvsimError as error:
    print(error)
Path('w.xml').unlink()
"""

pytestmark = pytest.mark.slow


def contents(folder: Path) -> dict[str, bytes]:
    """Return all files under a folder but for compiled code."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob('*')
            if path.is_file() and path.suffix != '.pyc'}


def python(folder: Path, *arguments: str) -> str:
    """Return what Python prints with the copy in a folder."""
    return processes.python(*arguments, cwd=folder, paths=(folder,)).stdout


def use(folder: Path) -> str:
    """Return what is said of a world with a thermometer."""
    return python(folder, '-c', USE)


def follow(project: Path, folder: Path) -> None:
    """Do in a copy of the project what the recipe says."""
    files = recipe(project, 'A sensor')
    row, section = files.pop('docs/sensors.md').split('\n', 1)
    neighbour = (folder / 'mvsim_ros2/sensors/navigation/air_and_field.py').read_text()
    header = neighbour[:neighbour.index('"""')]
    for name, text in files.items():
        assert not (folder / name).exists()
        assert MISSING.get(name, '') in use(folder)
        (folder / name).write_text(header + text)
    page = folder / 'docs/sensors.md'
    text = page.read_text()
    last_row = next(line for line in text.splitlines() if line.startswith('| [`barometer`]'))
    text = text.replace(last_row, f'{last_row}\n{row}')
    page.write_text(text.replace('## Shapes from meshes', f'{section.strip()}\n\n'
                                                          '## Shapes from meshes'))
    python(folder, '-m', 'mvsim_ros2.world.file.manual', 'docs/sensors.md',
           'docs/world-format.md')


def test_a_sensor_takes_six_files(project: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(project, tmp_path / 'copy', ignore=LEFT_OUT))
    before = contents(folder)
    follow(project, folder)
    after = contents(folder)
    assert sorted(SIX) == sorted(
        name for name, data in after.items() if before.get(name) != data)
    done = python(folder, '-c', PYTEST, 'test/sensors/test_thermometer.py')
    assert '2 passed' in done
    done = python(folder, '-c', PYTEST, 'test/sensors/test_sensor_contract.py', '-k',
                  'thermometer or rooms')
    assert ' passed' in done and 'skipped' not in done
    python(folder, '-c', PYTEST, 'test/world_file/test_manual.py')
    python(folder, '-c', PYTEST, 'test/test_rooms.py', '-k', 'thermometer')
    pytest.importorskip('flake8')
    python(folder, '-m', 'flake8', *SIX[:4])
