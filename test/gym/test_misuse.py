# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Actions, seeds and calls in an order that make no sense: one error that says what to do."""

import gymnasium
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
import numpy as np
import pytest

from mvsim_ros2.errors import LearningError
from mvsim_ros2.gym import Navigate, VehicleEnv, VehicleVectorEnv
from mvsim_ros2.gym.parallel_env import FleetEnv


@pytest.fixture
def one():
    env = VehicleEnv(Navigate(), 'empty', rays=4)
    env.reset(seed=1)
    return env


@pytest.fixture
def many():
    envs = VehicleVectorEnv(3, Navigate(), 'empty', rays=4, threads=2)
    envs.reset(seed=1)
    return envs


@pytest.fixture
def fleet():
    env = FleetEnv(Navigate(), 'two_robots', rays=4, time_limit=0.3)
    env.reset(seed=1)
    return env


ODD = [None, 'a', [1 + 1j, 0], ['1', '0'], [True, False], [None, 0.0], [[1, 0], [1]], 0.5, [0.5],
       [1, 0, 0], [], {}, {'r1': 0.5}, type, [np.inf, 0.0], [0.0, -np.inf], [np.nan, 0.0],
       [10 ** 400, 0]]


@pytest.mark.parametrize('action', [*ODD, [[1, 0]]], ids=repr)
def test_odd_actions_are_refused(one, fleet, action):
    with pytest.raises(LearningError, match='^action'):
        one.step(action)
    with pytest.raises(LearningError, match=r"^actions\['r2'\]"):
        fleet.step({'r1': [0.0, 0.0], 'r2': action})


@pytest.mark.parametrize('actions', [
    *ODD, np.zeros((2, 3)), np.zeros(6), np.zeros((1, 3, 2)), np.zeros((3, 1)), [1.0, 0.0]],
    ids=lambda each: ' '.join(repr(each).split()))
def test_odd_actions_of_many_are_refused(many, actions):
    with pytest.raises(LearningError, match='^actions'):
        many.step(actions)


@pytest.mark.parametrize('dtype', [np.float16, np.float32, np.float64, np.int8, np.uint64])
def test_numbers_of_all_kinds_are_driven_and_cut(one, dtype):
    one.step(np.array([3, 1], dtype))
    assert one.arena.now.action.tolist() == [[1.0, 1.0]]


def test_a_message_names_the_row(many):
    actions = np.zeros((3, 2), np.float32)
    actions[1] = np.nan, 0.5
    with pytest.raises(LearningError, match=r'^actions\[1\] is \[nan, 0.5\]: give finite numbers'):
        many.step(actions)


def test_the_actions_that_were_given_are_left_alone(many):
    actions = np.full((3, 2), 2.0)
    many.step(actions)
    assert (actions == 2.0).all() and (many.arena.now.action == 1.0).all()


def test_a_fleet_needs_an_action_of_each_agent(fleet):
    with pytest.raises(LearningError, match="actions has none for 'r2': give one for each of r1"):
        fleet.step({'r1': [0.0, 0.0]})
    with pytest.raises(LearningError, match="actions has 'r3', which is no agent"):
        fleet.step({name: [0.0, 0.0] for name in ('r1', 'r2', 'r3')})
    with pytest.raises(LearningError, match='give a dictionary'):
        fleet.step([[0.0, 0.0]] * 2)


def test_a_step_needs_an_episode(one):
    fresh = VehicleEnv(Navigate(radius=100.0), 'empty', rays=4)
    with pytest.raises(ResetNeeded, match='call reset'):
        fresh.step([0.0, 0.0])
    fresh.reset(seed=1)
    assert fresh.step([0.0, 0.0])[2]
    with pytest.raises(LearningError, match='call reset'):
        fresh.step([0.0, 0.0])
    fresh.reset()
    assert fresh.step([0.0, 0.0])[2]


def test_a_step_of_a_fleet_needs_an_episode(fleet):
    still = {'r1': [0.0, 0.0], 'r2': [0.0, 0.0]}
    fresh = FleetEnv(Navigate(), 'two_robots', rays=4)
    with pytest.raises(ResetNeeded, match='call reset'):
        fresh.step(still)
    while fleet.agents:
        fleet.step(still)
    with pytest.raises(ResetNeeded, match='call reset'):
        fleet.step(still)


