# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Learning environments: the rules of Gymnasium, seeds, episodes, rewards."""

from dataclasses import replace
import hashlib
import os
import select

import gymnasium
from gymnasium.utils.env_checker import check_env
import numpy as np
import pytest

from mvsim_ros2 import load_world, Simulation, world_path
from mvsim_ros2.errors import LearningError
from mvsim_ros2.frames import Pose
import mvsim_ros2.gym as gym
from mvsim_ros2.gym.registration import TASKS
from mvsim_ros2.trajectories.route import figure_of_eight

ARGUMENTS = {'Follow': {'route': figure_of_eight()}, 'Race': {'route': figure_of_eight()}}
WORLDS = {'Push': 'demo', 'Explore': 'demo', 'Cross': gym.maps.barn(0),
          'Social': gym.scenarios.crowd_flow(4)}


def made(name, **arguments):
    arguments = {'world': WORLDS.get(name, 'empty'), 'rays': 24, 'seed': 0} | ARGUMENTS.get(
        name, {}) | arguments
    return gymnasium.make(f'mvsim_ros2/{name}-v0', **arguments).unwrapped


def digest(env, seed, steps=25):
    """Return a hash of all that an environment gives for a fixed sequence of actions."""
    total = hashlib.sha256()
    random = np.random.default_rng(0)
    observation, _ = env.reset(seed=seed)
    for _ in range(steps):
        for array in observation.values():
            total.update(array.tobytes())
        observation, reward, ended, cut, _ = env.step(random.uniform(-1, 1, 2))
        total.update(np.float64(reward).tobytes())
        if ended or cut:
            observation, _ = env.reset()
    return total.hexdigest()


@pytest.mark.parametrize('name', [task.__name__ for task in TASKS])
def test_environments_keep_the_rules_and_repeat(name):
    """
    Environments follow the rules of Gymnasium and are reproducible by seed.

    :reference: Gymnasium's own checker
    """
    env = made(name)
    check_env(env, skip_render_check=True)
    first = digest(env, 3)
    assert digest(made(name), 3) == first
    if name != 'Follow':  # which always begins at the start of its route
        assert digest(env, 4) != first
    _, reward, _, _, info = env.step(env.action_space.sample())
    assert reward == pytest.approx(sum(info['reward_terms'].values()))


def test_a_straight_drive_reaches_its_goal():
    env = made('Navigate', nearest=2.0, farthest=3.0)
    env.reset(seed=1)
    start = env.arena.now.pose[0].copy()
    distance = np.linalg.norm(env.arena.task.goals[0] - start[:2])
    assert 2.0 - 0.1 <= distance <= 3.0 + 0.1
    total = 0.0
    for _ in range(200):
        x, y = env.arena.task.goal(env.arena.now)[0]
        bearing = np.arctan2(y, x)
        _, _, ended, cut, info = env.step([max(0.0, np.cos(bearing)), np.clip(bearing, -1, 1)])
        total += info['reward_terms']['progress']
        if ended or cut:
            break
    assert info['success'] and not info['collided']
    left = np.linalg.norm(env.arena.task.goals[0] - env.arena.now.pose[0, :2])
    assert left < 0.4 and total == pytest.approx(distance - left, abs=1e-9)


def test_the_trail_is_where_the_robot_was():
    env = made('Navigate', trail=(0.3, 5.0))
    seen, _ = env.reset(seed=1)
    assert not seen['trail'].any()
    poses = [env.arena.now.pose[0].copy()]
    for _ in range(8):
        seen, *_ = env.step([1.0, 0.5])
        poses.append(env.arena.now.pose[0].copy())
    away = np.array([poses[-4][:2], poses[0][:2]]) - poses[-1][:2]
    cosine, sine = np.cos(poses[-1][2]), np.sin(poses[-1][2])
    ahead, aside = away @ [cosine, sine], away @ [-sine, cosine]
    assert seen['trail'] == pytest.approx([ahead[0], aside[0], ahead[1], aside[1]], abs=1e-5)
    assert ahead[0] < -0.05
    assert not env.reset()[0]['trail'].any()


