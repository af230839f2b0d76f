# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What a step of mode `physical` works with, beside the state: records of wheels and vehicles."""

import numpy as np

from mvsim_ros2.physics.state.record_layout import PID, PIDS, TYRE_VALUES

KNOWN = np.dtype([(name, np.float64) for name in (
    # of a wheel, what stays in a step: direction in the body frame, arms from the centre of mass
    'cosine', 'sine', 'arm_along', 'arm_across',
    'law', 'curve', 'friction', 'rolling',  # of its tyre on the ground: see `contacts`
    'limit', 'limit_across',  # largest forces [N]
    'soil',  # drag of the hub [N]
    'curve_share',  # of the curve of the tyre in its stiffness; the rest is the standing brush
    'damping',  # of the standing tyre [N s/m]
    # the slip after a step is `keep` times that before and `gain` times the sliding velocity
    'slip_keep', 'slip_gain', 'side_slip_keep', 'side_slip_gain',
    'spin_before',  # rad/s
    # of a pass: force = push - grip velocity, along and across; drag of soil over velocity
    'push', 'grip', 'side_push', 'side_grip', 'soil_drag',
    # spin at its end = free_spin - spin_per_force force + spin_per_speed velocity
    'free_spin', 'spin_per_force', 'spin_per_speed',
    'spin_per_torque', 'push_per_torque',  # what more torque adds to `free_spin` and `push`
    'torque_before', 'torque_added',  # N m
    'braking',  # see `braked`
    # as found in the last pass
    'spin', 'slip_x', 'slip_y', 'sliding_x', 'sliding_y', 'force_long', 'force_lat',
)] + [('values', np.float64, (TYRE_VALUES,)),  # of the law of its tyre
      ('spin_response', np.float64, (PIDS,))])  # change of spin for each torque of the controller

DIFFERENTIALS = 3  # that a drivetrain can have: rear, front, centre
ROOM = np.dtype([(name, np.float64) for name in (
    'xx', 'xy', 'xw', 'yx', 'yy', 'yw', 'wx', 'wy', 'ww',  # of a vehicle, its `mobility`
    'momentum_x', 'momentum_y', 'momentum_w', 'velocity_x', 'velocity_y', 'yaw_rate',
    'last_residual',  # largest of the round before [N m]
    'stopped',  # speed below which the PIDs hold, kept while they are solved [m/s]
)] + [(name, np.float64, (PIDS,)) for name in (
    'torques', 'requested', 'residual', 'trial_torques', 'lower', 'upper')] + [
    ('system', np.float64, (PIDS, PIDS)),
    ('passed_torques', np.float64, (DIFFERENTIALS,)),  # by differentials, from side to side
    ('pid_before', np.float64, (PIDS, PID)), ('pid_trial', np.float64, (PIDS, PID))])
