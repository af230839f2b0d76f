# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Progress of commands: on a terminal, and nowhere else."""

from collections.abc import Callable
import io
from math import inf
import os
from pathlib import Path
import pty
import subprocess
import sys

import pytest

from mvsim_ros2.base.progress import tell, watched
from mvsim_ros2.cli import terminal
from mvsim_ros2.cli.terminal import in_words

# a process in which the line comes at once, and often
PROGRAM = """
import sys
from mvsim_ros2.cli import main, terminal
terminal.PATIENCE = terminal._EVERY = 0.001
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize('seconds, text', [
    (0.4, '0 s'), (59.4, '59 s'), (59.6, '1:00 min'), (187, '3:07 min'), (7387, '2:03:07 h')])
def test_durations_in_words(seconds: float, text: str) -> None:
    assert in_words(seconds) == text


def test_time_left_follows_from_what_is_done() -> None:
    line = terminal._Line('driving', io.StringIO())
    line._begin = line._counted_since = 100.0
    assert line.text(103.0) == 'driving: 3 s'
    line.move(0.0, 60.0, 's')
    line._counted_since = 100.0
    assert line.text(103.0) == 'driving: 0 of 60 s'
    line.move(15.0, 60.0, 's')
    assert line.text(110.0) == 'driving: 15 of 60 s, 25 %, about 30 s left'
    line.move(7.5, inf, 's')
    assert line.text(110.0) == 'driving: 7.5 s'


def test_nobody_is_told_after_the_end() -> None:
    seen: list[tuple[float, float, str]] = []
    watcher: Callable[[float, float, str], None] = lambda *state: seen.append(state)
    with pytest.raises(ValueError), watched(watcher):
        tell(1, 2, 'frames')
        raise ValueError
    tell(2, 2, 'frames')
    assert seen == [(1, 2, 'frames')]


VERBS = [
    pytest.param(['log', 'empty', '-o', '{}/logs', '--duration', '2'], 'driving: ', id='log'),
    pytest.param(['check', 'empty'], 'checking: ', id='check'),
    pytest.param(['picture', 'empty', '-o', '{}/a.png'], 'drawing: ', id='picture'),
    pytest.param(['tune', 'empty', 'robot'], 'tuning: ', id='tune'),
    pytest.param(['record', 'empty', '-o', '{}/run', '--duration', '2'], 'recording: ',
                 id='record')]


@pytest.mark.parametrize('words, task', VERBS)
def test_a_terminal_shows_it_and_is_left_clean(
        words: list[str], task: str, tmp_path: Path, project: Path) -> None:
    outer, inner = pty.openpty()
    with subprocess.Popen(
            [sys.executable, '-c', PROGRAM, *(word.format(tmp_path) for word in words)],
            stdout=subprocess.DEVNULL, stderr=inner, cwd=tmp_path,
            env=os.environ | {'PYTHONPATH': str(project)}) as process:
        os.close(inner)
        shown = b''
        while True:
            try:
                shown += os.read(outer, 65536)
            except OSError:  # the other end is closed
                break
        assert process.wait() in (0, 1), shown  # tune says 1 where gains fail the limits
    os.close(outer)
    text = shown.decode()
    assert task in text and '\r\033[K' in text
    assert task not in text.rpartition('\r\033[K')[2]


@pytest.mark.parametrize('words, task', VERBS[:1])
def test_a_file_gets_none_of_it(
        words: list[str], task: str, tmp_path: Path, project: Path) -> None:
    done = subprocess.run(
        [sys.executable, '-c', PROGRAM, *(word.format(tmp_path) for word in words)],
        capture_output=True, text=True, cwd=tmp_path,
        env=os.environ | {'PYTHONPATH': str(project)}, check=True)
    assert done.stderr == '' and task not in done.stdout
