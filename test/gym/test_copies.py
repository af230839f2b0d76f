# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Copies and pickles of environments stand where these do, and go on alike."""

import copy
import pickle

import gymnasium
from gymnasium.wrappers import TimeLimit
import numpy as np
import pytest

from mvsim_ros2.gym import maps, Navigate, Park
from mvsim_ros2.gym.parallel_env import FleetEnv
from mvsim_ros2.gym.registration import TASKS


def pickled(env):
    return pickle.loads(pickle.dumps(env))


def drive(env, steps):
    """Return what some steps with random actions give; begin a new episode after each end."""
    seen = []
    random = np.random.default_rng(5)
    for _ in range(steps):
        *found, info = env.step(random.uniform(-1.0, 1.0, env.action_space.shape))
        if found[2] or found[3]:
            found.append(env.reset()[0])
        seen.append(found)
    return seen


@pytest.mark.parametrize('task', [task.__name__ for task in TASKS])
def test_a_copy_goes_on_as_the_environment_does(task):
    """So for each task, in the middle of the second episode."""
    env = gymnasium.make(f'mvsim_ros2/{task}-v0', seed=3, time_limit=3.0)
    env.reset(seed=1)
    drive(env, 40)
    again = copy.deepcopy(env)
    np.testing.assert_equal(drive(again, 20), drive(env, 20))
    assert again.unwrapped.np_random.random() == env.unwrapped.np_random.random()


def test_a_pickle_knows_arguments_that_changed():
    """An episode began with other arguments than those of now; the world is drawn once more."""
    env = TimeLimit(gymnasium.make('mvsim_ros2/Navigate-v0', world='demo', rays=16), 50)
    env.reset(seed=4)
    drive(env, 5)
    env.unwrapped.arena.task.farthest = 4.0
    again = pickled(env)
    assert again.unwrapped.arena.task.farthest == 4.0
    np.testing.assert_equal(drive(again, 60), drive(env, 60))


def test_copies_before_the_first_episode_and_after_the_end():
    """Neither has an episode."""
    env = gymnasium.make('mvsim_ros2/Park-v0', world='empty', seed=2).unwrapped
    np.testing.assert_equal(pickled(env).reset(seed=3), env.reset(seed=3))
    env.close()
    with pytest.raises(gymnasium.error.ClosedEnvironmentError):
        pickled(env).step([0.0, 0.0])


def test_a_copy_of_a_fleet():
    """With the state of all agents, of which one has arrived."""
    env = FleetEnv(Navigate(radius=1.5, nearest=1.6), 'two_robots', rays=16)
    env.reset(seed=1)
    random = np.random.default_rng(2)
    for _ in range(30):
        env.step({name: random.uniform(-1.0, 1.0, 2) for name in env.agents})
    again = copy.deepcopy(env)
    assert again.agents == env.agents
    for one in (env, again):
        one.step({name: np.ones(2) for name in one.agents})
    np.testing.assert_array_equal(again.state(), env.state())
    assert env.state().shape == env.state_space.shape == (2 * 9,)


def test_tasks_are_copied_without_their_environment():
    """A copy can be taken by another environment."""
    task = Park(turn=0.25)
    env = gymnasium.make('mvsim_ros2/Park-v0', world=maps.rooms(), turn=0.25)
    again = copy.copy(task)
    assert again is not task
    assert not copy.deepcopy(env.unwrapped.arena.task).taken
    assert again.arguments() == task.arguments()
