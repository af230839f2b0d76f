# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Worlds that cannot run in one compiled call say so, and why."""

import pytest

from mvsim_ros2 import gym
from mvsim_ros2.base.warning_log import warnings_collected
from mvsim_ros2.jit.kernel import NUMBA

pytestmark = pytest.mark.skipif(not NUMBA, reason='needs numba')


@pytest.mark.parametrize('world, options, words', [
    ('demo', {}, None), ('empty', {}, None),
    ('demo', {'control_rate': 20.0}, 'scan measures each 0.1 s, a step takes 0.05 s: give it'),
    ('occupancy_map', {}, 'sweeps: give it <rolling>false</rolling>'),
    ('outdoor', {}, 'the ground is not level'),
])
def test_an_environment_says_why_it_is_slow(world, options, words):
    with warnings_collected() as warnings:
        envs = gym.VehicleVectorEnv(2, gym.Explore(), world, **options)
        envs.close()
    slow = envs.arena.slow
    if words is None:
        assert slow is None and not warnings
    else:
        assert slow.startswith(f'{world}.world.xml: ') and words in slow
        assert not warnings or slow in warnings[0]
