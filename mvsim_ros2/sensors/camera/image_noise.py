# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
What a camera makes of the light and of the depths that reach it.

A stereo camera measures the disparity d = f b / z, so an error s of it causes a depth error z^2 s
/ (f b). Points that only one camera sees have no depth. A time-of-flight camera measures the phase
4 pi F z / c of light modulated at F. Light of several depths in a pixel adds up as phasors, as in
M. Hansard, S. Lee, O. Choi and R. Horaud, Time-of-flight cameras, 2012.

A pixel gives round(255 clip(g (L + n sqrt(W L + s^2) / W))^(1/gamma)), with standard normal n. L
is its light, 1 at saturation, W its capacity [electrons], s the read noise [electrons] and g the
gain. These are shot noise and read noise of EMVA 1288, release 4.0, sections 2.2 and 2.4, with a
normal instead of a Poisson distribution. Above a black level noise stays signed.
"""

from functools import cache
import math
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.sensors.camera.depth_models import stereo_depth, time_of_flight_depth
from mvsim_ros2.sensors.observations.camera import MOSAICS
from mvsim_ros2.sensors.raycast.image.bands import in_bands
from mvsim_ros2.world.spec.sensors.camera import CameraSpec, ImagerSpec, RgbdCameraSpec


@cache
def normal_numbers() -> NDArray[np.float32]:
    """
    Return the middles of 65536 equally likely parts of the standard normal distribution.

    They suffice for values of eight bits, or depths with noise of millimetres, and are twenty
    times faster. The largest is 4.3.
    """
    normal, count = NormalDist(), 2 ** 16
    return np.array([normal.inv_cdf((i + 0.5) / count) for i in range(count)], np.float32)


Floats = NDArray[np.float32]

_LUMINANCE = np.array([0.2126, 0.7152, 0.0722], np.float32)  # of ITU-R BT.709
_LINEAR = (np.arange(256, dtype=np.float32) / np.float32(255)) ** 2  # light of a colour


class Electronics:
    """Turns light into the image that a camera gives, and sets its own exposure."""

    def __init__(self, spec: ImagerSpec, light: Floats | None, encoding: str,
                 random: np.random.Generator) -> None:
        """
        Prepare for images of one size.

        :param light: share of the light that reaches each pixel, shape (rows, columns, 1); None
            for all of it.
        :param encoding: of the image, as sensor_msgs/Image has it.
        """
        self._spec, self._light, self._encoding, self._random = spec, light, encoding, random
        self._grey = encoding in ('mono8', 'mono16', '32FC1')
        self.reset()

    def reset(self) -> None:
        """Begin with the exposure and the gain that the spec says."""
        self.exposure = self._spec.exposure
        self.gain = 10.0 ** (self._spec.gain / 20.0)

    def develop(self, colour: NDArray[Any]) -> NDArray[Any]:
        """
        Return the image that is taken.

        :param colour: what reaches the lens, shape (rows, columns, 3); float32: its light.
        :returns: shape (rows, columns, 3), or (rows, columns) where a pixel has one number.
        """
        spec = self._spec
        light = _LINEAR[colour] if colour.dtype == np.uint8 else colour.copy()
        light *= np.float32(self.exposure)
        if self._light is not None:
            light *= self._light
        gain = self.gain
        if spec.auto_exposure:
            bright = light @ _LUMINANCE
            if colour.dtype != np.uint8:  # full pixels count as white
                bright = np.minimum(bright, np.float32(1.0 / gain))
            self._expose_next(metered(bright, spec.auto_exposure_metering) * gain)
        if self._grey:
            light = light @ _LUMINANCE
        elif self._encoding in MOSAICS:
            light = _mosaic(light, MOSAICS[self._encoding])
        if spec.full_well > 0.0:
            well = np.float32(spec.full_well)
            deviation = np.sqrt(light * well + np.float32(spec.read_noise) ** 2) / well
            light += deviation * self._normal(light.shape)
        light = light * np.float32(gain)
        if self._encoding.startswith('32FC'):
            if spec.image_noise > 0.0:
                light += np.float32(spec.image_noise / 255.0) * self._normal(light.shape)
            return np.asarray(light)
        below = np.minimum(light, np.float32(0)) if spec.black_level > 0.0 else None
        light = np.clip(light, np.float32(0), np.float32(1))
        light = np.sqrt(light) if spec.gamma == 2.0 else light ** np.float32(1.0 / spec.gamma)
        deep = self._encoding.endswith('16')
        white = 65535 if deep else 255
        if below is not None:
            light += -np.abs(below) ** np.float32(1.0 / spec.gamma)
            light *= np.float32(white - spec.black_level)
            light += np.float32(spec.black_level)
        else:
            light *= np.float32(white)
        if spec.image_noise > 0.0:
            light += np.float32(spec.image_noise * (white / 255)) * self._normal(light.shape)
        step = self._step if deep else 1
        image: NDArray[Any] = (np.clip(np.rint(light / np.float32(step)), 0, white // step)
                               * step).astype(np.uint16 if deep else np.uint8)
        if self._encoding.startswith('bgr'):
            image = np.ascontiguousarray(image[..., ::-1])
        return image

    @property
    def _step(self) -> int:
        """Return the difference of values of 16 bits."""
        assert isinstance(self._spec, CameraSpec)
        return 1 << (16 - self._spec.bit_depth)

    def _normal(self, shape: tuple[int, ...]) -> Floats:
        parts = np.frombuffer(self._random.bytes(2 * math.prod(shape)), '<u2').reshape(shape)
        numbers: Floats = normal_numbers()[parts]
        return numbers

    def _expose_next(self, mean: float) -> None:
        """
        Set exposure and gain of the next image from the mean light of this one, with its gain.

        Gain is only where the exposure is at its limit.
        """
        spec = self._spec
        share = 1.0 - math.exp(-spec.sensor_period / spec.auto_exposure_time)
        wanted = self.exposure * self.gain * (
            spec.auto_exposure_target / max(mean, 1e-6)) ** share
        self.exposure = min(max(wanted, spec.exposure_min), spec.exposure_max)
        self.gain = min(max(wanted / self.exposure, 1.0), 10.0 ** (spec.gain_max / 20.0))


def metered(light: Floats, metering: str) -> float:
    """Return the mean light of an image, see `ImagerSpec.auto_exposure_metering`."""
    if metering == 'mean':
        return float(light.mean())
    down, right = ((2.0 * np.arange(count) + 1.0) / count - 1.0 for count in light.shape)
    if metering == 'spot':
        weights = [np.abs(each) <= max(0.1, np.abs(each).min()) for each in (down, right)]
    else:
        weights = [np.exp(-0.5 * (2.0 * each) ** 2) for each in (down, right)]
    return float(np.average(np.average(light, axis=1, weights=weights[1]), weights=weights[0]))


def _mosaic(light: Floats, colours: tuple[int, ...]) -> Floats:
    """Return the light behind the colour filters, shape (rows, columns)."""
    raw = np.empty(light.shape[:2], np.float32)
    for number, part in enumerate(colours):
        row, column = divmod(number, 2)
        raw[row::2, column::2] = light[row::2, column::2, part]
    return raw


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

    def expose(self, colour: NDArray[Any]) -> NDArray[Any]:
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
    """Return what a depth camera measures of true depths (height, width); NaN for nothing."""
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
    Fill in the image that is taken of colours, shape (rows, columns, 3).

    :param gain: of each pixel, shape (rows, columns, 1), or no rows.
    :param parts: random rows of `table`, shape (rows, columns, 3), or no rows.
    :param table: noise, shape (65536,).
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
    :param jump: pixels next to a step of more than this share of their depth are empty; 0: none.
    :param sigma: standard deviation of the noise [m].
    :param growth: what it grows by with the square of the depth [1/m].
    :param parts: random rows of `table`, shape (rows, columns), or no rows.
    :param table: standard normal numbers, shape (65536,).
    :param low: smallest depth that is measured [m], `high` the largest.
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


@compiled(counted=False)
def is_at_step(depth: Floats, v: int, u: int, jump: np.float32) -> bool:
    """Return whether a neighbour of a pixel is at a quite different depth."""
    for i, j in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        if 0 <= v + i < depth.shape[0] and 0 <= u + j < depth.shape[1]:
            one, other = np.float32(depth[v, u]), np.float32(depth[v + i, u + j])
            if abs(one - other) > jump * min(one, other):
                return True
    return False
