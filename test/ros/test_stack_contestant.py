# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Programs of ROS in the benchmark of navigation, in lock step over Fast DDS."""

from dataclasses import replace
from pathlib import Path
import shlex
import sys

import numpy as np
import pytest

from mvsim_ros2.cli.entry_point import main
from mvsim_ros2.errors import BenchmarkError
from mvsim_ros2.gym.benchmark import drive_all, Episode, suites, WayFollower
from mvsim_ros2.gym.benchmark_report import read
from mvsim_ros2.ros.tools.stack_contestant import stack_of

STACK = Path(__file__).resolve().parents[2] / 'examples/learn/ros_stack.py'
SEEKER = shlex.join([sys.executable, str(STACK)])


class Straight(WayFollower):
    """The law of the stack, in this process."""

    settings = {'rays': 8}


def driven(kind: type, case: str, episodes: int, seed: int) -> list[Episode]:
    """Return the episodes of a case of the rooms or among people."""
    chosen = [each for suite in ('rooms', 'social') for each in suites()[suite]
              if each.name == case]
    ((found, _, _),) = drive_all({'it': kind}, chosen, episodes, seed)
    return found


@pytest.mark.parametrize('case, episodes, seed', [('rooms', 2, 5), ('frontal_approach', 1, 1)])
def test_a_stack_drives_as_its_law_does_in_this_process(
        case: str, episodes: int, seed: int) -> None:
    """
    A ROS stack in the benchmark drives as the same law in the process of the benchmark.

    :reference: each other
    """
    own = driven(Straight, case, episodes, seed)
    by_ros = driven(stack_of(SEEKER), case, episodes, seed)
    assert [replace(each, measures={}) for each in own] == [
        replace(each, measures={}) for each in by_ros]
    for one, other in zip(own, by_ros, strict=True):
        assert one.measures.keys() == other.measures.keys()
        for name, value in one.measures.items():
            assert other.measures[name] == pytest.approx(value, rel=1e-6, abs=1e-6), name
    assert all(each.measures['path'] > 0.5 for each in own)


def test_the_command_takes_a_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(['benchmark', 'nav', 'rooms', '--episodes', '1', '--seed', '5', '-o',
                 str(tmp_path), '--contestants', f'ros:{SEEKER}']) == 0
    (episode,) = read(tmp_path)
    assert episode.contestant == f'ros:{SEEKER}' and episode.seed == 5
    assert 'report.html' in capsys.readouterr().out


@pytest.mark.parametrize('command, said', [
    ('no_such_program_here', 'does not start'),
    (f'{sys.executable} -c "print(\'the reason\'); raise SystemExit(3)"',
     'ended with 3: the reason')])
def test_a_program_that_fails_is_quoted(command: str, said: str) -> None:
    with pytest.raises(BenchmarkError, match=said):
        driven(stack_of(command), 'rooms', 1, 1)


def test_tracks_have_no_goal_for_a_stack() -> None:
    with pytest.raises(BenchmarkError, match='leave out tracks'):
        list(drive_all({'it': stack_of(SEEKER)}, suites()['tracks'][:1], 1, 1))


class Pairs(Straight):
    """Drives two episodes at a time, and notes their goals."""

    together = 2
    goals: list[float] = []
    closed = 0

    def __call__(self, observations: dict[str, np.ndarray]) -> np.ndarray:
        assert len(observations['goal']) <= 2
        return super().__call__(observations)

    def close(self) -> None:
        Pairs.closed += 1


def test_episodes_are_the_same_however_many_drive_together() -> None:
    assert driven(Pairs, 'rooms', 5, 3) == driven(Straight, 'rooms', 5, 3)
    assert Pairs.closed == 3
