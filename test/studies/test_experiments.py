# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Experiments of the documents: within their bounds, as the page on them says, by command."""

import csv
from functools import cache
import math
from pathlib import Path
import re

import pytest

from mvsim_ros2 import load_world
from mvsim_ros2.cli.run_command import run_command
from mvsim_ros2.studies.experiments import EXPERIMENTS, Outcome

ROOT = Path(__file__).resolve().parents[2]
WORLDS = sorted((ROOT / 'worlds/experiments').glob('*.world.xml'))


@cache
def outcome(name: str) -> Outcome:
    """Return what an experiment gives."""
    return EXPERIMENTS[name].run()


def test_each_has_a_world_and_each_world_an_experiment() -> None:
    assert {path.name.removesuffix('.world.xml') for path in WORLDS} == set(EXPERIMENTS)


@pytest.mark.parametrize('path', [pytest.param(path, id=path.name) for path in WORLDS])
def test_worlds_load_strictly(path: Path) -> None:
    assert load_world(path, strict=True, offline=True).warnings == ()


@pytest.mark.parametrize('name', EXPERIMENTS)
def test_comes_out_as_expected(name: str) -> None:
    """
    Each experiment of the documents agrees with its formula within its bound.

    :reference: formulas of the documents
    :figure: pictures/experiments/traction.png
    """
    for row in outcome(name).rows:
        assert abs(row.difference) <= EXPERIMENTS[name].bound, row


@pytest.mark.parametrize('name', EXPERIMENTS)
def test_the_page_says_so(name: str) -> None:
    """Each row of its table: names, and numbers to the digits that are there."""
    section = (ROOT / 'docs/experiments.md').read_text().partition(
        f'mvsim_ros2 experiment {name}`.')[2].partition('\n## ')[0]
    table = re.findall(r'^\| (.*) \|$', section, re.MULTILINE)[1:]
    rows = outcome(name).rows
    assert len(table) == len(rows)
    for line, row in zip(table, rows, strict=True):
        case, quantity, *numbers, difference = line.split(' | ')
        assert (case, quantity) == (row.case, row.quantity)
        for text, value in zip(numbers, (row.printed, row.expected, row.ours), strict=True):
            assert math.isclose(float(text), value, rel_tol=2e-3, abs_tol=1e-9), line
        assert float(difference) == pytest.approx(100.0 * row.difference, abs=0.1)


@pytest.mark.parametrize('name, cases', [('stops', 4), ('climbing', 8), ('loads', 4)])
def test_errors_in_print_are_seen(name: str, cases: int) -> None:
    """The column of what is printed literally differs where the print is in error."""
    rows = outcome(name).rows
    wrong = [row for row in rows if not math.isclose(row.printed, row.expected, rel_tol=0.02)]
    assert len(rows) == cases and 0 < len(wrong) < cases + 1


def test_the_command_writes_table_and_figure(
        tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(['experiment', 'regions', '-o', str(tmp_path / 'out')]) == 0
    with (tmp_path / 'out/regions.csv').open() as file:
        rows = list(csv.DictReader(file))
    assert [row['case'] for row in rows] == ['ice patch', 'sand zone']
    assert (tmp_path / 'out/regions.png').read_bytes().startswith(b'\x89PNG')
    assert 'ice patch' in capsys.readouterr().out


def test_the_command_lists_and_refuses(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(['experiment']) == 0
    listed = capsys.readouterr().out
    assert all(name in listed for name in EXPERIMENTS)
    assert run_command(['experiment', 'stop']) == 1
    assert "no experiment 'stop', only stops" in capsys.readouterr().err
