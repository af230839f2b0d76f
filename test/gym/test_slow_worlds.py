# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Worlds that cannot run in one compiled call say so, and why."""

from dataclasses import replace

import numpy as np
import pytest

from mvsim_ros2 import gym, load_world, Pose, world_path
from mvsim_ros2.base.progress import warnings_collected
from mvsim_ros2.jit.kernel import NUMBA
from mvsim_ros2.world.spec import Lidar3dSpec, RgbdCameraSpec, WeatherSpec

pytestmark = pytest.mark.skipif(not NUMBA, reason='needs numba')


CAMERA = RgbdCameraSpec(name='camera', sense_rgb=False, depth_ncols=16, depth_nrows=12,
                        pose=Pose(x=1.0, z=1.0), sensor_period=0.1)


def with_sensors(world, *sensors):
    """Return a world whose first vehicle has other sensors, too."""
    first, *others = world.vehicles
    return replace(world, vehicles=(replace(
        first, sensors=(*first.sensors, *sensors)), *others))


@pytest.mark.parametrize('world, options, words', [
    *((path.name.partition('.')[0], {}, None) for path in sorted(
        world_path('demo').parent.glob('*.world.xml'))),
    ('demo', {'control_rate': 20.0}, 'scan measures every 0.1 s, but a step takes 0.05 s: leave'),
    ('outdoor', {'sensors': ('imu',)},
     'imu measures every 0.005 s, but a step takes 0.1 s: leave'),
    ('warehouse', {'sensors': ('camera',)},
     'camera measures in Python, one world after another: leave it out of')])
def test_an_environment_says_why_it_is_slow(world, options, words):
    spec = load_world(world_path(world))
    if 'camera' in options.get('sensors', ()):
        spec = with_sensors(spec, CAMERA)
    with warnings_collected() as warnings:
        envs = gym.VehicleVectorEnv(2, gym.Explore(), spec, **options)
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
    assert envs.arena.slow is None and 'imu measures every' in alone.arena.slow
    envs.reset(seed=3)
    alone.reset(seed=3)
    for action in np.random.default_rng(1).uniform(0.2, 1.0, (12, 2, 2)):
        envs.step(action)
        alone.step(action)
        assert envs.arena.now.pose.tobytes() == alone.arena.now.pose.tobytes()
        assert envs.arena.now.twist.tobytes() == alone.arena.now.twist.tobytes()
    assert max(abs(agent.simulation.vehicles[agent.vehicle].pose.pitch)
               for agent in envs.arena.agents) > 0.01


@pytest.mark.parametrize('name', [
    'occupancy_map', 'robots', 'crates', 'warehouse', 'forest', 'two_robots', 'rain', 'passer-by',
    'cloud', 'camera'])
def test_scans_are_those_of_single_steps(name):
    """Sweeps, four in a step, a crate to push, LiDARs in space: by rounds and one by one."""
    world = load_world(world_path({
        'crates': 'robots', 'rain': 'demo', 'passer-by': 'warehouse', 'cloud': 'demo',
        'camera': 'warehouse'}.get(name, name)))
    if name in ('cloud', 'camera'):
        world = with_sensors(world, CAMERA if name == 'camera' else Lidar3dSpec(
            name='cloud', organised=True, horz_nrays=90, vert_nrays=4, sensor_period=0.1))
    if name == 'rain':
        world = replace(world, weather=WeatherSpec(rain=50.0))
    if name == 'passer-by':
        world = replace(world, vehicles=(*world.vehicles, replace(
            world.vehicles[0], name='other', init_pose=Pose(1.0, 2.0))))
    if name == 'crates':
        world = replace(world, blocks=tuple(
            replace(each, static=False, mass=0.5, init_pose=Pose(
                -1.0 + 0.5 * row, 0.3 * row)) for row, each in enumerate(world.blocks[:3])))
    rng = np.random.default_rng(1)
    actions = rng.uniform(-1.0, 1.0, (12, 2, 2))
    seen = []
    more = (name,) if name in ('cloud', 'camera') else ()
    for sensors in (('scan', *more), ('scan', *more, 'imu')):
        envs = gym.VehicleVectorEnv(2, gym.Navigate(), world, sensors=sensors, rays=90)
        assert (envs.arena.slow is None) == (
            sensors == ('scan',) and name not in ('rain', 'passer-by'))
        assert (envs.arena._rounds is None) == ('imu' in sensors)
        scans = [envs.reset(seed=3)[0]]
        scans += [envs.step(action)[0] for action in actions]
        seen.append(scans)
        envs.close()
    for sensor in ('scan', *more):
        one, other = (np.stack([scan[sensor] for scan in scans]) for scans in seen)
        assert np.ptp(one[3:], axis=0).max() > 0.1
        assert one.tobytes() == other.tobytes()
