# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The recipe for a tyre in docs/extending.md, as a package of its own and as a built-in law."""

import os
import re
import shutil
import subprocess
import sys

import pytest

WORLD = """
<mvsim_world>
  <simul_timestep>0.005</simul_timestep>
  <vehicle name="r1">
    <init_pose>0 0 0</init_pose>
    <dynamics class="differential_4_wheels">
      <controller class="twist_pid"> <KP>4</KP> <KI>3</KI> <max_torque>20</max_torque>
        <V>2</V> </controller>
    </dynamics>
    <friction class="{tyre}"/>
  </vehicle>
</mvsim_world>
"""
DRIVE = """
import sys
from mvsim_ros2 import Simulation
for tyre in sys.argv[1:]:
    simulation = Simulation.from_file(f'{tyre}.world.xml')
    simulation.run(2.0)
    print(float(simulation.vehicles['r1'].twist_body[0]))
"""
NAMES = """
from numba.core.event import Listener, register
class Names(Listener):
    def on_start(self, event):
        print('compiled', event.data['dispatcher'].py_func.__module__)
    def on_end(self, event):
        pass
register('numba:compile', Names())
"""


def blocks(project, language):
    """Return the code blocks of a language in the recipe."""
    recipe = (project / 'docs/extending.md').read_text().partition('\n## A tyre\n')[2]
    return re.findall(rf'```{language}\n(.*?)```', recipe.partition('\n## ')[0], re.DOTALL)


def python(folder, *arguments, **environment):
    """Return what a process prints that starts in `folder` with the packages there."""
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, capture_output=True, text=True,
        env=os.environ | {'PYTHONPATH': f'{folder}{os.pathsep}{os.pathsep.join(sys.path)}'}
        | environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def folder(tmp_path):
    """Return a folder with a world for each of some tyres."""
    for tyre in ('dugoff', 'sand', 'linear', 'dugof'):
        (tmp_path / f'{tyre}.world.xml').write_text(WORLD.format(tyre=tyre))
    return tmp_path


@pytest.fixture
def installed(project, folder):
    """Return that folder with the package of the recipe installed in it."""
    install(project, folder)
    return folder


def install(project, folder):
    """Install the package of the recipe in a folder."""
    (law,), (entry,) = blocks(project, 'python'), blocks(project, 'toml')
    group, name, module = re.fullmatch(
        r'\[project\.entry-points\."(.*)"\]\n(\w+) = "(.*)"\n', entry).groups()
    file = folder.joinpath(*module.partition(':')[0].split('.')).with_suffix('.py')
    file.parent.mkdir()
    file.write_text(law)
    about = folder / 'my_tyres-1.0.dist-info'
    about.mkdir()
    (about / 'METADATA').write_text('Metadata-Version: 2.1\nName: my-tyres\nVersion: 1.0\n')
    (about / 'entry_points.txt').write_text(f'[{group}]\n{name} = {module}\n')


def test_a_package_adds_a_tyre(installed):
    """It drives as commanded, unlike on sand; without the package no world can name it."""
    dugoff, sand, linear = map(
        float, python(installed, '-c', DRIVE, 'dugoff', 'sand', 'linear').split())
    assert dugoff == pytest.approx(2.0, abs=0.3)
    assert len({dugoff, sand, linear}) == 3
    assert abs(dugoff - linear) < abs(dugoff - sand)


def test_a_package_adds_a_section_to_the_manual(installed):
    manual = python(installed, '-m', 'mvsim_ros2.world.file.manual')
    assert '## `<friction class="dugoff">`' in manual
    assert '| `<C_alpha>` | float | N/rad | 2500 | >= 0 | cornering stiffness |' in manual


def test_the_tyre_of_a_package_keeps_the_contract(installed, project):
    done = python(
        installed, '-m', 'pytest', '-q', '-n', '0', '-p', 'no:cacheprovider', '-k', 'dugoff',
        str(project / 'test/physics/tyres/test_contract.py'))
    assert int(re.search(r'(\d+) passed', done).group(1)) >= 8 and 'failed' not in done


def test_machine_code_on_disk_outlives_packages_that_come(folder, project):
    """The steps are compiled without the package, and found when it is there."""
    pytest.importorskip('numba')
    python(folder, '-c', DRIVE, 'linear', 'linear')  # the second starts with machine code
    install(project, folder)
    printed = python(folder, '-c', NAMES + DRIVE, 'linear', 'dugoff')
    names = set(re.findall('(?m)^compiled (.*)$', printed))
    assert names and not any(name.startswith('mvsim_ros2.') for name in names), names


def test_without_the_package_the_class_is_an_error(folder):
    with pytest.raises(AssertionError, match="has the class 'dugoff': there are default, "):
        python(folder, '-c', DRIVE, 'dugoff')


def test_a_misspelt_class_of_a_package_is_found(installed):
    with pytest.raises(AssertionError, match="did you mean 'dugoff'"):
        python(installed, '-c', DRIVE, 'dugof')


def test_one_file_adds_a_built_in_tyre(project, folder):
    """Parameters, kernels and record in `physics/tyres/`: worlds and manual know it."""
    package = folder / 'mvsim_ros2'
    shutil.copytree(project / 'mvsim_ros2', package, ignore=shutil.ignore_patterns('__pycache__'))
    (package / 'physics/tyres/dugoff.py').write_text(blocks(project, 'python')[0])
    speed = float(python(folder, '-c', DRIVE, 'dugoff', NUMBA_DISABLE_JIT='1'))
    assert speed == pytest.approx(2.0, abs=0.3)
    manual = python(folder, '-m', 'mvsim_ros2.world.file.manual', NUMBA_DISABLE_JIT='1')
    assert '## `<friction class="dugoff">`' in manual
