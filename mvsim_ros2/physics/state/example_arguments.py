# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Examples of what kernels take, for those that are compiled `separate`.

Any sizes do: what counts are the kinds and numbers of dimensions.
"""

import numpy as np

from mvsim_ros2.physics.state.record_layout import HITCH, TIE, VEHICLE, WHEEL
from mvsim_ros2.physics.state.step_columns import KNOWN, ROOM

SOME_VEHICLES, SOME_WHEELS, STARTS = np.zeros(1, VEHICLE), np.zeros(1, WHEEL), np.zeros(1, int)
A_VEHICLE = SOME_VEHICLES[0]
SOME_HITCHES, SOME_TIES = np.zeros(1, HITCH), np.zeros(1, TIE)
SOME_KNOWN, SOME_ROOMS = np.zeros(1, KNOWN), np.zeros(1, ROOM)
A_ROOM = SOME_ROOMS[0]
ROW, TABLE, TABLES = np.zeros(1), np.zeros((1, 1)), np.zeros((1, 1, 1))
TORQUES_LIKE = (A_VEHICLE, SOME_WHEELS, 0.0, TABLE, 0.0)  # of the torque kernels of controllers
MOTION_LIKE = (A_VEHICLE, SOME_WHEELS)  # of the kernels by which wheels tell their motion
