# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Reading of images from graphics memory."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.base.threads import beside
from mvsim_ros2.jit.kernel import compiled, runs_machine_code
from mvsim_ros2.scene.camera_view import CameraFrame, CameraView, Layer
from mvsim_ros2.sensors.opengl.context import GlThread
from mvsim_ros2.sensors.opengl.gl_calls import GlCalls
from mvsim_ros2.sensors.opengl.smoothing import EdgeFinder, FEW
from mvsim_ros2.sensors.opengl.without_alpha import without_alpha
from mvsim_ros2.sensors.raycast.image.bands import band_count, first_rows
from mvsim_ros2.sensors.raycast.image.edges import Edges

# components of the pixels of a layer in graphics memory and in arrays, and their type
FORMATS = {'colour': (4, 3, 'f1'), 'depth': (1, 1, 'f4'), 'ids': (2, 2, 'u2'),
           'normals': (4, 3, 'f4')}


@compiled(counted=False)
def to_metres(depth: NDArray[np.float32], near: float, far: float) -> None:
    """
    Turn reversed depths of OpenGL, 1 at the near clipping plane and 0 for nothing, into metres.

    :param depth: shape (n,).
    """
    scale, shift = near * far / (far - near), near / (far - near)
    for number in range(len(depth)):
        value = float(depth[number])
        depth[number] = np.float32(scale / (value + shift) if value > 0.0 else np.inf)


class ImageReader:
    """Reads framebuffers, whose layers are in the order in which they are named."""

    def __init__(self, gl: GlThread) -> None:
        """Take the thread of the context, in which all else is to be called."""
        self._gl = gl
        self._pixels = np.empty((0, 0, 4), np.uint8)
        self._whole: dict[int, GlCalls] = {}  # what reads images into that, by their numbers
        self._finder: EdgeFinder | None = None
        self._readings: dict[int, list[GlCalls]] = {}

    def images(self, layers: tuple[Layer, ...]) -> tuple[Layer, ...]:
        """Return the layers that are drawn as images."""
        # that of software is exact enough to be the layer of depths, see `vertex_shader.FACE`
        from_buffer = self._gl.reversed_depth and self._gl.software
        return tuple(layer for layer in layers if layer != 'depth' or not from_buffer)

    def read(self, target: Any, view: CameraView, layers: tuple[Layer, ...],
             frame: CameraFrame) -> None:
        """
        Fill in a frame.

        :param target: framebuffer with the layers.
        """
        target.use()
        images = self.images(layers)
        for number, layer in enumerate(images):
            self._read(target, number, layer, getattr(frame, layer))
        if len(images) < len(layers):
            assert frame.depth is not None
            self._read_depth(frame.depth, view)

    def read_marked(self, target: Any, view: CameraView, layers: tuple[Layer, ...],
                    frame: CameraFrame, sun_alone: bool) -> Edges:
        """
        Fill in a frame, and return its edges, which hold until the next one is read.

        :param sun_alone: no lamp has a part in marks.
        """
        assert frame.colour is not None
        target.use()
        images = self.images(layers)
        finder, readings = self._finder_for(view.width, view.height, images.index('colour'))
        self._gl.finish()
        edges = finder.find(lambda band: readings[band](), view, frame.colour, sun_alone)
        for number, layer in enumerate(images):
            if layer != 'colour':
                self._read(target, number, layer, getattr(frame, layer))
        if len(images) < len(layers):
            assert frame.depth is not None
            frame.depth[:] = finder.depth
            to_metres(frame.depth.reshape(-1), view.near, view.far)
        return edges

    def _read(self, target: Any, number: int, layer: Layer, image: NDArray[Any]) -> None:
        """Read one layer."""
        _, components, dtype = FORMATS[layer]
        if layer != 'colour' or not runs_machine_code():
            target.read_into(image, components=components, attachment=number, alignment=1,
                             dtype=dtype)
            return
        if self._pixels.shape[:2] != image.shape[:2]:
            self._pixels, self._whole = np.empty((*image.shape[:2], 4), np.uint8), {}
        if number not in self._whole:
            self._whole[number] = GlCalls()
            self._whole[number].add_reading(number, 0, self._pixels)
        self._whole[number]()
        without_alpha(self._pixels, image)  # of which OpenGL takes longer to drop components

    @staticmethod
    def _read_depth(depth: NDArray[np.float32], view: CameraView) -> None:
        """Read the depth buffer; threads take first rows for depths while later ones are read."""
        height, width = depth.shape
        bands = band_count() if height * width >= FEW else 1
        ends = first_rows(height, bands)

        def read(band: int) -> None:
            calls = GlCalls()
            calls.add_reading(-1, ends[band], depth[ends[band]:ends[band + 1]])
            calls()

        beside(bands, lambda band: to_metres(
            depth[ends[band]:ends[band + 1]].reshape(-1), view.near, view.far), read)

    def _finder_for(self, width: int, height: int,
                    colour: int) -> tuple[EdgeFinder, list[GlCalls]]:
        """
        Return what finds edges in images of a size, and what reads its bands.

        :param colour: number of the image of colours.
        """
        if self._finder is None or self._finder.depth.shape != (height, width):
            self._finder, self._readings = EdgeFinder(width, height), {}
        if colour not in self._readings:
            self._readings[colour] = [GlCalls() for _ in self._finder.parts]
            for calls, (first, last) in zip(self._readings[colour], self._finder.parts):
                if first < last:
                    calls.add_reading(-1, first, self._finder.depth[first:last])
                    calls.add_reading(colour, first, self._finder.pixels[first:last])
        return self._finder, self._readings[colour]