@pytest.mark.parametrize('aim, least, most', [('way', 15, 16), ('goal', 0, 9)])
def test_the_way_leads_around_what_is_seen(aim, least, most):
    """A robot that is put ahead on its way again and again arrives, where straight it does not."""
    envs = gym.VehicleVectorEnv(
        16, gym.Navigate(), gym.maps.rooms(8.0, 8.0, clutter=10), rays=64, seed=1,
        way=(0.4, 0.6), autoreset_mode='Disabled')
    seen, _ = envs.reset(seed=1)
    over, success = np.zeros((2, 16), bool)
    for _ in range(300):
        for row, agent in enumerate(envs.arena.agents):
            x, y, yaw = envs.arena.now.pose[row]
            bearing = yaw + np.arctan2(seen[aim][row, 1], seen[aim][row, 0])
            agent.simulation.set_pose(agent.vehicle, Pose(
                x + 0.1 * np.cos(bearing), y + 0.1 * np.sin(bearing), agent.home.z, bearing))
        seen, _, ended, cut, info = envs.step(np.zeros((16, 2)))
        success |= info['success'] & ~over
        over |= ended | cut
        if over.all():
            break
        if (ended | cut).any():
            seen, _ = envs.reset(options={'reset_mask': ended | cut})
    assert least <= success.sum() <= most


def test_a_lidar_that_looks_aside_draws_the_same_map():
    """Put elsewhere on the robot and turned: the way is as long, but for cells and noise."""
    world = load_world(world_path('demo'))
    robot = world.vehicles[0]
    ways = []
    for place in (Pose(0.0, 0.0, 0.4, 0.0), Pose(0.15, -0.1, 0.4, 2.0)):
        lidars = tuple(replace(each, pose=place) for each in robot.sensors)
        turned = replace(world, vehicles=(replace(robot, sensors=lidars), *world.vehicles[1:]))
        env = made('Navigate', world=turned, rays=360, way=(0.4, 0.6), farthest=20.0)
        ways.append([env.reset(seed=seed)[0]['way'] for seed in range(8)])
        scan = gym.policy_interface(env).scan
        assert (scan.x, scan.y, scan.yaw) == (place.x, place.y, place.yaw)
    lengths = np.array(ways)[:, :, 4]
    assert lengths[1] == pytest.approx(lengths[0], rel=0.05, abs=0.4)


def test_an_episode_begins_without_what_was_seen_in_the_last_one():
    env, alone = (made('Navigate', world='demo', way=(0.3, 0.45)) for _ in range(2))
    env.reset(seed=1)
    for _ in range(30):
        env.step([0.5, 0.5])
    np.testing.assert_array_equal(env.reset(seed=2)[0]['way'], alone.reset(seed=2)[0]['way'])


def test_walls_end_episodes_and_time_cuts_them():
    env = made('Navigate', world='demo', nearest=5.0)
    env.reset(seed=5)
    for _ in range(600):
        _, _, ended, cut, info = env.step([1.0, 0.0])
        if ended or cut:
            break
    assert ended and info['collided'] and info['reward_terms']['collision'] == -10.0
    env = made('Navigate', time_limit=0.5)
    env.reset(seed=1)
    assert [env.step([0.0, 0.0])[3] for _ in range(5)] == [False] * 4 + [True]


def test_race_counts_a_lap_and_follow_fails_beside_the_route():
    env = made('Race', world='empty', width=1.0, ahead=(1.0,), time_limit=120.0)
    env.reset(seed=2)
    driven = 0.0
    for _ in range(1200):
        x, y = env.arena.task.goal(env.arena.now)[0]
        _, _, ended, cut, info = env.step([0.8, np.clip(2.0 * np.arctan2(y, x) / 1.5, -1, 1)])
        driven += info['reward_terms']['progress']
        if ended or cut:
            break
    assert info['success'] and driven == pytest.approx(figure_of_eight().length, abs=0.2)
    env = made('Follow', width=0.5)
    env.reset(seed=2)
    while True:
        _, _, ended, cut, info = env.step([1.0, -1.0])
        if ended or cut:
            break
    assert ended and not info['success']


def test_explore_sees_the_square_metres_that_it_is_paid_for():
    env = made('Explore', world='empty', reach=1.0)
    env.reset(seed=1)
    task = env.arena.task
    before = (task._seen[0] & task._ground[0]).sum()
    _, _, _, _, info = env.step([1.0, 0.0])
    gained = (task._seen[0] & task._ground[0]).sum() - before
    assert info['reward_terms']['progress'] == pytest.approx(gained * 0.25 ** 2)
    assert 0.5 * np.pi < before * 0.25 ** 2 < 1.3 * np.pi


def test_free_space_is_free():
    simulation = Simulation(load_world(world_path('demo')))
    space = gym.FreeSpace.of(simulation, 'robot')
    reach = np.linalg.norm(simulation.vehicles['robot'].footprint.polygon, axis=1).max()
    random = np.random.default_rng(1)
    bearings = np.linspace(-np.pi, np.pi, 60)
    nearest = [simulation.cast_rays(space.sample(random), bearings, 5.0, 'robot').min()
               for _ in range(100)]
    assert min(nearest) > reach
    assert (1e3, 0.0) not in space and space.sample(random) in space


