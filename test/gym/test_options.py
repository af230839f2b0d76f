# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Options of environments: odd values are refused by name, or make an environment that runs."""

from dataclasses import fields
from fractions import Fraction
from functools import partial
import math

import gymnasium
from gymnasium.vector import AutoresetMode, SyncVectorEnv
import numpy as np
import pytest

from mvsim_ros2.errors import LearningError, ResourceError
from mvsim_ros2.gym import (
    Explore, Follow, Limits, maps, Navigate, Push, VehicleEnv, VehicleVectorEnv)
from mvsim_ros2.gym.options import options_of
from mvsim_ros2.gym.parallel_env import FleetEnv
from mvsim_ros2.gym.settings import Settings

SMALL = {'world': 'empty', 'rays': 4}
ODD = (None, True, 0, -1, 1, 2.5, 3, math.nan, math.inf, -math.inf, 1e300, 10 ** 400, 10 ** 5000,
       1 + 1j, Fraction(1, 2), np.float32(2.0), np.int64(2), np.array([1.0, 2.0]), np.array(1.0),
       '', 'a', 'scan', b'scan', (), (0,), (1.0,), (math.nan,), (1e9,), (1, 2), (2, 1), (0, 2.5),
       ('scan',), ('scan', 'scan'), ['scan'], [[1]], {}, {'forward': 1}, {'scan'}, object(), type,
       Navigate(), repr, range(3))


def one(**options):
    return VehicleEnv(options.pop('task', None) or Navigate(), **SMALL | options)


def many(**options):
    return VehicleVectorEnv(options.pop('num_envs', 2), Navigate(), **SMALL | options)


def fleet(**options):
    return FleetEnv(Navigate(), **{'world': 'two_robots', 'rays': 4} | options)


@pytest.mark.parametrize('options, words', [
    ({'time_limit': 0}, 'time_limit is 0: give a number above 0'),
    ({'time_limit': math.nan}, 'time_limit is nan'),
    ({'time_limit': 0.01}, r'time_limit is 0.01: give a step of 0.1 s or more'),
    ({'trail': (-1.0,)}, r'trail\[0\] is -1.0: give a finite number above 0'),
    ({'trail': (1.0, 0.01)}, r'trail\[1\] is 0.01: give from a step of 0.1 s'),
    ({'trail': (1e9,)}, r'trail\[0\] is 1000000000.0: give from a step'),
    ({'trail': 1.0}, r'trail is 1.0: give seconds in a tuple'),
    ({'way': 0.3}, r'way is 0.3: give two distances, as in way=\(0.3, 0.45\)'),
    ({'way': (0.3,)}, r'way is \(0.3,\): give two distances'),
    ({'way': (0.3, math.nan)}, r'way\[1\] is nan: give a finite number of at least 0.01'),
    ({'way': (0.3, 0.2)}, r'way is \(0.3, 0.2\): give a second distance of 1 to 4 times'),
    ({'way': (0.3, 1.3)}, r'way is \(0.3, 1.3\): give a second distance of 1 to 4 times'),
    ({'way': (0.3, 0.4), 'sensors': ()}, 'way needs one planar LiDAR, and robot observes none'),
    ({'way': (0.3, 0.4), 'control_rate': 20.0},
     'way needs a scan at the end of each step of 0.05 s, but scan measures each 0.1 s'),
    ({'way': (0.3, 0.4), 'task': Explore()}, 'way needs a task whose goal is x and y'),
    ({'threads': 2.5}, 'threads is 2.5: give a whole number of at least 1'),
    ({'sensors': ('scan', 'scan')}, 'give each name once'),
    ({'sensors': 'scan'}, r"sensors is 'scan': give names in a tuple, as in sensors=\('scan',\)"),
    ({'collision': math.nan}, 'collision is nan: give a finite number'),
    ({'rays': 0}, 'rays is 0: give a whole number of at least 1'),
    ({'rays': '16'}, "rays is '16'"),
    ({'control_rate': 0}, 'control_rate is 0: give a finite number of at least 0.001'),
    ({'control_rate': 300.0}, 'control_rate is 300, and a period of 0.00333333 s is no whole'),
    ({'latency': 3}, r'latency is 3: give the fewest and the most steps'),
    ({'latency': (0, 2.5)}, r'latency\[1\] is 2.5: give a whole number'),
    ({'latency': (2, 1)}, r'latency is \(2, 1\): give the fewest steps before the most'),
    ({'limits': {'forward': 1}}, r"limits is {'forward': 1}: write limits=Limits\("),
    ({'seed': 1.5}, 'seed is 1.5: give a whole number of at least 0'),
    ({'seed': 'a'}, "seed is 'a'"), ({'world': []}, r'world is \[\]: give at least one world'),
    ({'world': 7}, 'world is 7: give a file'),
    ({'world': ['empty', 'demo']}, '2 worlds for num_envs=1 are too many'),
    ({'sensors': ('scam',)}, r"sensors is \('scam',\): robot has no sensor 'scam', only scan"),
    ({'world': lambda random: maps.rooms()}, 'it made a DrawnWorlds and no WorldSpec of a gen'),
    ({'world': Navigate()}, 'the task comes first and the world second'),
    ({'physics': 'magic'}, "physics is 'magic': take 'mvsim' or 'physical'"),
    ({'render_mode': 'foo'}, "render_mode is 'foo': take"),
    ({'vehicle': 'ghost'}, "vehicle is 'ghost': take 'robot'"),
    ({'action': 'steering'}, 'takes no steering as actions, but twist'),
    ({'action': 'thrust'}, "action is 'thrust': take 'twist' or"),
    ({'task': Push()}, 'no movable block: '),
    ({'task': Navigate}, r'write Navigate\(\), with parentheses'),
    ({'ray': 3}, "VehicleEnv has no option ray; did you mean 'rays'[?]; there are action, "),
    ({'farthest': 3.0}, r'the task has it: write Navigate\(farthest=...\)')])
