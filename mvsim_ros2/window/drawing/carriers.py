# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Frames that go with vehicles, blocks and actors: names, axes and fields of view hang on them."""

from typing import Any

import numpy as np
import viser

from mvsim_ros2.window.choices import Choices
from mvsim_ros2.window.drawing.fields_of_view import field_of_view
from mvsim_ros2.window.drawing.nodes import change, Places, show
from mvsim_ros2.window.frame import Frame, VehicleState
from mvsim_ros2.world.spec.shapes.body_outlines import vehicle_footprint
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec

_AXES = 0.35  # m
_ABOVE = 0.15  # m of a name above what it names
_VIEW: tuple[int, int, int] = (250, 160, 30)
_STEP = 1e-4  # m, rad; smaller motions are not sent
_TALL = 1.9  # m; where the name of a person is


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
            f'{_path(name)}/name', name, position=(0.0, 0.0, height + _ABOVE),
            anchor='bottom-center', font_screen_scale=0.9)

    def _add_vehicle(self, name: str, spec: VehicleSpec) -> None:
        self._add(name, max([vehicle_footprint(spec).zmax,
                             *(sensor.pose.z for sensor in spec.sensors)]))
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
