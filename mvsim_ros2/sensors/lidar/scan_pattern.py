# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Where the beams of a LiDAR point, and when each fires.

A scan consists of columns. A rotating LiDAR turns the same rays to the azimuth of each column;
its rings may fire one after another, while it turns on. A rosette, or the pattern of a file, has
other rays in each column, and goes on from scan to scan.
"""

from functools import lru_cache
import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import SensorError
from mvsim_ros2.frames import Array
from mvsim_ros2.world.spec.sensors.lidar import Lidar3dSpec

COSINE, SINE, TIME = 0, 1, 2  # columns of `Beams.columns`


class Beams(NamedTuple):
    """The beams of one scan, as kernels see them, in the frame of the sensor."""

    columns: Array  # (C, 3): cosine and sine of the azimuth; time after the first column [s]
    vectors: Array  # (V, 3): unit vectors at azimuth 0
    rings: int  # beams of a column
    step: int  # vectors from one column to the next; 0 where all have the same
    origins: Array  # (R, 3): where the beam of each ring begins at azimuth 0 [m]
    delays: Array  # (R,): time of each ring after the column [s]
    numbers: NDArray[np.int64]  # (V,): of the rings of the vectors, as points have them


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
    """Return the beams of a revolution, in a period [s], that starts behind the sensor."""
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
                 len(elevation), 0, origins, np.ascontiguousarray(delay),
                 np.arange(len(elevation)))


def straight(columns: Array, vectors: Array, step: int,
             numbers: NDArray[np.int64] | None = None) -> Beams:
    """Return beams from the origin, one in each column, see `Beams`."""
    return Beams(columns, vectors, 1, step, np.zeros((1, 3)), np.zeros(1),
                 np.zeros(len(vectors), np.int64) if numbers is None else numbers)


def last_time(beams: Beams) -> float:
    """Return the time of the last beam after the first column [s]."""
    return float(beams.columns[-1, TIME] + beams.delays.max())


def rosette(spec: Lidar3dSpec, period: float, begin: float) -> Beams:
    """
    Return the beams of a scan, in a period [s], of a pattern that does not repeat itself soon.

    Two prisms turn at different speeds, and each deflects the beam by a quarter of the field of
    view. With a field of view around the horizon, one mirror turns and another nods.

    :param begin: time since the pattern began [s].
    """
    count = spec.horz_nrays * spec.vert_nrays
    times = np.asarray(np.arange(count) * (period / count), np.float64)
    first, second = (np.asarray(2.0 * math.pi / 60.0 * rpm * (begin + times), np.float64)
                     for rpm in (spec.rosette_rpm_1, spec.rosette_rpm_2))
    if spec.rosette_fov == 0.0:
        azimuth = first
        low, high = spec.rosette_elevation_min, spec.rosette_elevation_max
        elevation = (low + high) / 2 + np.sin(second) * (high - low) / 2
    else:
        azimuth = (np.cos(first) + np.cos(second)) * spec.rosette_fov / 4
        elevation = (np.sin(first) + np.sin(second)) * spec.rosette_fov / 4
    return _pointing(azimuth, elevation, times)


def _pointing(azimuth: Array, elevation: Array, times: Array,
              numbers: NDArray[np.int64] | None = None) -> Beams:
    """Return beams in some directions [rad] at some times [s], one in each column."""
    level = np.cos(elevation)
    vectors = np.stack([level * np.cos(azimuth), level * np.sin(azimuth), np.sin(elevation)],
                       axis=1)
    columns = np.stack([np.ones(len(times)), np.zeros(len(times)), times], axis=1)
    return straight(columns, vectors, 1, numbers)


def file_scans(spec: Lidar3dSpec, period: float) -> list[Beams]:
    """
    Return the scans of the pattern in a file, which follow each other and begin anew.

    :raises SensorError: where the file is not there, or is not such a pattern.
    """
    file = spec.pattern_file
    if file is None or file.path is None:
        raise SensorError(f'{spec.source}: {spec.name} has no pattern_file: '
                          f'{file.reason if file else "name a CSV file"}')
    try:
        beams = _read_pattern(file.path)
    except (OSError, ValueError) as error:
        raise SensorError(f'{file.path}: {error}: write azimuth [deg], elevation [deg], time [s] '
                          'and the ring in each line, with commas between them') from error
    scan = np.floor(beams[:, 2] / period + 1e-9).astype(np.int64)
    parts = [(number, beams[scan == number]) for number in range(int(scan[-1]) + 1)]
    return [_pointing(np.radians(part[:, 0]), np.radians(part[:, 1]), part[:, 2] - number * period,
                      part[:, 3].astype(np.int64))
            for number, part in parts if len(part)]


@lru_cache(maxsize=16)
def _read_pattern(path: str) -> Array:
    """Return the lines of a pattern in the order of time: azimuth, elevation, time and ring."""
    with open(path, encoding='utf-8') as file:
        lines = file.read().splitlines()
    has_head = bool(lines) and any(letter.isalpha() and letter not in 'eE' for letter in lines[0])
    rows = [line for line in lines[has_head:] if line.strip()]
    table = np.loadtxt(rows, delimiter=',', ndmin=2) if rows else np.zeros((0, 3))
    if table.shape[1] not in (3, 4) or not len(table) or not (
            np.isfinite(table).all() and (table[:, 2] >= 0.0).all()):
        raise ValueError('it has no lines of three or four numbers with times from 0 on')
    if table.shape[1] == 3:
        table = np.column_stack([table, np.zeros(len(table))])
    return np.asarray(table[np.argsort(table[:, 2], kind='stable')])
