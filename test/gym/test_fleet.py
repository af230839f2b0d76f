# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Several agents in one world."""

import numpy as np
from pettingzoo.test import parallel_api_test, parallel_seed_test

from mvsim_ros2.gym import Navigate
from mvsim_ros2.gym.parallel_env import FleetEnv


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
