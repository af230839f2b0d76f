# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Files that are damaged end in an error of ours; what `check` passes runs, and measures.

More: `python test/fuzz/fuzz.py --inputs 10000`.
"""

import logging
from pathlib import Path
import shutil

from fuzz import read_inputs
from parsers import measured, Parser, PARSERS
import pytest

from mvsim_ros2 import load_world
from mvsim_ros2.base.package_files import share_directory
from mvsim_ros2.cli.check import try_out

INPUTS = 25  # for each parser
PARTS = {'part.xml', 'a.png', 'box.mtl'}  # of other examples
SHIPPED = sorted((Path(share_directory()) / 'worlds').glob('*.world.xml'))
TUTORIAL = sorted((Path(__file__).resolve().parents[3] / 'shared/worlds/mvsim').rglob(
    '*.world.xml'))


@pytest.fixture(autouse=True)
def quiet() -> object:
    """Leave out the warnings of damaged files."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.parametrize('parser', [pytest.param(each, id=name) for name, each in PARSERS.items()])
def test_examples_are_read(parser: Parser, tmp_path: Path) -> None:
    examples = sorted(set(parser.corpus.glob(parser.files)))
    assert examples
    for number, example in enumerate(examples):
        if example.name not in PARTS:
            folder = tmp_path / str(number)
            shutil.copytree(parser.corpus, folder)
            parser.call(folder / example.name)


@pytest.mark.parametrize('name', PARSERS)
def test_damaged_files(name: str) -> None:
    """
    Damaged files of every kind end in one clear error.

    :reference: 25 inputs of each kind in the tests, 10,000 by hand
    """
    count = INPUTS // 3 if name.startswith(('bag', 'policy')) else INPUTS  # those take long
    assert list(read_inputs(name, 1, 0, count)) == []


@pytest.mark.parametrize('path', [
    pytest.param(path, id=path.name.removesuffix('.world.xml')) for path in SHIPPED + TUTORIAL])
def test_what_check_passes_runs_and_measures(path: Path, tmp_path: Path,
                                             monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv('XDG_CACHE_HOME', str(tmp_path))
    world = load_world(path, offline=True)
    try_out(world)
    measured(world, tmp_path / 'run')
