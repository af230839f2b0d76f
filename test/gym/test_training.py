# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A short training learns, and what it writes drives as it did."""

from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from mvsim_ros2.gym import maps, Navigate, VehicleVectorEnv
from mvsim_ros2.policies import Policy


def test_hints_say_where_the_shortest_path_goes(examples: Path) -> None:
    """A step along the bearing that they call the best one shortens the way the most."""
    from navigate import AROUND, BEARINGS, hints, rooms
    task = Navigate(along_path=True)
    envs = rooms(2, 1, task)
    envs.reset(seed=1)
    told = hints(envs)
    assert told.shape == (2, 3 + BEARINGS) and np.isfinite(told).all()
    pose = envs.arena.now.pose
    turned = pose[:, 2] + 2.0 * np.pi / BEARINGS * told[:, 3:].argmax(axis=1)
    there = pose + AROUND * np.stack([np.cos(turned), np.sin(turned), 0.0 * turned], axis=1)
    shorter = task.path_left(pose) - task.path_left(there)
    assert shorter == pytest.approx(AROUND * told[:, 3:].max(axis=1), abs=1e-5)
    assert (shorter > 0.6 * AROUND).all() and told[:, 2] == pytest.approx(1.0)


@pytest.mark.parametrize('script', ['navigate', 'barn', 'race'])
def test_help_says_that_steps_change_the_schedule(
        script: str, examples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        import_module(script).main(['--help'])
    assert 'learning rate falls to a tenth over these' in ' '.join(capsys.readouterr().out.split())


def test_a_short_training_learns(tmp_path: Path, examples: Path) -> None:
    """To reach places nearby: success doubles, the error of the value falls, twice alike."""
    from ppo import flat, mirror_of, Options, Progress, save, train

    seen: list[Progress] = []
    envs = VehicleVectorEnv(
        16, Navigate(nearest=0.8, farthest=1.5, time=-0.2), 'empty', rays=8, seed=1,
        autoreset_mode='SameStep', time_limit=10.0)
    options = Options(horizon=64, minibatch=256)
    agent = train(envs, 16_384, options, 1, lambda progress, _: seen.append(progress))
    fall = options.last_spread / options.spread  # over all steps, of which the last batch is 1/16
    assert agent.spread == pytest.approx(options.spread * fall ** (15 / 16))
    third = len(seen) // 3
    first, last = ([reached for each in part for _, reached in each.episodes]
                   for part in (seen[:third], seen[-third:]))
    assert np.mean(last) > 2.0 * np.mean(first)
    assert np.mean(last) > 0.5
    assert seen[-1].loss < max(each.loss for each in seen)

    save(agent, envs, tmp_path / 'policy.onnx')
    policy, (observation, _) = Policy(tmp_path / 'policy.onnx'), envs.reset(seed=3)
    for row, action in enumerate(agent.act(flat(observation))):
        assert policy.act({name: values[row] for name, values in observation.items()}) == (
            pytest.approx(action, abs=1e-4))
    here, there = np.split(agent.act(mirror_of(envs).doubled(flat(observation))), 2)
    assert there == pytest.approx(here * [1, -1], abs=1e-5)


def test_other_worlds_come_while_it_learns(examples: Path) -> None:
    from ppo import Options, train

    def envs_of(seed: int) -> VehicleVectorEnv:
        return VehicleVectorEnv(
            2, Navigate(), maps.rooms(8.0), rays=8, seed=seed, autoreset_mode='SameStep')

    made = []

    def others(number: int) -> VehicleVectorEnv:
        made.append((number, envs_of(100 + 2 * number)))
        return made[-1][1]

    train(envs_of(1), 2 * 8 * 6, Options(horizon=8, minibatch=8, updates=2), 1, others=others)
    assert [number for number, _ in made] == [0, 1]
    assert all((envs.arena.age == 16).all() and envs.closed for _, envs in made)


def test_a_mirror_exchanges_left_and_right(examples: Path) -> None:
    from ppo import mirror_of
    envs = VehicleVectorEnv(1, Navigate(), 'empty', rays=8, seed=1, trail=(0.5, 1.0),
                            way=(0.3, 0.45))
    seen = {'goal': [2.0, 1.0], 'scan': range(8), 'trail': [-1.0, 0.2, -2.0, 0.3],
            'velocity': [0.5, 0.1, 0.7], 'way': [1.0, 0.3, 1.5, -0.4, 2.2]}
    # the first ray looks backward, the next ones from there to the right
    shown = {'goal': [2.0, -1.0], 'scan': [0, 7, 6, 5, 4, 3, 2, 1],
             'trail': [-1.0, -0.2, -2.0, -0.3], 'velocity': [0.5, -0.1, -0.7],
             'way': [1.0, -0.3, 1.5, 0.4, 2.2]}
    rows = [np.concatenate([list(each[name]) for name in sorted(each)]) for each in (seen, shown)]
    assert mirror_of(envs).doubled(np.float32(rows[:1])) == pytest.approx(np.array(rows))
