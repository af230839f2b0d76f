# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Measurements in the browser: points and areas of LiDARs, cones, images."""

from collections.abc import Callable, Iterable
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray
import viser

from mvsim_ros2.frames import Pose
from mvsim_ros2.pictures.perspective import PosedObservation
from mvsim_ros2.sensors.observations import (
    DepthImage, Events, Image, LaserScan2D, Observation, PointCloud, RangeSample, RgbdImages,
    StereoImages, ThermalImage, UwbRanges)
from mvsim_ros2.window.choices import Choices
from mvsim_ros2.window.drawing.nodes import change, Nodes, RGB
from mvsim_ros2.window.drawing.scans import (
    cloud_dots, CONE, events_picture, range_cone, SCAN, scan_area, scan_ends, uwb_lines)
from mvsim_ros2.window.frame import Frame

SCAN_POINT, CLOUD_POINT = 0.045, 0.035  # m; size of a point
_AREA_OPACITY = 0.16
_ANCHORS = 8.0  # m between places that points are drawn about
_POINT_BYTES, _CORNER_BYTES, _IMAGE_BYTES = 9, 12, 20_000

PoseOf = Callable[[PosedObservation], Pose | None]  # of the frame of a measurement in the world
Pictures = dict[str, NDArray[Any]]  # colour (h, w, 3) or depth (h, w) by name
BYTES_A_SECOND = 2_000_000  # 16 Mbit/s: what a line of 20 Mbit/s bears beside the rest
_SAVED = 0.25  # s; allowance that is kept for later


class Budget:
    """An allowance of bytes that grows with time; who waited longest is served first."""

    def __init__(self, bytes_a_second: float = BYTES_A_SECOND,
                 clock: Callable[[], float] = time.monotonic) -> None:
        """
        Begin with a small allowance.

        :param clock: returns the time [s].
        """
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
        dots = cloud_dots(cloud, choices.cloud_colour, limit, pose)
        self._points((cloud.sensor, 'cloud'), dots.points, dots.colours, CLOUD_POINT, pose)

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

    :param points: shape (..., 3) [m].
    """
    position = np.asarray(pose.position)
    anchor = _ANCHORS * np.round(position / _ANCHORS)
    return anchor, (points @ pose.rotation.T + (position - anchor)).astype(np.float32)
