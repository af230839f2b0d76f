# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What a camera makes of the light and of the depths that reach it."""

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import runs_machine_code
from mvsim_ros2.sensors.camera.electronics import Electronics, normal_numbers
from mvsim_ros2.sensors.camera.image_kernels import expose_pixels, take_depths
from mvsim_ros2.sensors.raycast.image.bands import in_bands
from mvsim_ros2.world.spec.sensors.camera import ImagerSpec, RgbdCameraSpec

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
        if runs_machine_code():
            image = np.empty_like(colour)
            gain = _NO_GAIN if self._gain is None else self._gain
            random = _NO_PARTS if parts is None else parts
            in_bands(len(colour), lambda _, first, end: expose_pixels(
                colour[first:end], gain[first:end], random[first:end],
                _NO_TABLE if self._table is None else self._table, image[first:end]),
                _least_rows(colour.shape[1]))
            return image
        values = np.multiply(colour, np.float32(1) if self._gain is None else self._gain,
                             dtype=np.float32)
        if self._table is not None:
            values += self._table[parts]
        return np.clip(np.rint(values), 0, 255).astype(np.uint8)


def measured_depth(depth: NDArray[np.float32], spec: RgbdCameraSpec,
                   random: np.random.Generator) -> NDArray[np.float32]:
    """
    Return what a depth camera measures; NaN where this is nothing.

    :param depth: true depths, shape (height, width).
    :param random: source of the noise.
    """
    noisy = spec.depth_noise_sigma > 0 or spec.depth_noise_growth > 0
    parts = None
    if noisy:
        words = random.bit_generator.random_raw(-(-depth.size // 4))
        parts = words.astype('<u8', copy=False).view('<u2')[:depth.size].reshape(depth.shape)
    sigma, growth = np.float32(spec.depth_noise_sigma), np.float32(spec.depth_noise_growth)
    if runs_machine_code():
        measured = np.empty_like(depth)
        in_bands(len(depth), lambda _, first, end: take_depths(
            depth, np.float32(spec.depth_hole_jump), sigma, growth,
            _NO_DEPTHS if parts is None else parts,
            _NO_TABLE if parts is None else normal_numbers(),
            np.float32(spec.depth_clip_min), np.float32(spec.depth_clip_max), measured, first,
            end), _least_rows(depth.shape[1]))
        return measured
    measured = depth.copy()
    if noisy:
        reached = np.where(np.isfinite(depth), depth, np.float32(0))
        measured += (sigma + growth * reached * reached) * normal_numbers()[parts]
    if spec.depth_hole_jump > 0:
        measured[_beside_steps(depth, spec.depth_hole_jump)] = np.nan
    with np.errstate(invalid='ignore'):
        measured[~((measured >= spec.depth_clip_min) & (measured <= spec.depth_clip_max))] = (
            np.nan)
    return measured


def _least_rows(width: int) -> int:
    """Return how many rows a thread takes at least."""
    return -(-_LEAST // width)


def _beside_steps(depth: NDArray[np.float32], jump: float) -> NDArray[np.bool_]:
    """Return the pixels with a neighbour at quite another depth."""
    holes = np.zeros(depth.shape, bool)
    with np.errstate(invalid='ignore'):
        for axis in (0, 1):
            one = depth[1:] if axis == 0 else depth[:, 1:]
            other = depth[:-1] if axis == 0 else depth[:, :-1]
            step = np.abs(one - other) > jump * np.minimum(one, other)
            (holes[1:] if axis == 0 else holes[:, 1:])[step] = True
            (holes[:-1] if axis == 0 else holes[:, :-1])[step] = True
    return holes
