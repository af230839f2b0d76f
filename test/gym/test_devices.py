# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Clouds as observations, and environments whose sensors measure on a graphics card."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from mvsim_ros2 import Pose
from mvsim_ros2.errors import CardError, LearningError
from mvsim_ros2.gym import maps, Navigate, VehicleVectorEnv
from mvsim_ros2.world.file.load import load_world
from mvsim_ros2.world.spec import Lidar3dSpec, RgbdCameraSpec, WorldSpec

CLOUD = Lidar3dSpec(
    name='cloud', pose=Pose(z=0.5), sensor_period=0.1, vert_nrays=4, horz_nrays=60,
    rolling=False, organised=True, range_std_noise=0.01, max_range=15.0)
DEPTH = RgbdCameraSpec(
    name='depth', pose=Pose(0.2, z=0.4), sensor_period=0.1, sense_rgb=False, renderer='cpu',
    publish_ros_colored_pointcloud=False, depth_ncols=32, depth_nrows=24, depth_fx=20.0,
    depth_fy=20.0, depth_cx=15.5, depth_cy=11.5, depth_noise_sigma=0.01)


def with_sensors(world: WorldSpec, *sensors: Any) -> WorldSpec:
    """Return a world whose vehicles have more sensors."""
    return replace(world, vehicles=tuple(
        replace(each, sensors=(*each.sensors, *sensors)) for each in world.vehicles))


def test_a_cloud_is_observed_as_ranges_of_rings() -> None:
    envs = VehicleVectorEnv(1, Navigate(), with_sensors(load_world('demo'), CLOUD),
                            sensors=('cloud',), seed=1)
    space = envs.single_observation_space['cloud']
    assert space.shape == (4, 60) and space.high.max() == 15.0
    seen = envs.reset(seed=1)[0]['cloud'][0]
    simulation = envs.arena.agents[0].simulation
    points = simulation.measure(f'{envs.arena.agents[0].vehicle}/cloud').points
    distance = np.sqrt(points['x'] ** 2 + points['y'] ** 2 + points['z'] ** 2)
    assert np.array_equal(np.isnan(distance), seen == 15.0)
    met = ~np.isnan(distance)
    assert met.sum() > 60
    assert np.abs(seen - distance)[met].max() < 0.15  # noise of two scans
    assert space.contains(seen)


def test_a_cloud_of_unlike_sizes_is_refused() -> None:
    world = with_sensors(load_world('demo'), replace(CLOUD, organised=False))
    with pytest.raises(LearningError, match='set <organised>true</organised>'):
        VehicleVectorEnv(1, Navigate(), world, sensors=('cloud',))


def test_a_device_that_there_is_not_is_refused() -> None:
    with pytest.raises(LearningError, match="device.*'gpu'.*cpu.*cuda"):
        VehicleVectorEnv(1, Navigate(), 'demo', device='gpu')


def has_card() -> bool:
    """Return whether environments can use a card."""
    cuda = pytest.importorskip('numba.cuda', reason='numba is not installed')
    try:
        import torch
    except ImportError:
        return False
    return bool(cuda.is_available() and torch.cuda.is_available())


def test_without_a_card_the_remedy_is_told() -> None:
    if has_card():
        pytest.skip('there is a card')
    with pytest.raises((LearningError, CardError), match="device='cpu'"):
        VehicleVectorEnv(1, Navigate(), 'demo', device='cuda')


@pytest.mark.parametrize('mode', ['NextStep', 'SameStep'])
def test_both_devices_give_the_same(mode: str) -> None:
    if not has_card():
        pytest.skip('no graphics card with CUDA, or no torch')
    worlds = [with_sensors(maps.rooms()(np.random.default_rng(seed)), CLOUD, DEPTH)
              for seed in range(3)]
    here, there = (VehicleVectorEnv(
        6, Navigate(), worlds, sensors=('scan', 'cloud', 'depth'), rays=90, way=(0.3, 0.45),
        seed=1, time_limit=1.0, autoreset_mode=mode, device=device) for device in ('cpu', 'cuda'))
    random = np.random.default_rng(2)
    steps = [(here.reset(seed=5), there.reset(seed=5))]
    for _ in range(25):
        actions = random.uniform(-1.0, 1.0, (6, 2))
        steps.append((here.step(actions), there.step(actions)))
    for one, other in steps:
        for name, array in one[0].items():
            assert other[0][name].is_cuda
            assert np.abs(array - other[0][name].cpu().numpy()).max() < 1e-4, name
        for rewards, others in zip(one[1:4], other[1:4], strict=False):
            assert np.array_equal(rewards, others)
        for final, last in zip(one[-1].get('final_obs', ()), other[-1].get('final_obs', ()),
                               strict=True):
            assert (final is None) == (last is None)
            if final is not None:
                assert all(np.abs(final[name] - last[name].cpu().numpy()).max() < 1e-4
                           for name in final)
    assert any('final_obs' in one[-1] for one, _ in steps) == (mode == 'SameStep')
    here.close()
    there.close()
