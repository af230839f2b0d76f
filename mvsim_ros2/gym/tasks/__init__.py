# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tasks, one file for each."""

from mvsim_ros2.gym.tasks.cross import Cross
from mvsim_ros2.gym.tasks.explore import Explore
from mvsim_ros2.gym.tasks.follow import Follow, Race
from mvsim_ros2.gym.tasks.navigate import Navigate
from mvsim_ros2.gym.tasks.park import Park
from mvsim_ros2.gym.tasks.push import Push
from mvsim_ros2.gym.tasks.social import Social

__all__ = ['Cross', 'Explore', 'Follow', 'Navigate', 'Park', 'Push', 'Race', 'Social']
