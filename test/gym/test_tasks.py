# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tasks: goals are those of now, starts are on the ground and apart, arguments are checked."""

from dataclasses import replace
import inspect
import itertools
import math
from typing import Any

import numpy as np
import pytest

from mvsim_ros2 import load_world
from mvsim_ros2.errors import LearningError, MvsimError
import mvsim_ros2.gym as gym
from mvsim_ros2.gym.parallel_env import FleetEnv
from mvsim_ros2.gym.registration import TASKS
from mvsim_ros2.gym.render import MARK
from mvsim_ros2.gym.settings import Settings
from mvsim_ros2.gym.task import Verdict
from mvsim_ros2.trajectories.route import figure_of_eight, Route
from mvsim_ros2.world.spec import RgbdCameraSpec

ROUTE = figure_of_eight()
WORLDS: dict[str, Any] = {
    'Push': 'demo', 'Cross': gym.maps.barn(0), 'Social': gym.scenarios.overtaking()}


@pytest.mark.parametrize('task', ['Race', 'Explore'])
def test_a_goal_is_that_of_now(task: str) -> None:
    world: Any = 'demo'
    made: gym.Task = gym.Explore(reach=2.0)
    if task == 'Race':
        world, route = gym.maps.track(3)
        made = gym.Race(route)
    env = gym.VehicleEnv(made, world, rays=8)
    env.reset(seed=1)
    for _ in range(12):
        seen, *_ = env.step([1.0, 0.1])
    assert seen['goal'] == pytest.approx(made.goal(env.arena.now)[0])


@pytest.mark.parametrize('task', ['Race', 'Explore'])
def test_rows_do_not_depend_on_each_other(task: str) -> None:
    """Nor on who begins anew beside them."""
    world: Any = 'demo'
    if task == 'Race':
        world, route = gym.maps.track(3)

    def made() -> gym.Task:
        return gym.Race(route, width=0.3) if task == 'Race' else gym.Explore(share=0.12)

    many = gym.VehicleVectorEnv(3, made(), world, rays=8, seed=5, autoreset_mode='SameStep')
    alone = [gym.VehicleEnv(made(), world, rays=8) for _ in range(3)]
    rows, _ = many.reset(seed=5)
    for row, env in enumerate(alone):
        env.reset(seed=5 + row)
    random, running, ended = np.random.default_rng(0), [True] * 3, 0
    for _ in range(60):
        actions = random.uniform(-1.0, 1.0, (3, 2)) * (0.4, 1.0) + (0.6, 0.0)
        rows, *_ = many.step(actions)
        for row, env in enumerate(alone):
            if running[row]:
                seen, _, terminated, truncated, _ = env.step(np.clip(actions[row], -1.0, 1.0))
                running[row] = not (terminated or truncated)
                ended += not running[row]
                if running[row]:
                    assert (rows['goal'][row] == seen['goal']).all()
    assert 0 < ended
    for each in (many, *alone):
        each.close()


@pytest.mark.parametrize('world', ['outdoor', 'orchard', 'forest'])
def test_starts_are_on_the_ground(world: str, caplog: pytest.LogCaptureFixture) -> None:
    env = gym.VehicleEnv(gym.Navigate(), world)
    heights = []
    for seed in range(6):
        env.reset(seed=seed)
        simulation = env.arena.simulations[0]
        pose = simulation.vehicles[env.arena.agents[0].vehicle].pose
        heights.append(pose.z)
        assert pose.z == pytest.approx(simulation.ground_at(pose.x, pose.y), abs=0.15)
    assert np.ptp(heights) > 0.1
    assert 'below the map' not in caplog.text


@pytest.mark.parametrize('world', ['many_robots', 'two_robots', 'yard'])
def test_starts_are_apart(world: str) -> None:
    """Who stands still has not touched anything after a step."""
    vehicles = ('mecanum', 'tractor') if world == 'yard' else None
    env = FleetEnv(gym.Navigate(), world, vehicles, sensors=())
    for seed in range(6):
        env.reset(seed=seed)
        *_, infos = env.step({name: np.zeros(2) for name in env.agents})
        assert not any(info['collided'] for info in infos.values())


def test_where_no_start_is_apart_it_is_said() -> None:
    env = FleetEnv(gym.Follow(Route.through([[3, -2], [2, -2]])), 'two_robots', sensors=())
    with pytest.raises(LearningError, match='of 200 starts of r2 none is apart from r1'):
        env.reset(seed=1)


