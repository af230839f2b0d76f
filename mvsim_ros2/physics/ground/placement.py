# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Where a vehicle is put: on another one, or so that it falls where it cannot stand."""

import logging
import math

import numpy as np

from mvsim_ros2.frames import rotation_matrix
from mvsim_ros2.physics.ground.terrain import Terrain
from mvsim_ros2.physics.state.vehicles import Vehicles

_LOG = logging.getLogger(__name__)


def stand_on_vehicle(vehicles: Vehicles, i: int, height: float) -> bool:
    """
    Put a vehicle on the highest top of others below its wheels, above the ground that it is on.

    :param i: its number.
    :param height: where it was put [m]: a top up to a radius above that counts.
    :returns: whether there is one.
    """
    wheels = vehicles.wheels_of(i)
    pose, records, others = vehicles.pose[i], vehicles.arrays.records, vehicles.pose
    if height <= 0.0 or len(records) < 2 or vehicles.specs[i].animation is not None:
        return False
    places = np.stack([wheels['x'], wheels['y'], np.zeros(len(wheels))], axis=1)
    x, y, _ = (places @ rotation_matrix(pose[3], 0.0, 0.0).T + pose[:3]).T[:, :, None]
    cosine, sine = np.cos(others[:, 3]), np.sin(others[:, 3])
    along = cosine * (x - others[:, 0]) + sine * (y - others[:, 1])
    across = cosine * (y - others[:, 1]) - sine * (x - others[:, 0])
    tops = others[:, 2] + records['box_high']
    below = (np.abs(along - records['box_x']) <= records['box_half_x']) & (
        np.abs(across - records['box_y']) <= records['box_half_y']) & (
            tops <= height + wheels['radius'][:, None]) & (tops > pose[2]) & (
                records['mass'] > 0.0)
    below[:, i] = False
    if not below.any():
        return False
    pose[2], pose[4], pose[5] = tops[below.any(axis=0)].max(), 0.0, 0.0
    wheels['ground'] = wheels['bottom'] = pose[2]
    return True


def stand_on_vehicles(vehicles: Vehicles) -> None:
    """Put all vehicles on others where they were put there, whatever the order of the file."""
    heights = [spec.init_pose.z for spec in vehicles.specs]
    for i in sorted(range(len(heights)), key=heights.__getitem__):
        stand_on_vehicle(vehicles, i, heights[i])


def warn_if_buried(terrain: Terrain, vehicles: Vehicles, i: int) -> None:
    """Warn where vehicle `i` is put below an elevation map, with no other ground there."""
    spec, (x, y, z) = vehicles.specs[i], vehicles.pose[i, :3].tolist()
    if spec.animation is not None or terrain.is_level(x, y, 0.0, math.inf):
        return
    height = terrain.buries(x, y, z + float(vehicles.wheels_of(i)['radius'][0]))
    if height is not None:
        _LOG.warning(
            '%s: vehicle %r is put at (%g, %g) at height %g, but the elevation map is at %g '
            'there: it stands below the map, at height 0; give its pose that height',
            spec.source, spec.name, x, y, z, height)


def let_go(terrain: Terrain, vehicles: Vehicles, i: int, height: float) -> bool:
    """
    Put a vehicle where it can fall from, unless it stands on all of its wheels.

    It does not where the ground under one of them is more than a radius away. Then it is level,
    and its lowest wheel touches the highest ground under its wheels.

    :param i: its number; its pose is at rest on the ground.
    :param height: where it was put [m]: ground up to a radius above that counts.
    :returns: whether it cannot stand.
    """
    wheels = vehicles.wheels_of(i)
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
