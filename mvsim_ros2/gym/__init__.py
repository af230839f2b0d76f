# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Learning environments: Gymnasium, also many at once, and PettingZoo, from any world file.

`import mvsim_ros2.gym` registers them with Gymnasium:

>>> import gymnasium
>>> import mvsim_ros2.gym
>>> env = gymnasium.make('mvsim_ros2/Navigate-v0', world='demo', rays=36)
>>> observation, info = env.reset(seed=1)
>>> env.close()
>>> envs = gymnasium.make_vec('mvsim_ros2/Navigate-v0', num_envs=2, world='demo', rays=36)
>>> envs.close()
"""

from importlib.util import find_spec

from mvsim_ros2.errors import LearningError

if find_spec('gymnasium') is None:
    raise LearningError('learning environments need Gymnasium: install it with '
                        "`pip install gymnasium`, or `pip install 'mvsim_ros2[learn]'`")

from mvsim_ros2.gym import maps, scenarios  # noqa: I100
from mvsim_ros2.gym.actions import Limits
from mvsim_ros2.gym.env import VehicleEnv
from mvsim_ros2.gym.free_space import FreeSpace
from mvsim_ros2.gym.interface import policy_interface
from mvsim_ros2.gym.registration import register
from mvsim_ros2.gym.settings import Settings
from mvsim_ros2.gym.task import Task
from mvsim_ros2.gym.tasks import Cross, Explore, Follow, Navigate, Park, Push, Race, Social
from mvsim_ros2.gym.variation import varied
from mvsim_ros2.gym.vector_env import VehicleVectorEnv
from mvsim_ros2.trajectories.route import Route

__all__ = ['Cross', 'Explore', 'Follow', 'FreeSpace', 'LearningError', 'Limits', 'Navigate',
           'Park', 'Push', 'Race', 'Route', 'Settings', 'Social', 'Task', 'VehicleEnv',
           'VehicleVectorEnv', 'maps', 'policy_interface', 'scenarios', 'varied']

register()
