# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The benchmark of navigation: contestants, statistics, report and comparison."""

import json
from pathlib import Path

import pytest

from mvsim_ros2.cli.entry_point import main
from mvsim_ros2.errors import BenchmarkError
from mvsim_ros2.gym.benchmark import contestant_of, drive_all, suites, WayFollower
from mvsim_ros2.gym.benchmark_report import mcnemar, PAGE, read, RUN, wilson

STANDS = """
import numpy as np


class Stands:
    settings = {'rays': 8, 'time_limit': 2.0}

    def __init__(self, envs):
        pass

    def __call__(self, observations):
        return np.zeros((len(observations['goal']), 2))
"""


def test_intervals_and_tests_are_those_of_their_authors():
    """Wilson's interval of 8 in 10, and McNemar's exact test of 1 against 8."""
    assert wilson(8, 10) == pytest.approx((0.490, 0.943), abs=1e-3)
    assert wilson(0, 10)[0] == 0.0 and wilson(10, 10)[1] == 1.0
    assert mcnemar(1, 8) == pytest.approx(2 * (1 + 9) / 512) and mcnemar(3, 3) == 1.0


def test_two_runs_are_reported_and_compared(tmp_path: Path, monkeypatch, capsys):
    """A driver that arrives against one that stands: all pairs differ."""
    monkeypatch.chdir(tmp_path)
    Path('stands.py').write_text(STANDS)
    common = ['benchmark', 'nav', 'rooms', '--episodes', '6', '--seed', '3', '-o']
    assert main([*common, 'one']) == 0
    assert main([*common, 'two', '--contestants', 'stands.py:Stands']) == 0
    one, two = read(Path('one')), read(Path('two'))
    assert [each.seed for each in one] == [each.seed for each in two] == list(range(3, 9))
    assert sum(each.success for each in one) >= 5 and not any(each.success for each in two)
    assert all(0.0 < each.measures['path'] <= 1.1 * each.measures['seconds'] for each in one)
    assert all(each.measures['seconds'] == pytest.approx(2.0) for each in two)
    page = (Path('two') / PAGE).read_text()
    assert page.count('<svg') == 4 and 'not there in time' in page and 'numba' in page
    assert page.count('<animateMotion dur="0.4s"') == 4  # films of two seconds
    assert json.loads((Path('one') / RUN).read_text())['real_time_factors']['way'] > 1.0
    capsys.readouterr()
    assert main(['benchmark', 'compare', 'one', 'two']) == 0
    *_, row = capsys.readouterr().out.splitlines()
    suite, case, pairs, first, second, p, _ = row.split(' | ')
    assert (suite, case, pairs, second) == ('rooms', 'rooms', '6', '0.0') and float(first) > 80.0
    assert float(p) == pytest.approx(mcnemar(round(float(first) * 0.06), 0), abs=1e-3)
    assert main(['benchmark', 'compare', 'one', 'nowhere']) != 0


def test_each_suite_can_be_driven_and_counts_people():
    known = suites()
    assert len(known['social']) == 12 and len(known['tracks']) == 3
    cases = [known['barn'][0], known['social'][-1]]
    for case, (found, failed, factor) in zip(cases, drive_all(
            {'way': WayFollower}, cases, 2, 1), strict=True):
        assert len(found) == 2 and factor > 0.0
        assert ('clearance' in found[0].measures) == (case.suite == 'social')
        assert len(failed) == sum(not each.success for each in found)
        for each in failed:  # walls, people and the robot
            assert len(each.lines) >= 1 and each.lines[-1][0] == '#06c'
            people = each.lines[-each.moving:-1]
            assert len(people) == each.moving - 1 == (8 if case.suite == 'social' else 0)
            assert all(len(way) == len(each.lines[-1][1]) for _, way in people)


@pytest.mark.parametrize('name', ['nobody', 'nowhere:Class', 'missing.py:Class', 'json:Class'])
def test_contestants_that_are_not_there_are_refused(name):
    with pytest.raises(BenchmarkError, match='there is no contestant'):
        contestant_of(name)
