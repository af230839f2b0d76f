# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Layouts of point clouds: which field lies where in a point.

Points are rows of words of four bytes, so that a kernel writes any layout. Names, types and
units of the fields are those of the drivers: https://github.com/ros-drivers/velodyne and
https://github.com/ouster-lidar/ouster-ros, and of MVSim.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# what a kernel can write: entries of `Layout.words`
XYZ, INTENSITY, SECONDS, NANOSECONDS, RING, REFLECTIVITY_RING, MILLIMETRES, LABELS = range(8)
RANGE, BLANK_1, BLANK_2 = 8, 9, 10
ENTRIES = 11

_F4, _U4, _U2 = '<f4', '<u4', '<u2'
_Fields = list[tuple[str, str, int]]  # name, type, offset [bytes]
_XYZ: _Fields = [('x', _F4, 0), ('y', _F4, 4), ('z', _F4, 8)]


@dataclass(frozen=True, eq=False)
class Layout:
    """Where the fields of a point lie."""

    dtype: np.dtype[np.void]
    words: NDArray[np.int64]  # (ENTRIES,): number of the word that holds an entry, -1: none
    intensity_scale: float  # intensity of a white surface that faces the sensor, close by

    @property
    def size(self) -> int:
        """Return the number of words of a point."""
        return self.dtype.itemsize // 4


LAYOUTS = ('velodyne', 'ouster', 'mvsim')


def cloud_layout(name: str, with_time: bool, with_labels: bool) -> Layout:
    """
    Return a layout.

    ============ ====================================================================
    velodyne     x y z intensity ring time: intensity 0 to 255, time in seconds
    ouster       x y z intensity t reflectivity ring ambient range: t in nanoseconds,
                 reflectivity 0 to 255, range in millimetres
    mvsim        x y z intensity t ring: intensity 0 to 1, t in seconds
    ============ ====================================================================

    :param name: one of `LAYOUTS`.
    :param with_time: whether points have a time of their own, after the stamp of the cloud.
    :param with_labels: whether the fields `label` and `instance` are added.
    """
    words = {XYZ: 0}
    if name == 'ouster':
        fields = [*_XYZ, ('intensity', _F4, 16), ('t', _U4, 20), ('reflectivity', _U2, 24),
                  ('ring', _U2, 26), ('ambient', _U2, 28), ('range', _U4, 32)]
        words |= {BLANK_1: 3, INTENSITY: 4, REFLECTIVITY_RING: 6, BLANK_2: 7,
                  MILLIMETRES: 8}
        time, end, scale = (NANOSECONDS, 't', 5), 36, 255.0
    elif name == 'velodyne':
        fields = [*_XYZ, ('intensity', _F4, 12), ('ring', _U2, 16), ('time', _F4, 20)]
        words |= {INTENSITY: 3, RING: 4}
        time, end, scale = (SECONDS, 'time', 5), 24, 255.0
    else:
        fields = [*_XYZ, ('intensity', _F4, 12), ('t', _F4, 16), ('ring', _U2, 20)]
        words |= {INTENSITY: 3, RING: 5}
        time, end, scale = (SECONDS, 't', 4), 24, 1.0
    entry, time_name, word = time
    if with_time:
        words[entry] = word
    else:
        fields = [field for field in fields if field[0] != time_name]
        words[BLANK_2 if name != 'ouster' else NANOSECONDS] = word
    if with_labels:
        fields += [('label', _U2, end), ('instance', _U2, end + 2)]
        words[LABELS] = end // 4
        end += 4
    table = np.full(ENTRIES, -1, np.int64)
    table[list(words)] = list(words.values())
    return Layout(_structure(fields, end), table, scale)


def range_layout() -> Layout:
    """Return the layout of a planar scan: ranges and intensities."""
    table = np.full(ENTRIES, -1, np.int64)
    table[RANGE], table[INTENSITY] = 0, 1
    return Layout(_structure([('range', _F4, 0), ('intensity', _F4, 4)], 8), table, 1.0)


def _structure(fields: _Fields, size: int) -> np.dtype[np.void]:
    names, formats, offsets = zip(*fields, strict=True)
    return np.dtype({'names': list(names), 'formats': list(formats), 'offsets': list(offsets),
                     'itemsize': size})
