# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Which vehicles go side by side with others in a step: those with motors and tyres only."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.lanes import LANES
from mvsim_ros2.physics.controllers.front_steer import front_wheel_torques, one_torque
from mvsim_ros2.physics.controllers.twist_pid import differential_torques
from mvsim_ros2.physics.mvsim.step import motor_torques
from mvsim_ros2.physics.physical.side_by_side import FEWEST, Side
from mvsim_ros2.physics.physical.side_layout import (
    BY_DRIVETRAIN, BY_FRONT_PAIR, BY_SIDES, CONSTANT, KINDS, MOST_WHEELS, NUMBERS, PLACES)
from mvsim_ros2.physics.state.record_layout import NO_DRIVETRAIN, OWN

# what a vehicle has not got that goes side by side with others, besides a controller that is ideal
_WITHOUT = ('is_ideal', 'sprung', 'airy', 'ploughs', 'tows', 'couples', 'tied')
_DRIVEN_WITHOUT = ('own_torques', 'gears', 'motor_torque')  # where it has PIDs
_KERNELS = {BY_SIDES: differential_torques, BY_FRONT_PAIR: front_wheel_torques,
            BY_DRIVETRAIN: one_torque}


def side_of(records: Any, wheels: Any, wheel_start: NDArray[np.int64], level: bool) -> Side:
    """
    Return what a step needs to let vehicles go side by side.

    :param records: of the vehicles; wheels: of their wheels.
    :param wheel_start: first wheel of each vehicle, and the end.
    :param level: whether the ground is level, and nothing is said of its friction.
    """
    sorts = np.zeros(len(records), np.int64)
    if level and len(records):
        sorts[:] = _sorts(records, wheels, wheel_start)
    _, counts = np.unique(sorts[sorts > 0], return_counts=True)
    room = NUMBERS if counts.max(initial=0) >= FEWEST else 0
    return Side(sorts, np.zeros((PLACES, LANES), np.int64), np.zeros(room))


def one_by_one(vehicles: int) -> Side:
    """Return the same for vehicles that go one by one."""
    return Side(np.zeros(vehicles, np.int64), np.zeros((PLACES, LANES), np.int64), np.zeros(0))


def _sorts(records: Any, wheels: Any, wheel_start: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the numbers by which vehicles are alike, 0 for none: see `side_layout.KINDS`."""
    first, counts = wheel_start[:-1], np.diff(wheel_start)
    own = np.maximum.reduceat(wheels['side'] == OWN, first)
    kinds = np.where(records['has_pid'] == 0.0, CONSTANT, 0)
    for kind, kernel in _KERNELS.items():
        numbers = [number for number, known in motor_torques.kernels.items() if known is kernel]
        kinds[(records['has_pid'] != 0.0) & np.isin(records['controller'], numbers)] = kind
    needs_more = (records['mass'] == 0.0) | (counts > MOST_WHEELS)
    for name in _WITHOUT:
        needs_more |= records[name] != 0.0
    driven = own | ((records['drivetrain'] != NO_DRIVETRAIN) != (kinds == BY_DRIVETRAIN))
    driven |= (kinds == BY_DRIVETRAIN) & (counts != 4)
    for name in _DRIVEN_WITHOUT:
        driven |= records[name] != 0.0
    needs_more |= driven & (kinds != CONSTANT)
    return np.where(needs_more | (kinds == 0), 0, KINDS * counts + kinds)
