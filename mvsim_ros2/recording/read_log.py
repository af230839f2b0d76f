# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""CSV logs: their columns, and how they are read."""

from collections.abc import Mapping
from dataclasses import dataclass
import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.base.files import read_text
from mvsim_ros2.errors import RecordingError
from mvsim_ros2.simulation.handles import VehicleHandle

Columns = dict[str, NDArray[np.float64]]

POSE_END = '_pose.csv'
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

    The frame of a wheel with rollers is the frame of the roller on the ground.

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

    A controller with one PID for the vehicle has it on both sides. For a PID per wheel, the values
    are from the first two.
    """
    actual = vehicle.pid_measured
    errors, torques = vehicle.pid_errors.tolist(), vehicle.pid_torques
    row = {'pid_feedforward': vehicle.pid_feedforward}
    for side, k in (('l', 0), ('r', 1)):
        row |= {f'pid_act_vel_{side}': actual[k], f'pid_error_{side}': errors[k],
                f'pid_sp_vel_{side}': actual[k] + errors[k], f'pid_torque_{side}': torques[k]}
    return row


@dataclass(frozen=True)
class VehicleLog:
    """The logs of one vehicle."""

    name: str  # common prefix of the files
    title: str  # first line of the pose log
    pose: Columns
    wheels: tuple[Columns, ...]


def read_columns(path: str | Path) -> tuple[str, Columns]:
    """
    Return the first comment of a CSV log, '' where it has none, and its columns by name.

    Logs of the original can be read as well. An incomplete last row is left out.
    """
    try:
        lines = read_text(path).splitlines()
    except (OSError, ValueError) as error:
        raise RecordingError(f'{path}: the log cannot be read: {error}') from error
    comments = [line[1:].strip() for line in lines if line.startswith('#')]
    kept = [(number, line) for number, line in enumerate(lines, 1)
            if line.strip() and not line.startswith('#')]
    rows = [[cell.strip() for cell in line.split(',')] for _, line in kept]
    if not rows or 'Timestamp' not in rows[0]:
        raise RecordingError(
            f'{path}: this is not a CSV log, it has no column Timestamp: give a file that '
            '`mvsim_ros2 log` wrote')
    names = [name for name in rows[0] if name]
    if len(rows) > 1 and len(rows[-1]) < len(names):
        rows.pop()
    values = np.array([_numbers(row, names, f'{path}:{number}') for row, (number, _) in zip(
        rows[1:], kept[1:], strict=False)], float).reshape(-1, len(names))
    return comments[0] if comments else '', dict(zip(names, values.T, strict=True))


def _numbers(row: list[str], names: list[str], where: str) -> list[float]:
    """Return the numbers of a row, which may end with an empty cell."""
    if len(row) < len(names) or any(row[len(names):]):
        raise RecordingError(f'{where}: {len(row)} columns, where the header has {len(names)}')
    try:
        values = [float(cell) for cell in row[:len(names)]]
    except ValueError as error:
        raise RecordingError(f'{where}: a row of this log is not all numbers: {error}') from None
    if not all(map(math.isfinite, values)):
        raise RecordingError(f'{where}: a number of this row is not finite')
    return values


def read_vehicle_logs(path: str | Path) -> tuple[VehicleLog, ...]:
    """Return the logs of a vehicle by any of its files, or of a folder, or raise for none."""
    path = Path(path)
    if path.is_dir():
        starts = sorted(file.name[:-len(POSE_END)] for file in path.glob(f'*{POSE_END}'))
        folder = path
    else:
        starts, folder = [path.stem.removesuffix('_pose').rpartition('_wheel_')[0]
                          or path.stem.removesuffix('_pose')], path.parent
    if not starts:
        raise RecordingError(f'{path}: there is no log *{POSE_END} in this folder')
    logs = []
    for start in starts:
        title, pose = read_columns(folder / f'{start}{POSE_END}')
        wheels: list[Columns] = []
        while (file := folder / f'{start}_wheel_{len(wheels) + 1}.csv').is_file():
            wheels.append(read_columns(file)[1])
        logs.append(VehicleLog(start.removeprefix('mvsim_'), title, pose, tuple(wheels)))
    return tuple(logs)
