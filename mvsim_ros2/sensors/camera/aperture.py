# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Depth of field: the light of a pixel comes through all of the opening of the lens.

A lens with the focal length f and the f-number N has an opening of the width A = f / N. Focused at
the distance s, a thin lens draws a point at the depth z as a disc, A F |1/s - 1/z| pixels wide. F
is the focal length of the calibration, the distance of the image. An image is the mean light of
pictures from places spread evenly over the opening, whose directions meet at the focus (P.
Haeberli and K. Akeley, The accumulation buffer, SIGGRAPH 1990). So objects behind an edge appear
next to it.
"""

from dataclasses import replace
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.scene.camera_view import CameraFrame, CameraView, COLOUR, Layer
from mvsim_ros2.sensors.camera.lens import Lens
from mvsim_ros2.sensors.views.image_view import ImageView
from mvsim_ros2.world.spec import CameraSpec


def light_of(colour: NDArray[Any]) -> NDArray[Any]:
    """Return the light of a colour: its square, as the renderers take it, unless it is light."""
    return np.square(colour, dtype=np.uint32) if colour.dtype == np.uint8 else colour


def colour_of(light: NDArray[Any], hdr: bool) -> NDArray[Any]:
    """Return the colour of light: a whole number, unless it is `hdr`."""
    return light if hdr else np.rint(np.sqrt(light))


class Aperture:
    """The opening of the lens of a camera."""

    def __init__(self, spec: CameraSpec) -> None:
        number = np.arange(spec.lens_samples if spec.f_number else 0)
        angle = math.pi * (3.0 - math.sqrt(5.0)) * number
        out = 0.5 * spec.aperture_width * np.sqrt((number + 0.5) / max(len(number), 1))
        self._places = np.stack([out * np.cos(angle), out * np.sin(angle)], axis=1)
        self._nearness = 1.0 / spec.focus_distance if spec.focus_distance else 0.0

    def draw(self, room: ImageView, lens: Lens, view: CameraView,
             layers: tuple[Layer, ...]) -> CameraFrame:
        """Return what a camera sees; depths and labels are those through the middle."""
        if not len(self._places) or 'colour' not in layers:
            return room.draw(lens, view, layers)
        others = tuple(layer for layer in layers if layer != 'colour')
        frame = room.draw(lens, view, others) if others else CameraFrame()
        light: Any = 0
        for place in self._places:
            pose = view.pose.copy()
            pose[:3, 3] += pose[:3, :2] @ place
            colour = room.draw(lens, replace(view, pose=pose), COLOUR,
                               self._nearness * place).colour
            assert colour is not None
            light = light + light_of(colour)
        mean = colour_of(light / len(self._places), view.hdr)
        return replace(frame, colour=mean.astype(np.float32 if view.hdr else np.uint8))