def test_what_makes_no_sense_is_said(options, words):
    with pytest.raises(LearningError, match=words) as caught:
        one(**options)
    assert '\n' not in str(caught.value)


@pytest.mark.parametrize('make, words', [
    (partial(many, num_envs=0), 'num_envs is 0: give a whole number of at least 1'),
    (partial(many, autoreset_mode='later'), "autoreset_mode is 'later': take 'NextStep' or"),
    (partial(many, render_mode='human'), "render_mode is 'human': take 'rgb_array'"),
    (partial(fleet, vehicles=()), r'vehicles is \(\): give at least one'),
    (partial(fleet, vehicles='r1'), r"vehicles is 'r1': give names in a tuple"),
    (partial(fleet, vehicles=('r1', 'r9')), "vehicle is 'r9': take 'r1' or 'r2'"),
    (partial(fleet, render_mode='foo'), "render_mode is 'foo': take"),
    (partial(Limits, forward=math.nan),
     'limits.forward is nan: give a finite number of at least 0 and at'),
    (partial(Limits, backward=-1.0), 'limits.backward is -1.0'),
    (partial(Limits, turn=math.inf), 'limits.turn is inf'),
    (partial(Limits, angle='1'), "limits.angle is '1'"),
    (partial(VehicleEnv, 'demo', Navigate()), 'the task comes first and the world second'),
    (partial(gymnasium.make, 'mvsim_ros2/Navigate-v0', world='demo', farthset=3),
     "mvsim_ros2/Navigate-v0 has no option farthset; did you mean 'farthest'[?]; there are"),
    (partial(gymnasium.make_vec, 'mvsim_ros2/Navigate-v0', world='demo', thread=2),
     "has no option thread; did you mean 'threads'[?]"),
    (partial(gymnasium.make_vec, 'mvsim_ros2/Navigate-v0', num_envs=1, time_limit=1.0,
             max_episode_steps=3), 'both end an episode: give one'),
    (partial(gymnasium.make, 'mvsim_ros2/Follow-v0', world='demo'),
     'needs route: world and route')])
def test_what_makes_no_sense_is_said_elsewhere_too(make, words):
    with pytest.raises(LearningError, match=words) as caught:
        make()
    assert '\n' not in str(caught.value)


