# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Measurements in the browser: points and areas of LiDARs, cones, distances, images."""

from collections.abc import Callable, Iterable
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray
import viser

from mvsim_ros2.frames import Pose
from mvsim_ros2.pictures.overlays import colours_of
from mvsim_ros2.pictures.perspective import PosedObservation, scan_ends
from mvsim_ros2.sensors.observations import (
    DepthImage, Events, Image, LaserScan2D, Observation, PointCloud, RangeSample, RgbdImages,
    StereoImages, ThermalImage, UwbRanges)
from mvsim_ros2.window.choices import Choices
from mvsim_ros2.window.drawing.nodes import change, Nodes, RGB
from mvsim_ros2.window.frame import Frame

SCAN_POINT, CLOUD_POINT = 0.045, 0.035  # m; size of a point
_AREA_OPACITY = 0.16
_ANCHORS = 8.0  # m between places that points are drawn about
_POINT_BYTES, _CORNER_BYTES, _IMAGE_BYTES = 9, 12, 20_000

PoseOf = Callable[[PosedObservation], Pose | None]  # of the frame of a measurement in the world
Pictures = dict[str, NDArray[Any]]  # colour (h, w, 3) or depth (h, w) by name
BYTES_A_SECOND = 2_000_000  # 16 Mbit/s: what a line of 20 Mbit/s can carry in addition to the rest
_SAVED = 0.25  # s; allowance that is kept for later

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


class Budget:
    """An allowance of bytes that grows with time; who waited longest is served first."""

    def __init__(self, bytes_a_second: float = BYTES_A_SECOND,
                 clock: Callable[[], float] = time.monotonic) -> None:
        """Begin with a small allowance; the clock returns seconds."""
        self._rate = bytes_a_second
        self._left = _SAVED * bytes_a_second
        self._clock = clock
        self._now = clock()
        self._served: dict[str, float] = {}

    def in_turn(self, seen: Iterable[PosedObservation]) -> list[PosedObservation]:
        """Grow by the time that has passed; return measurements in the order of service."""
        now = self._clock()
        self._left = min(self._left + (now - self._now) * self._rate, _SAVED * self._rate)
        self._now = now
        return sorted(seen, key=lambda each: self._served.get(each.observation.sensor, 0.0))

    def take(self, sensor: str, size: int) -> bool:
        """Return whether `size` bytes of a sensor are to be sent now; a debt is paid back."""
        if self._left <= 0.0:
            return False
        self._left -= size
        self._served[sensor] = self._now
        return True


