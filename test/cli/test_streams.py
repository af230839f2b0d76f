# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Commands whose input and output are closed, full, or of an encoding that lacks characters."""

import os
from pathlib import Path
import subprocess
import sys

import pytest

PATIENCE = 120.0  # s
ROOT = Path(__file__).resolve().parents[2]
WORLD = """<mvsim_world> <vehicle name="käfer"> <init_pose>0 0 0</init_pose>
<dynamics class="differential"/> </vehicle> </mvsim_world>"""


def said_by(folder: Path, words: str, **variables: str) -> tuple[int, str, str]:
    """Return the exit code of a command of a shell, and what it writes."""
    environment = {name: text for name, text in os.environ.items()
                   if not name.startswith(('LC_', 'LANG', 'PYTHON'))}
    (folder / 'ü.world.xml').write_text(WORLD, encoding='utf-8')
    done = subprocess.run(
        ['sh', '-c', words.replace('mvsim_ros2', f'{sys.executable} -m mvsim_ros2')],
        cwd=folder, capture_output=True, timeout=PATIENCE,
        env=environment | {'PYTHONPATH': str(ROOT)} | variables)
    return done.returncode, done.stdout.decode('ascii', 'replace'), done.stderr.decode()


@pytest.mark.parametrize('words', [
    pytest.param('mvsim_ros2 check ü.world.xml >&-', id='output'),
    pytest.param('mvsim_ros2 check ü.world.xml 2>&-', id='errors'),
    pytest.param('mvsim_ros2 log ü.world.xml --duration 0.1 -o out <&- >&- 2>&-', id='all')])
def test_closed_streams_lead_to_nowhere(words: str, tmp_path: Path) -> None:
    assert said_by(tmp_path, words)[0] == 0
    for path in tmp_path.glob('out/*'):
        assert path.read_text().count('\n') > 1


@pytest.mark.parametrize('words', ['mvsim_ros2 check ü.world.xml', 'mvsim_ros2 --help'])
def test_output_that_cannot_be_written_is_one_line(words: str, tmp_path: Path) -> None:
    code, _, said = said_by(tmp_path, f'{words} > /dev/full')
    assert (code, said) == (1, 'error: the output cannot be written: No space left on device\n')


@pytest.mark.parametrize('variables', [
    pytest.param({'PYTHONIOENCODING': 'ascii'}, id='encoding'),
    pytest.param({'LC_ALL': 'C', 'PYTHONUTF8': '0', 'PYTHONCOERCECLOCALE': '0'}, id='locale')])
def test_characters_that_cannot_be_printed_are_escaped(
        variables: dict[str, str], tmp_path: Path) -> None:
    code, output, _ = said_by(tmp_path, 'mvsim_ros2 check *.world.xml', **variables)
    assert code == 0 and 'k\\xe4fer: differential' in output
