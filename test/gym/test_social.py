# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The task `Social` and its scenarios: drawn by seed, compiled, and counted as defined."""

import numpy as np
import pytest

from mvsim_ros2 import gym, Pose
from mvsim_ros2.errors import ArgumentError, LearningError
from mvsim_ros2.gym.scenarios import SCENARIOS
from mvsim_ros2.gym.starts import reach
from mvsim_ros2.gym.task import Situation
from mvsim_ros2.gym.tasks.social import time_to_collision
from mvsim_ros2.simulation.together import people_of


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


PERIOD = 0.1  # s
WAY = 8.0  # m; between start and goal of a scenario


def measured(points: np.ndarray, person: np.ndarray, velocity: tuple[float, float] = (0.0, 0.0),
             collides: bool = False) -> tuple[dict[str, float], float]:
    """
    Return the measures of an episode in which the robot went through points, and a sum of radii.

    :param points: after each step, shape (n + 1, 2); the first is the start [m].
    :param person: the same of the only person, who moves with `velocity` in the end [m/s].
    :param collides: in the last step.
    """
    env = gym.VehicleEnv(gym.Social(), gym.scenarios.overtaking(), rays=8, seed=1)
    env.reset(seed=1)
    arena, task = env.arena, env.arena.task
    people, none = people_of(arena.simulations[0]), np.zeros((1, 3))
    people.pose[0, 3], people.twist[0, :2] = 0.0, velocity
    both = reach(arena.simulations[0].vehicles['robot']) + float(people.radius[0])
    task._aim(0, points[0, 0] + WAY, points[0, 1])

    def now(k: int, hit: bool = False) -> Situation:
        speed = (points[k] - points[k - 1]) / PERIOD if k else np.zeros(2)
        return Situation(np.array([[*points[k], 0.0]]), np.array([[*speed, 0.0]]), none[:, :2],
                         np.array([hit]), PERIOD)
    task.forget(0, now(0))
    last = len(points) - 1
    for k in range(1, last + 1):
        people.pose[0, :2] = person[k]
        situation = now(k, collides and k == last)
        task.judge(situation)
    found = {name: float(each[0]) for name, each in task.measures(situation).items()}
    env.close()
    return found, both


def test_measures_of_a_straight_way_past_somebody_are_those_by_hand():
    """
    76 steps of 0.1 m along x, past somebody who stands 0.3 m beside the disc of the robot.

    The velocity jumps once, from 0 to 1 m/s: jerks of 100 m/s^3 in two steps, then none. Less than
    0.5 m are within a chord of the circle around the person.
    """
    x = -4.0 + 0.1 * np.arange(77)
    points = np.column_stack([x, np.zeros(77)])
    _, both = measured(points[:2], np.full((2, 2), 9.0))
    found, _ = measured(points, np.full((77, 2), (0.05, both + 0.3)))
    half = np.sqrt((both + 0.5) ** 2 - (both + 0.3) ** 2)
    inside = sum(abs(each - 0.05) < half for each in x[1:].tolist())
    assert found['seconds'] == pytest.approx(7.6) and found['path'] == pytest.approx(7.6)
    assert found['clearance'] == pytest.approx(np.hypot(0.05, both + 0.3) - both)
    assert found['compliance'] == pytest.approx(1.0 - inside / 76) and inside > 5
    assert found['jerk'] == pytest.approx(200.0 / 76)
    assert found['time_to_collision'] == 100.0  # it passes beside
    assert found['spl'] == pytest.approx(1.0) and found['hit_person'] == 0.0


def test_a_detour_costs_a_share_of_the_weighted_success():
    """Two legs over a point 1.5 m aside, not 8 m along x; nothing after a collision or early."""
    leg = np.linspace(0.0, 1.0, 51)[:, None]
    points = np.concatenate([(-4.0, 0.0) + leg * (4.0, 1.5), (0.0, 1.5) + leg[1:] * (4.0, -1.5)])
    far = np.full((101, 2), 9.0)
    path = 2.0 * np.hypot(4.0, 1.5)
    found, _ = measured(points, far)
    assert found['path'] == pytest.approx(path)
    assert found['spl'] == pytest.approx(WAY / path, rel=0.01)
    for cut, collides in ((points, True), (points[:-10], False)):
        found, _ = measured(cut, far, collides=collides)
        assert found['spl'] == found['hit_person'] == 0.0


def test_who_comes_towards_the_robot_is_met_in_time():
    """At 1 m/s each, 6 m apart, five steps: their discs touch after the gap over 2 m/s."""
    steps = np.arange(6)
    points = np.column_stack([-4.0 + 0.1 * steps, np.zeros(6)])
    person = np.column_stack([2.0 - 0.1 * steps, np.zeros(6)])
    found, both = measured(points, person, (-1.0, 0.0))
    assert found['time_to_collision'] == pytest.approx((5.0 - both) / 2.0)
    assert found['compliance'] == 1.0 and found['clearance'] == pytest.approx(5.0 - both)


def test_a_collision_is_with_a_person_only_where_one_is():
    """The robot brushes past somebody, and hits a wall ten steps later."""
    points = np.column_stack([-4.0 + 0.1 * np.arange(21), np.zeros(21)])
    _, both = measured(points[:2], np.full((2, 2), 9.0))
    somebody = np.full((21, 2), (-3.5, both + 0.05))
    assert measured(points, somebody, collides=True)[0]['hit_person'] == 0.0
    assert measured(points[:6], somebody, collides=True)[0]['hit_person'] == 1.0
