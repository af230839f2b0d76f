# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The state of a thing in words and numbers."""

import numpy as np

from mvsim_ros2.frames import Pose
from mvsim_ros2.window.frame import Frame, VehicleState


def text_of(name: str, frame: Frame) -> str:
    """Return the state of a thing, as Markdown."""
    pose = frame.pose(name)
    if pose is None:
        return f'**{name}** is gone.'
    lines = [f'**{name}**', '', '| | |', '|---|---|', *_pose_rows(pose)]
    vehicle = frame.vehicles.get(name)
    if vehicle is not None:
        lines += _vehicle_rows(vehicle)
    return '\n'.join(lines)


def _pose_rows(pose: Pose) -> list[str]:
    yaw, pitch, roll = np.degrees([pose.yaw, pose.pitch, pose.roll])
    return [f'| x, y, z | {pose.x:.2f}, {pose.y:.2f}, {pose.z:.2f} m |',
            f'| yaw, pitch, roll | {yaw:.1f}, {pitch:.1f}, {roll:.1f} ° |']


def _vehicle_rows(vehicle: VehicleState) -> list[str]:
    vx, vy, wz = vehicle.twist
    command_v, _, command_w = vehicle.command
    rows = [f'| speed | {vx:.2f} m/s, sideways {vy:.2f} m/s |',
            f'| yaw rate | {wz:.2f} rad/s |',
            f'| command | {command_v:.2f} m/s, {command_w:.2f} rad/s |']
    wheels = vehicle.wheels
    if wheels is not None and len(wheels):
        rows += [f'| wheels | {_listed(wheels["omega"], 1)} rad/s |',
                 f'| loads | {_listed(wheels["normal_load"], 0)} N |',
                 f'| torques | {_listed(wheels["torque"], 2)} N m |']
    return rows


def _listed(values: np.ndarray, digits: int) -> str:
    return ', '.join(f'{value:.{digits}f}' for value in values.tolist())
