# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Steps of people, and those who walk a path, whatever is in their way, as in MVSim 1.2.0.

They go straight from waypoint to waypoint at constant speed. During the first tenth of a stretch
they turn to its direction, during its last fifth to the yaw of the waypoint.
"""

import math
from typing import Any

from mvsim_ros2.frames import Records
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.people.crowd import IDLE, RUN
from mvsim_ros2.world.spec.actor import stride_length

SHORT = 0.1  # m; a shorter stretch turns nobody
_TURNED, _TURNS = 0.1, 0.8  # shares of a stretch where turning ends and begins again


@compiled(inlined=True)
def wrapped(angle: float) -> float:
    """Return the same angle in [-pi, pi]."""
    while angle > math.pi:
        angle -= 2.0 * math.pi
    while angle < -math.pi:
        angle += 2.0 * math.pi
    return angle


@compiled(inlined=True)
def speed_toward(person: Any, waypoint: Any) -> float:
    """Return how fast somebody means to go to a waypoint [m/s]."""
    if waypoint['gait'] == IDLE:
        return 0.0
    speed: float = person['running'] if waypoint['gait'] == RUN else person['walking']
    return speed


@compiled(inlined=True)
def head_for_next(person: Any) -> None:
    """Begin the stretch to the next waypoint; at the end of a path there is none."""
    person['start_x'], person['start_y'] = person['x'], person['y']
    person['start_z'], person['start_yaw'] = person['z'], person['yaw']
    person['goal'] += 1.0
    if person['loop'] != 0.0 and person['goal'] >= person['count']:
        person['goal'] = 0.0
    person['done'] = 0.0


@compiled(inlined=True)
def wait(person: Any, dt: float) -> bool:
    """Wait for a step where there is time to wait; return whether that is so."""
    if person['pause'] <= 0.0:
        return False
    pause = person['pause'] - dt
    person['pause'] = pause if pause > 1e-9 else 0.0
    if pause <= 1e-9:
        head_for_next(person)
    return True


@compiled
def walk(person: Any, waypoints: Records, dt: float) -> None:
    """
    Move somebody on by a step.

    A waypoint is reached at the end of a step; what is left of the way of that step is lost.
    """
    if person['goal'] >= person['count'] or wait(person, dt):
        return
    waypoint = waypoints[int(person['first'] + person['goal'])]
    x = waypoint['x'] - person['start_x']
    y = waypoint['y'] - person['start_y']
    z = waypoint['z'] - person['start_z']
    length = math.sqrt(x * x + y * y + z * z)
    person['done'] += speed_toward(person, waypoint) * dt
    if person['done'] >= length - 1e-9:
        person['x'], person['y'] = waypoint['x'], waypoint['y']
        person['z'], person['yaw'] = waypoint['z'], waypoint['yaw']
        person['pause'] = waypoint['wait']
        if person['pause'] <= 0.0:
            head_for_next(person)
        return
    share = person['done'] / length
    person['x'] = person['start_x'] + share * x
    person['y'] = person['start_y'] + share * y
    person['z'] = person['start_z'] + share * z
    ahead = math.atan2(y, x) if length > SHORT else person['start_yaw']
    person['yaw'] = ahead
    if share < _TURNED:
        person['yaw'] = wrapped(
            person['start_yaw'] + share / _TURNED * wrapped(ahead - person['start_yaw']))
    elif share > _TURNS:
        person['yaw'] = wrapped(
            ahead + (share - _TURNS) / (1.0 - _TURNS) * wrapped(waypoint['yaw'] - ahead))


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