def test_rows_that_ended_need_a_reset_where_none_is_made():
    envs = VehicleVectorEnv(3, Navigate(), 'empty', rays=4, autoreset_mode='Disabled',
                            time_limit=0.2)
    still = np.zeros((3, 2))
    with pytest.raises(ResetNeeded, match='call reset'):
        envs.step(still)
    envs.reset(seed=1)
    envs.step(still)
    envs.reset(options={'reset_mask': np.array([True, False, False])})
    assert envs.step(still)[3].tolist() == [False, True, True]
    envs.reset(options={'reset_mask': [False, True, False]})
    with pytest.raises(ResetNeeded, match=r'episodes of \[2\] are over'):
        envs.step(still)
    envs.reset(options={'reset_mask': [False, False, True]})
    assert envs.step(still)[3].tolist() == [True, False, False]


def test_what_is_closed_is_no_longer_used(one, many, fleet):
    calls = [one.reset, one.render, lambda: one.step([0.0, 0.0]), many.reset, many.render,
             lambda: many.step(np.zeros((3, 2))), fleet.reset, fleet.render,
             lambda: fleet.step({'r1': [0.0, 0.0], 'r2': [0.0, 0.0]})]
    for env in (one, many, fleet):
        env.close()
        env.close()
    for call in calls:
        with pytest.raises(ClosedEnvironmentError, match='closed: make another one'):
            call()
        with pytest.raises(LearningError):
            call()


def test_seeds_are_whole_numbers_of_any_kind(one, many, fleet):
    goals = [many.reset(seed=seed)[0]['goal'] for seed in (
        3, np.int64(3), np.uint8(3), [3, 4, 5], (3, np.int32(4), 5), np.array([3, 4, 5]))]
    assert all(np.array_equal(each, goals[0]) for each in goals)
    assert np.array_equal(one.reset(seed=np.int64(3))[0]['goal'], goals[0][0])
    after = many.reset(seed=[None, 4, None])[0]['goal']
    assert (after == goals[0]).all(axis=1).tolist() == [False, True, False]
    fleet.reset(seed=np.int64(3))
    for seed in ('a', 2.5, -1, True, 2 ** 70, [1],
                 [1, 2], [1, 2, 'c'], [1, 2, -3], {}, [[1, 2, 3]], np.zeros((3, 1), int)):
        with pytest.raises(LearningError, match='seed'):
            many.reset(seed=seed)
        for env in (one, fleet):
            with pytest.raises(LearningError, match='seed'):
                env.reset(seed=seed)


def test_options_of_a_reset_are_those_that_there_are(one, many):
    for mask in (None, True, [True], [1, 0, 1], np.ones(2, bool), np.ones((3, 1), bool), 'abc',
                 [[True], [True, False]], [0]):
        with pytest.raises(LearningError, match='^reset_mask is .*give True or False, 3 times'):
            many.reset(options={'reset_mask': mask})
    with pytest.raises(LearningError, match="there is no 'mask', only 'reset_mask'"):
        many.reset(options={'mask': np.ones(3, bool)})
    with pytest.raises(LearningError, match="there is no 'goal', only None"):
        one.reset(options={'goal': (1.0, 2.0)})
    with pytest.raises(LearningError, match='give a dictionary'):
        one.reset(options=[1])
    before = many.reset(seed=1)[0]['goal']
    assert np.array_equal(many.reset(options={'reset_mask': [False] * 3})[0]['goal'], before)


def test_wrappers_of_gymnasium_go_on_as_before():
    env = gymnasium.wrappers.RecordEpisodeStatistics(gymnasium.make(
        'mvsim_ros2/Navigate-v0', world='empty', rays=4, time_limit=0.2))
    env.reset(seed=1, options={})
    while not env.step(env.action_space.sample())[3]:
        pass
    with pytest.raises(ResetNeeded):
        env.step(env.action_space.sample())
