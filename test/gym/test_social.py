# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The task `Social` and its scenarios: drawn by seed, compiled, and counted as defined."""

import numpy as np
import pytest

from mvsim_ros2 import gym, Pose
from mvsim_ros2.errors import ArgumentError, LearningError
from mvsim_ros2.gym.scenarios import SCENARIOS
from mvsim_ros2.gym.tasks.social import time_to_collision


def straight(seen: dict[str, np.ndarray]) -> np.ndarray:
    """Return actions towards the next turn of the way, slower where it is aside."""
    bearing = np.arctan2(seen['way'][:, 1], seen['way'][:, 0])
    return np.stack([np.maximum(np.cos(bearing), 0.0) ** 3,
                     np.clip(2.0 * bearing / 1.5, -1.0, 1.0)], axis=1)


def envs_of(world: object, count: int = 4, **more: object) -> gym.VehicleVectorEnv:
    return gym.VehicleVectorEnv(count, gym.Social(), world, rays=64, seed=1, way=(0.4, 0.6),
                                autoreset_mode='Disabled', time_limit=40.0, **more)


@pytest.mark.parametrize('name', SCENARIOS)
def test_a_scenario_is_drawn_by_seed_and_can_be_driven_through(name):
    make = SCENARIOS[name]()
    envs = envs_of(make)
    assert envs.arena.slow is None
    worlds = [agent.simulation.world for agent in envs.arena.agents]
    again = make(np.random.default_rng(1))
    assert (again.elements, again.actors) == (worlds[0].elements, worlds[0].actors)
    assert worlds[0].elements != worlds[1].elements
    seen, _ = envs.reset(seed=2)
    starts = [agent.simulation.actors['person_0'].pose for agent in envs.arena.agents]
    success, over, totals = np.zeros(4, bool), np.zeros(4, bool), []
    for _ in range(300):
        seen, _, ended, cut, info = envs.step(straight(seen))
        success |= info['success'] & ~over
        for row in np.flatnonzero((ended | cut) & ~over):
            totals.append({key: each[row] for key, each in info['measures'].items()})
        over |= ended | cut
        if over.all():
            break
        if (ended | cut).any():
            seen, _ = envs.reset(options={'reset_mask': ended | cut})
    assert success.sum() >= 2 and len(totals) == 4
    for each in totals:
        assert each['path'] <= 1.05 * each['seconds'] and 0.0 <= each['compliance'] <= 1.0
        assert each['spl'] <= 1.0 and each['clearance'] < 3.0 and each['jerk'] > 0.0
    envs.reset(seed=2)
    assert starts == [agent.simulation.actors['person_0'].pose for agent in envs.arena.agents]
    envs.reset(seed=3)
    assert starts != [agent.simulation.actors['person_0'].pose for agent in envs.arena.agents]
    envs.close()


def test_a_row_is_what_it_is_alone():
    make = gym.scenarios.crowd_flow(4, 'orca')
    many = envs_of(make, 2)
    alone = gym.VehicleEnv(gym.Social(), make, rays=64, seed=2, way=(0.4, 0.6))
    rows, _ = many.reset(seed=4)
    seen, _ = alone.reset(seed=5)
    for _ in range(30):
        assert rows['scan'][1].tobytes() == seen['scan'].tobytes()
        actions = straight(rows)
        rows, _, ended, _, info = many.step(actions)
        seen, _, over, _, told = alone.step(actions[1])
        assert info['measures']['clearance'][1] == told['measures']['clearance']
        if ended.any() or over:
            break
    many.close()
    alone.close()


def test_the_time_to_collision_is_that_of_discs():
    """Head on 5 m apart at 2 m/s with 1 m together: 2 s; passing aside, or away: never."""
    ways = np.array([[5.0, 0.0], [5.0, 1.5], [5.0, 0.0], [0.5, 0.0], [5.0, 0.6], [np.inf, np.inf]])
    speeds = np.array([[-2.0, 0], [-2.0, 0], [2.0, 0], [0.0, 0], [-2.0, 0], [0.0, 0]])
    assert time_to_collision(ways, speeds, np.ones(6)) == pytest.approx(
        [2.0, 100.0, 100.0, 0.0, (5.0 - 0.8) / 2.0, 100.0])


def test_social_needs_people_who_begin_where_they_are_put():
    with pytest.raises(LearningError, match='has no <actor>'):
        gym.VehicleEnv(gym.Social(), gym.maps.barn())
    env = gym.VehicleEnv(gym.Social(), gym.scenarios.overtaking(), rays=8)
    env.reset(seed=1)
    simulation = env.arena.simulations[0]
    simulation.actors['person_0'].restart(Pose(-1.0, 0.5), 0.25)
    simulation.run(2.0)
    pose = simulation.actors['person_0'].pose
    assert -0.9 < pose.x < -0.4
    with pytest.raises(ArgumentError, match='finite'):
        simulation.actors['person_0'].restart(Pose(float('nan')))
    env.close()
