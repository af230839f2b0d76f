# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Examples of what kernels take, for those that are compiled `separate`.

Any sizes will do: only the types and numbers of dimensions matter.
"""

import numpy as np

from mvsim_ros2.physics.state.record_layout import (
    HITCH, ODOMETER, PID, PIDS, TIE, VEHICLE, VEHICLE_WORK, WHEEL, WHEEL_WORK)

SOME_VEHICLES, SOME_WHEELS, STARTS = np.zeros(1, VEHICLE), np.zeros(1, WHEEL), np.zeros(1, int)
A_VEHICLE = SOME_VEHICLES[0]
SOME_PIDS, SOME_ODOMETERS = np.zeros((1, PIDS), PID), np.zeros(1, ODOMETER)
SOME_HITCHES, SOME_TIES = np.zeros(1, HITCH), np.zeros(1, TIE)
SOME_WHEEL_WORK, SOME_VEHICLE_WORK = np.zeros(1, WHEEL_WORK), np.zeros(1, VEHICLE_WORK)
A_VEHICLE_WORK = SOME_VEHICLE_WORK[0]
ROW, TABLE, TABLES = np.zeros(1), np.zeros((1, 1)), np.zeros((1, 1, 1))
# of the torque kernels of controllers
TORQUES_LIKE = (A_VEHICLE, SOME_WHEELS, 0.0, SOME_PIDS[0], 0.0)
MOTION_LIKE = (A_VEHICLE, SOME_WHEELS)  # of the kernels by which wheels tell their motion
