# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Several agents in one world."""

from pettingzoo.test import parallel_api_test, parallel_seed_test

from mvsim_ros2.gym import Navigate
from mvsim_ros2.gym.parallel_env import FleetEnv


def fleet():
    """Return a fleet of two."""
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
