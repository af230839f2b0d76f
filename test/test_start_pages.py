# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The extras that a page of the start installs are all that its code and its commands need."""

from pathlib import Path
import re
import subprocess

from environments import linked
import pytest
from test_page_code import BLOCK, interrupt, lines_of, ROOT, short, shortened, TIMEOUT

START = {'README.md': (ROOT / 'README.md').read_text().partition('## What it does')[0]} | {
    path.name: path.read_text() for path in sorted((ROOT / 'docs/site').glob('start-*.md'))}
INSTALLS = re.compile(r"^pip install '\.\[([\w,]+)\]'", re.MULTILINE)


def test_each_page_without_ros_installs_something() -> None:
    assert {name for name, text in START.items() if INSTALLS.search(text)} == {
        *START} - {'start-ros.md'}


@pytest.mark.slow
@pytest.mark.parametrize('page', [name for name, text in START.items() if INSTALLS.search(text)])
def test_extras_are_all_that_a_page_needs(
        page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    The start pages work with the extras that they install, and nothing else.

    :reference: an environment with exactly these extras
    """
    installs = INSTALLS.search(START[page])
    assert installs
    python = _python_with(installs[1].split(','), tmp_path, monkeypatch)
    for language, code in BLOCK.findall(START[page]):
        if language == 'python':
            _run(python, '-c', shortened(code))
        for words in lines_of(code) if language == 'bash' else ():
            if words == ['python', '-m', 'mvsim_ros2']:
                interrupt(['mvsim_ros2'], 'open http', 130, python)
            elif words[:2] == ['mvsim_ros2', 'view']:
                interrupt(['mvsim_ros2', *words[1:], '--no-browser'], 'open http', 130, python)
            elif words[0] == 'mvsim_ros2':
                _run(python, '-m', 'mvsim_ros2', *short(words[1:]))


@pytest.mark.slow
def test_a_window_without_numba_says_what_to_install(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = _python_with(['viewer'], tmp_path, monkeypatch)
    interrupt(['mvsim_ros2', 'view', 'demo', '--no-browser'], 'slower than real time',
              130, python)


def _python_with(extras: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the Python of an environment with this project and some extras."""
    place = linked(folder / 'sim', extras)
    modules = next((place / 'lib').glob('python*')) / 'site-packages'
    (modules / 'project.pth').write_text(f'{ROOT}\n')
    monkeypatch.delenv('PYTHONPATH', raising=False)
    monkeypatch.chdir(folder)
    return str(place / 'bin/python')


def _run(*words: str) -> None:
    done = subprocess.run(words, input='\n', capture_output=True, text=True, timeout=TIMEOUT)
    assert done.returncode == 0, done.stderr
