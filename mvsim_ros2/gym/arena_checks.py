# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What an arena checks: what tasks give, lengths of steps, sensors that are to be observed."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import LearningError
from mvsim_ros2.gym.checks import refused
from mvsim_ros2.gym.settings import Settings
from mvsim_ros2.gym.task import Agent, Task
from mvsim_ros2.world.spec.sensors.lidar import LaserSpec


def column_of(task: Task, name: str, given: Any, like: NDArray[Any]) -> NDArray[Any]:
    """Return what a task gave for each agent, or raise unless it is shaped and typed as `like`."""
    found = np.asarray(given)
    if found.shape != like.shape or found.dtype != like.dtype and not np.can_cast(
            found.dtype, like.dtype, 'same_kind'):
        raise LearningError(
            f'{task}: judge() gave {given!r} for {name}: give an array of {like.dtype} of shape '
            f'{like.shape}, a row for each agent')
    return found


def whole_steps(period: float, dt: float) -> int:
    """Return the physics steps of one of the environment, or raise for no whole number."""
    steps = round(period / dt)
    if steps < 1 or abs(steps * dt - period) > 1e-6 * period:
        raise LearningError(
            f'control_rate is {1.0 / period:g}, and a period of {period:g} s is no whole number '
            f'of physics steps of {dt:g} s: take another control_rate or <simul_timestep>')
    return steps


def check_steps(settings: Settings, period: float) -> None:
    """Check what is given in seconds: from one step of the environment [s] to so many."""
    least = (1.0 - 1e-6) * period
    if settings.time_limit < least:
        raise refused('time_limit', settings.time_limit, f'give a step of {period:g} s or more')
    for i, age in enumerate(settings.trail):
        if not least <= age <= 1e5 * period:
            raise refused(
                f'trail[{i}]', age, f'give from a step of {period:g} s to 100,000 of them')


def observed_sensors(agent: Agent, wanted: Sequence[str] | None) -> tuple[str, ...]:
    """Return the observed sensors; raise `LearningError` where the vehicle has not got one."""
    prefix = f'{agent.vehicle}/'
    own = [name.removeprefix(prefix) for name in agent.simulation.sensors
           if name.startswith(prefix)]
    if wanted is None:
        return tuple(name for name in own if isinstance(
            agent.simulation.sensors[prefix + name].spec, LaserSpec))
    for name in wanted:
        if name not in own:
            raise refused('sensors', wanted, f'{agent.vehicle} has no sensor {name!r}, only '
                                             f'{", ".join(own) or "none"}')
    return tuple(wanted)
