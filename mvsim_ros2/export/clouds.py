# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Points of a LiDAR, and the motion during a scan taken out of them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.export.bag_source import stamp_ns
from mvsim_ros2.export.trajectory_track import Motion

Array = NDArray[np.float64]

TYPES = {1: 'i1', 2: 'u1', 3: 'i2', 4: 'u2', 5: 'i4', 6: 'u4', 7: 'f4', 8: 'f8'}


def points_of(message: Any) -> NDArray[np.void]:
    """Return the finite points of a PointCloud2, with its fields."""
    kind = np.dtype({
        'names': [field.name for field in message.fields],
        'formats': [('>' if message.is_bigendian else '<') + TYPES[field.datatype]
                    for field in message.fields],
        'offsets': [field.offset for field in message.fields],
        'itemsize': message.point_step})
    rows = np.frombuffer(message.data, np.uint8).reshape(message.height, message.row_step)
    points: NDArray[np.void] = np.frombuffer(
        rows[:, :message.width * message.point_step].tobytes(), kind)
    finite = np.isfinite(points['x']) & np.isfinite(points['y']) & np.isfinite(points['z'])
    kept: NDArray[np.void] = points[finite]
    return kept


def times_of(points: NDArray[np.void], message: Any) -> NDArray[np.int64]:
    """Return when each point was measured [ns]; all at the stamp where no field says it."""
    start = stamp_ns(message)
    names = points.dtype.names or ()
    if 'time' in names:
        return start + np.rint(points['time'].astype(float) * 1e9).astype(np.int64)
    if 't' in names:
        return start + points['t'].astype(np.int64)
    return np.full(len(points), start)


def standing(message: Any, motion: Motion, on_base: Array, at_ns: int) -> Array:
    """
    Return the points as a LiDAR that stood still would have measured them at a time.

    :param motion: of the vehicle.
    :param on_base: pose of the LiDAR on it.
    :returns: x, y, z in the frame of the LiDAR at that time [m], and intensity, shape (n, 4).
    """
    points = points_of(message)
    place = np.stack([points[axis].astype(float) for axis in 'xyz'], axis=1)
    times, which = np.unique(times_of(points, message), return_inverse=True)
    then = motion.at(times) @ on_base
    now = motion.at([at_ns])[0] @ on_base
    moved = np.linalg.inv(now) @ then
    place = np.einsum('nij,nj->ni', moved[which, :3, :3], place) + moved[which, :3, 3]
    names = points.dtype.names or ()
    shine = points['intensity'] if 'intensity' in names else np.zeros(len(points))
    return np.column_stack([place, shine])
