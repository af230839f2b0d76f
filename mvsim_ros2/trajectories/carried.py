# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Vehicles that are carried along poses of a file, as sensors are for a data set."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from mvsim_ros2.errors import TrajectoryError
from mvsim_ros2.frames import Pose, rotations
from mvsim_ros2.trajectories.route_file import read_table
from mvsim_ros2.world.spec import AnimationSpec, Keyframe, WorldSpec

STAY = 1e6  # s, at the last pose
WHAT = 'the 8 columns of a TUM trajectory: time x y z qx qy qz qw [s, m]'


def carried_along(world: WorldSpec, path: str | Path) -> tuple[WorldSpec, float]:
    """
    Return the world with its first vehicle carried along the poses of a file, and for how long.

    The first pose holds at time 0. Between two poses positions go linearly, rotations on the
    shortest way; neither wheels nor ground nor anything solid has a say in it.

    :returns: the world, and the time of the last pose [s].
    """
    table = read_table(path, (8,), WHAT)
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
