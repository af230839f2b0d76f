# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What cameras see, in the panel."""

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray
import viser

from mvsim_ros2.pictures.overlays import colours_of
from mvsim_ros2.window.budget import Budget
from mvsim_ros2.window.choices import Choices
from mvsim_ros2.window.drawing.measured import Measured
from mvsim_ros2.window.frame import Frame

_PERIOD = 0.1  # s between two pictures of a camera
_WIDEST = 480  # px; larger images are thinned
_QUALITY = 70  # of JPEG
_BYTES_A_PIXEL = 0.12  # of JPEG, roughly


class PicturesPanel:
    """A tab with the last image of each camera."""

    def __init__(self, server: viser.ViserServer, tab: viser.GuiTabHandle, measured: Measured,
                 choices: Choices, budget: Budget) -> None:
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
