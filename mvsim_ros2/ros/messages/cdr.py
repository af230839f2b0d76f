# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Bytes of frequent messages (CDR, little-endian), written in place.

A message of ROS in Python is built of objects, one for each point and rotation, which are
converted before they are sent. The texts in the messages here do not change, so all numbers stay
at the same offsets, and the rest is kept. The bytes are those that ROS makes of the same message.
"""

from collections.abc import Sequence
from functools import lru_cache
from struct import Struct

import numpy as np

from mvsim_ros2.frames import Array
from mvsim_ros2.ros.messages.message_types import MessageTypes
from mvsim_ros2.sensors.observations import ImuSample, LaserScan2D

_HEAD = b'\x00\x01\x00\x00'  # little-endian CDR
_STAMP, _COUNT, _SCAN = Struct('<iI'), Struct('<I'), Struct('<7f')
_POSE_SIZE = 7 * 8
_DOUBLE = np.dtype('<f8')


class Layout:
    """The bytes of a message, and the places of what changes in them."""

    def __init__(self) -> None:
        self.data = bytearray(_HEAD)

    def reserve(self, count: int, size: int) -> int:
        """Add `count` zeros of `size` bytes each, aligned; return their place."""
        self.data += bytes(-(len(self.data) - len(_HEAD)) % size)
        place = len(self.data)
        self.data += bytes(count * size)
        return place

    def text(self, text: str) -> None:
        """Add a text."""
        coded = text.encode() + b'\0'
        _COUNT.pack_into(self.data, self.reserve(1, 4), len(coded))
        self.data += coded

    def header(self, frame_id: str) -> int:
        """Add a header; return the place of its stamp."""
        place = self.reserve(2, 4)
        self.text(frame_id)
        return place


class OdometryBytes:
    """A nav_msgs/Odometry between two frames."""

    def __init__(self, frame_id: str, child_frame_id: str) -> None:
        layout = Layout()
        self._stamp = layout.header(frame_id)
        layout.text(child_frame_id)
        self._numbers = layout.reserve(7 + 36 + 6 + 36, 8)
        self._data = layout.data

    def of(self, stamp_ns: int, numbers: memoryview) -> bytes:
        """Return the bytes."""
        _STAMP.pack_into(self._data, self._stamp, *divmod(stamp_ns, 1_000_000_000))
        self._data[self._numbers:] = numbers
        return bytes(self._data)


class TransformsBytes:
    """A tf2_msgs/TFMessage with transforms between the same frames."""

    def __init__(self, frames: Sequence[tuple[str, str]]) -> None:
        layout = Layout()
        _COUNT.pack_into(layout.data, layout.reserve(1, 4), len(frames))
        self._places = []
        for parent, child in frames:
            stamp = layout.header(parent)
            layout.text(child)
            self._places.append((stamp, layout.reserve(7, 8)))
        self._data = layout.data

    def of(self, stamp_ns: int, poses: Sequence[bytes | memoryview]) -> bytes:
        """Return the bytes."""
        data = self._data
        second, rest = divmod(stamp_ns, 1_000_000_000)
        for (stamp, place), pose in zip(self._places, poses, strict=True):
            _STAMP.pack_into(data, stamp, second, rest)
            data[place:place + _POSE_SIZE] = pose
        return bytes(data)


_CLOCK = Struct('<4siI')


def clock_bytes(stamp_ns: int) -> bytes:
    """Return a time as its rosgraph_msgs/Clock."""
    return _CLOCK.pack(_HEAD, *divmod(stamp_ns, 1_000_000_000))


@lru_cache(maxsize=4096)
def _sample_layout(frame_id: str, count: int, size: int) -> tuple[bytearray, int, int]:
    """Return a message of a header and numbers, the places of its stamp and of the numbers."""
    layout = Layout()
    return layout.data, layout.header(frame_id), layout.reserve(count, size)


def laser_scan(_: MessageTypes, scan: LaserScan2D, frame_id: str) -> bytes:
    """Return a planar scan as its sensor_msgs/LaserScan, stamped with the start of the scan."""
    if scan.ranges.dtype != np.float32:
        raise TypeError(f'{scan.ranges.dtype} values for a field of float32')
    data, stamp, place = _sample_layout(frame_id, 7, 4)
    _STAMP.pack_into(data, stamp, *divmod(scan.stamp_ns, 1_000_000_000))
    _SCAN.pack_into(data, place, scan.angle_min, scan.angle_max, scan.angle_increment,
                    scan.time_increment, scan.scan_time, scan.range_min, scan.range_max)
    echoes = b'' if scan.intensities is None else scan.intensities.astype('<f4').tobytes()
    return b''.join((data, _COUNT.pack(len(scan.ranges)), scan.ranges.astype('<f4').tobytes(),
                     _COUNT.pack(len(echoes) // 4), echoes))


def imu(_: MessageTypes, sample: ImuSample, frame_id: str) -> bytes:
    """Return a sample as sensor_msgs/Imu; a missing orientation is marked (REP-145)."""
    data, stamp, place = _sample_layout(frame_id, 4 + 9 + 3 + 9 + 3 + 9, 8)
    _STAMP.pack_into(data, stamp, *divmod(sample.stamp_ns, 1_000_000_000))
    parts: tuple[Array, ...] = (
        (_LEVEL, _NO_ORIENTATION) if sample.orientation is None
        else (sample.orientation, sample.orientation_covariance))
    data[place:] = b''.join(part.astype(_DOUBLE).tobytes() for part in (
        *parts, sample.angular_velocity, sample.angular_velocity_covariance,
        sample.linear_acceleration, sample.linear_acceleration_covariance))
    return bytes(data)


_LEVEL = np.array([0.0, 0.0, 0.0, 1.0])
_NO_ORIENTATION = np.array([-1.0, *8 * [0.0]])
