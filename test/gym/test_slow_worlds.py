# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Worlds that cannot run in one compiled call say so, and why."""

from dataclasses import replace

import numpy as np
import pytest

from mvsim_ros2 import gym, load_world, Pose, world_path
from mvsim_ros2.base.warning_log import warnings_collected
from mvsim_ros2.jit.kernel import NUMBA

pytestmark = pytest.mark.skipif(not NUMBA, reason='needs numba')


@pytest.mark.parametrize('world, options, words', [
    ('demo', {}, None), ('empty', {}, None),
    ('demo', {'control_rate': 20.0}, 'scan measures each 0.1 s, a step takes 0.05 s: give it'),
    ('occupancy_map', {}, None), ('robots', {}, None),
    ('outdoor', {}, None), ('warehouse', {}, 'scan is no planar LiDAR: leave it out of'),
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


@pytest.mark.parametrize('name', ['outdoor', 'forest'])
def test_hills_are_driven_as_by_single_steps(name):
    """Uneven ground, without sensors: by rounds and one by one."""
    envs = gym.VehicleVectorEnv(2, gym.Navigate(), name, sensors=())
    alone = gym.VehicleVectorEnv(2, gym.Navigate(), name, sensors=('imu',))
    assert envs.arena.slow is None and 'imu is no planar LiDAR' in alone.arena.slow
    envs.reset(seed=3)
    alone.reset(seed=3)
    for action in np.random.default_rng(1).uniform(0.2, 1.0, (12, 2, 2)):
        envs.step(action)
        alone.step(action)
        assert envs.arena.now.pose.tobytes() == alone.arena.now.pose.tobytes()
        assert envs.arena.now.twist.tobytes() == alone.arena.now.twist.tobytes()
    assert max(abs(agent.simulation.vehicles[agent.vehicle].pose.pitch)
               for agent in envs.arena.agents) > 0.01
    envs.close()
    alone.close()


@pytest.mark.parametrize('name', ['occupancy_map', 'robots', 'crates'])
def test_sweeps_are_those_of_single_steps(name):
    """Scans that sweep, four in a step, and with a crate to push: by rounds and one by one."""
    world = load_world(world_path('robots' if name == 'crates' else name))
    if name == 'crates':
        world = replace(world, blocks=tuple(
            replace(each, static=False, mass=0.5, init_pose=Pose(
                -1.0 + 0.5 * row, 0.3 * row)) for row, each in enumerate(world.blocks[:3])))
    rng = np.random.default_rng(1)
    actions = rng.uniform(-1.0, 1.0, (12, 2, 2))
    seen = []
    for sensors in (('scan',), ('scan', 'imu')):
        envs = gym.VehicleVectorEnv(2, gym.Navigate(), world, sensors=sensors, rays=90)
        assert (envs.arena.slow is None) == (sensors == ('scan',))
        scans = [envs.reset(seed=3)[0]['scan']]
        scans += [envs.step(action)[0]['scan'] for action in actions]
        seen.append(np.stack(scans))
        envs.close()
    assert np.ptp(seen[0][3:], axis=0).max() > 0.1
    assert seen[0].tobytes() == seen[1].tobytes()
