# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""xacro from a world runs only where it is allowed, and then without any rights."""

from collections.abc import Callable
from pathlib import Path

import pytest

from mvsim_ros2 import load_world, Simulation
from mvsim_ros2.base.package_files import share_directory
from mvsim_ros2.cli import main
from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.world.file.urdf_import.description.document import expand_xacro, Limits

pytest.importorskip('xacro')

HEAD = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">\n'
# the frame of a generator leads out of xacro's filter, to the modules of Python
ESCAPE = ('(lambda l: [l.append(v.gi_frame.f_back for v in l), list(l[0])][1])([])[0]'
          '.f_back.f_back.f_globals')
Expand = Callable[..., str]


@pytest.fixture
def expand(tmp_path: Path) -> Expand:
    """Return what expands a file with one expression and returns its value."""
    def run(expression: str, **limits: int) -> str:
        path = tmp_path / 'evil.urdf.xacro'
        path.write_text(f'{HEAD}<a b="${{{expression}}}"/></robot>')
        text = expand_xacro(str(path), {}, lambda source, text: None, Limits(**limits))[1]
        return text.partition('<a b="')[2].partition('"')[0]
    return run


def test_the_escape_is_one(expand: Expand) -> None:
    assert expand(f"{ESCAPE}['os'].getpid() > 1") == 'True'


@pytest.mark.parametrize('what', [
    "open('{out}', 65)", "open('{out}', 1)", 'fork()', 'kill(1, 0)', "unlink('{there}')",
    "chmod('{there}', 0)", "rename('{there}', '{out}')", "mkdir('{out}')",
    "execv('/bin/true', ['true'])"])
def test_no_system_call_that_changes_anything(expand: Expand, tmp_path: Path, what: str) -> None:
    there, out = tmp_path / 'there', tmp_path / 'out'
    there.write_text('kept')
    with pytest.raises(WorldFileError, match='Operation not permitted|Permission denied'):
        expand(f"{ESCAPE}['os'].{what.format(out=out, there=there)}")
    assert there.read_text() == 'kept'
    assert not out.exists()


def test_no_shell(expand: Expand, tmp_path: Path) -> None:
    assert expand(f"{ESCAPE}['os'].system('touch {tmp_path}/out')") != '0'
    assert not (tmp_path / 'out').exists()


def test_no_network(expand: Expand) -> None:
    module = f"{ESCAPE}['os'].sys.modules['_frozen_importlib']._gcd_import('socket')"
    with pytest.raises(WorldFileError, match='Operation not permitted'):
        expand(f'{module}.socket()')


@pytest.mark.parametrize('what', ["open('/etc/passwd', 0)", "listdir('/')", "listdir('/proc')"])
def test_no_files_but_those_of_packages(expand: Expand, what: str) -> None:
    with pytest.raises(WorldFileError, match='Permission denied.*below its own package'):
        expand(f"{ESCAPE}['os'].{what}")


def test_no_secrets_of_the_environment(expand: Expand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv('SECRET_TOKEN', 'abc')
    assert expand(f"'SECRET_TOKEN' in {ESCAPE}['os'].environ") == 'False'


@pytest.mark.parametrize(('expression', 'message'), [
    ('9**9**9', 'computes for more than 1 s'), ('[1] * 10**10', 'cannot expand'),
    ("'a' * 10**9", 'cannot expand|more than 512 MB')])
def test_limits(expand: Expand, expression: str, message: str) -> None:
    with pytest.raises(WorldFileError, match=message):
        expand(expression, seconds=1, memory=2 ** 29)


def test_its_own_package_can_be_read(tmp_path: Path, expand: Expand) -> None:
    (tmp_path / 'package.xml').write_text('<package/>')
    (tmp_path / 'config').mkdir()
    (tmp_path / 'config' / 'a.yaml').write_text('mass: 3.5')
    path = tmp_path / 'urdf' / 'r.urdf.xacro'
    path.parent.mkdir()
    values = tmp_path / 'config' / 'a.yaml'
    path.write_text(f"""{HEAD}
        <xacro:property name="a" value="${{load_yaml('{values}')}}"/>
        <b mass="${{a['mass']}}"/></robot>""")
    assert '<b mass="3.5"/>' in expand_xacro(str(path), {}, lambda source, text: None)[1]


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """Return a world with a description in xacro."""
    robot = share_directory() / 'worlds/descriptions/round_robot.urdf.xacro'
    (tmp_path / 'r.urdf.xacro').write_text(robot.read_text())
    path = tmp_path / 'one.world.xml'
    path.write_text("""<mvsim_world><vehicle name="r1" urdf="r.urdf.xacro">
      <init_pose>0 0 0</init_pose></vehicle></mvsim_world>""")
    return path


def test_a_world_needs_permission(world: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for load in (load_world, Simulation.from_file):
        with pytest.raises(WorldFileError, match=r'\(line \d+ .* more\)\. .* allow it with'):
            load(world)
    assert main(['check', str(world)]) == 1
    assert 'xacro evaluates its expressions as programs (line ' in capsys.readouterr().err


def test_permission_is_given(world: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (vehicle,) = load_world(world, allow_xacro=True).vehicles
    assert vehicle.name == 'r1' and len(vehicle.sensors) == 3
    assert Simulation.from_file(world, allow_xacro=True).vehicles['r1'].spec == vehicle
    assert main(['check', str(world), '--allow-xacro']) == 0


def test_arguments_of_a_shipped_description_are_no_programs(tmp_path: Path) -> None:
    path = tmp_path / 'one.world.xml'
    path.write_text("""<mvsim_world><vehicle name="r1" urdf_args="camera:=${True}"
      urdf="package://mvsim_ros2/worlds/descriptions/round_robot.urdf.xacro">
      <init_pose>0 0 0</init_pose></vehicle></mvsim_world>""")
    with pytest.raises(WorldFileError, match='camera|True|evaluates its expressions'):
        load_world(path)
