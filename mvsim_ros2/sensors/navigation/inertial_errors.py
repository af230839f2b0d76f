# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Errors of inertial sensors that remember: flicker of the bias, and the low-pass of the sensor.

Flicker noise of the bias instability B has the one-sided spectrum B^2 / (pi f) and the Allan
deviation sqrt(2 ln 2 / pi) B = 0.664 B, whatever the averaging time (IEEE Std 952-1997, annex C).
It is made of Gauss-Markov processes whose correlation times grow by a factor r from one to the
next, all with the variance B^2 ln(r) / pi: their spectra add up to that one between the shortest
and the longest time (Barnes and Jarvis, Efficient numerical and analog modeling of flicker noise
processes, NBS Technical Note 604, 1971). With r = 4 the sum departs from it by 0.3 %.

The low-pass is a Butterworth filter of second order, brought to samples by the bilinear
transform with its cut-off frequency kept (Oppenheim and Schafer, Discrete-time signal processing,
7.1). With k = tan(pi f T) of the cut-off f and the period T it lets pass the share

    k (k + 1/sqrt(2)) / (k^2 + sqrt(2) k + 1)

of the variance of white noise, the integral of 1 / (1 + (tan(x) / k)^4) over x from 0 to pi/2,
divided by pi/2. At frequencies far below 1/T that is the noise bandwidth of the filter in time,
pi f / (2 sqrt(2)) = 1.11 f, of the 1/(2T) that samples show.
"""

import math

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

FLAT = math.sqrt(2.0 * math.log(2.0) / math.pi)  # Allan deviation of the bias instability 1
_RATIO = 4.0
_SHORTEST, _LONGEST = 0.05, 20_000.0  # s; correlation times of the processes


class Flicker:
    """Flicker noise of several axes."""

    def __init__(self, levels: Array, period: float) -> None:
        """
        Begin with noise that has been going on for long.

        :param levels: at which the Allan deviation is flat, shape (n,).
        :param period: between two samples [s].
        """
        count = 1 + math.ceil(math.log(_LONGEST / _SHORTEST, _RATIO))
        times = _SHORTEST * _RATIO ** np.arange(count)
        self._deviation = (levels / FLAT * math.sqrt(math.log(_RATIO) / math.pi))[:, np.newaxis]
        self._keep = np.exp(-period / times)
        self._fresh = np.sqrt(-np.expm1(-2.0 * period / times)) * self._deviation
        self.parts: Array = np.zeros(self._fresh.shape)

    def begin(self, random: np.random.Generator) -> None:
        """Draw the noise anew."""
        self.parts = self._deviation * random.standard_normal(self._fresh.shape)

    def advance(self, random: np.random.Generator) -> Array:
        """Return the noise of the next sample, shape (n,)."""
        self.parts = (self._keep * self.parts
                      + self._fresh * random.standard_normal(self._fresh.shape))
        total: Array = self.parts.sum(axis=1)
        return total


class LowPass:
    """Low-pass filter of several axes; it begins as if the first value had been there for long."""

    def __init__(self, bandwidths: Array, period: float) -> None:
        """
        Prepare the filter.

        :param bandwidths: of each axis [Hz]; from half of the rate of samples on it passes
            everything, as these show nothing of it.
        :param period: between two samples [s].
        """
        self._filtered = bandwidths < 0.5 / period
        k = np.tan(math.pi * period * np.where(self._filtered, bandwidths, 0.0))
        scale = 1.0 / (1.0 + math.sqrt(2.0) * k + k * k)
        self._in = np.stack([k * k, 2.0 * k * k, k * k]) * scale  # of this value and of two before
        self._out = np.stack([2.0 * (k * k - 1.0), 1.0 - math.sqrt(2.0) * k + k * k]) * scale
        # of the variance of white noise that passes, shape (n,)
        self.share: Array = np.where(self._filtered, k * (k + math.sqrt(0.5)) * scale, 1.0)
        self._past: Array | None = None  # (4, n): values in and out, the last and the one before

    def reset(self) -> None:
        """Forget what was before."""
        self._past = None

    def begin(self, normals: Array) -> None:
        """
        Go on as if white noise of deviation 1 had passed for long.

        :param normals: independent ones, shape (4, n).
        """
        # values in and the values out that they are in have the joint covariance of the
        # stationary filter; what is left of two values out are two more normals
        before, earlier, third, fourth = normals
        first, second = self._in[0], self._in[1] - self._out[0] * self._in[0]  # of an impulse
        neighbours = (self._in[1] * first + self._in[2] * second - self._out[0] * self.share) / (
            1.0 + self._out[1])  # covariance of two values out, the Yule-Walker equation
        rest = np.sqrt(self.share - first * first)
        common = (neighbours - second * first) / rest
        own = np.sqrt(np.maximum(
            self.share - first * first - second * second - common * common, 0.0))
        self._past = np.stack([
            before, earlier, first * before + second * earlier + common * third + own * fourth,
            first * earlier + rest * third])

    def filtered(self, values: Array) -> Array:
        """Return the filtered values of the next sample, shape (n,)."""
        if self._past is None:
            self._past = np.stack([values] * 4)
        before, earlier, made, made_earlier = self._past
        out = (self._in[0] * values + self._in[1] * before + self._in[2] * earlier
               - self._out[0] * made - self._out[1] * made_earlier)
        result: Array = np.where(self._filtered, out, values)
        self._past = np.stack([values, before, result, made])
        return result
