# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Reading of images from graphics memory."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.scene.camera_view import CameraFrame, CameraView, Layer
from mvsim_ros2.sensors.opengl.context import GlThread
from mvsim_ros2.sensors.raycast.image.bands import in_bands

# components of the pixels of a layer in graphics memory and in arrays, and their type
FORMATS = {'colour': (4, 3, 'f1'), 'depth': (1, 1, 'f4'), 'ids': (2, 2, 'u2'),
           'normals': (4, 3, 'f4')}
_LEAST = 25_000  # pixels that a thread takes, if there is more than one


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

    def images(self, layers: tuple[Layer, ...]) -> tuple[Layer, ...]:
        """Return the layers that are drawn as images."""
        # that of software is exact enough to be the layer of depths, see `vertex_shader.FACE`
        from_buffer = self._gl.reversed_depth and self._gl.software
        return tuple(layer for layer in layers if layer != 'depth' or not from_buffer)

    def read(self, target: Any, view: CameraView, layers: tuple[Layer, ...],
             frame: CameraFrame) -> None:
        """Fill in a frame from a framebuffer with its layers."""
        self._gl.finish()
        images = self.images(layers)
        for number, layer in enumerate(images):
            self._read(target, number, layer, getattr(frame, layer))
        if len(images) < len(layers):
            depth = frame.depth
            assert depth is not None
            target.read_into(depth, attachment=-1, dtype='f4')
            in_bands(len(depth), lambda _, first, end: to_metres(
                depth[first:end].reshape(-1), view.near, view.far), -(-_LEAST // view.width))

    def _read(self, target: Any, number: int, layer: Layer, image: NDArray[Any]) -> None:
        """Read one layer."""
        _, components, dtype = FORMATS[layer]
        if layer != 'colour' or image.dtype == np.float32:
            target.read_into(image, components=components, attachment=number, alignment=1,
                             dtype=dtype if layer != 'colour' else 'f4')
            return
        if self._pixels.shape[:2] != image.shape[:2]:
            self._pixels = np.empty((*image.shape[:2], 4), np.uint8)
        target.read_into(self._pixels, components=4, attachment=number)
        without_alpha(self._pixels, image)  # of which OpenGL takes longer to drop components


_THREE, _TWO, _ONE = np.uint32(0xFFFFFF), np.uint32(0xFFFF), np.uint32(0xFF)  # low bytes
_BYTE, _PAIR, _REST = np.uint32(8), np.uint32(16), np.uint32(24)  # bits


def without_alpha(pixels: NDArray[np.uint8], image: NDArray[np.uint8]) -> None:
    """
    Copy the colours of pixels into an image.

    :param pixels: red, green, blue and opacity, shape (height, width, 4).
    :param image: red, green and blue, shape (height, width, 3).
    """
    flat = image.reshape(-1)
    _copy_colours(pixels.reshape(-1).view(np.uint32), flat[:flat.size // 4 * 4].view(np.uint32),
                  flat)


@compiled(counted=False)
def _copy_colours(source: NDArray[np.uint32], target: NDArray[np.uint32],
                  image: NDArray[np.uint8]) -> None:
    """
    Copy three bytes of each word of four, of which the first byte is lowest.

    :param source: red, green, blue and opacity of each pixel.
    :param target: red, green and blue, as words; `image` is the same memory as bytes.
    """
    whole = len(source) // 4
    for n in range(whole):
        a, b, c, d = source[4 * n], source[4 * n + 1], source[4 * n + 2], source[4 * n + 3]
        target[3 * n] = (a & _THREE) | (b << _REST)
        target[3 * n + 1] = ((b >> _BYTE) & _TWO) | (c << _PAIR)
        target[3 * n + 2] = ((c >> _PAIR) & _ONE) | (d << _BYTE)
    for p in range(4 * whole, len(source)):
        for i in range(3):
            image[3 * p + i] = np.uint8(source[p] >> np.uint32(8 * i) & _ONE)
