# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Where the beams of a LiDAR point, and when each fires.

A scan consists of columns. A rotating LiDAR turns the same rays to the azimuth of each column;
its rings may fire one after another, while it turns on. A rosette has other rays in each column,
and goes on from scan to scan.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.world.spec.sensors.lidar import Lidar3dSpec

Array = NDArray[np.float64]

COSINE, SINE, TIME = 0, 1, 2  # columns of `Beams.columns`


class Beams(NamedTuple):
    """The beams of one scan, as kernels see them, in the frame of the sensor."""

    columns: Array  # (C, 3): cosine and sine of the azimuth; time after the first column [s]
    vectors: Array  # (V, 3): unit vectors at azimuth 0
    rings: int  # beams of a column
    step: int  # vectors from one column to the next; 0 where all have the same
    origins: Array  # (R, 3): where the beam of each ring begins at azimuth 0 [m]
    delays: Array  # (R,): time of each ring after the column [s]


def ring_table(spec: Lidar3dSpec) -> Array:
    """
    Return elevation, azimuth offset [rad], firing time [s] and height [m] of each ring.

    Rings are numbered from the lowest, or from the highest where the spec says so.

    :returns: shape (R, 4).
    """
    if spec.vertical_ray_angles:
        elevation = np.array(spec.vertical_ray_angles)
    elif spec.vert_nrays == 1:
        elevation = np.zeros(1)
    else:
        elevation = np.linspace(-spec.vert_fov / 2, spec.vert_fov / 2, spec.vert_nrays)
    order = np.argsort(elevation)
    if spec.rings_from_top:
        order = order[::-1]
    return np.stack([elevation, *(
        np.resize(values or (0.0,), len(elevation)) for values in (
            spec.azimuth_offsets, spec.firing_times, spec.beam_heights))], axis=1)[order]


def rotating(spec: Lidar3dSpec, period: float) -> Beams:
    """
    Return the beams of a revolution that starts behind the sensor.

    :param period: time of a revolution [s].
    """
    elevation, offset, delay, height = ring_table(spec).T
    if spec.fov_nrays is not None:
        turn = spec.column_step * np.arange(spec.fov_nrays)
        azimuth = spec.azimuth_max - turn if spec.clockwise else spec.azimuth_min + turn
        times = turn * (period / (2.0 * math.pi))
    else:
        turn = 2.0 * math.pi * np.arange(spec.horz_nrays) / spec.horz_nrays
        azimuth = math.pi - turn if spec.clockwise else turn - math.pi
        inside = np.flatnonzero((azimuth >= spec.azimuth_min - 1e-9)
                                & (azimuth <= spec.azimuth_max + 1e-9))
        azimuth = azimuth[inside]
        times = (inside - (inside[0] if len(inside) else 0)) * (period / spec.horz_nrays)
    # the head turns on between the rings of a column
    ahead = 2.0 * math.pi / period * delay * (-1.0 if spec.clockwise else 1.0)
    offset = offset + ahead
    vectors = np.stack([np.cos(elevation) * np.cos(offset), np.cos(elevation) * np.sin(offset),
                        np.sin(elevation)], axis=1)
    radius = spec.beam_origin_radius
    origins = np.stack([radius * np.cos(ahead), radius * np.sin(ahead), height], axis=1)
    return Beams(np.stack([np.cos(azimuth), np.sin(azimuth), times], axis=1), vectors,
                 len(elevation), 0, origins, delay)


def straight(columns: Array, vectors: Array, step: int) -> Beams:
    """Return beams from the origin, one in each column, see `Beams`."""
    return Beams(columns, vectors, 1, step, np.zeros((1, 3)), np.zeros(1))


def last_time(beams: Beams) -> float:
    """Return the time of the last beam after the first column [s]."""
    return float(beams.columns[-1, TIME] + beams.delays.max())


def rosette(spec: Lidar3dSpec, period: float, begin: float) -> Beams:
    """
    Return the beams of a part of a pattern that does not repeat itself soon.

    Two prisms turn at different speeds and deflect the beam by a quarter of the field of view
    each; with a field of view around the whole horizon, one mirror turns and another nods.

    :param period: time of a scan [s].
    :param begin: time since the pattern began [s].
    """
    count = spec.horz_nrays * spec.vert_nrays
    times = np.arange(count) * (period / count)
    first, second = (2.0 * math.pi / 60.0 * rpm * (begin + times)
                     for rpm in (spec.rosette_rpm_1, spec.rosette_rpm_2))
    if spec.rosette_fov == 0.0:
        azimuth = first
        low, high = spec.rosette_elevation_min, spec.rosette_elevation_max
        elevation = (low + high) / 2 + np.sin(second) * (high - low) / 2
    else:
        azimuth = (np.cos(first) + np.cos(second)) * spec.rosette_fov / 4
        elevation = (np.sin(first) + np.sin(second)) * spec.rosette_fov / 4
    level = np.cos(elevation)
    vectors = np.stack([level * np.cos(azimuth), level * np.sin(azimuth), np.sin(elevation)],
                       axis=1)
    columns = np.stack([np.ones(count), np.zeros(count), times], axis=1)
    return straight(columns, vectors, 1)
