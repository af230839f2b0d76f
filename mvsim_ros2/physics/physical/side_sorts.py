# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Which vehicles go side by side with others in a step: those with motors and tyres only."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.lanes import LANES
from mvsim_ros2.physics.controllers.front_steer import front_wheel_torques
from mvsim_ros2.physics.controllers.twist_pid import differential_torques
from mvsim_ros2.physics.mvsim.step import motor_torques
from mvsim_ros2.physics.physical.side_by_side import FEWEST
from mvsim_ros2.physics.physical.side_by_side import Side
from mvsim_ros2.physics.physical.side_layout import BY_FRONT_PAIR
from mvsim_ros2.physics.physical.side_layout import BY_SIDES
from mvsim_ros2.physics.physical.side_layout import CONSTANT
from mvsim_ros2.physics.physical.side_layout import KINDS
from mvsim_ros2.physics.physical.side_layout import MOST_WHEELS
from mvsim_ros2.physics.physical.side_layout import NUMBERS
from mvsim_ros2.physics.physical.side_layout import PLACES
from mvsim_ros2.physics.state.record_layout import NO_DRIVETRAIN
from mvsim_ros2.physics.state.record_layout import OWN

# what a vehicle has not got that goes side by side with others, besides a controller that is ideal
_WITHOUT = ('is_ideal', 'sprung', 'airy', 'ploughs', 'tows', 'couples', 'tied')
_DRIVEN_WITHOUT = ('own_torques', 'gears', 'motor_torque')  # where it has PIDs
_KERNELS = {BY_SIDES: differential_torques, BY_FRONT_PAIR: front_wheel_torques}


def side_of(records: Any, wheels: Any, wheel_start: NDArray[np.int64], level: bool) -> Side:
    """
    Return what a step needs to let vehicles go side by side.

    :param records: of the vehicles; wheels: of their wheels.
    :param level: whether the ground is level, and nothing is said of its friction.
    """
    sorts = np.zeros(len(records), np.int64)
    if level:
        sorts[:] = [_sort(record, wheels[start:end]) for record, start, end in zip(
            records, wheel_start[:-1].tolist(), wheel_start[1:].tolist(), strict=True)]
    _, counts = np.unique(sorts[sorts > 0], return_counts=True)
    room = NUMBERS if counts.max(initial=0) >= FEWEST else 0
    return Side(sorts, np.zeros((PLACES, LANES), np.int64), np.zeros(room))


def one_by_one(vehicles: int) -> Side:
    """Return the same for vehicles that go one by one."""
    return Side(np.zeros(vehicles, np.int64), np.zeros((PLACES, LANES), np.int64), np.zeros(0))


def _sort(record: Any, wheels: Any) -> int:
    """
    Return the number of those that a vehicle can go side by side with, 0 for none.

    See `side_layout.KINDS`.
    """
    if (record['mass'] == 0.0 or any(record[name] for name in _WITHOUT)
            or len(wheels) > MOST_WHEELS or wheels['resists'].any()):
        return 0
    kind = CONSTANT
    if record['has_pid']:
        kernel = motor_torques.kernels.get(int(record['controller']))
        kind = next((kind for kind, known in _KERNELS.items() if known is kernel), 0)
        if (not kind or record['drivetrain'] != NO_DRIVETRAIN or (wheels['side'] == OWN).any()
                or any(record[name] for name in _DRIVEN_WITHOUT)):
            return 0
    return KINDS * len(wheels) + kind
