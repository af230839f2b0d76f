# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Fields of view of sensors as lines."""

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.world.spec.sensors.base import SensorSpec
from mvsim_ros2.world.spec.sensors.camera import CameraSpec, RgbdCameraSpec
from mvsim_ros2.world.spec.sensors.lidar import LaserSpec, Lidar3dSpec
from mvsim_ros2.world.spec.sensors.range_finder import RadarSpec, RangeFinderSpec
from mvsim_ros2.world.spec.sensors.special_cameras import PinholeSpec

Array = NDArray[np.float64]

_LENGTH = 1.5  # m; how far the lines go
_STEPS = 24  # of an arc


def field_of_view(sensor: SensorSpec) -> NDArray[np.float32] | None:
    """
    Return the outline of what a sensor sees as segments in its frame, shape (n, 2, 3) [m].

    None for sensors that do not look anywhere.
    """
    if isinstance(sensor, (CameraSpec, PinholeSpec)):
        lines = _in_optical_frame(_pyramid(
            sensor.ncols, sensor.nrows, sensor.cx, sensor.cy, sensor.fx, sensor.fy))
    elif isinstance(sensor, RgbdCameraSpec):
        lines = _pyramid(sensor.rgb_ncols, sensor.rgb_nrows, sensor.rgb_cx, sensor.rgb_cy,
                         sensor.rgb_fx, sensor.rgb_fy)
    elif isinstance(sensor, LaserSpec):
        first = sensor.angles[0]
        lines = _fan(first, first + sensor.fov, 0.0, min(_LENGTH, sensor.max_range))
    elif isinstance(sensor, Lidar3dSpec):
        half = 0.5 * sensor.vert_fov
        angles = sensor.vertical_ray_angles or (-half, half)
        lines = np.concatenate([
            _fan(sensor.azimuth_min, sensor.azimuth_max, angle, min(_LENGTH, sensor.max_range))
            for angle in (min(angles), max(angles))])
    elif isinstance(sensor, RadarSpec):
        lines = np.concatenate([
            _fan(-0.5 * sensor.fov, 0.5 * sensor.fov, angle, min(_LENGTH, sensor.max_range))
            for angle in (-0.5 * sensor.vert_fov, 0.5 * sensor.vert_fov)])
    elif isinstance(sensor, RangeFinderSpec):
        half = 0.5 * sensor.fov
        lines = _fan(-half, half, 0.0, min(_LENGTH, sensor.max_range))
    else:
        return None
    return np.asarray(lines, np.float32)


def _pyramid(columns: int, rows: int, cx: float, cy: float, fx: float, fy: float) -> Array:
    """Return the edges of what a camera sees: it looks along x, y is left, z is up."""
    corners = np.array([(1.0, (cx - u) / fx, (cy - v) / fy)
                        for u, v in ((0, 0), (columns, 0), (columns, rows), (0, rows))])
    corners *= _LENGTH / np.linalg.norm(corners, axis=1).max()
    rays = np.stack([np.zeros((4, 3)), corners], axis=1)
    return np.concatenate([rays, np.stack([corners, np.roll(corners, -1, axis=0)], axis=1)])


def _in_optical_frame(lines: Array) -> Array:
    """Return lines of a frame with x forward in that with z forward and x to the right."""
    return np.stack([-lines[..., 1], -lines[..., 2], lines[..., 0]], axis=-1)


def _fan(low: float, high: float, elevation: float, reach: float) -> Array:
    """Return the arc between two bearings, and the rays to its ends where it is no circle."""
    bearing = np.linspace(low, high, _STEPS + 1)
    arc = reach * np.stack([
        np.cos(elevation) * np.cos(bearing), np.cos(elevation) * np.sin(bearing),
        np.full_like(bearing, np.sin(elevation))], axis=1)
    lines = np.stack([arc[:-1], arc[1:]], axis=1)
    if high - low > 2 * np.pi - 1e-6:
        return lines
    return np.concatenate([lines, np.stack([np.zeros((2, 3)), arc[[0, -1]]], axis=1)])
