# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Routes and poses from files (CSV, TUM), and vehicles that are carried along poses."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
import math
from pathlib import Path
import re

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.base.files import read_text
from mvsim_ros2.base.package_files import share_directory
from mvsim_ros2.errors import TrajectoryError
from mvsim_ros2.frames import Pose, rotations, wrap_angle
from mvsim_ros2.trajectories.route import Route
from mvsim_ros2.world.spec import AnimationSpec, Keyframe, WorldSpec

_SEPARATORS = re.compile('[,;"\ufeff]')  # with the mark that spreadsheets write first
COLUMNS = ('x', 'y', 'yaw', 'speed')
# names of columns in racelines and centre lines of race tracks, and in other files of routes
_NAMES = {'x_m': 'x', 'y_m': 'y', 'yaw_rad': 'yaw', 'vx_mps': 'speed', 'v_mps': 'speed'}
TUM_COLUMNS = 8
WHAT = ('x y [yaw] [speed] in m, rad and m/s, or a header with those names, or the 8 columns of a '
        'TUM trajectory: time x y z qx qy qz qw')
SLOWEST = 0.05  # m/s, where a trajectory is at rest
APART = 0.02  # m between the points taken from a trajectory


@dataclass(frozen=True)
class Table:
    """Rows of finite numbers of equal length."""

    path: Path
    names: tuple[str, ...]  # of the columns in the header; empty without one
    rows: tuple[tuple[float, ...], ...]
    lines: tuple[int, ...]  # line number of each row, from 1

    def error(self, row: int, message: str) -> TrajectoryError:
        """Return an error about a row."""
        return TrajectoryError(f'{self.path}:{self.lines[row]}: {message}')

    def poses(self) -> NDArray[np.float64]:
        """Return the rows of a TUM trajectory, shape (n, 8): time, x, y, z, qx, qy, qz, qw."""
        rows = np.array(self.rows)
        for row in np.flatnonzero(~(np.diff(rows[:, 0]) > 0.0))[:1].tolist():
            raise self.error(row + 1, f'time {rows[row + 1, 0]:.9g} s does not come after '
                                      f'{rows[row, 0]:.9g} s')
        lengths = np.linalg.norm(rows[:, 4:], axis=1)
        for row in np.flatnonzero(abs(lengths - 1.0) > 1e-2)[:1].tolist():
            raise self.error(row, 'the quaternion qx qy qz qw is not of length 1')
        return rows


def read_table(path: str | Path, widths: tuple[int, ...], what: str,
               by_name: bool = False) -> Table:
    """
    Return the numbers of a file, separated by commas, semicolons or blanks, in quotes or not.

    `#` starts a comment. The first line may be a header, or the last comment before the numbers,
    where it names all columns.
    """
    path = Path(path)
    try:
        text = read_text(path)
    except (OSError, ValueError) as error:
        raise TrajectoryError(f'{path}: cannot be read: {error}') from error
    names: tuple[str, ...] = ()
    rows: list[tuple[float, ...]] = []
    lines: list[int] = []
    comment: tuple[str, ...] = ()  # names in the last comment that holds nothing else
    for number, line in enumerate(text.splitlines(), 1):
        content, _, remark = line.partition('#')
        cells = _SEPARATORS.sub(' ', content).split()
        if not cells:
            words = tuple(_SEPARATORS.sub(' ', remark).lower().split())
            if not rows and words and all(map(str.isidentifier, words)):
                comment = words
            continue
        if not rows and not names and all(cell.isidentifier() for cell in cells):
            names = tuple(cell.lower() for cell in cells)
            continue
        if not (rows or names) and len(comment) == len(cells):
            names = comment
        rows.append(_numbers(cells, f'{path}:{number}'))
        lines.append(number)
        width = len(names or rows[0])
        if len(cells) != width:
            raise TrajectoryError(f'{path}:{number}: {len(cells)} columns, where there should '
                                  f'be {width} as above: {what}')
        if width not in widths and not (by_name and names):
            raise TrajectoryError(f'{path}:{number}: {width} columns: there should be {what}')
    if not rows:
        raise TrajectoryError(f'{path}: there are no numbers in it: there should be {what}')
    return Table(path, names, tuple(rows), tuple(lines))


def _numbers(cells: list[str], where: str) -> tuple[float, ...]:
    values = []
    for cell in cells:
        try:
            value = float(cell)
        except ValueError:
            raise TrajectoryError(f'{where}: {cell!r} is not a number') from None
        if not math.isfinite(value):
            raise TrajectoryError(f'{where}: {cell!r} is not finite')
        values.append(value)
    return tuple(values)


def read_route(path: str | Path) -> Route:
    """
    Return the route in a file, or the one of a world of this package, such as `office`.

    Waypoints are lines of x y, x y yaw or x y yaw speed [m, rad, m/s]. A header may select
    columns, such as `s_m; x_m; y_m; vx_mps` of racelines. The yaw of the first point is the
    vehicle's at the start; others are ignored. A file with eight columns without names is a
    trajectory in the TUM format, followed at its speeds.

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
    return Route.through(
        points[kept], np.append(speeds, speeds[-1:]), float(wrap_angle(yaw)), str(table.path),
        [table.lines[row] for row in kept])


STAY = 1e6  # s, at the last pose
POSES = 'the 8 columns of a TUM trajectory: time x y z qx qy qz qw [s, m]'


def carried_along(world: WorldSpec, path: str | Path) -> tuple[WorldSpec, float]:
    """
    Return the world with its first vehicle carried along the poses of a file, and for how long.

    The first pose holds at time 0. Between two poses positions go linearly, rotations on the
    shortest way; neither wheels nor ground nor anything solid has a say in it.

    :returns: the world, and the time of the last pose [s].
    """
    table = read_table(path, (8,), POSES)
    rows = table.poses()
    if len(rows) < 2:
        raise TrajectoryError(f'{table.path}: one pose only: give two or more')
    if not world.vehicles:
        raise TrajectoryError(f'{world.path}: there is no vehicle that could be carried')
    matrices = np.tile(np.eye(4), (len(rows), 1, 1))
    matrices[:, :3, :3] = rotations(
        [row / np.linalg.norm(row) for row in rows[:, 4:]])
    matrices[:, :3, 3] = rows[:, 1:4]
    poses = [Pose.from_matrix(each) for each in matrices]
    back, last = poses[0].inverse(), float(rows[-1, 0] - rows[0, 0])
    keys = tuple(Keyframe(float(time), back.compose(pose)) for time, pose in zip(
        rows[:, 0] - rows[0, 0], poses, strict=True))
    keys += (Keyframe(last + STAY, keys[-1].pose),)  # else it would begin again
    first = replace(
        world.vehicles[0], init_pose=poses[0], skip_elevation_adjust=True,
        animation=AnimationSpec(keys=keys))
    return replace(world, vehicles=(first, *world.vehicles[1:])), last
