# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Several agents in one world, and races against opponents that policies drive."""

from gymnasium.utils.env_checker import check_env
import numpy as np
from pettingzoo.test import parallel_api_test, parallel_seed_test
import pytest

from mvsim_ros2.errors import LearningError
from mvsim_ros2.gym import maps, Navigate, Race
from mvsim_ros2.gym.opponents import OpponentsEnv
from mvsim_ros2.gym.options import NotBegunError
from mvsim_ros2.gym.parallel_env import FleetEnv

WORLD, ROUTE = maps.track(3, vehicles=3)


def fleet():
    return FleetEnv(Navigate(), 'two_robots', rays=12, time_limit=2.0)


def test_a_fleet_keeps_the_rules_and_repeats():
    parallel_api_test(fleet(), num_cycles=60)
    parallel_seed_test(fleet, num_cycles=20)


def test_agents_see_each_other_and_leave_one_by_one():
    env = fleet()
    observations, _ = env.reset(seed=3)
    assert set(observations) == {'r1', 'r2'}
    first = env.arena.simulations[0].vehicles
    assert first['r1'].pose != first['r2'].pose
    while env.agents:
        env.step({name: env.action_space(name).sample() for name in env.agents})
    assert env.arena.age.max() <= 20


def test_the_state_has_poses_speeds_and_goals_of_all():
    """Also of the agents whose episode is over; goals are those that the agents observe."""
    env = fleet()
    seen, _ = env.reset(seed=3)
    for action in ([0.5, 0.3], [1.0, -0.5]):
        seen, *_ = env.step({name: np.array(action) for name in env.agents})
    state, vehicles = env.state(), env.arena.simulations[0].vehicles
    assert env.agents == ['r1', 'r2'] and state in env.state_space
    for name, row in zip(env.agents, state.reshape(2, 9), strict=True):
        pose = vehicles[name].pose
        np.testing.assert_allclose(row, [
            pose.x, pose.y, np.cos(pose.yaw), np.sin(pose.yaw), *vehicles[name].twist_body,
            *seen[name]['goal']], rtol=1e-6)
        assert np.abs(row[4:7]).max() > 0.05
    while len(env.agents) > 0:
        env.step({name: np.array([1.0, 0.0]) for name in env.agents})
    assert env.state().shape == state.shape and (env.state() != state).any()


def pursuit(speed):
    """Return a driver that heads for the second point ahead."""
    def drive(seen):
        x, y = seen['goal'][2:4].astype(float)
        return np.array([speed, np.clip(2.0 * np.arctan2(y, x), -1.0, 1.0)])
    return drive


def race(drivers, gap=2.0, **more):
    """Return a race of the first vehicle against others."""
    return OpponentsEnv(FleetEnv(Race(ROUTE, gap=gap), WORLD, rays=36, time_limit=20.0), drivers,
                        **more)


def test_a_slow_opponent_falls_behind_and_the_lead_is_rewarded():
    env = race([pursuit(0.3), pursuit(0.2)], lead=2.0)
    observation, _ = env.reset(seed=2)
    leads, terms = [], 0.0
    for _ in range(60):
        observation, reward, ended, cut, info = env.step(pursuit(0.8)(observation))
        assert not (ended or cut), info
        leads.append(info['lead'])
        terms += info['reward_terms']['lead']
        assert reward == pytest.approx(sum(info['reward_terms'].values()))
    assert leads[0] == pytest.approx(2.0, abs=0.2) and leads[-1] > leads[0] + 2.0
    assert terms == pytest.approx(2.0 * (leads[-1] - 2.0), abs=0.3)


def test_who_begins_behind_catches_up_and_sees_the_others():
    """With a negative gap the agent is last; what drives an opponent can be replaced."""
    env = race([pursuit(0.0), pursuit(0.0)], gap=-2.0)
    first, _ = env.reset(seed=2)
    ahead = first['scan'][len(first['scan']) // 2]
    assert 1.0 < ahead < 2.0  # the back of the next one
    for _ in range(10):
        *_, info = env.step([0.0, 0.0])
    assert info['lead'] == pytest.approx(-4.0, abs=0.1)
    env.drivers[:] = [pursuit(0.8), pursuit(0.8)]  # as copies of a policy for self-play
    for _ in range(20):
        *_, info = env.step([0.0, 0.0])
    assert info['lead'] < -5.0


def test_it_is_an_environment_of_gymnasium_and_repeats_by_its_seed():
    env = race([pursuit(0.5), pursuit(0.5)])
    check_env(env, skip_render_check=True)
    seen = []
    for _ in range(2):
        env.reset(seed=7)
        seen.append([env.step([0.5, 0.1])[0]['scan'].tobytes() for _ in range(5)])
    assert seen[0] == seen[1]


def test_wrong_use_is_refused():
    with pytest.raises(LearningError, match='one for each of the 2 opponents'):
        race([pursuit(0.5)])
    with pytest.raises(LearningError, match='have a route'):
        OpponentsEnv(FleetEnv(Navigate(), 'two_robots', rays=12), [pursuit(0.5)], lead=1.0)
    env = race([pursuit(0.5), pursuit(0.5)])
    with pytest.raises(NotBegunError):
        env.step([0.0, 0.0])
