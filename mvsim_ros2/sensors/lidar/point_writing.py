# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Echoes of LiDARs in three dimensions, written as points."""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.sensors.lidar import cloud_fields as entry, returns as echo, scan_pattern as beam
from mvsim_ros2.sensors.lidar.beam_sending import together
from mvsim_ros2.sensors.lidar.returns import Returns
from mvsim_ros2.sensors.lidar.scan_pattern import Beams
from mvsim_ros2.sensors.lidar.scan_room import Room


@compiled(inner=True, counted=False)
def write_points(
        beams: Beams, echoes: Returns, room: Room, first: int, last: int, organised: bool,
        entries: NDArray[np.int64], written: int, reals: NDArray[np.float32],
        words: NDArray[np.uint32]) -> int:
    """Write points of the columns from `first` to `last`, and return how many."""
    made, rings, abreast = room.made, beams.rings, together(beams.rings)
    columns, vectors, step = beams.columns, beams.vectors, beams.step
    origins, delays = beams.origins, beams.delays
    xyz, intensity = entries[entry.XYZ], entries[entry.INTENSITY]
    seconds, nanoseconds = entries[entry.SECONDS], entries[entry.NANOSECONDS]
    ring_at, mixed = entries[entry.RING], entries[entry.REFLECTIVITY_RING]
    millimetres, labels = entries[entry.MILLIMETRES], entries[entry.LABELS]
    range_at, blank_1, blank_2 = (
        entries[entry.RANGE], entries[entry.BLANK_1], entries[entry.BLANK_2])
    returns = echoes.turns
    row = written
    for begin in range(first, last, abreast):
        width = min(abreast, last - begin)
        # organised in the order of the memory, else in that of the measurement
        for outer in range(rings if organised else width):
            for inner in range(width if organised else rings):
                ring, lane = (outer, inner) if organised else (inner, outer)
                n, column = (begin - first) * rings + ring * width + lane, begin + lane
                for turn in range(returns):
                    value = made[turn, n, echo.RANGE]
                    met = -math.inf < value < math.inf
                    if organised:
                        row = (turn * rings + ring) * columns.shape[0] + column
                    elif not met:
                        continue
                    strength = made[turn, n, echo.STRENGTH]
                    if xyz >= 0:
                        length = value if met else math.nan
                        at = column * step + ring
                        x = origins[ring, 0] + length * vectors[at, 0]
                        y = origins[ring, 1] + length * vectors[at, 1]
                        c, s = columns[column, beam.COSINE], columns[column, beam.SINE]
                        reals[row, xyz] = c * x - s * y
                        reals[row, xyz + 1] = s * x + c * y
                        reals[row, xyz + 2] = origins[ring, 2] + length * vectors[at, 2]
                    if intensity >= 0:
                        reals[row, intensity] = echoes.scale * strength
                    if seconds >= 0:
                        reals[row, seconds] = columns[column, beam.TIME] + delays[ring]
                    if nanoseconds >= 0:
                        words[row, nanoseconds] = int(
                            1e9 * (columns[column, beam.TIME] + delays[ring]) + 0.5)
                    if ring_at >= 0:
                        words[row, ring_at] = ring
                    if mixed >= 0:
                        words[row, mixed] = int(min(strength, 1.0) * 255.0 + 0.5) + (ring << 16)
                    if millimetres >= 0:
                        # from the axis of rotation, as Ouster counts
                        off = math.sqrt(origins[ring, 0] ** 2 + origins[ring, 1] ** 2)
                        words[row, millimetres] = int(
                            1000.0 * (value + off) + 0.5) if met else 0
                    if labels >= 0:
                        words[row, labels] = int(made[turn, n, echo.LABEL])
                    if range_at >= 0:
                        reals[row, range_at] = value
                    if blank_1 >= 0:
                        words[row, blank_1] = 0
                    if blank_2 >= 0:
                        words[row, blank_2] = 0
                    row += 1
    if organised:
        return (last - first) * rings
    return row - written
