# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Names of the tasks for `gymnasium.make` and `gymnasium.make_vec`."""

from functools import partial
import inspect
from typing import Any

import gymnasium

from mvsim_ros2.gym.env import VehicleEnv
from mvsim_ros2.gym.task import Task
from mvsim_ros2.gym.tasks import Cross
from mvsim_ros2.gym.tasks import Explore
from mvsim_ros2.gym.tasks import Follow
from mvsim_ros2.gym.tasks import Navigate
from mvsim_ros2.gym.tasks import Park
from mvsim_ros2.gym.tasks import Push
from mvsim_ros2.gym.tasks import Race
from mvsim_ros2.gym.vector_env import VehicleVectorEnv

NAMESPACE = 'mvsim_ros2'
TASKS: tuple[type[Task], ...] = (Cross, Explore, Follow, Navigate, Park, Push, Race)


def register() -> None:
    """Register `mvsim_ros2/TASK-v0` for each task; twice is once."""
    for task in TASKS:
        name = f'{NAMESPACE}/{task.__name__}-v0'
        if name not in gymnasium.registry:
            gymnasium.register(name, entry_point=partial(_one, task),
                               vector_entry_point=partial(_many, task))


def _one(task: type[Task], **arguments: Any) -> VehicleEnv:
    """Make one environment: arguments of the task and of the environment together."""
    own, rest = _split(task, arguments)
    return VehicleEnv(task(**own), **rest)


def _many(task: type[Task], num_envs: int, **arguments: Any) -> VehicleVectorEnv:
    """Make many environments, see `_one`."""
    own, rest = _split(task, arguments)
    rest.pop('render_mode', None)
    return VehicleVectorEnv(num_envs, task(**own), **rest)


def _split(task: type[Task], arguments: dict[str, Any],
           ) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return those of the arguments that a task takes, and the others."""
    names = inspect.signature(task).parameters
    return ({name: value for name, value in arguments.items() if name in names},
            {name: value for name, value in arguments.items() if name not in names})
