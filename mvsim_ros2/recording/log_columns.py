# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The columns of CSV logs.

They are the columns of the original, and the motion and slip of the wheel, for every tyre.
"""

from collections.abc import Mapping
import math
from typing import Any

from mvsim_ros2.simulation.handles import VehicleHandle

Row = dict[str, float]

SLOWEST = 0.05  # m/s; lower bound of the speed in the denominator of slip

POSE_UNITS: Mapping[str, str] = {
    'Timestamp': 's',
    'q0x': 'm', 'q1y': 'm', 'q2z': 'm', 'q3yaw': 'rad', 'q4pitch': 'rad', 'q5roll': 'rad',
    'dqx': 'm/s', 'dqy': 'm/s', 'dqw': 'rad/s',  # body frame
    'odo_x': 'm', 'odo_y': 'm', 'odo_yaw': 'rad',
    'tipped': '1',  # 1 where it has tipped over
}
WHEEL_UNITS: Mapping[str, str] = {
    'Timestamp': 's',
    'wheel_pos_x': 'm', 'wheel_pos_y': 'm',  # body frame
    'torque': 'N m', 'motor_torque': 'N m',  # forward positive
    'force_z': 'N',
    'velocity_x': 'm/s', 'velocity_y': 'm/s',  # of the hub, body frame
    'friction_x': 'N', 'friction_y': 'N',  # ground on wheel, body frame
    'wheel_long_friction': 'N', 'wheel_lateral_friction': 'N',  # the same, wheel frame
    'F_friction_lon': 'N',
    'actual_wheel_alpha': 'rad/s^2',  # of the spin since the previous row
    'desired_wheel_alpha': 'rad/s^2',  # that would have made it roll
    'desired_wheel_w_impulse': 'rad/s',  # the same as a change of the spin
    'vel_w_x': 'm/s', 'vel_w_y': 'm/s',  # of the hub, wheel frame
    'wheel_ground_point_vel': 'm/s',  # of the rim over the ground
    'slip_ratio': '1', 'slip_angle': 'rad',
    'omega': 'rad/s', 'angle': 'rad', 'steer': 'rad',
}
PID_UNITS: Mapping[str, str] = {  # in the log of the first wheel
    'pid_sp_vel_l': 'm/s', 'pid_sp_vel_r': 'm/s', 'pid_act_vel_l': 'm/s', 'pid_act_vel_r': 'm/s',
    'pid_error_l': 'm/s', 'pid_error_r': 'm/s', 'pid_torque_l': 'N m', 'pid_torque_r': 'N m',
    'pid_feedforward': 'N m',
}


def pose_row(time: float, vehicle: VehicleHandle) -> Row:
    """Return the values of the columns `POSE_UNITS`."""
    pose = vehicle.pose
    vx, vy, wz = vehicle.twist_body.tolist()
    x, y, yaw = vehicle.odometry.pose
    return {
        'Timestamp': time, 'q0x': pose.x, 'q1y': pose.y, 'q2z': pose.z, 'q3yaw': pose.yaw,
        'q4pitch': pose.pitch, 'q5roll': pose.roll, 'dqx': vx, 'dqy': vy, 'dqw': wz,
        'odo_x': x, 'odo_y': y, 'odo_yaw': yaw, 'tipped': float(vehicle.tipped)}


def wheel_row(time: float, wheel: Any, spin_before: float, elapsed: float) -> Row:
    """
    Return the values of the columns `WHEEL_UNITS`.

    The frame of a wheel with rollers is that of the roller on the ground.

    :param wheel: state of the wheel.
    :param spin_before: in the row before [rad/s].
    :param elapsed: time since that [s].
    """
    direction = wheel['toe'] + wheel['steer'] + wheel['roller']
    cosine, sine = math.cos(direction), math.sin(direction)
    vx, vy = float(wheel['velocity_x']), float(wheel['velocity_y'])
    along, across = cosine * vx + sine * vy, cosine * vy - sine * vx
    sliding = 0.0 if wheel['free'] else across  # rollers and casters give way across
    radius, spin = float(wheel['radius']), float(wheel['omega'])
    rim = spin * radius
    to_roll = along / radius - spin_before
    return {
        'Timestamp': time, 'wheel_pos_x': wheel['x'], 'wheel_pos_y': wheel['y'],
        'torque': wheel['torque'], 'motor_torque': wheel['torque'],
        'force_z': wheel['normal_load'], 'velocity_x': vx, 'velocity_y': vy,
        'friction_x': wheel['force_x'], 'friction_y': wheel['force_y'],
        'wheel_long_friction': wheel['force_long'],
        'wheel_lateral_friction': wheel['force_lat'], 'F_friction_lon': wheel['force_long'],
        'actual_wheel_alpha': (spin - spin_before) / elapsed if elapsed > 0.0 else 0.0,
        'desired_wheel_alpha': to_roll / elapsed if elapsed > 0.0 else 0.0,
        'desired_wheel_w_impulse': to_roll, 'vel_w_x': along, 'vel_w_y': across,
        'wheel_ground_point_vel': math.hypot(along - rim, sliding),
        'slip_ratio': (rim - along) / max(abs(rim), abs(along), SLOWEST),
        'slip_angle': math.atan2(sliding, max(abs(along), SLOWEST)),
        'omega': spin, 'angle': wheel['angle'], 'steer': wheel['steer']}


def pid_row(vehicle: VehicleHandle) -> Row:
    """
    Return the values of the columns `PID_UNITS`, of the controller's last turn.

    A controller with one PID for the whole vehicle has it on both sides; of one with a PID for
    each wheel they are those of the first two.
    """
    actual = vehicle.pid_measured
    errors, torques = vehicle.pid_errors.tolist(), vehicle.pid_torques
    row = {'pid_feedforward': vehicle.pid_feedforward}
    for side, k in (('l', 0), ('r', 1)):
        row |= {f'pid_act_vel_{side}': actual[k], f'pid_error_{side}': errors[k],
                f'pid_sp_vel_{side}': actual[k] + errors[k], f'pid_torque_{side}': torques[k]}
    return row
