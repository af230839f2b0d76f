# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The command line."""

import argparse
import os
from pathlib import Path
import subprocess
import sys

import pytest

from mvsim_ros2 import __version__, load_world
from mvsim_ros2.cli import main
from mvsim_ros2.cli.options import FIGURES, PICTURES
from mvsim_ros2.cli.run_command import COMMANDS, make_parser
from mvsim_ros2.pictures.figures import save_figure

WORLD = """<mvsim_world>
  <gravty>9.81</gravty>
  <block:class name="crate"/>
  <block class="crate"><init_pose>3 0 0</init_pose><static>${STATIC|true}</static></block>
  <vehicle name="r1"><init_pose>0 0 0</init_pose>
    <dynamics class="differential"><controller class="twist_pid"/></dynamics>
    <sensor class="laser" name="scan"/>
  </vehicle>
  <element class="horizontal_plane"><texture>nope.png</texture></element>
</mvsim_world>"""

ENDING = 'the ending sets the format: choose one of '
DESCRIPTION = Path(__file__).resolve().parents[2] / 'worlds/descriptions/round_robot.urdf.xacro'
SKID = DESCRIPTION.with_name('skid_robot.urdf')


@pytest.fixture
def world(tmp_path: Path) -> str:
    """Return the path of a world with one fault and one missing file."""
    path = tmp_path / 'test.world.xml'
    path.write_text(WORLD)
    return str(path)


