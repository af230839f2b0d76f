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
from mvsim_ros2.gym.benchmark_report import PAGE, read
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


def test_a_program_that_is_not_there_ends_the_run() -> None:
    with pytest.raises(BenchmarkError, match='does not start'):
        driven(stack_of('no_such_program_here'), 'rooms', 1, 1)


def test_where_a_program_does_not_start_its_episode_fails_and_others_are_kept(
        tmp_path: Path) -> None:
    """The program ends at the second of three starts, with a reason."""
    counts, output = tmp_path / 'starts', tmp_path / 'result'
    program = tmp_path / 'fragile.sh'
    program.write_text(
        f'echo >> {counts}\nif [ $(wc -l < {counts}) = 2 ]; then echo the reason; exit 3; fi\n'
        f'exec {SEEKER}\n')
    command = f'ros:sh {program}'
    assert main(['benchmark', 'nav', 'rooms', '--episodes', '3', '--seed', '5', '-o', str(output),
                 '--contestants', command]) == 0
    first, second, third = read(output)
    own = driven(Straight, 'rooms', 3, 5)
    for one, other in ((first, own[0]), (third, own[2])):
        assert (one.seed, one.success, one.collided, one.reason) == (
            other.seed, other.success, other.collided, '')
        assert one.measures['path'] == pytest.approx(other.measures['path'], rel=1e-6)
    assert second.seed == 6 and not second.success and not second.measures
    assert second.reason == f'{command} ended with 3: the reason'
    assert f'seed 6: {command} ended with 3: the reason' in (output / PAGE).read_text()


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
