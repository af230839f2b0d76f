# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Frames that go with vehicles and people, with their names, axes and fields of view."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
import viser

from mvsim_ros2.frames import Array
from mvsim_ros2.window.choices import Choices
from mvsim_ros2.window.drawing.nodes import change, Places, show
from mvsim_ros2.window.frame import Frame, VehicleState
from mvsim_ros2.world.spec import (
    CameraSpec, LaserSpec, Lidar3dSpec, PinholeSpec, RadarSpec, RangeFinderSpec, RgbdCameraSpec,
    SensorSpec, VehicleSpec)
from mvsim_ros2.world.spec.solids import vehicle_footprint

_AXES = 0.35  # m
_ABOVE = 0.65  # widths, of a name above a vehicle, so that it does not cover it from above
_VIEW: tuple[int, int, int] = (250, 160, 30)
_STEP = 1e-4  # m, rad; smaller motions are not sent
_TALL = 2.05  # m; where the name of a person is

_LENGTH = 1.5  # m; how far the lines go
_STEPS = 24  # of an arc


class Carriers:
    """Draws what goes with each vehicle and each person."""

    def __init__(self, server: viser.ViserServer, choices: Choices) -> None:
        self._scene = server.scene
        self._choices = choices
        self._carriers: dict[str, viser.FrameHandle] = {}
        self._places = Places(_STEP)
        self._labels: dict[str, Any] = {}
        self._axes: dict[str, list[Any]] = {}
        self._views: dict[str, list[Any]] = {}

    def draw(self, frame: Frame) -> None:
        """Show a frame."""
        if frame.scene is not None:
            for name in self._carriers.keys() - frame.vehicles.keys() - frame.actors.keys():
                self._take_away(name)
        for name, vehicle in frame.vehicles.items():
            if name not in self._carriers:
                self._add_vehicle(name, vehicle.spec)
            self._places.put(name, self._carriers[name], vehicle.pose)
            self._name(name, vehicle)
        for name, pose in frame.actors.items():
            if name not in self._carriers:
                self._add(name, _TALL)
            self._places.put(name, self._carriers[name], pose)
        self._switch(frame)

    def _add(self, name: str, height: float) -> None:
        self._carriers[name] = self._scene.add_frame(
            _path(name), show_axes=False, axes_length=_AXES, axes_radius=0.02 * _AXES)
        self._labels[name] = self._scene.add_label(
            f'{_path(name)}/name', name, position=(0.0, 0.0, height),
            anchor='bottom-center', font_screen_scale=0.9)

    def _add_vehicle(self, name: str, spec: VehicleSpec) -> None:
        outline = vehicle_footprint(spec)
        width = float(np.ptp(np.asarray(outline.polygon), axis=0).min())
        self._add(name, _ABOVE * width + max([
            outline.zmax, *(sensor.pose.z for sensor in spec.sensors)]))
        self._axes[name], self._views[name] = [], []
        for sensor in spec.sensors:
            x, y, z, w = sensor.pose.quaternion
            at = {'position': sensor.pose.position, 'wxyz': np.array([w, x, y, z])}
            path = f'{_path(name)}/{sensor.name}'
            self._axes[name].append(self._scene.add_frame(
                path, axes_length=0.5 * _AXES, axes_radius=0.015 * _AXES, visible=False, **at))
            self._axes[name].append(self._scene.add_label(
                f'{path}_name', sensor.name, visible=False, font_screen_scale=0.7,
                position=sensor.pose.position, anchor='center-left'))
            segments = field_of_view(sensor)
            if segments is not None:
                self._views[name].append(self._scene.add_line_segments(
                    f'{path}_view', segments, _VIEW, thickness=1.5, thickness_units='screen',
                    visible=False, **at))

    def _take_away(self, name: str) -> None:
        self._carriers.pop(name).remove()  # and all that hangs on it
        self._places.forget(name)
        for nodes in (self._labels, self._axes, self._views):
            nodes.pop(name, None)

    def _name(self, name: str, vehicle: VehicleState) -> None:
        """Write how fast a vehicle is behind its name, in tenths of m/s."""
        speed = round(float(np.hypot(vehicle.twist[0], vehicle.twist[1])), 1)
        change(self._labels[name], text=f'{name} {speed:.1f} m/s' if speed else name)

    def _switch(self, frame: Frame) -> None:
        choices = self._choices
        several = len(frame.vehicles) + len(frame.actors) > 1
        for name, carrier in self._carriers.items():
            show([self._labels[name]], choices.labels)
            show(self._views.get(name, []), choices.views)
            on = choices.frames and name in frame.vehicles
            change(carrier, show_axes=on)
            axes = self._axes.get(name, [])
            show(axes[::2], on)
            show(axes[1::2], on and (name == choices.selected or not several))


def _path(name: str) -> str:
    return f'/names/{name}'


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