def test_check_lists_content_and_warnings(world: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(['check', world, '--offline']) == 0
    printed = capsys.readouterr()
    assert printed.err == ''
    for line in ('step 5 ms', 'r1: differential, controller twist_pid, friction default, '
                 'sensors: scan (laser, 10 Hz)', 'blocks: 1 (1 static)', 'block classes: crate',
                 'elements: 1 horizontal_plane', 'missing files: 1', 'warnings: 2',
                 f'{world}:2: <gravty> is not known in <mvsim_world> and is ignored; '
                 "did you mean 'gravity'?"):
        assert line in printed.out


def test_check_takes_variables(world: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(['check', world, '--set', 'STATIC=false']) == 0
    assert 'blocks: 1 (1 movable)' in capsys.readouterr().out


@pytest.mark.parametrize(('words', 'code', 'message'), [
    ('check WORLD --strict', 1, '<gravty> is not known'),
    ('check WORLD --set STATIC=maybe', 1, "<static> is 'maybe'"),
    ('check WORLD --set STATICK=true', 1, 'variable STATICK is given, but nothing in the world '
     "uses it; did you mean 'STATIC'?; there are STATIC"),
    ('check /nope.xml', 1, "error: there is no world '/nope.xml'"),
    ('picture empty -o nix/my.png', 1, 'there is no folder nix'),
    ('picture nowhere -o a.pgn', 1, f'{ENDING}.bmp, .jpeg, .jpg, .pdf, .png'),
    ('picture nowhere -o world', 1, f'{ENDING}.bmp, .jpeg, .jpg, .pdf, .png'),
    ('picture nowhere --video -o a.gif', 1, f'{ENDING}.mp4'),
    ('plot nowhere -o a.txt', 1, f'{ENDING}.jpeg, .jpg, .pdf, .png, .svg'),
    ('tune nowhere r1 -o a.txt', 1, f'{ENDING}.jpeg, .jpg, .pdf, .png, .svg'),
    ('picture empty --size 5', 2, 'not of the form 1280x720'),
    ('picture empty --size 5x9000', 2, 'each from 16 to 8192'),
    ('picture empty --size 64x\uff14\uff18', 2, 'not of the form 1280x720'),
    ('picture empty --after -1', 2, 'not a time'),
    ('picture empty --from 0 0 inf', 2, 'not a finite number'),
    ('picture empty --from 0 0 x', 2, 'not a finite number'),
    ('picture empty --top --sensors', 1, '--sensors: no effect with --top'),
    ('picture empty --top --after 0 --from 0 0 1', 1, '--from, --after: no effect with --top'),
    ('picture empty --pixels-per-metre 9', 1, 'no effect without --top'),
    ('picture empty --duration 9', 1, 'no effect without --video'),
    *((f'picture empty --pixels-per-metre={text}', 2,
       f'{text!r} is not a number between 0 and 10000')
      for text in ('abc', 'nan', '0', '-1', '10000')),
    ('fly', 2, 'only new, check, view, '), ('chek', 2, "did you mean 'check'?"),
    ('check', 2, 'required: WORLD'), ('check w --set novalue', 2, 'not of the form NAME=VALUE'),
    ('sweep p.yaml --workers \uff11', 2, 'is not a whole number from 0 to 10000'),
    ('sweep p.yaml --workers 1_0', 2, 'is not a whole number from 0 to 10000'),
    ('view empty --port 70000', 2, 'is not a whole number from 0 to 65535'),
    ('convert-urdf none.urdf', 1, 'cannot read'),
    ('convert-urdf ROUND -o /nowhere/a.xml', 1, 'there is no folder'),
    ('convert-urdf ROUND --set camera=maybe', 1, 'xacro cannot expand'),
    ('convert-urdf ROUND --set camra=false', 1,
     "no argument camra; did you mean 'camera'?; there are camera, lidar_rate"),
    ('convert-urdf SKID --set camera=false', 1, 'a plain URDF file takes no arguments'),
    (f'convert-urdf ROUND -o {__file__}', 1, 'exists already: choose another name')])
def test_what_is_refused(words: str, code: int, message: str, world: str, tmp_path: Path,
                         monkeypatch: pytest.MonkeyPatch,
                         capsys: pytest.CaptureFixture[str]) -> None:
    """By one line, the last one, with code 1; wrong usage with code 2; and nothing is written."""
    monkeypatch.chdir(tmp_path)
    names = {'WORLD': world, 'ROUND': str(DESCRIPTION), 'SKID': str(SKID)}
    try:
        ended: object = main([names.get(word, word) for word in words.split()])
    except SystemExit as end:
        ended = end.code
    printed = capsys.readouterr()
    *before, last = printed.err.splitlines()
    assert (ended, printed.out) == (code, '') and message in last
    assert code == 2 or last.startswith('error: ')
    assert code == 2 or all(line.startswith(f'warning: {world}:') for line in before)
    assert [path.name for path in tmp_path.iterdir()] == ['test.world.xml']


def test_warnings_before_an_error_are_kept(
        tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / 'w.xml'
    path.write_text(WORLD.replace('0 0 0</init_pose>\n', '0 0 zero</init_pose>\n')
                    .replace('<block ', '<block colour="red" '))
    assert main(['check', str(path), '--offline']) == 1
    warning, error = capsys.readouterr().err.splitlines()
    assert warning.startswith(f'warning: {path}:4: attribute colour is not known')
    assert error.startswith(f'error: {path}:5: ')


def test_strict_lists_every_fault(
        tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / 'w.xml'
    path.write_text(WORLD.replace('<block ', '<block colour="red" '))
    assert main(['check', str(path), '--offline', '--strict']) == 1
    *warnings, error = capsys.readouterr().err.splitlines()
    assert len(warnings) == 3
    assert '<gravty>' in ''.join(warnings) and 'colour' in ''.join(warnings)
    assert error.startswith(f'error: {path}:2: <gravty> is not known')
    assert error.endswith('(and 2 more, see the warnings)')


def test_worlds_of_the_package_go_by_name(
        tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(['check', 'many_robots', '--set', 'ROWS=1', '--set', 'COLUMNS=2']) == 0
    assert 'vehicles: 2' in capsys.readouterr().out
    picture = str(tmp_path / 'few.png')
    assert main(['picture', 'many_robots', '--set', 'ROWS=1', '--offline', '-o', picture]) == 0
    assert Path(picture).is_file()


@pytest.mark.parametrize('arguments', [
    pytest.param([], id='chosen view'),
    pytest.param(['--from', '3', '-4', '5', '--at', '0', '0', '0.5'], id='given view'),
    pytest.param(['--sensors', '--after', '0.3', '--drive', '0.5', '0'], id='sensors')])
def test_picture_in_three_dimensions(
        tmp_path: Path, arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    picture = str(tmp_path / 'world.png')
    assert main(['picture', 'empty', '--offline', '--size', '64x48', '-o', picture,
                 *arguments]) == 0
    assert capsys.readouterr().out == f'{picture}: 64 x 48 pixels\n'
    assert Path(picture).stat().st_size > 100


@pytest.mark.parametrize('ending', PICTURES)
def test_every_ending_of_a_picture_is_written(ending: str, tmp_path: Path) -> None:
    picture = tmp_path / f'plan{ending.upper()}'
    assert main(['picture', 'empty', '--top', '--offline', '-o', str(picture)]) == 0
    assert picture.stat().st_size > 100


@pytest.mark.parametrize('ending', FIGURES)
def test_every_ending_of_a_figure_is_written(ending: str, tmp_path: Path) -> None:
    save_figure(pytest.importorskip('matplotlib.figure').Figure((1, 1)), tmp_path / f'a{ending}')
    assert (tmp_path / f'a{ending}').stat().st_size > 50


def test_video(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip('av')
    video = str(tmp_path / 'run.mp4')
    assert main(['picture', 'empty', '--offline', '--size', '64x48', '-o', video, '--video',
                 '--duration', '0.2', '--after', '0']) == 0
    assert capsys.readouterr().out == f'{video}: 5 frames of 64 x 48 pixels\n'


def values_of_commands() -> list[tuple[str, str]]:
    """Return each command with each of its options that has a value, and with its arguments."""
    (commands,) = [each for each in make_parser()._actions
                   if isinstance(each, argparse._SubParsersAction)]
    return [(name, action.option_strings[-1] if action.option_strings else '')
            for name, parser in commands.choices.items() for action in parser._actions
            if action.nargs != 0]


@pytest.mark.parametrize(('command', 'option'), values_of_commands())
@pytest.mark.parametrize('value', ['', ' '])
def test_empty_values_are_refused(command: str, option: str, value: str,
                                  capsys: pytest.CaptureFixture[str]) -> None:
    """As of a variable of the shell that is not set: nothing is taken as absent."""
    forms = [[command, value], [command, 'demo', value]]
    if option:
        forms = [[command, option, value], [command, 'demo', f'{option}={value}']]
    for words in forms if option.startswith('--') or not option else forms[:1]:
        with pytest.raises(SystemExit) as error:
            main(words)
        assert error.value.code == 2
        assert f'{option or "argument"}' in capsys.readouterr().err.splitlines()[-1]


def test_no_command_prints_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    assert 'commands:' in capsys.readouterr().out


def test_check_as_a_program(world: str, project: Path) -> None:
    ended = subprocess.run([sys.executable, '-m', 'mvsim_ros2', 'check', '--strict', world],
                           cwd=project, capture_output=True, text=True)
    assert (ended.returncode, ended.stdout) == (1, '')
    assert 'Traceback' not in ended.stderr
    assert ended.stderr.splitlines()[-1].startswith(f'error: {world}:2: <gravty>')


def test_a_reader_that_has_seen_enough(world: str, project: Path) -> None:
    """As in `mvsim_ros2 check WORLD | head -1`: no traceback."""
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, 'wb') as pipe:
        result = subprocess.run([sys.executable, '-m', 'mvsim_ros2', 'check', world],
                                stdout=pipe, stderr=subprocess.PIPE, text=True, cwd=project)
    assert result.returncode == 1
    assert 'Error' not in result.stderr and 'Traceback' not in result.stderr


def test_convert_urdf_writes_a_class_to_include(
        tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / 'robot.vehicle.xml'
    assert main(['convert-urdf', str(DESCRIPTION), '-o', str(path), '--set', 'camera=false']) == 0
    assert capsys.readouterr().out == f'{path}\n'
    world = tmp_path / 'use.world.xml'
    world.write_text(f'<mvsim_world><include file="{path}"/><vehicle name="r1" '
                     'class="round_robot"><init_pose>0 0 0</init_pose></vehicle></mvsim_world>')
    (vehicle,) = load_world(world, strict=True).vehicles
    assert [sensor.name for sensor in vehicle.sensors] == ['imu', 'lidar']
    assert vehicle.dynamics.chassis.mass == pytest.approx(2.5)


def test_convert_urdf_reports_what_is_not_converted(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(['convert-urdf', str(SKID)]) == 0
    printed = capsys.readouterr()
    assert printed.out.startswith('<!-- Made by') and '</vehicle:class>' in printed.out
    assert printed.err.startswith('not converted: ') and "type 'altimeter'" in printed.err


RUN_AND_LIST = """
import sys
from mvsim_ros2.cli import main
try:
    code = main(sys.argv[1:])
except SystemExit as end:
    code = end.code
print(*{name.partition('.')[0] for name in sys.modules}, file=sys.stderr)
sys.exit(code)
"""
PHYSICS = {'llvmlite', 'numba'}
HEAVY = PHYSICS | {'PIL', 'lxml', 'matplotlib', 'moderngl', 'numpy', 'rclpy', 'rosbags'}


def packages_after(*arguments: str) -> set[str]:
    """Return which packages a process has imported after it has run a command."""
    done = subprocess.run([sys.executable, '-c', RUN_AND_LIST, *arguments],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return set(done.stderr.splitlines()[-1].split())


@pytest.mark.parametrize('words', [
    pytest.param((), id='no command'), pytest.param(('benchmark', 'slam'), id='benchmark slam'),
    *(pytest.param((name,), id=name) for name in (
        module.__name__.rpartition('.')[2].replace('_', '-') for module in COMMANDS))])
def test_help_imports_nothing_heavy(words: tuple[str, ...]) -> None:
    assert not packages_after(*words, '--help') & HEAVY


@pytest.mark.parametrize('words', [
    pytest.param(('convert-urdf', str(DESCRIPTION), '--no-drive'), id='convert-urdf'),
    pytest.param(('picture', 'empty', '--top', '-o', 'empty.png'), id='plan')])
def test_what_moves_nothing_imports_no_physics(
        words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
        project: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv('PYTHONPATH', str(project))
    assert not packages_after(*words) & PHYSICS


HELP_OF_THE_NODE = """
import sys
from mvsim_ros2.ros.node import main
main(['mvsim_node', '--help'])
print(*{name.partition('.')[0] for name in sys.modules}, file=sys.stderr)
"""


def test_help_of_the_node_imports_nothing_heavy() -> None:
    done = subprocess.run([sys.executable, '-c', HELP_OF_THE_NODE], capture_output=True, text=True)
    assert done.returncode == 0 and 'realtime_factor' in done.stdout
    assert not set(done.stderr.split()) & HEAVY


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(['--version'])
    assert end.value.code == 0
    assert capsys.readouterr().out == f'mvsim_ros2 {__version__}\n'
