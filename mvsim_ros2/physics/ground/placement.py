# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Where a vehicle is put that cannot stand: partly beyond an edge, or on steps of the ground."""

import math

import numpy as np

from mvsim_ros2.frames import rotation_matrix
from mvsim_ros2.physics.ground.terrain import Terrain
from mvsim_ros2.physics.state.vehicles import Vehicles


def let_go(terrain: Terrain, vehicles: Vehicles, i: int, height: float) -> bool:
    """
    Put a vehicle where it can fall from, unless it stands on all of its wheels.

    It does not where the ground under one of them is more than a radius away. Then it is level,
    and its lowest wheel touches the highest ground under its wheels.

    :param i: its number; its pose is at rest on the ground.
    :param height: where it was put [m]: ground up to a radius above that counts.
    :returns: whether it cannot stand.
    """
    wheels = vehicles.wheels[vehicles.wheel_start[i]:vehicles.wheel_start[i + 1]]
    pose, radius = vehicles.pose[i], wheels['radius'].astype(float)
    places = np.stack([wheels['x'], wheels['y'], np.zeros(len(wheels))], axis=1)
    reach = float(np.hypot(places[:, 0], places[:, 1]).max())
    limit = max(height, float(pose[2])) + float(radius.max()) + reach * math.sin(
        abs(pose[4]) + abs(pose[5]))
    if vehicles.specs[i].animation is not None or terrain.is_level(
            float(pose[0]), float(pose[1]), reach, limit):
        return False
    standing = places @ rotation_matrix(*pose[3:]).T + pose[:3]
    seen = np.maximum(standing[:, 2], height) + radius
    ground = np.array([terrain.ground_below(x, y, top) for (x, y, _), top in zip(
        standing.tolist(), seen.tolist(), strict=True)])
    if (np.abs(standing[:, 2] - ground) <= radius).all():
        return False
    level = places @ rotation_matrix(pose[3], 0.0, 0.0).T + pose[:3]
    pose[2] = max(terrain.ground_below(x, y, height + r) for (x, y, _), r in zip(
        level.tolist(), radius.tolist(), strict=True))
    pose[4] = pose[5] = 0.0
    wheels['ground'] = wheels['bottom'] = pose[2]
    return True
