# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Measurements as points and lines in the world."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Pose
from mvsim_ros2.pictures.overlays import colours_of
from mvsim_ros2.sensors.observations import Events, LaserScan2D, PointCloud, RangeSample, UwbRanges

Array = NDArray[np.float64]

SCAN: tuple[int, int, int] = (0, 160, 140)
CONE: tuple[int, int, int] = (200, 90, 200)
_HEIGHTS = 2.5  # m over which the colours by height run
_BRIGHTER, _DARKER = np.array([(214, 51, 60), (29, 95, 209)], np.uint8)
_CONE_SIDES = 24
_OPEN = 6.0  # m

# of classes of things, numbers of `Scene.LABELS`
_CLASSES = np.array([
    (120, 120, 120), (150, 120, 90), (110, 140, 190), (240, 140, 40), (60, 130, 230),
    (230, 60, 80), (140, 170, 90), (50, 160, 70), (180, 180, 60), (160, 90, 200)], np.uint8)


@dataclass(frozen=True, eq=False)
class Dots:
    """Points with colours."""

    points: NDArray[np.float32]  # (n, 3), in the frame of `pose` [m]
    colours: NDArray[np.uint8]  # (n, 3)


def scan_ends(scan: LaserScan2D) -> tuple[Array, NDArray[np.bool_]]:
    """
    Return the ends of the rays of a scan in its frame, and which of them met something.

    Rays that met nothing end at the largest range, those that met something too close at the
    sensor; shapes (n, 3) and (n,).
    """
    ranges = np.asarray(scan.ranges, float)
    hit = np.isfinite(ranges)
    reach = np.where(hit, ranges, np.where(ranges > 0, scan.range_max, 0.0))
    bearing = scan.angle_min + scan.angle_increment * np.arange(len(ranges))
    return reach[:, None] * np.stack(
        [np.cos(bearing), np.sin(bearing), np.zeros_like(bearing)], axis=1), hit


def scan_area(scan: LaserScan2D) -> tuple[NDArray[np.float32], NDArray[np.uint32]]:
    """
    Return the area that a scan has swept as corners (n, 3) and triangles (m, 3).

    Rays that met nothing end after `_OPEN` at the latest, since they would cover the ground.
    """
    ends, hit = scan_ends(scan)
    lengths = np.linalg.norm(ends, axis=1, keepdims=True)
    ends = np.where(hit[:, None], ends, ends * np.minimum(1.0, _OPEN / np.maximum(lengths, 1e-9)))
    first = np.arange(1, len(ends), dtype=np.uint32)
    triangles = np.stack([np.zeros_like(first), first, first + 1], axis=1)
    if abs(scan.angle_increment) * (len(ends) + 0.5) >= 2 * np.pi:
        triangles = np.vstack([triangles, [[0, len(ends), 1]]])
    return (np.vstack([np.zeros(3), ends]).astype(np.float32), triangles.astype(np.uint32))


def cloud_dots(cloud: PointCloud, colour: str, limit: int, pose: Pose) -> Dots:
    """
    Return at most `limit` points of a cloud, evenly taken.

    :param colour: what colours them, one of `choices.CLOUD_COLOURS`; a cloud that lacks it is
        coloured by height.
    :param pose: of its frame in the world, for heights.
    """
    table = cloud.points.ravel()
    fields = table.dtype.names or ()
    valid = np.flatnonzero(np.isfinite(table['x']))
    if len(valid) > limit:
        valid = valid[np.linspace(0, len(valid) - 1, limit).astype(np.int64)]
    table = table[valid]
    points = np.stack([table[axis] for axis in 'xyz'], axis=1).astype(np.float32)
    if colour == 'label' and 'label' in fields:
        return Dots(points, _CLASSES[table['label'].astype(np.int64) % len(_CLASSES)])
    if colour == 'plain':
        return Dots(points, np.tile(np.array(SCAN, np.uint8), (len(points), 1)))
    if colour == 'distance':
        value = np.linalg.norm(points, axis=1)
        return Dots(points, colours_of(value, 0.0))
    if colour in ('intensity', 'ring') and colour in fields:
        value = table[colour].astype(float)
        low, high = np.percentile(value, (2, 98)) if len(value) else (0.0, 1.0)
        return Dots(points, colours_of(value, low, high))
    if colour == 'height' and 'rgb' in fields:
        return Dots(points, _packed(table['rgb']))
    height = points @ pose.rotation[2].astype(np.float32)
    return Dots(points, colours_of(height, -0.5 * _HEIGHTS, 0.5 * _HEIGHTS))


def events_picture(seen: Events) -> NDArray[np.uint8]:
    """Return where the light changed, shape (height, width, 3): brighter red, darker blue."""
    picture = np.full((seen.info.height, seen.info.width, 3), 235, np.uint8)
    events = seen.events
    picture[events['y'], events['x']] = np.where(
        events['polarity'][:, None] > 0, _BRIGHTER, _DARKER)
    return picture


def uwb_lines(ranges: UwbRanges, at: NDArray[np.float64]) -> NDArray[np.float32]:
    """
    Return the measured distances as segments (n, 2, 3) from a tag towards its anchors.

    :param at: place of the tag in the world frame [m].
    """
    way = ranges.places - at
    way *= (ranges.ranges / np.maximum(np.linalg.norm(way, axis=1), 1e-9))[:, None]
    return np.stack([np.zeros_like(way), way], axis=1).astype(np.float32)


def range_cone(sample: RangeSample) -> NDArray[np.float32]:
    """Return the outline of the cone that a range was measured in as segments (n, 2, 3)."""
    distance = sample.distance if np.isfinite(sample.distance) else (
        sample.range_max if sample.distance > 0 else sample.range_min)
    turn = np.linspace(0.0, 2 * np.pi, _CONE_SIDES + 1)
    half = 0.5 * sample.field_of_view
    rim = distance * np.stack([np.full_like(turn, np.cos(half)), np.sin(half) * np.cos(turn),
                               np.sin(half) * np.sin(turn)], axis=1)
    edges = np.stack([np.zeros((4, 3)), rim[:-1:_CONE_SIDES // 4]], axis=1)
    return np.concatenate([np.stack([rim[:-1], rim[1:]], axis=1), edges]).astype(np.float32)


def _packed(rgb: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """Return the colours that point clouds keep in words of 32 bits, shape (n, 3)."""
    word = np.ascontiguousarray(rgb)
    return np.stack([word >> 16 & 255, word >> 8 & 255, word & 255], axis=1).astype(np.uint8)
