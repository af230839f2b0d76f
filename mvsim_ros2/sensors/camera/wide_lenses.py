# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Wide lenses with closed forms from directions to pixels and back.

`double_sphere` has xi and alpha (V. Usenko, N. Demmel and D. Cremers, The double sphere camera
model, 3DV 2018). `eucm`, the extended unified camera model, has alpha and beta (B. Khomutenko,
G. Garcia and P. Martinet, IEEE Robotics and Automation Letters 1, 2016). Columns of
`equirectangular` are longitudes, rows are latitudes.
"""

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array

NAMES = {'double_sphere': 'xi alpha', 'eucm': 'alpha beta', 'equirectangular': ''}
WIDE = {model: len(names.split()) for model, names in NAMES.items()}  # number of coefficients


def project(model: str, points: Array, values: tuple[float, ...]) -> tuple[Array, Array]:
    """Return where points (..., 3) are on the plane of the depth 1, or as angles."""
    x, y, z = np.moveaxis(points, -1, 0)
    if model == 'equirectangular':
        return np.arctan2(x, z), np.arctan2(y, np.hypot(x, z))
    if model == 'eucm':
        alpha, beta = values
        away = np.sqrt(beta * (x * x + y * y) + z * z)
    else:
        xi, alpha = values
        z = xi * np.sqrt(x * x + y * y + z * z) + z
        away = np.sqrt(x * x + y * y + z * z)
    below = alpha * away + (1.0 - alpha) * z
    return x / below, y / below


def rays(model: str, x: Array, y: Array, values: tuple[float, ...]) -> Array:
    """Return the unit vectors to where `project` leads to x and y, 0 where there are none."""
    if model == 'equirectangular':
        level = np.cos(y)
        seen = (np.abs(x) <= np.pi) & (np.abs(y) <= 0.5 * np.pi)
        ways = np.stack([level * np.sin(x), np.sin(y), level * np.cos(x)], axis=-1)
        return np.where(seen[..., np.newaxis], ways, 0.0)
    square = x * x + y * y
    if model == 'eucm':
        alpha, beta = values
        root, seen = _root(alpha, beta * square)
        z = (1.0 - beta * alpha * alpha * square) / (alpha * root + 1.0 - alpha)
        ways = np.stack([x, y, z], axis=-1) / np.sqrt(square + z * z)[..., np.newaxis]
    else:
        xi, alpha = values
        root, seen = _root(alpha, square)
        z = (1.0 - alpha * alpha * square) / (alpha * root + 1.0 - alpha)
        inner = z * z + (1.0 - xi * xi) * square
        seen &= inner >= 0.0
        scale = (z * xi + np.sqrt(np.maximum(inner, 0.0))) / (z * z + square)
        ways = np.stack([scale * x, scale * y, scale * z - xi], axis=-1)
    return np.where(seen[..., np.newaxis], ways, 0.0)


def _root(alpha: float, square: Array) -> tuple[Array, NDArray[np.bool_]]:
    """Return the root in the inverse of both models, and where it is real."""
    inner = 1.0 - (2.0 * alpha - 1.0) * square
    return np.sqrt(np.maximum(inner, 0.0)), inner >= 0.0