def test_no_limit_of_time_is_infinity():
    env = one(time_limit=math.inf)
    env.reset(seed=1)
    env.arena.age[:] = 10 ** 12
    assert not env.step([0.0, 0.0])[3]


def test_rows_may_be_lists_and_numbers_those_of_numpy():
    env = one(sensors=['scan'], trail=[np.float32(0.5)], way=[1, np.int64(2)],
              latency=[0, np.int64(1)], seed=np.int64(3), rays=np.int32(4), control_rate=10)
    assert env.arena.settings == Settings(('scan',), trail=(0.5,), way=(1.0, 2.0), latency=(0, 1))
    assert type(env.arena.settings.latency[1]) is int


def test_odd_values_make_an_environment_that_runs_or_are_refused_by_name():
    """Each option of each environment, and of the limits, with values of all kinds."""
    made = refused = 0
    for make, maker in ((one, VehicleEnv), (many, VehicleVectorEnv), (fleet, FleetEnv)):
        own = options_of(maker) - {'task'}
        shared = options_of(Settings) if make is one else {'threads', 'sensors', 'trail', 'way'}
        for name in sorted(own | shared):
            for value in ODD:
                try:
                    env = make(**{name: value})
                except LearningError as error:
                    assert '\n' not in str(error) and name.removesuffix('s') in str(error), error
                    refused += 1
                    continue
                except ResourceError as error:
                    assert name == 'world' and 'give the path of a world file' in str(error)
                    continue
                env.reset(seed=1)
                env.close()
                made += 1
    assert made > 50 and refused > 500
    for item in fields(Limits):
        for value in ODD:
            try:
                limits = Limits(**{item.name: value})
                assert 0.0 <= getattr(limits, item.name) < 1e7
            except LearningError as error:
                assert f'limits.{item.name} is ' in str(error)


def test_a_task_is_no_other_thing():
    for value in (None, 'demo', 3, Follow, object()):
        with pytest.raises(LearningError, match='task is .*as in VehicleEnv'):
            VehicleEnv(value, 'demo')


def test_many_environments_have_a_picture_each():
    envs = gymnasium.make_vec('mvsim_ros2/Navigate-v0', num_envs=2, world='demo', rays=4,
                              render_mode='rgb_array')
    envs.reset(seed=1)
    first, second = envs.render()
    assert first.shape == second.shape == (480, 640, 3) and first.std() > 10.0
    assert not np.array_equal(first, second)
    assert envs.render_mode == 'rgb_array' and envs.metadata['render_fps'] == 10
    assert many().render() is None


@pytest.mark.parametrize('options, kind', [
    ({'autoreset_mode': 'SameStep'}, VehicleVectorEnv),
    ({'autoreset_mode': AutoresetMode.SAME_STEP}, VehicleVectorEnv),
    ({'vectorization_mode': 'sync', 'vector_kwargs': {'autoreset_mode': 'SameStep'}},
     SyncVectorEnv)])
def test_the_autoreset_mode_is_an_option_as_the_page_says(options, kind):
    envs = gymnasium.make_vec('mvsim_ros2/Navigate-v0', num_envs=2, time_limit=0.1,
                              **SMALL | options)
    assert type(envs) is kind
    envs.reset(seed=1)
    info = envs.step(np.zeros((2, 2), np.float32))[-1]
    assert info['_final_obs'].all()


def test_one_seed_draws_maps_and_the_other_one_starts():
    def drawn(seed, start):
        envs = VehicleVectorEnv(2, Navigate(), maps.rooms(5.0, clutter=2), rays=4, seed=seed)
        goals = envs.reset(seed=start)[0]['goal']
        return [agent.simulation.world.elements[-1].occupancy.values
                for agent in envs.arena.agents], goals

    (first, second), goals = drawn(1, 7)
    (again, _), others = drawn(1, 8)
    (later, _), _ = drawn(2, 7)
    assert np.array_equal(first, again) and not np.array_equal(goals, others)
    assert np.array_equal(second, later) and not np.array_equal(first, second)
