# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Shutters of cameras: exposures that take time, and rows that are read out one after another.

Row v of H begins to gather light v R / H after the stamp, with the readout time R, and does so
for the exposure time E; the state that is known is that of the end, R + E after the stamp.
Before it everything is drawn where it was. Colours are the mean of the light at the middles of n
equal parts of the exposure; labels and depths are those of its middle.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.scene.camera_view import CameraFrame, CameraView, COLOUR, empty_frame, Layer
from mvsim_ros2.sensors.body_state import BodyState
from mvsim_ros2.sensors.camera.lens import Lens
from mvsim_ros2.sensors.views.image_view import ImageView
from mvsim_ros2.world.spec.sensors.camera import CameraSpec


class Shutter:
    """When the rows of a camera gather light."""

    def __init__(self, spec: CameraSpec) -> None:
        """Take the times of a camera."""
        self._exposure, self._readout = spec.exposure_time, spec.readout_time
        self.duration = self._exposure + self._readout  # s, of an image
        bands = min(spec.readout_bands, spec.nrows) if self._readout else 1
        self._edges = np.linspace(0, spec.nrows, bands + 1).astype(int).tolist()
        self._samples = spec.exposure_samples if self._exposure else 1

    def take(self, room: ImageView, lens: Lens, state: BodyState, layers: tuple[Layer, ...],
             view_of: Callable[[BodyState], CameraView]) -> CameraFrame:
        """
        Return an image.

        :param state: of the carrier, at the end of the image.
        :param view_of: gives the view from a state of the carrier.
        :raises RenderContextError: where it is to be OpenGL and this cannot be had.
        """
        if self.duration == 0.0:
            return room.draw(lens, view_of(state), layers)
        room.uses_gl(lens)  # it is all of the lens that decides
        frame = empty_frame(lens.width, lens.height, layers)
        try:
            for first, last in zip(self._edges, self._edges[1:]):
                self._take_band(room, lens, first, last, state, layers, view_of, frame)
        finally:
            room.go_back(0.0)
        return frame

    def _take_band(self, room: ImageView, lens: Lens, first: int, last: int, state: BodyState,
                   layers: tuple[Layer, ...], view_of: Callable[[BodyState], CameraView],
                   frame: CameraFrame) -> None:
        """Fill in the rows from `first` to before `last`."""
        row = 0.5 * (first + last - 1)
        begin = self.duration - self._readout * row / lens.height
        light: NDArray[np.uint32] | None = None
        shares = [(sample + 0.5) / self._samples for sample in range(self._samples)]
        drawn: dict[float, tuple[Layer, ...]] = dict.fromkeys(
            shares if 'colour' in layers else (), COLOUR)
        others = tuple(layer for layer in layers if layer != 'colour')
        if others:
            drawn[0.5] = drawn.get(0.5, ()) + others
        for share, wanted in drawn.items():
            before = room.go_back(begin - self._exposure * share)
            then = state if state.mover_index < 0 else replace(
                state, pose=before.vehicles[state.mover_index])
            seen = room.draw(lens.rows(first, last), view_of(then), wanted)
            if seen.colour is not None:
                # light is the square of a colour, as the renderers take it
                squares = np.square(seen.colour, dtype=np.uint32)
                light = squares if light is None else light + squares
            for layer in others if share == 0.5 else ():
                getattr(frame, layer)[first:last] = getattr(seen, layer)
        if light is not None and frame.colour is not None:
            frame.colour[first:last] = np.rint(np.sqrt(light / self._samples))
