# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Ctrl-C at any instant of a command, imports included: one line, exit code 130, nothing left.

As in a terminal all processes of the command get the signal. More instants: MVSIM_INTERRUPTS=100.
"""

import os
from pathlib import Path
from random import Random
import re
import signal
import subprocess
import sys
from threading import Event
from typing import Any

import pytest

from mvsim_ros2.cli import main

COUNT = int(os.environ.get('MVSIM_INTERRUPTS', '3'))  # instants for each command
LONGEST = 2.5  # s after which the last signal comes
PATIENCE = 120.0  # s
PROGRAM = """
import os, sys
from mvsim_ros2.cli.entry_point import main
os.write(int(sys.argv.pop()), b'x')
sys.exit(main())
"""
PROGRESS = re.compile(r'\d+ runs into .*|\[\d+/\d+\] .*')
COMMANDS = {
    'help': ('--help',), 'new': ('new', 'OUT.world.xml'),
    'completion': ('completion', 'bash'), 'words': ('completion', 'words', 'check', ''),
    'experiments': ('experiment', 'all', '-o', 'OUT'),
    'check': ('check', 'demo'), 'log': ('log', 'demo', '-o', 'OUT'),
    'top': ('picture', 'demo', '--top', '-o', 'OUT.png'),
    'picture': ('picture', 'demo', '-o', 'OUT.png'),
    'video': ('picture', 'demo', '--video', '--duration', '2', '-o', 'OUT.mp4'),
    'tune': ('tune', 'demo', 'robot'), 'plot': ('plot', 'logs', '-o', 'OUT.png'),
    'record': ('record', 'demo', '--duration', '5', '-o', 'OUT'), 'verify': ('verify', 'bag'),
    'convert': ('convert', 'bag', '--to', 'euroc', '-o', 'OUT'),
    'export': ('view', 'demo', '--export', 'OUT.html', '--duration', '2'),
    'view': ('view', 'demo', '--no-browser', '--duration', '2', '--port', '0'),
    'one by one': ('sweep', 'plan.yaml', '-o', 'OUT', '--workers', '0'),
    'cluster': ('sweep', 'plan.yaml', '-o', 'OUT', '--workers', '2')}
USUAL = 'check', 'record', 'cluster', 'view'


@pytest.fixture(scope='module')
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Provide a folder with what commands read."""
    folder = tmp_path_factory.mktemp('files')
    (folder / 'plan.yaml').write_text('worlds: [demo]\nseeds: 2\nduration: 1\n')
    if COUNT > 3:
        assert main(['record', 'demo', '--duration', '1', '-o', str(folder / 'bag')]) == 0
        assert main(['log', 'demo', '--duration', '1', '-o', str(folder / 'logs')]) == 0
    return folder


def start(words: tuple[str, ...], folder: Path) -> subprocess.Popen[str]:
    """Start a command, and return once its first line is reached."""
    ready, write = os.pipe()
    # a shell that runs this in the background ignores SIGINT, and so would its children
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    process = subprocess.Popen(
        [sys.executable, '-c', PROGRAM, *words, str(write)], cwd=folder, pass_fds=(write,),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        env=os.environ | {'PYTHONPATH': str(Path(__file__).resolve().parents[2])})
    signal.signal(signal.SIGINT, before)
    os.close(write)
    os.read(ready, 1)
    os.close(ready)
    return process


@pytest.mark.parametrize('name', COMMANDS if COUNT > 3 else USUAL)
def test_ctrl_c_is_one_line(name: str, files: Path, tmp_path: Path) -> None:
    """
    Ctrl-C ends a command with one line and leaves no unfinished file.

    :reference: signals at random times, for three commands in the tests, for all by hand
    """
    choice = Random(name)
    for number in range(COUNT):
        words = tuple(word.replace('OUT', str(tmp_path / f'out{number}'))
                      for word in COMMANDS[name])
        with start(words, files) as process:
            Event().wait(choice.choice((choice.uniform(0.0, 0.1), choice.uniform(0.0, LONGEST))))
            os.killpg(process.pid, signal.SIGINT)
            printed, said = process.communicate(timeout=PATIENCE)
            assert '(viser)' not in printed
        if process.returncode == 0:  # it had done its work
            assert 'nterrupt' not in said
        else:
            assert process.returncode == 130, said
            lines = [line for line in said.splitlines() if not PROGRESS.fullmatch(line)]
            assert len(lines) == 1 and lines[0].startswith('interrupted'), said
        assert not list(tmp_path.rglob('.unfinished-*'))


def interrupts_in(code: str) -> subprocess.CompletedProcess[str]:
    """Run code with the handler of commands."""
    return subprocess.run(
        [sys.executable, '-c', f'import os, signal, sys, threading, time\n'
         f'from mvsim_ros2.base.interrupts import Interrupts\ninterrupts = Interrupts()\n{code}'],
        capture_output=True, text=True, check=False, timeout=PATIENCE,
        env=os.environ | {'PYTHONPATH': str(Path(__file__).resolve().parents[2])})


SIGNAL = 'signal.raise_signal(signal.SIGINT)'


@pytest.mark.parametrize('code', [
    pytest.param(SIGNAL, id='before the work'),
    pytest.param(f'with interrupts.raised():\n  try: {SIGNAL}\n  except BaseException: pass\n'
                 f'  {SIGNAL}', id='swallowed, and again'),
    pytest.param('import mvsim_ros2.base.interrupts as module; module.GRACE = 0.3\n'
                 f'with interrupts.raised():\n  try: {SIGNAL}\n'
                 '  except BaseException: lock = threading.Lock(); lock.acquire(); lock.acquire()',
                 id='a clean-up that waits for ever')])
def test_the_process_ends(code: str) -> None:
    done: Any = interrupts_in(code)
    assert (done.returncode, done.stderr) == (130, 'interrupted\n')


@pytest.mark.parametrize('body', [
    pytest.param(f'try: {SIGNAL}\n  except BaseException: pass', id='swallowed'),
    pytest.param(f'try: {SIGNAL}\n  except BaseException: raise ImportError("of numpy")',
                 id='made another error')])
def test_an_interrupt_does_not_get_lost(body: str) -> None:
    done = interrupts_in(f'try:\n with interrupts.raised():\n  {body}\n'
                         'except KeyboardInterrupt: print("here")')
    assert (done.returncode, done.stdout, done.stderr) == (0, 'here\n', '')


def test_an_interrupt_in_a_finaliser_comes_again() -> None:
    done = interrupts_in(f'class Thing:\n def __del__(self): {SIGNAL}\n'
                         'try:\n with interrupts.raised():\n  thing = Thing(); del thing\n'
                         '  time.sleep(60)\nexcept KeyboardInterrupt: print("here")')
    assert (done.returncode, done.stdout, done.stderr) == (0, 'here\n', '')


def test_a_command_that_has_ended_is_not_interrupted() -> None:
    done = interrupts_in(f'interrupts.leave()\n{SIGNAL}\nprint("here")')
    assert (done.returncode, done.stdout, done.stderr) == (0, 'here\n', '')
