# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Ways of agents to their goals, as these would find them by their scans."""

from collections.abc import Mapping, Sequence

from gymnasium.spaces import Box
import numpy as np

from mvsim_ros2.errors import LearningError
from mvsim_ros2.gym.channels import Channel
from mvsim_ros2.gym.task import Agent
from mvsim_ros2.policies.way import Way
from mvsim_ros2.sensors.observations import LaserScan2D
from mvsim_ros2.world.spec.sensors.base import SensorSpec
from mvsim_ros2.world.spec.sensors.lidar import LaserSpec


def way_of(room: tuple[float, ...], agents: Sequence[Agent],
           channels: Mapping[str, Sequence[Channel]], goal: Box, period: float) -> tuple[Way, str]:
    """Return what finds the ways of agents by one planar LiDAR, and its name, or raise."""
    first = agents[0]
    lidars = [name for name in channels if isinstance(
        first.simulation.sensors[f'{first.vehicle}/{name}'].spec, LaserSpec)]
    if len(lidars) != 1:
        raise LearningError(
            f'way needs one planar LiDAR, and {first.vehicle} observes '
            f'{", ".join(lidars) or "none"}: choose one by sensors=(...)')
    if goal.shape != (2,):
        raise LearningError('way needs a task whose goal is x and y of one place: use Navigate or '
                            'Cross, or leave out way')
    (name,) = lidars
    seen = first.simulation.measure(f'{first.vehicle}/{name}')
    assert isinstance(seen, LaserScan2D)
    specs = [agent.simulation.sensors[f'{agent.vehicle}/{name}'].spec for agent in agents]
    for spec in specs:
        _check_times(spec, period)
    places = [spec.pose for spec in specs]
    return Way(room, np.linspace(seen.angle_min, seen.angle_max, len(seen.ranges)),
               np.array([each.space.high[0] for each in channels[name]]), period,
               np.array([[each.x, each.y, each.yaw] for each in places])), name


def _check_times(spec: SensorSpec, period: float) -> None:
    """Check that a sensor measures at the end of each step: else it is elsewhere."""
    for time in (period, spec.sensor_phase or 0.0):
        times = time / spec.sensor_period
        if abs(times - round(times)) > 1e-6 or time > 0.0 and times < 0.5:
            raise LearningError(
                f'way needs a scan at the end of each step of {period:g} s, but {spec.name} '
                f'measures each {spec.sensor_period:g} s. Set control_rate to '
                f'{1.0 / spec.sensor_period:g}, or change <sensor_period>')