@pytest.mark.parametrize('mode', list(gymnasium.vector.AutoresetMode))
def test_episodes_begin_anew_in_each_mode(mode):
    envs = gymnasium.make_vec('mvsim_ros2/Navigate-v0', num_envs=2, world='empty', rays=8,
                              autoreset_mode=mode, time_limit=0.2)
    envs.reset(seed=1)
    still = np.zeros((2, 2))
    _, _, _, cut, _ = envs.step(still)
    assert not cut.any()
    seen, _, _, cut, info = envs.step(still)
    assert cut.all()
    modes = gymnasium.vector.AutoresetMode
    if mode is modes.SAME_STEP:
        assert not np.array_equal(info['final_obs'][1]['goal'], seen['goal'][1])
    elif mode is modes.NEXT_STEP:
        after, reward, ended, cut, _ = envs.step(still)
        assert not np.array_equal(after['goal'], seen['goal'])
        assert not (reward.any() or ended.any() or cut.any())
    else:
        with pytest.raises(LearningError, match='are over: call reset'):
            envs.step(still)
        after, _ = envs.reset(options={'reset_mask': np.array([True, False])})
        assert np.array_equal(after['goal'] == seen['goal'], [[False] * 2, [True] * 2])


def test_several_worlds_take_turns_and_pictures_show_the_robot():
    envs = gym.VehicleVectorEnv(3, gym.Navigate(), ['empty', 'demo'], rays=8)
    paths = [agent.simulation.world.path for agent in envs.arena.agents]
    assert paths[0] == paths[2] != paths[1]
    env = made('Navigate', world='demo', render_mode='rgb_array')
    env.reset(seed=1)
    picture = env.render()
    assert picture.shape == (480, 640, 3) and picture.std() > 10.0


def test_environments_without_a_seed_are_not_alike():
    """Copies that Gymnasium makes one by one have maps and starts of their own."""
    envs = gymnasium.make_vec(
        'mvsim_ros2/Navigate-v0', num_envs=3, vectorization_mode='sync',
        world=gym.maps.rooms(8.0), rays=8)
    goals = envs.reset()[0]['goal']
    grids = {env.unwrapped.arena.simulations[0].world.elements[-1].occupancy.values.tobytes()
             for env in envs.envs}
    envs.close()
    assert len(grids) == len(np.unique(goals, axis=0)) == 3
    one, other = (made('Navigate', world='demo', seed=5) for _ in range(2))
    assert np.array_equal(one.reset()[0]['goal'], other.reset()[0]['goal'])


@pytest.mark.parametrize('name', [task.__name__ for task in TASKS])
def test_specs_can_be_written(name):
    spec = gymnasium.spec(f'mvsim_ros2/{name}-v0')
    again = gymnasium.envs.registration.EnvSpec.from_json(spec.to_json())
    assert again == spec
    assert gymnasium.envs.registration.load_env_creator(again.entry_point).args == (
        getattr(gym, name),)


def test_threads_are_those_of_the_process_that_steps():
    """A fork of a process whose environment has threads steps as that does."""
    envs = gym.VehicleVectorEnv(2, gym.Navigate(), 'demo', rays=8, threads=2, seed=1)
    envs.reset(seed=1)
    actions = np.full((2, 2), 0.5)
    envs.step(actions)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writer, envs.step(actions)[0]['scan'].tobytes())
        os._exit(0)
    expected = envs.step(actions)[0]['scan'].tobytes()
    assert select.select([reader], [], [], 60.0)[0], 'the fork does not step'
    assert os.read(reader, len(expected)) == expected
    os.waitpid(child, 0)


@pytest.mark.parametrize('name', [task.__name__ for task in TASKS])
def test_tasks_have_a_world_where_none_is_given(name):
    env = gymnasium.make(f'mvsim_ros2/{name}-v0', seed=4)
    env.reset(seed=1)
    assert np.isfinite(env.step(env.action_space.sample())[1])


def test_episodes_of_many_end_after_so_many_steps():
    envs = gymnasium.make_vec('mvsim_ros2/Navigate-v0', num_envs=2, max_episode_steps=3,
                              world='empty', rays=8)
    envs.reset(seed=1)
    assert [envs.step(np.zeros((2, 2)))[3].tolist() for _ in range(3)] == [
        [False, False], [False, False], [True, True]]