def test_a_task_belongs_to_one_environment() -> None:
    task = gym.Navigate()
    env = gym.VehicleEnv(task, 'empty', rays=8)
    with pytest.raises(LearningError, match='belongs to another environment already'):
        gym.VehicleEnv(task, 'empty', rays=8)
    env.close()
    gym.VehicleEnv(task, 'empty', rays=8).close()


def test_no_task_takes_an_argument_of_the_environment() -> None:
    """Or neither of both could be told apart by `gymnasium.make`."""
    settings = {*inspect.signature(Settings).parameters, 'world', 'vehicle', 'physics', 'rays',
                'seed', 'render_mode', 'num_envs', 'autoreset_mode', 'copy'}
    for task in TASKS:
        assert not settings & set(inspect.signature(task).parameters)


@pytest.mark.parametrize(('task', 'world', 'message'), [
    (gym.Cross(), 'empty', 'robot stands at the origin'),
    (gym.Cross(), gym.maps.field(fill=0.25),
     r'the goal on the opposite side .* is in something solid'),
    (gym.Race(ROUTE), 'demo', r'a place on eight .* is in something solid'),
    (gym.Park((6.0, 0.0, 0.0)), 'corridor', None), (gym.Park((0.0, -5.0, 0.0)), 'empty', None)])
def test_places_are_free(task: gym.Task, world: Any, message: str | None) -> None:
    if message is None:
        gym.VehicleEnv(task, world, rays=8).close()
        return
    with pytest.raises(LearningError, match=message):
        for seed in range(9):
            gym.VehicleEnv(task, world, rays=8, seed=seed).close()


def test_a_depth_camera_is_observed() -> None:
    """And one of both is refused, by what to do instead."""
    with pytest.raises(LearningError, match='<sense_rgb>false</sense_rgb>'):
        gym.VehicleEnv(gym.Navigate(), 'sensors', sensors=('rgbd',))
    world = load_world('sensors')
    robot = world.vehicles[0]
    world = replace(world, vehicles=(replace(robot, sensors=tuple(
        replace(each, sense_rgb=False, publish_ros_colored_pointcloud=False)
        if isinstance(each, RgbdCameraSpec) else each for each in robot.sensors)),))
    env = gym.VehicleEnv(gym.Navigate(), world, sensors=('rgbd',))
    seen, _ = env.reset(seed=1)
    assert seen['rgbd'].shape == (120, 160) and 0.0 < seen['rgbd'].min() < 10.0


ODD = [math.nan, math.inf, -math.inf, -1.0, 0.0, 1e300, 7, 'a', None, (), (1.0,), {}, True,
       [[0, 0]]]


@pytest.mark.parametrize('task', TASKS)
def test_odd_arguments_are_refused(task: type[gym.Task]) -> None:
    """Or make an environment whose rewards and observations are finite."""
    taken = 0
    own: dict[str, Any] = {'route': ROUTE} if task in (gym.Follow, gym.Race) else {}
    world = WORLDS.get(task.__name__, 'empty')
    for name in inspect.signature(task).parameters:
        for value in ODD:
            try:
                env = gym.VehicleEnv(task(**own | {name: value}), world, rays=4)
                seen, _ = env.reset(seed=1)
            except MvsimError:
                continue
            taken += 1
            for _ in range(2):
                seen, reward, ended, *_ = env.step([0.5, 0.5])
                if ended:
                    break
            assert np.isfinite(reward), (name, value)
            assert all(np.isfinite(each).all() for each in seen.values()), (name, value)
            env.close()
    assert taken > 3


@pytest.mark.parametrize('task', TASKS)
def test_a_task_that_is_driven_is_changed_as_it_is_made(task: type[gym.Task]) -> None:
    """What its making refuses is refused; what is taken leaves finite numbers; or it is fixed."""
    own: dict[str, Any] = {'route': ROUTE} if task in (gym.Follow, gym.Race) else {}
    world = WORLDS.get(task.__name__, 'empty')
    made, taken, fixed = task(**own), 0, set()
    env = gym.VehicleEnv(made, world, rays=4)
    for name, value in itertools.product(inspect.signature(task).parameters, ODD):
        env.reset(seed=1)
        before = getattr(made, name)
        try:
            setattr(made, name, value)
            seen, _ = env.reset(seed=2)
            _, reward, *_ = env.step([0.5, 0.5])
        except LearningError as error:
            if 'environments are made by' in str(error):
                fixed.add(name)
        else:
            taken += 1
            assert np.isfinite(reward), (name, value)
        if name not in task.fixed:
            setattr(made, name, before)
        assert getattr(made, name) is before
    env.close()
    assert taken > 3 and fixed == set(task.fixed)


