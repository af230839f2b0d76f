# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The Tab key, in the real shells."""

import os
from pathlib import Path
import pty
import re
import select
import shutil
import subprocess
import sys
from time import monotonic

import pytest

from mvsim_ros2.cli import main
from mvsim_ros2.cli.completion import candidates, PATHS, SHELLS
from mvsim_ros2.cli.run_command import COMMANDS, make_parser

PATIENCE = 120.0  # s, for a shell that does not answer


@pytest.mark.parametrize('line, some, paths', [
    pytest.param('', {'check', 'view', 'convert-urdf'}, False, id='verbs'),
    pytest.param('rec', {'record'}, False, id='begun verb'),
    pytest.param('--v', {'--version'}, False, id='option of the program'),
    pytest.param('check ', {'demo', 'office'}, True, id='worlds'),
    pytest.param('check --strict de', {'demo'}, True, id='after a flag'),
    pytest.param('check demo ', set(), False, id='nothing is left'),
    pytest.param('record demo --format ', {'mcap', 'sqlite3'}, False, id='choices'),
    pytest.param('record demo --poses ', set(), True, id='file of an option'),
    pytest.param('log demo --twist 0.5 ', set(), False, id='second of two numbers'),
    pytest.param('log --twist 0.5 0.1 ', {'demo'}, True, id='after two numbers'),
    pytest.param('benchmark ', {'slam'}, False, id='verbs of a verb'),
    pytest.param('benchmark slam office ', {'demo'}, True, id='many worlds'),
    pytest.param('new --vehicle turtlebot', {'turtlebot4'}, False, id='vehicles'),
    pytest.param('new a.xml --sensors imu vl', {'vlp16'}, False, id='sensors'),
    pytest.param('picture demo --si', {'--size'}, False, id='options'),
    pytest.param('nonsense ', {'check'}, False, id='no verb')])
def test_what_could_stand_there(line: str, some: set[str], paths: bool) -> None:
    found, files = candidates(make_parser(), line.split(' '))
    words = {word for word, _ in found}
    assert words >= some and bool(words) == bool(some) and files == paths
    assert all(word.startswith(line.split(' ')[-1]) for word in words)


def test_every_place_of_every_verb_is_known() -> None:
    """A metavar that is neither a path nor something else known would complete nothing."""
    others = {'SENSOR', 'NAME', 'S', 'V', 'VEHICLE', 'SHELL', 'COMMAND', 'KIND', 'N'}
    parser = make_parser()
    for module in COMMANDS:
        name = module.__name__.rpartition('.')[2].replace('_', '-')
        command = parser._subparsers._group_actions[0].choices[name]  # type: ignore
        for action in command._actions:
            if not action.option_strings and action.help != '==SUPPRESS==':
                assert action.metavar in PATHS | others, (name, action.dest)


@pytest.fixture
def on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, project: Path) -> Path:
    """Put a command `mvsim_ros2` on the path, and stand in a folder with one file."""
    program = tmp_path / 'bin' / 'mvsim_ros2'
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m mvsim_ros2 "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv('PATH', f'{program.parent}:{os.environ["PATH"]}')
    monkeypatch.setenv('PYTHONPATH', str(project))
    here = tmp_path / 'here'
    here.mkdir()
    (here / 'demonstration.world.xml').touch()
    monkeypatch.chdir(here)
    return here


def installed(shell: str) -> None:
    """Skip where a shell is missing."""
    if shutil.which(shell) is None:
        pytest.skip(f'{shell} is not installed')


def test_bash(on_path: Path) -> None:
    installed('bash')

    def completed(*words: str) -> list[str]:
        done = subprocess.run(
            ['bash', '--norc', '-c', 'source <(mvsim_ros2 completion bash); COMP_WORDS=("$@"); '
             'COMP_CWORD=$(($# - 1)); _mvsim_ros2; printf "%s\\n" "${COMPREPLY[@]}"', 'bash',
             'mvsim_ros2', *words], capture_output=True, text=True, check=True)
        return done.stdout.split()

    assert completed('che') == ['check']
    assert completed('check', 'demo') == ['demo', 'demonstration.world.xml']
    assert completed('record', 'demo', '--format', '') == ['mcap', 'sqlite3']
    assert completed('record', 'demo', '--format', 'x') == []


def test_fish(on_path: Path) -> None:
    installed('fish')

    def completed(line: str) -> list[str]:
        done = subprocess.run(
            ['fish', '--no-config', '-c', 'mvsim_ros2 completion fish | source; '
             f'complete -C "mvsim_ros2 {line}"'], capture_output=True, text=True, check=True)
        return done.stdout.splitlines()

    assert completed('che') == ['check\tlist the contents and faults of a world']
    assert [line.split('\t')[0] for line in completed('check demo')] == [
        'demo', 'demonstration.world.xml']
    assert completed('record demo --format ') == ['mcap', 'sqlite3']


def typed_in_zsh(keys: str, expected: str) -> str:
    """Return what an interactive zsh shows after some keys, until something is there."""
    child, terminal = pty.fork()
    if child == 0:
        os.environ |= {'TERM': 'dumb', 'PS1': 'ready> ', 'ZDOTDIR': os.getcwd()}
        os.execvp('zsh', ['zsh', '-f', '-i'])
    shown = ''

    def wait_for(pattern: str) -> None:
        nonlocal shown
        end = monotonic() + PATIENCE
        while not re.search(pattern, shown):
            ready, _, _ = select.select([terminal], [], [], end - monotonic())
            assert ready, f'zsh shows {shown!r}, not {pattern!r}'
            shown += os.read(terminal, 4096).decode()

    try:
        os.write(terminal, b'autoload -U compinit; compinit -u -D; '
                           b'source <(mvsim_ros2 completion zsh); print ge""t set\n')
        wait_for('get set\r?\n')
        os.write(terminal, keys.encode())
        wait_for(expected)
    finally:
        os.close(terminal)
        os.waitpid(child, 0)
    return shown


@pytest.mark.parametrize('keys, expected', [
    pytest.param('mvsim_ros2 che\t', 'mvsim_ros2 check ', id='verb'),
    pytest.param('mvsim_ros2 record demo --form\t', '--format ', id='option'),
    pytest.param('mvsim_ros2 check demons\t', r'demonstration\.world\.xml', id='file')])
def test_zsh(on_path: Path, keys: str, expected: str) -> None:
    installed('zsh')
    typed_in_zsh(keys, expected)


@pytest.mark.parametrize('shell', SHELLS)
def test_script_names_the_command(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(['completion', shell]) == 0
    assert 'mvsim_ros2 completion ' + shell in capsys.readouterr().out
