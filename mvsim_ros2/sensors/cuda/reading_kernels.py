# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""From distances to what LiDARs and depth cameras measure, on the card, with their noise."""

import math
from typing import Any

from numba import cuda
import numpy as np

from mvsim_ros2.sensors.camera.image_noise import depth_with_noise, is_at_step
from mvsim_ros2.sensors.cuda.card import kernel, on_card
from mvsim_ros2.sensors.lidar.hash_noise import normal
from mvsim_ros2.sensors.lidar.returns import KINDS, OF_RANGE

# limits of a LiDAR
NEAREST, FARTHEST, NOISE = range(3)
# of a depth camera: noise, what it grows by with the square of the depth, least and largest depth,
# share of a step of depths at which there is none, what reads where there is none
SIGMA, GROWTH, LOW, HIGH, JUMP, NOTHING = range(6)

_draw, _real = on_card(normal), np.float32
_depth_with_noise, _is_at_step = on_card(depth_with_noise), on_card(is_at_step)


@kernel
def to_ranges(rows: Any, distances: Any, origins: Any, directions: Any, keys: Any, limits: Any,
              measured: Any) -> None:
    """
    Write how far points are from their LiDAR, as `sensors.lidar.returns`; else the largest range.

    :param rows: numbers of the LiDARs.
    :param distances: along the beams, shape (K, rings * columns), ring by ring.
    :param origins: of the beams in the frame of the LiDAR, shape (rings * columns, 3).
    :param directions: likewise, unit vectors.
    :param keys: of the noise of each scan, shape (K,).
    :param limits: of each, shape (K, 3): `NEAREST`, `FARTHEST`, `NOISE` [m].
    :param measured: filled in, shape (K, rings, columns).
    """
    k = rows[cuda.blockIdx.x]
    n = cuda.blockIdx.y * cuda.blockDim.x + cuda.threadIdx.x
    if n >= distances.shape[1]:
        return
    rings, columns = measured.shape[1], measured.shape[2]
    ring, column = n // columns, n % columns
    distance = distances[k, n]
    if distance < math.inf and limits[k, NOISE] > 0.0:
        distance += limits[k, NOISE] * _draw(keys[k], KINDS * (column * rings + ring) + OF_RANGE)
    if not (limits[k, NEAREST] <= distance and distance <= limits[k, FARTHEST]):
        measured[k, ring, column] = limits[k, FARTHEST]
        return
    square = 0.0
    for i in range(3):
        square += (origins[n, i] + distance * directions[n, i]) ** 2
    measured[k, ring, column] = min(math.sqrt(square), limits[k, FARTHEST])


@kernel
def to_depths(rows: Any, distances: Any, parts: Any, table: Any, limits: Any,
              measured: Any) -> None:
    """
    Write depths, as `sensors.camera.image_noise.take_depths`.

    :param distances: shape (K, height, width).
    :param parts: random rows of `table`, shape (K, height * width); not read without noise.
    :param table: standard normal numbers, shape (65536,).
    :param limits: of each, single precision, shape (K, 6), see `SIGMA`.
    :param measured: filled in, shape (K, height, width).
    """
    k = rows[cuda.blockIdx.x]
    n = cuda.blockIdx.y * cuda.blockDim.x + cuda.threadIdx.x
    height, width = measured.shape[1], measured.shape[2]
    if n >= height * width:
        return
    v, u = n // width, n % width
    sigma, growth = limits[k, SIGMA], limits[k, GROWTH]
    is_noisy = sigma > _real(0.0) or growth > _real(0.0)
    value = _depth_with_noise(
        _real(distances[k, v, u]), sigma, growth, table[parts[k, n] if is_noisy else 0],
        limits[k, LOW], limits[k, HIGH], limits[k, NOTHING])
    if limits[k, JUMP] > _real(0.0) and _is_at_step(distances[k], v, u, limits[k, JUMP]):
        value = limits[k, NOTHING]
    measured[k, v, u] = value
