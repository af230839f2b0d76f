# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Images and point clouds of a bag as arrays; motion compensation of scans."""

from collections.abc import Mapping
import logging
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import ConversionError
from mvsim_ros2.frames import Array
from mvsim_ros2.recording.export.bag_source import Camera, stamp_ns
from mvsim_ros2.recording.export.trajectory import Trajectory


_LOG = logging.getLogger(__name__)

ENCODINGS: Mapping[str, tuple[str, int]] = {  # of images: number type and channels
    'rgb8': ('u1', 3), 'bgr8': ('u1', 3), 'mono8': ('u1', 1), 'mono16': ('u2', 1),
    '16UC1': ('u2', 1), '32FC1': ('f4', 1)}
TYPES = {1: 'i1', 2: 'u1', 3: 'i2', 4: 'u2', 5: 'i4', 6: 'u4', 7: 'f4', 8: 'f8'}  # of PointField


def pixels(message: Any) -> NDArray[np.generic]:
    """Return the pixels of an Image: (rows, columns) or (rows, columns, 3), red first."""
    if message.encoding not in ENCODINGS:
        raise ConversionError(f'images of encoding {message.encoding!r} cannot be converted')
    kind, channels = ENCODINGS[message.encoding]
    data = _rows(message, np.dtype(kind).newbyteorder(
        '>' if message.is_bigendian else '<'), channels, message.step).astype(kind)
    image = data.reshape((message.height, message.width, 3)[:2 + (channels == 3)])
    return image[..., ::-1] if message.encoding == 'bgr8' else image


def save_image(message: Any, path: Path) -> None:
    """Write an Image as PNG."""
    from PIL import Image

    Image.fromarray(np.ascontiguousarray(pixels(message))).save(path, compress_level=1)


def points_of(message: Any) -> NDArray[np.void]:
    """Return the finite points of a PointCloud2, with its fields."""
    kind = np.dtype({
        'names': [field.name for field in message.fields],
        'formats': [('>' if message.is_bigendian else '<') + TYPES[field.datatype]
                    for field in message.fields],
        'offsets': [field.offset for field in message.fields],
        'itemsize': message.point_step})
    points: NDArray[np.void] = _rows(message, kind, 1, message.row_step)
    finite = np.isfinite(points['x']) & np.isfinite(points['y']) & np.isfinite(points['z'])
    kept: NDArray[np.void] = points[finite]
    return kept


def _rows(message: Any, kind: np.dtype[Any], count: int, step: int) -> NDArray[Any]:
    """Return the items of all rows, each so many bytes after the last, without the rest."""
    rows = np.frombuffer(message.data, np.uint8).reshape(message.height, step)
    return np.frombuffer(rows[:, :message.width * kind.itemsize * count].tobytes(), kind)


def warn_of_lens(camera: Camera, form: str) -> None:
    """Warn of a camera with distortion, for which a format has no place."""
    if any(camera.info.d):
        _LOG.warning('%s has a lens with distortion, which %s cannot describe: the images are '
                     'written as they are', camera.name, form)


def half_period(times: NDArray[np.int64]) -> float:
    """Return half of the time between two measurements [ns]; 50 ms where there is only one."""
    return 0.5 * float(np.median(np.diff(times))) if len(times) > 1 else 5e7


def times_of(points: NDArray[np.void], message: Any) -> NDArray[np.int64]:
    """Return the time of each point [ns]; the stamp where there is no field for it."""
    start = stamp_ns(message)
    names = points.dtype.names or ()
    if 'time' in names:
        return start + np.rint(points['time'].astype(float) * 1e9).astype(np.int64)
    if 't' in names:
        return start + points['t'].astype(np.int64)
    return np.full(len(points), start)


def motion_compensated(message: Any, motion: Trajectory, on_base: Array, at_ns: int) -> Array:
    """Return x, y, z [m] and intensity of a scan at a time on the LiDAR, (n, 4)."""
    points = points_of(message)
    positions = np.stack([points[axis].astype(float) for axis in 'xyz'], axis=1)
    times, which = np.unique(times_of(points, message), return_inverse=True)
    then = motion.at(times) @ on_base
    now = motion.at([at_ns])[0] @ on_base
    moved = np.linalg.inv(now) @ then
    positions = np.einsum('nij,nj->ni', moved[which, :3, :3], positions) + moved[which, :3, 3]
    names = points.dtype.names or ()
    intensity = points['intensity'] if 'intensity' in names else np.zeros(len(points))
    return np.column_stack([positions, intensity])
