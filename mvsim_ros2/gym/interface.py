# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What a policy that was trained in an environment needs to know on a robot."""

from typing import Any

import gymnasium
from gymnasium.vector import VectorEnv

from mvsim_ros2.errors import LearningError
from mvsim_ros2.gym.checks import refused
from mvsim_ros2.gym.env import VehicleEnv
from mvsim_ros2.gym.tasks import Navigate
from mvsim_ros2.gym.vector_env import VehicleVectorEnv
from mvsim_ros2.policies.interface import PolicyInterface, ScanInput
from mvsim_ros2.sensors.observations import LaserScan2D


def policy_interface(env: gymnasium.Env[Any, Any] | VectorEnv[Any, Any, Any]) -> PolicyInterface:
    """
    Return the meaning of the numbers in the observations and actions of an environment.

    :param env: of the task `Navigate`, with `action='twist'` and at most one planar LiDAR; with
        or without wrappers.
    :raises LearningError: where it is another one.

    >>> from mvsim_ros2.gym import Navigate, policy_interface, VehicleEnv
    >>> env = VehicleEnv(Navigate(), 'demo', rays=36)
    >>> policy_interface(env).scan.rays
    36
    """
    inner = getattr(env, 'unwrapped', env)
    if not isinstance(inner, VehicleEnv | VehicleVectorEnv):
        raise refused('env', env, 'give a VehicleEnv or a VehicleVectorEnv')
    arena = inner.arena
    settings, task, first = arena.settings, arena.task, arena.agents[0]
    if not isinstance(task, Navigate) or settings.action != 'twist' or settings.odometry:
        raise LearningError(
            'only what was trained for Navigate with action="twist", without odometry=True, runs '
            'on a robot by itself: give other policies a node of their own')
    scans: list[ScanInput] = []
    for name in arena.sensors:
        seen = first.simulation.measure(f'{first.vehicle}/{name}')
        if not isinstance(seen, LaserScan2D) or scans:
            raise LearningError(f'the sensor {name} is not all that a policy on a robot can '
                                'observe: choose one planar LiDAR by sensors=(...)')
        place = first.simulation.sensors[f'{first.vehicle}/{name}'].spec.pose
        scans.append(ScanInput(
            name, float(seen.angle_min), float(seen.angle_max), len(seen.ranges),
            float(seen.range_max), float(place.x), float(place.y), float(place.yaw)))
    limits = settings.limits
    return PolicyInterface(
        scans[0] if scans else None, settings.action, limits.forward, limits.backward, limits.turn,
        settings.control_rate, task.radius, tuple(map(float, settings.trail)), settings.way)
