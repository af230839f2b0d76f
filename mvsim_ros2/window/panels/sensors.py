# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Sensors: switches, and what cameras see."""

from functools import partial
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray
import viser

from mvsim_ros2.pictures.overlays import colours_of
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.window.choices import Choices
from mvsim_ros2.window.drawing.measured import Budget, Measured
from mvsim_ros2.window.frame import Frame
from mvsim_ros2.window.pace import Control

_SUFFIX = 'Spec'
_PERIOD = 0.1  # s between two pictures of a camera
_WIDEST = 480  # px; larger images are thinned
_QUALITY = 70  # of JPEG
_BYTES_A_PIXEL = 0.12  # of JPEG, roughly


class SensorsPanel:
    """The sensors of the driven vehicle, and sensors without a vehicle."""

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


class PicturesPanel:
    """A tab with the last image of each camera."""

    def __init__(self, server: viser.ViserServer, tab: viser.GuiTabHandle | viser.GuiFolderHandle,
                 measured: Measured, choices: Choices, budget: Budget) -> None:
        self._server, self._tab = server, tab
        self._measured, self._choices, self._budget = measured, choices, budget
        self._images: dict[str, viser.GuiImageHandle] = {}
        self._shown: dict[str, NDArray[Any]] = {}
        self._time = 0.0
        with tab:
            self._hint = server.gui.add_markdown(
                'No camera has measured yet; cameras measure while the simulation runs.')

    def draw(self, frame: Frame) -> None:
        """Show new images."""
        now = time.monotonic()
        if now - self._time < _PERIOD or not self._choices.images:
            return
        self._time = now
        pictures = self._measured.pictures
        for gone in self._images.keys() - pictures.keys():
            self._images.pop(gone).remove()
            self._shown.pop(gone, None)
        for name, picture in list(pictures.items()):
            if self._shown.get(name) is picture:
                continue
            thin = -(-picture.shape[1] // _WIDEST)
            pixels = picture[::thin, ::thin]
            if not self._budget.take(name, int(_BYTES_A_PIXEL * pixels.size)):
                continue
            self._shown[name] = picture
            self._show(name, pixels if pixels.ndim == 3 else colours_of(pixels))

    def _show(self, name: str, pixels: NDArray[np.uint8]) -> None:
        if name in self._images:
            self._images[name].image = pixels
            return
        self._hint.visible = False
        with self._tab:
            self._images[name] = self._server.gui.add_image(
                np.ascontiguousarray(pixels), label=name, format='jpeg', jpeg_quality=_QUALITY)
