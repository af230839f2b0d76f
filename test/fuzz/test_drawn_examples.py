# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What Hypothesis draws is the same on every run, unless other examples are asked for."""

import os
from pathlib import Path
import subprocess
import sys

import pytest

DRAWS = """
from drawn_examples import examples
from hypothesis import given
from hypothesis import settings
from hypothesis import strategies as st

VALUES = st.integers() | st.floats() | st.text() | st.binary()


@settings(max_examples=examples(60))
@given(VALUES, st.sets(st.text()), st.data())
def test_draws(first, several, data):
    number = data.draw(st.floats(0.0, 1e9))
    with open('drawn', 'a') as file:
        print(ascii((first, sorted(several), number)), file=file)
"""
CONSTANTS = 'NUMBERS = [*range(70000, 70400)], 1234.5678, "of no use elsewhere", b"bytes"\n'


@pytest.fixture
def drawn(tmp_path: Path) -> Path:
    """Provide a folder with a test, the settings of all tests and a module of constants."""
    (tmp_path / 'test_draws.py').write_text(DRAWS)
    (tmp_path / 'conftest.py').write_text(
        'import os\nfrom drawn_examples import load_profile\nload_profile()\n'
        'if "CONSTANTS" in os.environ:\n    import constants\n')
    (tmp_path / 'constants.py').write_text(CONSTANTS)
    (tmp_path / 'pytest.ini').write_text('[pytest]\n')
    return tmp_path


def examples_of(folder: Path, project: Path, *words: str, **variables: str) -> list[str]:
    """Return what the test draws in a process of its own."""
    (folder / 'drawn').unlink(missing_ok=True)
    kept = {name: value for name, value in os.environ.items() if name != 'MVSIM_FUZZ_EXAMPLES'}
    done = subprocess.run(
        [sys.executable, '-m', 'pytest', '-q', *words, 'test_draws.py'], cwd=folder,
        capture_output=True, text=True, check=False,
        env={**kept, 'PYTHONPATH': f'{project / "test"}{os.pathsep}{folder}', **variables})
    assert done.returncode == 0, done.stdout + done.stderr
    return (folder / 'drawn').read_text().splitlines()


def test_it_draws_the_same_on_every_run(drawn: Path, project: Path) -> None:
    """Whatever the order of hashes, the modules that are loaded and the seed of the run."""
    first = examples_of(drawn, project, PYTHONHASHSEED='1')
    assert len(first) >= 60
    assert examples_of(drawn, project, '--hypothesis-seed=5', PYTHONHASHSEED='2',
                       CONSTANTS='1') == first


def test_it_draws_others_where_more_are_asked_for(drawn: Path, project: Path) -> None:
    first, again, other = (
        examples_of(drawn, project, f'--hypothesis-seed={seed}', MVSIM_FUZZ_EXAMPLES='200')
        for seed in (1, 1, 2))
    assert len(first) >= 200
    assert again == first != other
