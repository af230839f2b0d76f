# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Sensors, switched on and off."""

from functools import partial
from typing import Any

import viser

from mvsim_ros2.simulation import Simulation
from mvsim_ros2.window.choices import Choices
from mvsim_ros2.window.frame import Frame
from mvsim_ros2.window.pace import Control

_SUFFIX = 'Spec'


class SensorsPanel:
    """The sensors of the vehicle that is driven, and of those that stand in the world."""

    def __init__(self, server: viser.ViserServer, tab: Any, choices: Choices, control: Control,
                 simulation: Simulation) -> None:
        self._gui, self._tab = server.gui, tab
        self._choices, self._control, self._simulation = choices, control, simulation
        self._off: set[str] = set()
        self._folder: Any = None
        self._shown: tuple[str, ...] | None = None

    def draw(self, frame: Frame) -> None:
        """List the sensors of what is chosen now."""
        chosen = self._choices.selected
        vehicle = chosen if chosen in frame.vehicles else self._choices.driven
        sensors = {name: handle.spec for name, handle in self._simulation.sensors.items()
                   if handle.vehicle in ('', vehicle)}
        names = (vehicle, *sensors)
        if names == self._shown:
            return
        self._shown = names
        if self._folder is not None:
            self._folder.remove()
        with self._tab:
            self._folder = self._gui.add_folder(f'Sensors of {vehicle}' if vehicle else 'Sensors')
        with self._folder:
            for name, spec in sensors.items():
                kind = type(spec).__name__.removesuffix(_SUFFIX)
                switch = self._gui.add_checkbox(
                    f'{spec.name} ({kind}, {1.0 / spec.sensor_period:.3g} Hz)',
                    name not in self._off)
                switch.on_update(partial(self._switch, name))
            if not sensors:
                self._gui.add_markdown('There are none.')

    def _switch(self, name: str, event: Any) -> None:
        on = bool(event.target.value)
        (self._off.discard if on else self._off.add)(name)
        self._control.switch_sensor(name, on)
