# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
A sky with a sun disc, a horizon and clouds, as the faces of a sky box.

Clouds are where a noise of the spectrum f^-2 on a level layer exceeds its quantile.
"""

from functools import lru_cache
import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array

_SIZE = 384  # px, of a face
RADIUS = math.radians(0.265)  # of the sun
_ZENITH, _HORIZON = (0.28, 0.50, 0.87), (0.68, 0.80, 0.91)  # sRGB
_SUN, _EVENING = (1.0, 0.98, 0.92), (1.0, 0.63, 0.38)
_LIGHT_CLOUD, _DARK_CLOUD = (0.93, 0.94, 0.95), (0.76, 0.78, 0.82)
_LOW = math.sin(math.radians(15.0))  # height of a sun from which the horizon reddens
_CELLS, _POWER, _LARGEST = 256, 2.0, 7.0  # of the noise; waves in a tile
_TILE = 7.0  # side of a tile, in heights of the layer
_SOFT = 0.25  # width of the edge of clouds, in shares of the sky


@lru_cache(maxsize=8)
def painted_sky(towards_sun: tuple[float, float, float], clouds: float) -> NDArray[np.uint8]:
    """
    Return the faces of a sky box, see `Lighting.sky`.

    :param towards_sun: unit vector, world frame; below the horizon there is no disc.
    :param clouds: share of the sky that they cover, 0 to 1.
    """
    look = _directions()
    height = np.maximum(look[..., 2], 0.0)
    sky = _mixed(np.broadcast_to(_ZENITH, look.shape), _HORIZON, (1.0 - height) ** 4)
    level = math.hypot(*towards_sun[:2])
    low = min(max(1.0 - towards_sun[2] / _LOW, 0.0), 1.0)
    if low > 0.0:
        facing = (look[..., :2] @ np.array(towards_sun[:2])) / level
        sky = _mixed(sky, _EVENING, low * (1.0 - height) ** 6 * (0.5 + 0.5 * facing) ** 2)
    above = look[..., 2] > -RADIUS
    sky[above] = _above(sky[above], look[above], np.array(towards_sun), clouds)
    return np.rint(255 * sky).astype(np.uint8)


def sun_share(towards_sun: tuple[float, float, float], clouds: float) -> float:
    """Return the share of the light of the disc of the sun that clouds let pass."""
    return float(1.0 - np.minimum(1.6 * _clouds(np.array(towards_sun), clouds), 1.0))


def _above(sky: Array, look: Array, towards_sun: Array, cover: float) -> Array:
    """Return the colours of a sky with sun and clouds, shape (N, 3)."""
    thick = _clouds(look, cover)
    cloud = _mixed(np.broadcast_to(_LIGHT_CLOUD, look.shape), _DARK_CLOUD, thick ** 2)
    opaque = np.minimum(1.6 * thick, 1.0)
    if towards_sun[2] < -RADIUS:
        return _mixed(sky, cloud, opaque)
    angle = np.arccos(np.clip(look @ towards_sun, -1.0, 1.0))
    sky = _mixed(_mixed(sky, _SUN, 0.6 * np.exp(-angle / 0.09)), cloud, 0.95 * opaque)
    texel = 0.5 * math.pi / _SIZE
    return _mixed(sky, _SUN, np.clip((RADIUS - angle) / texel + 0.5, 0.0, 1.0) * (1.0 - opaque))


def _directions() -> Array:
    """Return the directions of all texels, shape (6, n, n, 3)."""
    steps = (np.arange(_SIZE) + 0.5) / _SIZE * 2.0 - 1.0
    right, down = np.meshgrid(steps, steps)
    one = np.ones_like(right)
    faces = np.stack([np.stack(face, -1) for face in (
        (one, -right, -down), (-one, right, -down), (-down, -right, -one),
        (down, -right, one), (right, one, -down), (-right, -one, -down))])
    unit: Array = faces / np.linalg.norm(faces, axis=-1, keepdims=True)
    return unit


def _clouds(look: Array, cover: float) -> Array:
    """Return how thick clouds are in some directions, 0 to 1."""
    height = look[..., 2]
    places = look[..., :2] / (np.maximum(height, 0.0) + 0.12)[..., None] / _TILE * _CELLS
    first = np.floor(places).astype(int)
    part, rank = places - first, _ranks()
    thick = np.zeros(height.shape)
    for i in range(2):
        for j in range(2):
            share = abs(1 - i - part[..., 0]) * abs(1 - j - part[..., 1])
            thick += share * rank[(first[..., 0] + i) % _CELLS, (first[..., 1] + j) % _CELLS]
    soft = _SOFT * 4.0 * cover * (1.0 - cover) + 1e-6  # the edge is where the cover ends
    beyond = np.clip((thick - 1.0 + cover) / soft + 0.5, 0.0, 1.0)
    clouds: Array = beyond * np.clip(height / 0.12, 0.0, 1.0)
    return clouds


@lru_cache(maxsize=1)
def _ranks() -> Array:
    """Return a tile of noise as ranks, 0 to 1."""
    wave = np.fft.fftfreq(_CELLS) * _CELLS
    length = np.maximum(np.hypot(*np.meshgrid(wave, wave)), _LARGEST)
    noise = np.random.default_rng(5).standard_normal((_CELLS, _CELLS))
    smooth = np.fft.ifft2(np.fft.fft2(noise) * length ** -_POWER).real
    ranks: Array = np.argsort(np.argsort(smooth, axis=None)).reshape(smooth.shape) / smooth.size
    return ranks


def _mixed(one: Array, other: tuple[float, float, float] | Array, share: Array) -> Array:
    """Return colours, with a share of others."""
    mixed: Array = one + share[..., None] * (np.asarray(other) - one)
    return mixed
