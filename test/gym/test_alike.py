# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Agents that learn together, in worlds and on vehicles that are unlike."""

from dataclasses import replace
from functools import partial
import math
from pathlib import Path

import gymnasium
import numpy as np
import pytest

from mvsim_ros2 import load_world, world_path
from mvsim_ros2.errors import LearningError
from mvsim_ros2.gym import Navigate, policy_interface, VehicleEnv, VehicleVectorEnv
from mvsim_ros2.gym.parallel_env import FleetEnv
from mvsim_ros2.world.spec import CameraSpec, LaserSpec, RawController

RACE = Path(__file__).resolve().parents[2] / 'examples/learn/race.world.xml'


def with_step(seconds):
    return replace(load_world(world_path('empty')), simul_timestep=seconds)


def with_sensors(fov=math.pi, focal_length=500.0):
    """Return the empty world with a LiDAR and a camera that look at so much."""
    world = load_world(world_path('empty'))
    sensors = LaserSpec(name='scan', fov=fov), CameraSpec(name='camera', fx=focal_length)
    return replace(world, vehicles=(replace(world.vehicles[0], sensors=sensors),))


def without_sensors():
    world = load_world(world_path('empty'))
    return replace(world, vehicles=(replace(world.vehicles[0], sensors=()),))


def with_reach(metres):
    """Return the demo world with a LiDAR that reaches so far."""
    world = load_world(world_path('demo'))
    first = world.vehicles[0]
    return replace(world, vehicles=(replace(first, sensors=tuple(
        replace(each, max_range=metres) if isinstance(each, LaserSpec) else each
        for each in first.sensors)),))


def with_raw_controllers(path):
    """Return a world whose vehicles take torques."""
    world = load_world(world_path(path))
    return replace(world, vehicles=tuple(replace(each, dynamics=replace(
        each.dynamics, controller=RawController())) for each in world.vehicles))


@pytest.mark.parametrize('make, words', [
    (partial(VehicleVectorEnv, 2, Navigate(), ['demo', 'lidar3d']),
     r'robot of demo.world.xml and robot of lidar3d.world.xml cannot learn together: the sensor '
     r"'scan' is there .* missing with the second: choose what all have by sensors="),
    (partial(VehicleVectorEnv, 2, Navigate(), ['demo', 'robots'], rays=8),
     "what 'scan' looks at is rays from -180 to 135 deg with the first and rays from -135 to "
     '135 deg with the second: give both the same field of view'),
    (partial(VehicleVectorEnv, 2, Navigate(), ['demo', 'robots']),
     r"robot of demo.world.xml and small of robots.world.xml .* what 'scan' measures is float32 "
     r'\(720,\) with the first and float32 .* by rays='),
    (partial(FleetEnv, Navigate(), 'yard', rays=8),
     "tractor of yard.world.xml and tracked of yard.world.xml .* the sensor 'scan' is there"),
    (partial(FleetEnv, Navigate(), 'yard', action='steering', sensors=()),
     'yard.world.xml: the controller of mecanum takes no steering as actions, but twist: take '),
    (partial(VehicleVectorEnv, 2, Navigate(), ['empty', with_step(0.01)], rays=8),
     'the physics step is 0.005 s with the first and 0.01 s with the second: give both the same'),
    (partial(VehicleVectorEnv, 2, Navigate(), [
        with_raw_controllers('empty'), replace(
            with_raw_controllers('yard'), vehicles=with_raw_controllers('yard').vehicles[1:2])],
        action='torques', sensors=()),
     'the number of actions is 2 with the first and 4 with the second'),
    (partial(VehicleVectorEnv, 2, Navigate(), [with_sensors(), with_sensors(fov=2.0)], rays=8),
     "what 'scan' looks at is rays from -90 to 90 deg with the first and rays from -57.29.. to "
     '57.29.. deg with the second: give both the same field of view'),
    (partial(VehicleVectorEnv, 2, Navigate(), [with_sensors(), with_sensors(focal_length=400.0)],
             sensors=('camera',)),
     "what 'camera' looks at is fx=500 fy=500 .* and fx=400 fy=500 .* the same field of view"),
    (partial(VehicleVectorEnv, 2, Navigate(), ['demo', without_sensors()], rays=8),
     'rays is 8: no vehicle of empty.world.xml has a planar LiDAR: leave it out'),
    (partial(VehicleEnv, Navigate(), with_raw_controllers(RACE), action='torques'),
     'takes no torques as actions, and torques alone do not steer it: give it another controller'),
])
def test_what_does_not_fit_together_is_said_before_the_first_step(make, words):
    with pytest.raises(LearningError, match=words) as caught:
        make()
    assert '\n' not in str(caught.value)


@pytest.mark.parametrize('reaches, seed', [((12.0, 30.0), 5), ((30.0, 12.0), 6)])
@pytest.mark.parametrize('sensors', [('scan',), ('scan', 'imu')])  # by rounds, and one by one
def test_the_space_reaches_as_far_as_the_farthest_and_rows_as_far_as_alone(reaches, seed, sensors):
    worlds = [with_reach(metres) for metres in reaches]
    options = {'rays': 8, 'sensors': sensors}
    many = VehicleVectorEnv(2, Navigate(), worlds, **options)
    assert many.single_observation_space['scan'].high.tolist() == [30.0] * 8
    alone = [VehicleEnv(Navigate(), world, seed=row, **options)
             for row, world in enumerate(worlds)]
    assert {env.observation_space['scan'].high[0] for env in alone} == {12.0, 30.0}
    rows, _ = many.reset(seed=seed)
    single = [env.reset(seed=seed + row)[0] for row, env in enumerate(alone)]
    for _ in range(4):
        for row, seen in enumerate(single):
            assert many.single_observation_space.contains(
                {name: array[row] for name, array in rows.items()})
            for name, array in seen.items():
                np.testing.assert_array_equal(rows[name][row], array)
        rows = many.step(np.full((2, 2), 0.5))[0]
        single = [env.step([0.5, 0.5])[0] for env in alone]
    scans = np.stack([seen['scan'] for seen in single])
    assert scans.max() > 12.0


def test_the_interface_of_a_policy_is_that_within_the_wrappers():
    name, options = 'mvsim_ros2/Navigate-v0', {'world': 'empty', 'rays': 8}
    bare = policy_interface(VehicleEnv(Navigate(), **options))
    assert policy_interface(gymnasium.make(name, **options)) == bare
    assert policy_interface(gymnasium.wrappers.vector.RecordEpisodeStatistics(
        gymnasium.make_vec(name, **options))) == bare
    for other in (None, 'demo', gymnasium.make('CartPole-v1')):
        with pytest.raises(LearningError, match='env is .*: give a VehicleEnv'):
            policy_interface(other)
