# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Steps of people, by the way that they walk."""

import math
from typing import Any

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.world.spec.actor import stride_length

SLOWEST = 0.05  # m/s; slower ones stand
LONGER, LOWER = 2.0, 1.25  # 1/s; how fast strides change, and how fast somebody sits down or rises
RISES = 1.0  # s before going on from where somebody sits

stride_at = compiled(inlined=True)(stride_length)


@compiled(inlined=True)
def walk_on(person: Any, speed: float, dt: float) -> None:
    """
    Move the limbs of somebody on by a step, by the way that is walked in it.

    :param speed: m/s.
    """
    person['stride'] = next_stride(person, speed, dt)
    if speed > SLOWEST:
        relative = speed / person['height']
        person['phase'] += 2.0 * math.pi * relative * dt / stride_at(relative)


@compiled(inlined=True)
def next_stride(person: Any, speed: float, dt: float) -> float:
    """Return the stride of somebody after a step; see `walk_on`."""
    stride, goal = person['stride'], 0.0
    if speed > SLOWEST:
        goal = stride_at(speed / person['height'])
    elif person['sits'] != 0.0 and (
            person['goal'] >= person['count'] or person['pause'] > RISES):
        goal = -1.0
    most = (LOWER if min(stride, goal) < 0.0 else LONGER) * dt
    change: float = stride + min(max(goal - stride, -most), most)
    return change
