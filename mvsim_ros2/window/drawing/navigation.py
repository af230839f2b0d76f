# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Where vehicles believe to be: outlines by odometry, fixes of satellite receivers."""

from collections import deque
import math

import numpy as np
from numpy.typing import NDArray
import viser

from mvsim_ros2.frames import Pose
from mvsim_ros2.sensors.navigation.georeference import Georeference
from mvsim_ros2.sensors.observations import GnssFix
from mvsim_ros2.window.choices import Choices
from mvsim_ros2.window.drawing.marks import BELIEVED, GNSS
from mvsim_ros2.window.drawing.nodes import Nodes, Places, show
from mvsim_ros2.window.frame import Frame, VehicleState
from mvsim_ros2.world.spec.shapes.body_outlines import vehicle_footprint
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec
from mvsim_ros2.world.spec.view import GeoreferenceSpec
from mvsim_ros2.world.spec.world import WorldSpec

Array = NDArray[np.float64]

_KEPT = 300  # fixes of a receiver
_DOT = 0.09  # m
_SIDES = 32  # of the ring around a fix
_SIGMAS = 2.0  # radius of that ring, in standard deviations of the horizontal position
_LIFT = 0.04  # m of outlines above the ground
_STEP = 1e-3  # m, rad; smaller motions of an outline are not sent


class Navigation:
    """Draws marks of odometry and of satellite receivers."""

    def __init__(self, server: viser.ViserServer, world: WorldSpec, choices: Choices) -> None:
        self._choices = choices
        # as the receivers, which warn of it
        self._earth = Georeference(world.georeference or GeoreferenceSpec(
            latitude=0.0, longitude=0.0))
        self._fixes: dict[str, deque[Array]] = {}
        self._dots, self._rings, self._outlines = Nodes(server), Nodes(server), Nodes(server)
        self._places = Places(_STEP)
        self._time = -1.0

    def draw(self, frame: Frame) -> None:
        """Show a frame."""
        if frame.time < self._time:
            self._forget()
        self._time = frame.time
        latest = {}
        for seen in frame.seen:
            fix = seen.observation
            if isinstance(fix, GnssFix) and math.isfinite(fix.latitude):
                latest[fix.sensor] = fix
        for sensor, fix in latest.items():
            self._add_fix(sensor, fix)
        for nodes in (self._dots, self._rings):
            show(nodes.values(), self._choices.gnss)
        for name in self._outlines.keys() - frame.vehicles.keys():
            self._outlines.forget(name)
            self._places.forget(name)
        for name, vehicle in frame.vehicles.items():
            self._place_outline(name, vehicle)
        show(self._outlines.values(), self._choices.believed_paths)

    def _add_fix(self, sensor: str, fix: GnssFix) -> None:
        place = self._earth.place(
            math.radians(fix.latitude), math.radians(fix.longitude), fix.altitude)
        fixes = self._fixes.setdefault(sensor, deque(maxlen=_KEPT))
        fixes.append(place)
        points = np.array(fixes, np.float32)
        ring = place + _ring(_SIGMAS * math.sqrt(max(0.0, 0.5 * float(
            fix.covariance[0, 0] + fix.covariance[1, 1]))))
        segments = np.stack([ring, np.roll(ring, -1, axis=0)], axis=1).astype(np.float32)
        self._dots.dots(sensor, f'/gnss/{sensor}/fixes', points, GNSS, _DOT)
        self._rings.lines(sensor, f'/gnss/{sensor}/ring', segments, GNSS, 2.0)

    def _place_outline(self, name: str, vehicle: VehicleState) -> None:
        if vehicle.believed is None:
            return
        x, y, yaw = vehicle.believed
        if name not in self._outlines:
            self._outlines.lines(name, f'/odometry/{name}', _outline(vehicle.spec), BELIEVED, 2.5)
        self._places.put(name, self._outlines[name],
                         vehicle.spec.init_pose.compose(Pose(x, y, _LIFT, yaw)))

    def _forget(self) -> None:
        """Take all fixes away: time went back."""
        for each in (self._dots, self._rings, self._fixes):
            each.clear()


def _ring(radius: float) -> Array:
    """Return a circle on the ground, shape (n, 3) [m]."""
    turn = np.linspace(0.0, 2.0 * np.pi, _SIDES, endpoint=False)
    return radius * np.stack([np.cos(turn), np.sin(turn), np.zeros(_SIDES)], axis=1)


def _outline(spec: VehicleSpec) -> NDArray[np.float32]:
    """Return the outline of a vehicle on the ground and where it heads, shape (n, 2, 3) [m]."""
    corners = np.array([(x, y, 0.0) for x, y in vehicle_footprint(spec).polygon])
    sides = np.stack([corners, np.roll(corners, -1, axis=0)], axis=1)
    middle, front = corners.mean(axis=0), corners[:, 0].max()
    heading = np.array([[middle, (front, middle[1], 0.0)]])
    return np.concatenate([sides, heading]).astype(np.float32)
