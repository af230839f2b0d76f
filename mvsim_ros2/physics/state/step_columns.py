# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
What a step of mode `physical` works with: names in two kinds of records.

`KNOWN` is what is known of a wheel, `ROOM` what the whole of a vehicle needs. Names stand for
columns, so that a row is passed on as one address.
"""

import numpy as np

from mvsim_ros2.physics.state.record_layout import PID, PIDS, TYRE_VALUES

# of a wheel
_WHEEL = (
    DIR_X, DIR_Y, ARM_ALONG, ARM_ACROSS, LAW, CURVE, FRICTION, LIMIT, LIMIT_ACROSS, ROLLING, SOIL,
    MEMORY, YIELD, DAMP, SHARE, PUSH, GRIP, SIDE_PUSH, SIDE_GRIP, SOIL_DRAG, FREE_SPIN, EASE, DRAG,
    Z_X, Z_Y, SLIDE_X, SLIDE_Y, SPIN, F_X, F_Y, BRAKING, STARTED, TURNED, PUSHED, BASE, GIVEN,
    SIDE_MEMORY, SIDE_YIELD,
) = (
    'dir_x', 'dir_y', 'arm_along', 'arm_across', 'law', 'curve', 'friction', 'limit',
    'limit_across', 'rolling', 'soil', 'memory', 'yield', 'damp', 'share', 'push', 'grip',
    'side_push', 'side_grip', 'soil_drag', 'free_spin', 'ease', 'drag', 'z_x', 'z_y', 'slide_x',
    'slide_y', 'spin', 'f_x', 'f_y', 'braking', 'started', 'turned', 'pushed', 'base', 'given',
    'side_memory', 'side_yield')
VALUES = 'values'  # of the law of its tyre
TURNS = 'turns'  # change of its spin with each torque of the controller

KNOWN = np.dtype([(name, np.float64) for name in _WHEEL] + [
    (VALUES, np.float64, (TYRE_VALUES,)), (TURNS, np.float64, (PIDS,))])

# of a vehicle: the `mobility` of a pass, momentum p and the motion that it leads to
XX, XY, XW, YX, YY, YW, WX, WY, WW, P_X, P_Y, P_W, V_X, V_Y, V_W = (
    'xx', 'xy', 'xw', 'yx', 'yy', 'yw', 'wx', 'wy', 'ww', 'p_x', 'p_y', 'p_w', 'v_x', 'v_y', 'v_w')
TOLD_LEFT, TOLD_RIGHT = 'told_left', 'told_right'  # filtered commands, of `side_torques`
# what is worked with: the state of the PIDs before the step, and room for another; torques of the
# controller, what they lack, at most that in the round before; torques asked for, and nudged;
# between which torques the solution is; a system of equations; torques that differentials pass
# from side to side
BEFORE, TRIAL, TORQUES, OFF, LACKED, ASKED, NUDGED, LOWER, UPPER, SYSTEM, PASSED = (
    'before', 'trial', 'torques', 'off', 'lacked', 'asked', 'nudged', 'lower', 'upper', 'system',
    'passed')
HELD = 3  # differentials that a drivetrain can have: rear, front, centre
ROOM = np.dtype([(name, np.float64) for name in (
    XX, XY, XW, YX, YY, YW, WX, WY, WW, P_X, P_Y, P_W, V_X, V_Y, V_W, LACKED, TOLD_LEFT,
    TOLD_RIGHT)] + [
    (name, np.float64, (PIDS,)) for name in (TORQUES, OFF, ASKED, NUDGED, LOWER, UPPER)] + [
    (SYSTEM, np.float64, (PIDS, PIDS)), (PASSED, np.float64, (HELD,))] + [
    (name, np.float64, (PIDS, PID)) for name in (BEFORE, TRIAL)])
