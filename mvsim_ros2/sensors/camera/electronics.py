# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The electronics of a camera: exposure, colour filters, noise of electrons, gain, gamma.

With the light L of a pixel, 1 at saturation, the capacity W of a pixel [electrons], the read noise
s [electrons] and the gain g a pixel gives round(255 clip(g (L + n sqrt(W L + s^2) / W))^(1/gamma))
with standard normal n: shot noise and read noise of EMVA 1288, release 4.0, sections 2.2 and 2.4,
with the Poisson distribution taken as a normal one.
"""

from functools import cache
import math
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.sensors.observations.camera import MOSAICS
from mvsim_ros2.world.spec.sensors.camera import ImagerSpec


@cache
def normal_numbers() -> NDArray[np.float32]:
    """
    Return the middles of 65536 equally likely parts of the standard normal distribution.

    For a value of eight bits, or a depth with noise of millimetres, they are as good as all
    numbers, and found twenty times faster: the largest is 4.3.
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
        :param random: source of the noise.
        """
        self._spec, self._light, self._encoding, self._random = spec, light, encoding, random
        self.reset()

    def reset(self) -> None:
        """Begin with the exposure and the gain that the spec says."""
        self.exposure = self._spec.exposure
        self.gain = 10.0 ** (self._spec.gain / 20.0)

    def develop(self, colour: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """
        Return the image that is taken.

        :param colour: what reaches the lens, shape (rows, columns, 3).
        :returns: shape (rows, columns, 3), or (rows, columns) where a pixel has one number.
        """
        spec = self._spec
        light = _LINEAR[colour]
        light *= np.float32(self.exposure)
        if self._light is not None:
            light *= self._light
        gain = self.gain
        if spec.auto_exposure:
            self._expose_next(float((light @ _LUMINANCE).mean()) * gain)
        if self._encoding == 'mono8':
            light = light @ _LUMINANCE
        elif self._encoding in MOSAICS:
            light = _mosaic(light, MOSAICS[self._encoding])
        if spec.full_well > 0.0:
            well = np.float32(spec.full_well)
            deviation = np.sqrt(light * well + np.float32(spec.read_noise) ** 2) / well
            light += deviation * self._normal(light.shape)
        light = np.clip(light * np.float32(gain), np.float32(0), np.float32(1))
        light = np.sqrt(light) if spec.gamma == 2.0 else light ** np.float32(1.0 / spec.gamma)
        light *= np.float32(255)
        if spec.image_noise > 0.0:
            light += np.float32(spec.image_noise) * self._normal(light.shape)
        image: NDArray[np.uint8] = np.clip(np.rint(light), 0, 255).astype(np.uint8)
        if self._encoding == 'bgr8':
            image = np.ascontiguousarray(image[..., ::-1])
        return image

    def _normal(self, shape: tuple[int, ...]) -> Floats:
        parts = np.frombuffer(self._random.bytes(2 * math.prod(shape)), '<u2').reshape(shape)
        numbers: Floats = normal_numbers()[parts]
        return numbers

    def _expose_next(self, mean: float) -> None:
        """
        Set exposure and gain of the next image; gain only where the exposure is at its limit.

        :param mean: of the light of this image, with its gain.
        """
        spec = self._spec
        share = 1.0 - math.exp(-spec.sensor_period / spec.auto_exposure_time)
        wanted = self.exposure * self.gain * (
            spec.auto_exposure_target / max(mean, 1e-6)) ** share
        self.exposure = min(max(wanted, spec.exposure_min), spec.exposure_max)
        self.gain = min(max(wanted / self.exposure, 1.0), 10.0 ** (spec.gain_max / 20.0))


def _mosaic(light: Floats, colours: tuple[int, ...]) -> Floats:
    """Return the light behind the colour filters, shape (rows, columns)."""
    raw = np.empty(light.shape[:2], np.float32)
    for number, part in enumerate(colours):
        row, column = divmod(number, 2)
        raw[row::2, column::2] = light[row::2, column::2, part]
    return raw
