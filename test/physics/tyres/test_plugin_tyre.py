# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tyres of docs/extending.md, as a package and built in, and what cannot be a law."""

from dataclasses import dataclass
import re
import shutil
import sys

import processes
import pytest
import recipes
from small_worlds import physics, vehicle

from mvsim_ros2.base.registry import Registry
from mvsim_ros2.errors import PhysicsError, PluginError
from mvsim_ros2.physics.modes import MVSIM, PHYSICAL
from mvsim_ros2.physics.tyres import law
from mvsim_ros2.physics.tyres.law import LAWS, Mounting, TyreLaw
from mvsim_ros2.world.spec import DefaultTyre, LinearTyre, TyreSpec

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


def python(folder, *arguments, **environment):
    """Return what a process prints that starts in `folder` with the packages there."""
    return processes.python(
        *arguments, cwd=folder, paths=(folder, *sys.path), **environment).stdout


@pytest.fixture
def folder(tmp_path):
    """Return a folder with a world for each of some tyres."""
    for tyre in ('dugoff', 'sand', 'linear', 'dugof'):
        (tmp_path / f'{tyre}.world.xml').write_text(WORLD.format(tyre=tyre))
    return tmp_path


@pytest.fixture
def installed(project, folder):
    """Return that folder with the package of the recipe installed in it."""
    return recipes.follow(project, 'A tyre', folder)


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
    recipes.follow(project, 'A tyre', folder)
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
    recipes.follow(project, 'A tyre', folder / 'recipe')
    shutil.copy(next(folder.glob('recipe/*/dugoff.py')), package / 'physics/tyres')
    speed = float(python(folder, '-c', DRIVE, 'dugoff', NUMBA_DISABLE_JIT='1'))
    assert speed == pytest.approx(2.0, abs=0.3)
    manual = python(folder, '-m', 'mvsim_ros2.world.file.manual', NUMBA_DISABLE_JIT='1')
    assert '## `<friction class="dugoff">`' in manual


WHEEL = Mounting(0.1, 0.05, 50.0)


@dataclass(frozen=True)
class SlickTyre(TyreSpec):
    """A tyre without a law."""

    XML_CLASS = 'slick'

    mu: float = 2.0


def secants(values, friction, load, slip_along, slip_across, limit):
    """Push nothing."""
    return 0.0, 0.0


@pytest.mark.parametrize('spec, fields, message', [
    pytest.param(int, {'brush': True}, 'a TyreSpec with an XML_CLASS', id='no tyre'),
    pytest.param(TyreSpec, {'brush': True}, 'a TyreSpec with an XML_CLASS', id='no class'),
    pytest.param(SlickTyre, {}, 'belongs to no physics mode', id='no kernel'),
    pytest.param(SlickTyre, {'brush': True, 'secants': secants}, 'leave out one', id='two'),
    pytest.param(SlickTyre, {'brush': True, 'columns': ('mu', 'C_s')},
                 r"columns \['C_s'\], which are no parameters", id='unknown column'),
    pytest.param(SlickTyre, {'brush': True, 'columns': ('mu',) * 13}, 'at most 12', id='too many'),
])
def test_what_cannot_be_a_law(spec, fields, message):
    with pytest.raises(ValueError, match=message):
        TyreLaw(spec, **fields)


def test_numbers_that_a_law_does_not_give_are_named():
    given = TyreLaw(SlickTyre, ('mu', 'width'), numbers=lambda tyre, wheel: {'mu': tyre.mu},
                    brush=True)
    with pytest.raises(PhysicsError, match="number 'width' of .* 'slick' is 'missing'"):
        given.values(SlickTyre(), WHEEL)
    values = TyreLaw(SlickTyre, ('mu',), brush=True).values(SlickTyre(), WHEEL)
    assert values[0] == 2.0 and not values[1:].any()


def test_a_tyre_without_a_law_is_an_error():
    with pytest.raises(PluginError, match='nothing says what the tyre of class .*SlickTyre does: '
                                          'add a record .* there are: bakker, clay, linear'):
        physics(vehicle(friction=SlickTyre()))


def test_a_mode_without_the_law_is_an_error():
    """It says which mode has it, and which laws the mode has."""
    with pytest.raises(PhysicsError, match="'linear', which physics mode 'mvsim' does not have: "
                                           "use mode 'physical', or 'default' or 'ellipse' or "
                                           "'wardiagnemma'"):
        physics(vehicle(friction=LinearTyre()), mode=MVSIM)


def test_a_number_without_a_law_is_an_error():
    """Not another law in silence, in either mode."""
    for mode, tyre in ((MVSIM, DefaultTyre()), (PHYSICAL, LinearTyre())):
        world = physics(vehicle(friction=tyre), mode=mode)
        world.step()
        world.vehicles.wheels['contacts'][:, 0, 0] = len(LAWS)
        with pytest.raises(LookupError, match='a number that stands for no kernel'):
            world.step()


def test_a_kernel_that_takes_other_parameters_is_an_error(monkeypatch):
    wrong = TyreLaw(SlickTyre, secants=lambda values: (0.0, 0.0))
    monkeypatch.setattr(law, 'LAWS', Registry('tyre', 'mvsim_ros2.no_group', (wrong,)))
    with pytest.raises(PluginError, match=r"'slick' cannot be used: .* takes \(values\)"):
        law.provide(wrong, PHYSICAL)
