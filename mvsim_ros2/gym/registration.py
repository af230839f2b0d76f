# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Names of the tasks for `gymnasium.make` and `gymnasium.make_vec`."""

from functools import partial
from typing import Any

import gymnasium

from mvsim_ros2.errors import LearningError
from mvsim_ros2.gym import maps, scenarios
from mvsim_ros2.gym.checks import whole
from mvsim_ros2.gym.env import VehicleEnv
from mvsim_ros2.gym.options import check_names, options_of
from mvsim_ros2.gym.settings import Settings
from mvsim_ros2.gym.task import Task
from mvsim_ros2.gym.tasks import Cross, Explore, Follow, Navigate, Park, Push, Race, Social
from mvsim_ros2.gym.vector_env import VehicleVectorEnv

NAMESPACE = 'mvsim_ros2'
TASKS: tuple[type[Task], ...] = (
    Cross, Explore, Follow, Navigate, Park, Push, Race, Social)


def default_arguments(task: type[Task]) -> dict[str, Any]:
    """Return the world of a task, and its route, where none is given."""
    if task is Race:
        return dict(zip(('world', 'route'), maps.track(1), strict=True))
    if task is Follow:
        return {'world': 'office', 'route': 'office'}
    if task is Social:
        return {'world': scenarios.frontal_approach()}
    if task is Push:
        return {'world': 'demo'}
    return {'world': maps.barn() if task is Cross else maps.rooms()}


def register() -> None:
    """Register `mvsim_ros2/TASK-v0` for each task; twice is once."""
    for task in TASKS:
        name = f'{NAMESPACE}/{task.__name__}-v0'
        if name not in gymnasium.registry:
            gymnasium.register(name, entry_point=f'{__name__}:one_{task.__name__}',
                               vector_entry_point=f'{__name__}:many_{task.__name__}')


def __getattr__(name: str) -> Any:
    """Return what makes environments of a task: names of functions can be written into files."""
    how, _, called = name.partition('_')
    for task in TASKS:
        if task.__name__ == called and how in ('one', 'many'):
            return partial(_one if how == 'one' else _many, task)
    raise AttributeError(f'module {__name__!r} has no attribute {name!r}')


def _one(task: type[Task], **arguments: Any) -> VehicleEnv:
    """Make one environment: arguments of the task and of the environment together."""
    own, rest = _split(task, VehicleEnv, arguments)
    return VehicleEnv(task(**own), **rest)


def _many(task: type[Task], num_envs: int, max_episode_steps: int | None = None,
          **arguments: Any) -> VehicleVectorEnv:
    """Make many, see `_one`; `max_episode_steps` takes the place of `time_limit`."""
    if max_episode_steps is not None:
        if 'time_limit' in arguments:
            raise LearningError('max_episode_steps and time_limit both end an episode: give one')
        rate = arguments.get('control_rate', Settings.control_rate)
        arguments['time_limit'] = whole('max_episode_steps', max_episode_steps, 1) / rate
    own, rest = _split(task, VehicleVectorEnv, arguments)
    return VehicleVectorEnv(num_envs, task(**own), **rest)


def _split(task: type[Task], maker: type, arguments: dict[str, Any],
           ) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return arguments of a task, and others with defaults, or raise for unknown ones."""
    own = options_of(task)
    there = own | options_of(maker) | options_of(Settings)
    check_names(arguments, there - {'task', 'num_envs'}, f'{NAMESPACE}/{task.__name__}-v0')
    needed = ['world', 'route'] if 'route' in own else ['world']
    missing = [name for name in needed if name not in arguments]
    if missing == needed:
        arguments = default_arguments(task) | arguments
    elif missing:
        raise LearningError(f'{NAMESPACE}/{task.__name__}-v0 needs {missing[0]}: world and route '
                            f'go together, give {missing[0]}=..., or neither')
    return ({name: value for name, value in arguments.items() if name in own},
            {name: value for name, value in arguments.items() if name not in own})
