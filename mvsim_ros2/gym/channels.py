# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What an agent observes: arrays of a fixed size from sensors and odometry."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import singledispatch
import math
from typing import Any

from gymnasium.spaces import Box
import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import LearningError
from mvsim_ros2.sensors.observations import (
    CameraInfo, ContactSample, DepthImage, Image, ImuSample, LaserScan2D, Observation, PointCloud,
    RangeSample, RgbdImages)
from mvsim_ros2.simulation.handles import VehicleHandle
from mvsim_ros2.world.spec.sensors.base import SensorSpec
from mvsim_ros2.world.spec.sensors.lidar import Lidar3dSpec

_FARTHEST = 1000.0  # m; depths and odometry beyond are cut
_FASTEST = 100.0  # m/s, rad/s, m/s^2


@dataclass(frozen=True, eq=False)
class Channel:
    """One entry of the observation."""

    space: Box
    read: Callable[[Any], NDArray[Any]]  # of a measurement, in the shape of the space
    view: str = ''  # what it looks at: equal where the same entries mean the same


def odometry_space() -> Box:
    """Return the space of `odometry_of`."""
    high = np.array([_FARTHEST, _FARTHEST, 1.0, 1.0, *[_FASTEST] * 3], np.float32)
    return Box(-high, high, dtype=np.float32)


def odometry_of(vehicle: VehicleHandle) -> tuple[float, ...]:
    """Return x, y [m], cosine and sine of the heading, vx, vy [m/s], wz [rad/s], as measured."""
    odometry = vehicle.odometry
    x, y, yaw = odometry.pose
    return (x, y, math.cos(yaw), math.sin(yaw), *odometry.twist)


def channel_of(observation: Observation, spec: SensorSpec) -> Channel:
    """Return how a sensor is observed by a first measurement; raise where it cannot be."""
    if isinstance(observation, PointCloud) and isinstance(spec, Lidar3dSpec):
        return _cloud(observation, spec)
    return _channel_of(observation)


@singledispatch
def _channel_of(observation: Observation) -> Channel:
    raise LearningError(
        f'the sensor {observation.sensor} cannot be observed: {type(observation).__name__} is '
        'nothing that policies take; take a LiDAR, a camera, an IMU, a range finder or a bumper')


@_channel_of.register
def _scan(first: LaserScan2D) -> Channel:
    """Return ranges [m]; nothing met reads as the largest range."""
    space = Box(0.0, first.range_max, first.ranges.shape, np.float32)

    def read(seen: LaserScan2D) -> NDArray[np.float32]:
        ranges = np.nan_to_num(seen.ranges, nan=seen.range_max, posinf=seen.range_max)
        return np.clip(ranges, 0.0, seen.range_max)

    first_ray, last_ray = math.degrees(first.angle_min), math.degrees(first.angle_max)
    return Channel(space, read, f'rays from {first_ray:.6g} to {last_ray:.6g} deg')


def _cloud(first: PointCloud, spec: Lidar3dSpec) -> Channel:
    """Return distances of points [m], a row for each ring; nothing reads as the largest range."""
    if first.points.ndim != 2:
        raise LearningError(
            f'the sensor {first.sensor} cannot be observed: its clouds have as many points as it '
            'meets; set <organised>true</organised> for a point of each beam')

    def read(seen: PointCloud) -> NDArray[np.float32]:
        x, y, z = (seen.points[axis].astype(float) for axis in 'xyz')
        ranges = np.nan_to_num(np.sqrt(x * x + y * y + z * z), nan=spec.max_range)
        near: NDArray[np.float32] = np.clip(ranges, 0.0, spec.max_range).astype(np.float32)
        return near

    return Channel(Box(0.0, spec.max_range, first.points.shape, np.float32), read,
                   f'{spec.vert_nrays} rings from {math.degrees(spec.azimuth_min):.6g} to '
                   f'{math.degrees(spec.azimuth_max):.6g} deg')


@_channel_of.register
def _imu(first: ImuSample) -> Channel:
    """Return angular velocity [rad/s] and specific force [m/s^2]."""
    def read(seen: ImuSample) -> NDArray[np.float64]:
        return np.concatenate([seen.angular_velocity, seen.linear_acceleration]).clip(
            -_FASTEST, _FASTEST)

    return Channel(Box(-_FASTEST, _FASTEST, (6,), np.float32), read)


@_channel_of.register
def _image(first: Image) -> Channel:
    """Return the pixels, shape (height, width, 3) or (height, width)."""
    return Channel(Box(0, 255, first.pixels.shape, np.uint8), lambda seen: seen.pixels,
                   _lens(first.info))


@_channel_of.register
def _depth(first: DepthImage) -> Channel:
    """Return depths [m]; what has none reads as the farthest."""
    def read(seen: DepthImage) -> NDArray[np.float32]:
        depth = np.nan_to_num(seen.depth, nan=_FARTHEST, posinf=_FARTHEST)
        return np.clip(depth, 0.0, _FARTHEST)

    return Channel(Box(0.0, _FARTHEST, first.depth.shape, np.float32), read, _lens(first.info))


@_channel_of.register
def _colour_or_depth(first: RgbdImages) -> Channel:
    """Return pixels or depths, whichever it gives."""
    if first.depth is None and first.colour is not None:
        pixels = _image(first.colour)
        return Channel(pixels.space, lambda seen: pixels.read(seen.colour), pixels.view)
    if first.colour is None and first.depth is not None:
        depths = _depth(first.depth)
        return Channel(depths.space, lambda seen: depths.read(seen.depth), depths.view)
    raise LearningError(
        f'the sensor {first.sensor} gives colours and depths, but an observation is one array. '
        'Use one camera with <sense_rgb>false</sense_rgb> for depths, and another for colours')


@_channel_of.register
def _range(first: RangeSample) -> Channel:
    """Return the distance [m]; nothing met reads as the largest."""
    return Channel(Box(0.0, first.range_max, (1,), np.float32), lambda seen: np.nan_to_num(
        np.clip([seen.distance], 0.0, seen.range_max), nan=seen.range_max))


@_channel_of.register
def _contact(first: ContactSample) -> Channel:
    """Return 1 where it is pressed."""
    return Channel(Box(0.0, 1.0, (1,), np.float32),
                   lambda seen: np.array([seen.pressed], np.float32))


def _lens(info: CameraInfo) -> str:
    """Return in words where the pixels of a camera look."""
    (fx, _, cx), (_, fy, cy), _ = info.K.tolist()
    bent = ' '.join(f'{each:.6g}' for each in info.distortion.tolist())
    return (f'fx={fx:.6g} fy={fy:.6g} cx={cx:.6g} cy={cy:.6g} px, {info.distortion_model} '
            f'({bent})')
