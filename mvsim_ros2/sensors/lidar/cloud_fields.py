# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Layouts of point clouds: which field lies where in a point.

Points are rows of words of four bytes, so that a kernel writes any layout. Names, types and units
of the fields are those of the drivers: https://github.com/ros-drivers/velodyne,
https://github.com/ouster-lidar/ouster-ros, https://github.com/HesaiTechnology/HesaiLidar_ROS_2.0,
https://github.com/RoboSense-LiDAR/rslidar_sdk, https://github.com/Livox-SDK/livox_ros_driver2, and
of MVSim. Layouts of Hesai (`ToRosMsg`), RoboSense (`toRosMsg`, from 1.5 on; earlier ones have the
gaps of PCL) and Livox (`LivoxPointXyzrtlt`) have 26 bytes a point without gaps. They do not
consist of words, so points are made as for Velodyne, and copied.
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
    daylight: bool = False  # whether points have the light of the sun and of the sky

    @property
    def size(self) -> int:
        """Return the number of words of a point."""
        return self.dtype.itemsize // 4


LAYOUTS = ('velodyne', 'ouster', 'hesai', 'robosense', 'livox', 'mvsim')
_RINGS: _Fields = [*_XYZ, ('intensity', _F4, 12), ('ring', _U2, 16), ('timestamp', '<f8', 18)]
_DRIVERS: dict[str, tuple[_Fields, float]] = {  # fields; units of the time stamp in a second
    'hesai': (_RINGS, 1.0), 'robosense': (_RINGS, 1.0),
    'livox': ([*_XYZ, ('intensity', _F4, 12), ('tag', '|u1', 16), ('line', '|u1', 17),
               ('timestamp', '<f8', 18)], 1e9)}


def cloud_layout(name: str, with_time: bool, with_labels: bool) -> Layout:
    """
    Return a layout.

    ============ ====================================================================
    velodyne     x y z intensity ring time: intensity 0 to 255, time in seconds
    ouster       x y z intensity t reflectivity ring ambient range: t in nanoseconds,
                 reflectivity 0 to 255, range in millimetres, ambient see `daylight`
    mvsim        x y z intensity t ring: intensity 0 to 1, t in seconds
    others       as velodyne, for `as_driver`
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
    elif name != 'mvsim':
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
    return Layout(_structure(fields, end), table, scale, name == 'ouster')


def as_driver(name: str, points: NDArray[np.void], stamp_ns: int) -> NDArray[np.void]:
    """
    Return points with the fields of a driver.

    ============ ====================================================================
    hesai        x y z intensity ring timestamp: intensity 0 to 255, absolute seconds
    robosense    the same
    livox        x y z intensity tag line timestamp: intensity 0 to 255, tag 0,
                 absolute nanoseconds
    ============ ====================================================================

    :param name: one of `LAYOUTS`.
    :param points: as `cloud_layout` has them.
    :param stamp_ns: time of the cloud.
    :returns: the same array if it has the fields of the driver.
    """
    if name not in _DRIVERS:
        return points
    fields, units = _DRIVERS[name]
    size, names = 26, points.dtype.names or ()
    if 'label' in names:
        fields, size = [*fields, ('label', _U2, 26), ('instance', _U2, 28)], 30
    made = np.zeros(points.shape, _structure(fields, size))
    for field in made.dtype.names or ():
        if field in names:
            made[field] = points[field]
    if name == 'livox':
        made['line'] = points['ring']
    after = points['time'].astype(float) if 'time' in names else 0.0
    made['timestamp'] = units * (1e-9 * stamp_ns + after)
    return made


def range_layout() -> Layout:
    """Return the layout of a planar scan: ranges and intensities."""
    table = np.full(ENTRIES, -1, np.int64)
    table[RANGE], table[INTENSITY] = 0, 1
    return Layout(_structure([('range', _F4, 0), ('intensity', _F4, 4)], 8), table, 1.0)


def _structure(fields: _Fields, size: int) -> np.dtype[np.void]:
    names, formats, offsets = zip(*fields, strict=True)
    return np.dtype({'names': list(names), 'formats': list(formats), 'offsets': list(offsets),
                     'itemsize': size})
