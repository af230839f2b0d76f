# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Curves of the last seconds of the driven vehicle."""

from collections import deque
import time
from typing import Any

import numpy as np
import viser

from mvsim_ros2.sensors.observations import ImuSample
from mvsim_ros2.window.choices import Choices
from mvsim_ros2.window.frame import Frame, VehicleState

_SPAN = 20.0  # s
_PERIOD = 0.2  # s between two updates
_COLOURS = ('#1d5fd1', '#d6336c', '#00897b', '#f59f00', '#7048e8', '#495057', '#2b8a3e', '#c92a2a')
_HEIGHT = 150  # px
# of ticks: the page writes three decimals, so that with less two ticks would read the same
_SPACINGS = tuple(step * 10.0 ** power for power in range(-3, 7) for step in (1, 2, 5))
SPEED, TURN, TORQUE, SLIP, LOAD, FORCE, ACCELERATION = (
    'Speed [m/s]', 'Yaw rate [rad/s]', 'Wheel torques [N m]', 'Wheel slip', 'Wheel loads [N]',
    'Wheel forces [N]', 'IMU acceleration [m/s^2]')
QUANTITIES = (SPEED, TURN, TORQUE, SLIP, LOAD, FORCE, ACCELERATION)
_SLOWEST = 0.1  # m/s; below it no slip is shown


class PlotsPanel:
    """A tab with two curves."""

    def __init__(self, server: viser.ViserServer, tab: Any, choices: Choices) -> None:
        self._choices = choices
        self._plots = [_Plot(server, tab, SPEED), _Plot(server, tab, TORQUE)]
        self._imu: dict[str, ImuSample] = {}
        self._time = 0.0

    def draw(self, frame: Frame) -> None:
        """Append what a frame says of the vehicle."""
        for seen in frame.seen:
            if isinstance(seen.observation, ImuSample):
                self._imu[seen.observation.sensor.rpartition('/')[0]] = seen.observation
        name = self._choices.driven
        vehicle = frame.vehicles.get(name)
        if vehicle is None:
            return
        now = time.monotonic()
        due = now - self._time >= _PERIOD
        self._time = now if due else self._time
        for plot in self._plots:
            plot.append(name, frame.time, vehicle, self._imu.get(name))
            if due:
                plot.show()


class _Plot:
    """One plot, of a quantity that is chosen."""

    def __init__(self, server: viser.ViserServer, tab: Any, quantity: str) -> None:
        self._server, self._tab = server, tab
        self._rows: deque[tuple[float, ...]] = deque()
        self._of: tuple[str, str] = ('', '')
        self._labels: tuple[str, ...] = ()
        with tab:
            self._choice = server.gui.add_dropdown('Plot', QUANTITIES, initial_value=quantity)
            self._place = server.gui.add_folder('', expand_by_default=True)
        self._curves: Any = None
        self._drawn: tuple[str, ...] = ()

    def append(self, name: str, seconds: float, vehicle: VehicleState,
               imu: ImuSample | None) -> None:
        """Append the values at an instant."""
        quantity = self._choice.value
        curves = values_of(quantity, vehicle, imu)
        if (name, quantity) != self._of or tuple(curves) != self._labels or (
                self._rows and seconds < self._rows[-1][0]):
            self._rows.clear()
            self._of, self._labels = (name, quantity), tuple(curves)
        if not curves or (self._rows and seconds == self._rows[-1][0]):
            return
        self._rows.append((seconds, *curves.values()))
        while self._rows[0][0] < seconds - _SPAN:
            self._rows.popleft()

    def show(self) -> None:
        """Send the curves."""
        if len(self._rows) < 2:
            return
        data = tuple(np.array(column) for column in zip(*self._rows, strict=True))
        if self._curves is not None and self._drawn == self._labels:
            self._curves.data = data
            return
        if self._curves is not None:
            self._curves.remove()
        series = ({'label': 't [s]'}, *({
            'label': label, 'stroke': _COLOURS[i % len(_COLOURS)], 'width': 1.5}
            for i, label in enumerate(self._labels)))
        with self._place:
            self._curves = self._server.gui.add_uplot(
                data, series, scales={'x': {'time': False}}, height=_HEIGHT,
                axes=({}, {'incrs': _SPACINGS}))
        self._drawn = self._labels


def values_of(quantity: str, vehicle: VehicleState, imu: ImuSample | None) -> dict[str, float]:
    """Return the curves of a quantity and their values now; none where they are not known."""
    if quantity == SPEED:
        return {'true': float(vehicle.twist[0]), 'command': vehicle.command[0]}
    if quantity == TURN:
        return {'true': float(vehicle.twist[2]), 'command': vehicle.command[2]}
    if quantity == ACCELERATION:
        return {} if imu is None else dict(
            zip('xyz', map(float, imu.linear_acceleration), strict=True))
    wheels = vehicle.wheels
    if wheels is None:
        return {}
    if quantity == SLIP:
        rims = wheels['omega'] * wheels['radius']
        along = (wheels['velocity_x'] * np.cos(wheels['steer'] + wheels['toe'])
                 + wheels['velocity_y'] * np.sin(wheels['steer'] + wheels['toe']))
        numbers = (rims - along) / np.maximum(np.abs(along), _SLOWEST)
    else:
        numbers = wheels[{TORQUE: 'torque', LOAD: 'normal_load', FORCE: 'force_long'}[quantity]]
    return {f'wheel {i}': float(value) for i, value in enumerate(numbers)}
