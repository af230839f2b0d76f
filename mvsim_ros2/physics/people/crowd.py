# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The records of all people of a world, as kernels take them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array, Records
from mvsim_ros2.physics.state.record_layout import MOTION

MODELS = 'path', 'social_force', 'orca'
PATH, SOCIAL_FORCE, ORCA = range(3)
MANNERS = 'ignore', 'avoid', 'stop', 'give_way'  # towards robots
IGNORE, AVOID, STOP, GIVE_WAY = range(4)
GAITS = 'idle', 'walk', 'run'
IDLE, WALK, RUN = range(3)
REACTS, WALKS_ON, ROBOT, THING = range(4)  # kinds of what people see


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
