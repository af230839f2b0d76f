# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Routes from files: waypoints as CSV, or a trajectory in the TUM format."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from mvsim_ros2.base.package_files import share_directory
from mvsim_ros2.errors import TrajectoryError
from mvsim_ros2.frames import wrap_angle
from mvsim_ros2.trajectories.number_table import read_table, Table
from mvsim_ros2.trajectories.route import Route

COLUMNS = ('x', 'y', 'yaw', 'speed')
# names of columns in racelines and centre lines of race tracks, and in other files of routes
_NAMES = {'x_m': 'x', 'y_m': 'y', 'yaw_rad': 'yaw', 'vx_mps': 'speed', 'v_mps': 'speed'}
TUM_COLUMNS = 8
WHAT = ('x y [yaw] [speed] in m, rad and m/s, or a header with those names, or the 8 columns of a '
        'TUM trajectory: time x y z qx qy qz qw')
SLOWEST = 0.05  # m/s, where a trajectory is at rest
APART = 0.02  # m between the points taken from a trajectory


def read_route(path: str | Path) -> Route:
    """
    Return the route in a file, or the one of a world of this package, such as `office`.

    Waypoints are lines of x y, x y yaw or x y yaw speed [m, rad, m/s]; a header may select
    columns, among others such as those of racelines: `s_m; x_m; y_m; vx_mps`. The yaw of the
    first point is that of the vehicle at the start; others are ignored.
    A file with eight columns without names is a trajectory in the TUM format, followed at its
    speeds.

    :raises TrajectoryError: where it cannot be read or is not valid; names the line.
    """
    shipped = share_directory() / 'worlds/paths' / f'{path}.csv'
    if Path(path).name == str(path) and not Path(path).exists() and shipped.is_file():
        path = shipped
    table = read_table(path, (2, 3, 4, TUM_COLUMNS), WHAT, by_name=True)
    if len(table.rows[0]) == TUM_COLUMNS and (not table.names or 'qw' in table.names):
        return _trajectory(table)
    names = tuple(_NAMES.get(name, name) for name in table.names) or COLUMNS[:len(table.rows[0])]
    if not {'x', 'y'} <= set(names) or any(names.count(name) > 1 for name in COLUMNS):
        raise TrajectoryError(f'{table.path}: the columns are named {", ".join(names)}: there '
                              f'should be {WHAT}')
    points = np.array(table.rows)[:, [names.index('x'), names.index('y')]]
    columns: Mapping[str, np.ndarray] = dict(
        zip(names, np.array(table.rows).T, strict=True))
    return Route.through(
        points, columns.get('speed'), float(columns['yaw'][0]) if 'yaw' in columns else None,
        str(table.path), table.lines)


def _trajectory(table: Table) -> Route:
    rows = table.poses()
    times, points, (qx, qy, qz, qw) = rows[:, 0], rows[:, 1:3], rows[:, 4:].T
    kept = [0]
    for row in range(1, len(rows)):
        if np.hypot(*(points[row] - points[kept[-1]])) > APART:
            kept.append(row)
    steps = np.hypot(*np.diff(points[kept], axis=0).T)
    speeds = np.maximum(steps / np.diff(times[kept]), SLOWEST)
    yaw = np.arctan2(2 * (qw[0] * qz[0] + qx[0] * qy[0]), 1 - 2 * (qy[0] ** 2 + qz[0] ** 2))
    return Route.through(points[kept], np.append(speeds, speeds[-1:]),
                         float(wrap_angle(yaw)), str(table.path), [table.lines[row] for row in kept])