def test_arguments_that_are_fixed_can_be_changed_between_environments() -> None:
    task = gym.Navigate()
    env = gym.VehicleEnv(task, 'empty', rays=4)
    with pytest.raises(LearningError, match='environments are made by along_path: make others'):
        task.along_path = True
    env.close()
    task.along_path = True
    env = gym.VehicleEnv(task, 'empty', rays=4)
    env.reset(seed=1)
    assert task.path_left(env.arena.now.pose)[0] > 1.9


@pytest.mark.parametrize('driven', [False, True])
def test_a_misspelt_attribute_is_refused(driven: bool) -> None:
    """What a task of one's own sets where it is made or bound, or hides, is its own."""
    class Own(gym.Navigate):

        def __init__(self) -> None:
            super().__init__()
            self.early = 1

        def bind(self, agents: list[gym.task.Agent]) -> None:
            super().bind(agents)
            self.bound = len(agents)

        def judge(self, now: Any) -> Any:
            self._late = self.early + self.bound
            return super().judge(now)

    task = Own()
    env = gym.VehicleEnv(task, 'empty', rays=4) if driven else None
    with pytest.raises(LearningError, match='Own has no frthest; there are') as raised:
        task.frthest = 9.0
    assert isinstance(raised.value, AttributeError) and not hasattr(task, 'frthest')
    with pytest.raises(LearningError, match="Navigate has no frthest; did you mean 'farthest'?"):
        gym.Navigate().frthest = 9.0
    task.farthest = 9
    if env is not None:
        env.reset(seed=1)
        env.step([0.0, 0.0])
        assert task._late == 2
        env.close()


class Still(gym.Navigate):
    """A task that gives something odd."""

    def __init__(self, **odd: Any) -> None:
        super().__init__()
        self.odd = odd

    def goal(self, now: Any) -> Any:
        return self.odd.get('goal', super().goal(now))

    def judge(self, now: Any) -> Any:
        found = super().judge(now)
        return Verdict(self.odd.get('terms', found.terms), self.odd.get('success', found.success),
                       found.failure)


@pytest.mark.parametrize(('odd', 'message'), [
    ({'goal': np.full((1, 2), np.nan)}, r'goal\(\) gave \[\[nan, nan\]\]'),
    ({'goal': np.zeros((1, 3))}, r'give numbers of shape \(1, 2\)'),
    ({'terms': {'a': 1.0}}, r'gave 1.0 for the reward a: give an array'),
    ({'terms': {'a': np.array([np.nan])}}, r'a reward is no finite number: a \[nan\]'),
    ({'success': [0.5]}, r'gave \[0.5\] for success')])
def test_what_a_task_gives_is_checked(odd: dict[str, Any], message: str) -> None:
    env = gym.VehicleEnv(Still(**odd), 'empty', rays=4)
    with pytest.raises(LearningError, match=message):
        env.reset(seed=1)
        env.step([0.0, 0.0])


def test_a_route_is_a_file_or_a_route() -> None:
    with pytest.raises(LearningError, match=r'or Route.through\(points\)'):
        gym.Follow([[0, 0], [1, 0]])
    assert gym.Follow(Route.through([[0, 0], [3, 0]])).route.length == 3.0


def test_pictures_show_goals() -> None:
    """The ring around a goal takes pixels of its own, elsewhere after another one is drawn."""
    env = gym.VehicleEnv(
        gym.Navigate(), gym.maps.mazes(), rays=4, render_mode='rgb_array', seed=1)
    places = []
    for seed in (1, 2):
        env.reset(seed=seed)
        picture = env.render()
        assert picture is not None
        places.append(np.argwhere((picture == MARK).all(axis=2)))
        assert 40 < len(places[-1]) < 4000
    assert np.linalg.norm(places[0].mean(axis=0) - places[1].mean(axis=0)) > 10.0
