# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Colours of lenses with distortion, made of those of ideal ones."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.sensors.camera.lens import Lens, rays_of

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Resampling:
    """How colours of a lens are made of those of an ideal lens: bilinear, in light."""

    ideal: Lens  # that sees all that the lens sees
    first: NDArray[np.int32]  # (height, width): the upper left of the four pixels around; -1: none
    right: NDArray[np.float32]  # (height, width): shares of those on the right
    down: NDArray[np.float32]  # (height, width): and of the lower ones

    def taken(self, colour: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return what the lens sees of what its ideal one sees, shape (height, width, 3)."""
        image = np.empty((*self.first.shape, 3), np.uint8)
        blend_light(np.ascontiguousarray(colour), self.first, self.right, self.down, image)
        return image


@lru_cache(maxsize=128)
def resampling_of(lens: Lens) -> Resampling:
    """Return how images of a lens are made, whose pixels all look ahead."""
    rays = rays_of(lens)
    blind = np.logical_not(rays.any(axis=-1))
    depth = np.where(blind, 1.0, rays[..., 2])
    u, v = lens.fx * rays[..., 0] / depth, lens.fy * rays[..., 1] / depth
    left, top = int(np.floor(u.min())), int(np.floor(v.min()))
    width, height = int(np.floor(u.max())) - left + 2, int(np.floor(v.max())) - top + 2
    across, along = np.floor(u).astype(np.intp), np.floor(v).astype(np.intp)
    first = (along - top) * width + across - left
    return Resampling(
        Lens(width, height, lens.fx, lens.fy, -left, -top),
        np.where(blind, -1, first).astype(np.int32), (u - across).astype(np.float32),
        (v - along).astype(np.float32))


@compiled(counted=False)
def blend_light(colour: NDArray[np.uint8], first: NDArray[np.int32], right: Floats, down: Floats,
                image: NDArray[np.uint8]) -> None:
    """
    Fill in colours between the pixels of another image: bilinear in light, the square of a colour.

    :param colour: shape (rows, columns, 3).
    :param first: place of the upper left of the four pixels around each, row by row, shape
        (height, width); -1: black.
    :param right: share of the right ones, shape (height, width), as `down`.
    :param image: shape (height, width, 3).
    """
    columns = colour.shape[1]
    for v in range(image.shape[0]):
        for u in range(image.shape[1]):
            if first[v, u] < 0:
                image[v, u, 0] = image[v, u, 1] = image[v, u, 2] = 0
                continue
            row, column = first[v, u] // columns, first[v, u] % columns
            x, y = right[v, u], down[v, u]
            one = np.float32(1.0)
            for part in range(3):
                a, b = np.float32(colour[row, column, part]), np.float32(
                    colour[row, column + 1, part])
                c, d = np.float32(colour[row + 1, column, part]), np.float32(
                    colour[row + 1, column + 1, part])
                light = (one - y) * ((one - x) * a * a + x * b * b) + y * (
                    (one - x) * c * c + x * d * d)
                image[v, u, part] = int(np.sqrt(light) + np.float32(0.5))
