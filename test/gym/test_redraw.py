# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Episodes that draw their worlds anew: maps, parameters, lights, noise and crowds by the seed."""

import copy
from dataclasses import replace

import numpy as np
import pytest

from mvsim_ros2 import gym, load_world
from mvsim_ros2.errors import LearningError
from mvsim_ros2.gym import maps, scenarios
from mvsim_ros2.gym.parallel_env import FleetEnv
from mvsim_ros2.world.spec import CrowdSpec

ROOMS = maps.rooms(size=8.0, clutter=6)


def crowded(random):
    """Return a world with a crowd, of as many people as the seed says."""
    world = load_world('empty')
    return replace(world, crowds=(CrowdSpec(
        name='visitor', count=int(random.integers(2, 5)), x_min=-4, x_max=4, y_min=-4, y_max=4),))


def drawn(envs):
    """Return what worlds differ in: their maps, masses, light, noise and people."""
    return [(
        [each.occupancy.values.tobytes() for each in world.elements
         if hasattr(each, 'occupancy')],
        [(each.init_pose.x, each.init_pose.y) for each in world.actors],
        world.vehicles[0].dynamics.chassis.mass, world.lights.light_diffuse,
        world.vehicles[0].sensors[0].range_std_noise, len(agent.simulation.actors))
        for agent in envs.arena.agents for world in [agent.simulation.world]]


CASES = {
    'maps': (gym.Navigate(), ROOMS),
    'paths': (gym.Navigate(along_path=True, near=-1.0), ROOMS),
    'parameters': (gym.Navigate(), gym.varied(
        ROOMS, mass=(0.5, 2.0), noise=(0.5, 3.0), light=(0.3, 1.2))),
    'explored': (gym.Explore(), ROOMS),
    'people': (gym.Social(), scenarios.crowd_flow(count=3)),
    'crowds': (gym.Navigate(), crowded),
}


@pytest.mark.parametrize('case', CASES)
def test_each_episode_has_a_world_of_its_seed(case):
    """Three episodes of two rows, and of each row alone: the same worlds and observations."""
    task, world = CASES[case]
    made = {'rays': 12, 'redraw': True, 'time_limit': 0.3, 'seed': 1}
    actions = np.random.default_rng(1).uniform(-1.0, 1.0, (12, 2, 2))
    envs = gym.VehicleVectorEnv(2, copy.deepcopy(task), world, autoreset_mode='NextStep', **made)
    before = drawn(envs)
    seen, worlds = [envs.reset(seed=[5, 6])[0]], [drawn(envs)]
    for action in actions:
        seen.append(envs.step(action)[0])
        worlds.append(drawn(envs))
    envs.close()
    for row in range(2):
        single = gym.VehicleEnv(copy.deepcopy(task), world, **made)
        over, kinds = True, {repr(before[row])}
        for step, (observations, there) in enumerate(zip(seen, worlds, strict=True)):
            if over:
                observation, _ = single.reset(seed=5 + row if step == 0 else None)
                over = False
            else:
                observation, _, terminated, truncated, _ = single.step(actions[step - 1, row])
                over = terminated or truncated
            assert drawn(single) == [there[row]]
            kinds.add(repr(there[row]))
            for name, value in observation.items():
                assert value.tobytes() == observations[name][row].tobytes(), (step, name)
        assert len(kinds) > 2
        single.close()


def test_a_copy_goes_on_in_the_same_world():
    env = gym.VehicleEnv(gym.Navigate(), ROOMS, rays=12, redraw=True)
    env.reset(seed=2)
    env.reset()
    env.step([0.5, 0.2])
    twin = copy.deepcopy(env)
    assert drawn(twin) == drawn(env)
    for one, other in zip(env.step([0.4, -0.3])[0].values(), twin.step([0.4, -0.3])[0].values(),
                          strict=True):
        assert one.tobytes() == other.tobytes()


def test_without_it_a_world_stays():
    envs = gym.VehicleVectorEnv(2, gym.Navigate(), ROOMS, rays=12, seed=1)
    worlds = drawn(envs)
    envs.reset(seed=5)
    assert drawn(envs) == worlds


def test_what_cannot_be_drawn_anew_is_refused():
    with pytest.raises(LearningError, match='redraw'):
        FleetEnv(gym.Navigate(), 'two_robots', rays=12, redraw=True)
    worlds = iter([load_world('empty'), load_world('robots')])
    env = gym.VehicleEnv(gym.Navigate(), lambda random: next(worlds), rays=12, redraw=True)
    with pytest.raises(LearningError, match='cannot learn together'):
        env.reset()
