# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What a camera makes of the light and of the depths that reach it."""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.sensors.camera.depth_models import stereo_depth, time_of_flight_depth
from mvsim_ros2.sensors.camera.electronics import Electronics, normal_numbers
from mvsim_ros2.sensors.raycast.image.bands import in_bands
from mvsim_ros2.world.spec.sensors.camera import ImagerSpec, RgbdCameraSpec

Floats = NDArray[np.float32]

_LEAST = 25_000  # pixels that a thread takes, if there is more than one
# what is left out
_NO_GAIN, _NO_TABLE = np.zeros((0, 0, 1), np.float32), np.zeros(0, np.float32)
_NO_PARTS, _NO_DEPTHS = np.zeros((0, 0, 3), np.uint16), np.zeros((0, 0), np.uint16)


class ImageNoise:
    """
    Exposure, vignetting and noise of colours.

    Light is taken as the square of a colour, as the renderers do. The light that is missing
    grows with the square of the distance from the middle, up to the corners.
    """

    def __init__(self, spec: ImagerSpec, width: int, height: int,
                 random: np.random.Generator, encoding: str = 'rgb8') -> None:
        """
        Prepare for images of one size.

        :param random: source of the noise.
        :param encoding: of the images.
        """
        self._random = random
        self._table = (np.float32(spec.image_noise) * normal_numbers() if spec.image_noise > 0.0
                       else None)
        self._gain: NDArray[np.float32] | None = None
        light = None
        if spec.exposure != 1.0 or spec.vignetting != 0.0:
            x = (2 * np.arange(width) + 1) / width - 1
            y = (2 * np.arange(height) + 1) / height - 1
            square = 0.5 * (x * x + (y * y)[:, np.newaxis])
            light = 1 - spec.vignetting * square
            self._gain = np.sqrt(spec.exposure * light).astype(np.float32)[..., np.newaxis]
        self.electronics: Electronics | None = None  # where light is more than scaled
        if spec.has_electronics or encoding != 'rgb8':
            self.electronics = Electronics(
                spec, None if light is None else light.astype(np.float32)[..., np.newaxis],
                encoding, random)

    def expose(self, colour: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the image that is taken, shape (height, width, 3), or as its encoding says."""
        if self.electronics:
            return self.electronics.develop(colour)
        if self._gain is None and self._table is None:
            return colour
        parts = None
        if self._table is not None:
            parts = np.frombuffer(
                self._random.bytes(2 * colour.size), '<u2').reshape(colour.shape)
        image = np.empty_like(colour)
        gain = _NO_GAIN if self._gain is None else self._gain
        random = _NO_PARTS if parts is None else parts
        in_bands(len(colour), lambda _, first, end: expose_pixels(
            colour[first:end], gain[first:end], random[first:end],
            _NO_TABLE if self._table is None else self._table, image[first:end]),
            _least_rows(colour.shape[1]))
        return image


def measured_depth(depth: NDArray[np.float32], spec: RgbdCameraSpec,
                   random: np.random.Generator) -> NDArray[np.float32]:
    """
    Return what a depth camera measures; NaN where this is nothing.

    :param depth: true depths, shape (height, width).
    :param random: source of the noise.
    """
    if spec.depth_model == 'stereo':
        depth = stereo_depth(depth, spec, random)
    elif spec.depth_model == 'time_of_flight':
        depth = time_of_flight_depth(depth, spec)
    noisy = spec.depth_noise_sigma > 0 or spec.depth_noise_growth > 0
    parts = None
    if noisy:
        words = random.bit_generator.random_raw(-(-depth.size // 4))
        parts = words.astype('<u8', copy=False).view('<u2')[:depth.size].reshape(depth.shape)
    sigma, growth = np.float32(spec.depth_noise_sigma), np.float32(spec.depth_noise_growth)
    measured = np.empty_like(depth)
    in_bands(len(depth), lambda _, first, end: take_depths(
        depth, np.float32(spec.depth_hole_jump), sigma, growth,
        _NO_DEPTHS if parts is None else parts, _NO_TABLE if parts is None else normal_numbers(),
        np.float32(spec.depth_clip_min), np.float32(spec.depth_clip_max), measured, first, end),
        _least_rows(depth.shape[1]))
    return measured


def _least_rows(width: int) -> int:
    """Return how many rows a thread takes at least."""
    return -(-_LEAST // width)


@compiled(counted=False)
def expose_pixels(
        colour: NDArray[np.uint8], gain: Floats, parts: NDArray[np.uint16], table: Floats,
        image: NDArray[np.uint8]) -> None:
    """
    Fill in the image that is taken.

    :param colour: shape (rows, columns, 3).
    :param gain: of each pixel, shape (rows, columns, 1), or no rows.
    :param parts: random rows of `table`, shape (rows, columns, 3), or no rows.
    :param table: noise, shape (65536,).
    :param image: shape (rows, columns, 3).
    """
    rows, columns = image.shape[0], image.shape[1]
    for v in range(rows):
        for u in range(columns):
            for part in range(3):
                value = np.float32(colour[v, u, part])
                if gain.shape[0] > 0:
                    value *= gain[v, u, 0]
                if parts.shape[0] > 0:
                    value += table[parts[v, u, part]]
                image[v, u, part] = int(min(max(np.rint(value), np.float32(0.0)),
                                            np.float32(255.0)))


@compiled(counted=False)
def take_depths(
        depth: Floats, jump: np.float32, sigma: np.float32, growth: np.float32,
        parts: NDArray[np.uint16], table: Floats, low: np.float32, high: np.float32,
        measured: Floats, first: int, end: int) -> None:
    """
    Fill in what a depth camera measures in some rows; NaN where this is nothing.

    :param depth: true depths, shape (rows, columns) [m].
    :param jump: pixels beside a step of more than this share of their depth are empty; 0: none.
    :param sigma: standard deviation of the noise [m].
    :param growth: what it grows by with the square of the depth [1/m].
    :param parts: random rows of `table`, shape (rows, columns), or no rows.
    :param table: standard normal numbers, shape (65536,).
    :param low: smallest depth that is measured [m].
    :param high: largest one [m].
    :param measured: shape (rows, columns) [m].
    :param first: of the rows, and the one after their last.
    """
    rows, columns = depth.shape
    nothing = np.float32(math.nan)
    for v in range(first, end):
        trues, results = depth[v], measured[v]
        if parts.shape[0] > 0:
            numbers = parts[v]
            for u in range(columns):  # without branches: pixels side by side in registers
                results[u] = depth_with_noise(
                    trues[u], sigma, growth, table[numbers[u]], low, high, nothing)
        else:
            for u in range(columns):
                results[u] = trues[u] if low <= trues[u] and trues[u] <= high else nothing
    if jump > 0.0:
        for v in range(first, end):
            for u in range(columns):
                if is_at_step(depth, v, u, jump):
                    measured[v, u] = nothing


@compiled(inlined=True)
def depth_with_noise(true: np.float32, sigma: np.float32, growth: np.float32, normal: np.float32,
                     low: np.float32, high: np.float32, nothing: np.float32) -> np.float32:
    """Return what is measured of a depth, see `take_depths`."""
    value = true + (sigma + growth * true * true) * normal
    value = value if true < math.inf else true
    return value if low <= value and value <= high else nothing


@compiled(inner=True, counted=False)
def is_at_step(depth: Floats, v: int, u: int, jump: np.float32) -> bool:
    """Return whether a neighbour of a pixel is at a quite different depth."""
    for i, j in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        if 0 <= v + i < depth.shape[0] and 0 <= u + j < depth.shape[1]:
            one, other = np.float32(depth[v, u]), np.float32(depth[v + i, u + j])
            if abs(one - other) > jump * min(one, other):
                return True
    return False
