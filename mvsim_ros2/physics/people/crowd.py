# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
People as kernels take them, their steps, and those who walk a path as in MVSim 1.2.0.

These go straight from waypoint to waypoint at constant speed, whatever is in their way. During the
first tenth of a stretch they turn to its direction, during its last fifth to the yaw of the
waypoint.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array, Records
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.state.record_layout import MOTION
from mvsim_ros2.world.spec.actor import stride_length

MODELS = 'path', 'social_force', 'orca'
PATH, SOCIAL_FORCE, ORCA = range(3)
MANNERS = 'ignore', 'avoid', 'stop', 'give_way'  # towards robots
IGNORE, AVOID, STOP, GIVE_WAY = range(4)
GAITS = 'idle', 'walk', 'run'
IDLE, WALK, RUN = range(3)
REACTS, WALKS_ON, ROBOT, THING = range(4)  # kinds of what people see
SHORT = 0.1  # m; a shorter stretch turns nobody
_TURNED, _TURNS = 0.1, 0.8  # shares of a stretch where turning ends and begins again
SLOWEST = 0.05  # m/s; slower ones stand
LONGER, LOWER = 2.0, 1.25  # 1/s; how fast strides change, and how fast somebody sits down or rises
RISES = 1.0  # s before going on from where somebody sits


def _dtype(names: str) -> np.dtype[np.void]:
    return np.dtype([(name, np.float64) for name in names.split()])

# pose [m, rad]; where the present stretch began; waypoint ahead, of the present stretch [m], left
# to wait [s]; velocity of those that react, in the world [m/s]; twist over the last step, own
# frame; numbers in `MODELS` and `MANNERS`, and of the group, -1: none; waypoints, and whether they
# begin again; speeds [m/s], radius, height [m], whether they sit where they wait; row among the
# figures; phase of the gait [rad] and stride in heights, or less than 0: share of sitting down


PERSON = _dtype(
    'x y z yaw start_x start_y start_z start_yaw goal done pause vx vy twist_x twist_y twist_w '
    'model robots group first count loop walking running radius height '
    'sits figure phase stride')
# pose, time to wait [s], number in `GAITS`, and the field that leads there, -1: none
WAYPOINT = _dtype('x y z yaw wait gait field')
# discs that cover vehicles and blocks: whether of a block, its row, centre in its frame, radius
DISC = _dtype('of_block row x y radius')
# all that people see: place [m], velocity [m/s], radius [m], what it is
SEEN = _dtype('x y vx vy radius kind')

PERIOD = 0.05  # s; how often people decide


class Crowd(NamedTuple):
    """People, where they go, and what they see."""

    people: Records  # PERSON, (n,)
    waypoints: Records  # WAYPOINT, (m,)
    bodies: NDArray[np.int64]  # addresses, (n,)
    every: int  # steps between decisions
    origin_x: float  # centre of the first cell of the map [m]
    origin_y: float
    cell: float  # m
    clearance: Array  # from walls, (rows, columns) [m]; (0, 0): there are none
    fields: NDArray[np.float32]  # length of the way to each goal, (F, rows, columns) [m]
    discs: Records  # DISC, (d,)
    blocks: NDArray[np.int64]  # addresses of those that forces move, (B,)
    vehicle_pose: Array  # (V, 6)
    vehicle_twist: Array  # (V, 3)
    pose: Array  # of the figures, (f, 6)
    twist: Array  # (f, 3)
    gait: Array  # phase and stride of each figure, (f, 2)
    motion: Array  # scratch, (1, MOTION)
    seen: Records  # scratch, SEEN, (n + d,)
    lines: Array  # scratch, (n + d + 1, 4), as the following
    other_lines: Array
    slope: Array  # scratch, (3,)


_NOTHING, _NOBODY = np.zeros((0, 0)), np.zeros(0, np.int64)
NO_CROWD = Crowd(
    np.zeros(0, PERSON), np.zeros(0, WAYPOINT), _NOBODY, 1, 0.0, 0.0, 1.0, _NOTHING,
    np.zeros((0, 0, 0), np.float32), np.zeros(0, DISC), _NOBODY, _NOTHING, _NOTHING, _NOTHING,
    _NOTHING, _NOTHING, np.zeros((1, MOTION)), np.zeros(0, SEEN), _NOTHING, _NOTHING, np.zeros(3))


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
    elif person['sits'] != 0.0 and (person['goal'] >= person['count'] or person['pause'] > RISES):
        goal = -1.0
    most = (LOWER if min(stride, goal) < 0.0 else LONGER) * dt
    change: float = stride + min(max(goal - stride, -most), most)
    return change