class Measured:
    """Draws the last measurement of each sensor where it was made."""

    def __init__(self, server: viser.ViserServer, choices: Choices, pose_of: PoseOf,
                 budget: Budget) -> None:
        self._scene = server.scene
        self._choices = choices
        self._pose_of = pose_of
        self._budget = budget
        self._nodes = Nodes(server)  # by sensor and what it is
        self._clouds: set[str] = set()
        self.pictures: Pictures = {}  # the last image of each camera

    def draw(self, frame: Frame) -> None:
        """Show what was measured since the frame before."""
        if frame.scene is not None:
            self._forget(frame)
        self._switch()
        for seen in self._budget.in_turn(frame.seen):
            self._show(seen.observation, seen)

    def _forget(self, frame: Frame) -> None:
        """Take away what sensors measured whose vehicles are gone."""
        for key in [key for key in self._nodes
                    if '/' in key[0] and key[0].rpartition('/')[0] not in frame.vehicles]:
            self._nodes.forget(key)
            self._clouds.discard(key[0])
        for name in [name for name in self.pictures
                     if '/' in name and name.partition('/')[0] not in frame.vehicles]:
            del self.pictures[name]

    def _switch(self) -> None:
        wanted = {'points': self._choices.scans, 'area': self._choices.scan_areas,
                  'cloud': self._choices.clouds, 'cone': self._choices.cones,
                  'ranges': self._choices.cones}
        for (_, what), node in self._nodes.items():
            change(node, visible=wanted[what])

    def _show(self, observation: Observation, seen: PosedObservation) -> None:
        if isinstance(observation, LaserScan2D):
            self._show_scan(observation, seen)
        elif isinstance(observation, PointCloud):
            self._show_cloud(observation, seen)
        elif isinstance(observation, RangeSample):
            self._show_cone(observation, seen)
        elif isinstance(observation, Image):
            self.pictures[observation.sensor] = observation.rgb
        elif isinstance(observation, DepthImage):
            self.pictures[f'{observation.sensor} depth'] = observation.depth
        elif isinstance(observation, ThermalImage):
            self.pictures[observation.sensor] = observation.temperature
        elif isinstance(observation, Events):
            self.pictures[observation.sensor] = events_picture(observation)
        elif isinstance(observation, UwbRanges):
            self._show_uwb(observation, seen)
        elif isinstance(observation, StereoImages):
            self.pictures[f'{observation.sensor} left'] = observation.left.rgb
            self.pictures[f'{observation.sensor} right'] = observation.right.rgb
        elif isinstance(observation, RgbdImages):
            for part in (observation.colour, observation.depth, observation.cloud):
                if part is not None:
                    self._show(part, PosedObservation(part, seen.carrier))

    def _show_scan(self, scan: LaserScan2D, seen: PosedObservation) -> None:
        choices = self._choices
        size = len(scan.ranges) * (_POINT_BYTES * choices.scans
                                   + _CORNER_BYTES * choices.scan_areas)
        pose = self._pose_of(seen)
        if pose is None or not size or not self._budget.take(scan.sensor, size):
            return
        if choices.scans:
            ends, hit = scan_ends(scan)
            self._points((scan.sensor, 'points'), ends[hit].astype(np.float32), SCAN,
                         SCAN_POINT, pose)
        if choices.scan_areas:
            corners, triangles = scan_area(scan)
            anchor, corners = _anchored(corners, pose)
            key = scan.sensor, 'area'
            node = self._nodes.get(key)
            if node is None or len(node.vertices) != len(corners):
                node = self._nodes[key] = self._scene.add_mesh_simple(
                    _name(key), corners, triangles, color=SCAN, opacity=_AREA_OPACITY,
                    side='double', flat_shading=True, cast_shadow=False, receive_shadow=False)
            else:
                node.vertices = corners
            node.position = anchor

    def _show_cloud(self, cloud: PointCloud, seen: PosedObservation) -> None:
        choices = self._choices
        if not choices.clouds:
            return
        self._clouds.add(cloud.sensor)
        limit = max(500, choices.cloud_points // len(self._clouds))
        pose = self._pose_of(seen)
        size = _POINT_BYTES * min(limit, cloud.points.size)
        if pose is None or not self._budget.take(cloud.sensor, size):
            return
        self._points((cloud.sensor, 'cloud'), *cloud_dots(
            cloud, choices.cloud_colour, limit, pose), CLOUD_POINT, pose)

    def _show_cone(self, sample: RangeSample, seen: PosedObservation) -> None:
        pose = self._pose_of(seen)
        if pose is None or not self._choices.cones or not self._budget.take(sample.sensor, 700):
            return
        anchor, segments = _anchored(range_cone(sample), pose)
        key = sample.sensor, 'cone'
        self._nodes.lines(key, _name(key), segments, CONE, position=anchor)

    def _show_uwb(self, ranges: UwbRanges, seen: PosedObservation) -> None:
        pose = self._pose_of(seen)
        size = 2 * _CORNER_BYTES * len(ranges.ranges)
        if pose is None or not self._choices.cones or not self._budget.take(ranges.sensor, size):
            return
        key, at = (ranges.sensor, 'ranges'), np.asarray(pose.position)
        lines = uwb_lines(ranges, at)
        if key in self._nodes and len(self._nodes[key].points) != len(lines):
            self._nodes.forget(key)
        if size:
            self._nodes.lines(key, _name(key), lines, CONE, position=at)

    def _points(self, key: tuple[str, str], points: NDArray[np.float32],
                colours: RGB | NDArray[np.uint8], size: float, pose: Pose) -> None:
        """Draw points; a node is kept where only their places change."""
        anchor, points = _anchored(points, pose)
        self._nodes.dots(key, _name(key), points, colours, size, 'float16')
        self._nodes[key].position = anchor


def _name(key: tuple[str, str]) -> str:
    sensor, what = key
    return f'/sensors/{sensor}/{what}'


def _anchored(points: NDArray[np.float32], pose: Pose) -> tuple[
        NDArray[np.float64], NDArray[np.float32]]:
    """
    Return a place near a pose, and points of its frame about that place in the world's axes.

    A browser that is slow moves a node before it has drawn its new points, so that old points
    would turn with the vehicle. The place changes seldom; it is near so that 16 bits suffice.
    """
    position = np.asarray(pose.position)
    anchor = _ANCHORS * np.round(position / _ANCHORS)
    return anchor, (points @ pose.rotation.T + (position - anchor)).astype(np.float32)


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


def cloud_dots(cloud: PointCloud, colour: str, limit: int, pose: Pose,
               ) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
    """
    Return at most `limit` points of a cloud in its frame, evenly taken, and their colours.

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
        return points, _CLASSES[table['label'].astype(np.int64) % len(_CLASSES)]
    if colour == 'plain':
        return points, np.tile(np.array(SCAN, np.uint8), (len(points), 1))
    if colour == 'distance':
        value = np.linalg.norm(points, axis=1)
        return points, colours_of(value, 0.0)
    if colour in ('intensity', 'ring') and colour in fields:
        value = table[colour].astype(float)
        low, high = np.percentile(value, (2, 98)) if len(value) else (0.0, 1.0)
        return points, colours_of(value, low, high)
    if colour == 'height' and 'rgb' in fields:
        return points, _packed(table['rgb'])
    height = points @ pose.rotation[2].astype(np.float32)
    return points, colours_of(height, -0.5 * _HEIGHTS, 0.5 * _HEIGHTS)


def events_picture(seen: Events) -> NDArray[np.uint8]:
    """Return where the light changed, shape (height, width, 3): brighter red, darker blue."""
    picture = np.full((seen.info.height, seen.info.width, 3), 235, np.uint8)
    events = seen.events
    picture[events['y'], events['x']] = np.where(
        events['polarity'][:, None] > 0, _BRIGHTER, _DARKER)
    return picture


def uwb_lines(ranges: UwbRanges, at: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return measured distances as segments (n, 2, 3) from the place of a tag to its anchors."""
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


def _packed(rgb: NDArray[Any]) -> NDArray[np.uint8]:
    """Return the colours that clouds keep in 32 bits, in bags as a float: shape (n, 3)."""
    word = np.ascontiguousarray(rgb).view(np.uint32)
    return np.stack([word >> 16 & 255, word >> 8 & 255, word & 255], axis=1).astype(np.uint8)
