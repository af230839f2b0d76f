# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Images of a lens made of those of ideal lenses, which OpenGL draws: bilinear, in light."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.sensors.camera.lens import Lens, rays_of
from mvsim_ros2.sensors.camera.wide_lenses import WIDE

Floats = NDArray[np.float32]

# axes of the faces of a cube in the optical frame, as columns: ahead, behind, right, left, ...
_FACES = np.array([
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]], [[-1, 0, 0], [0, 1, 0], [0, 0, -1]],
    [[0, 0, 1], [0, 1, 0], [-1, 0, 0]], [[0, 0, -1], [0, 1, 0], [1, 0, 0]],
    [[1, 0, 0], [0, 0, 1], [0, -1, 0]], [[1, 0, 0], [0, 0, -1], [0, 1, 0]]], float)


@dataclass(frozen=True)
class Resampling:
    """What a lens sees through one ideal lens."""

    rotation: Array  # (3, 3): of that in the optical frame
    ideal: Lens  # that sees all of it
    first: NDArray[np.int32]  # (height, width): the upper left of the four pixels around; -1: none
    right: Floats  # (height, width): shares of those on the right
    down: Floats  # (height, width): and of the lower ones

    def take(self, colour: NDArray[Any], image: NDArray[Any]) -> None:
        """Fill in the pixels that are seen in the image of the ideal lens."""
        if image.dtype == np.uint8:
            blend_light(np.ascontiguousarray(colour), self.first, self.right, self.down, image)
            return
        seen = self.first >= 0
        light, at = colour.reshape(-1, 3), self.first[seen]
        x, y = self.right[seen][:, np.newaxis], self.down[seen][:, np.newaxis]
        below = at + colour.shape[1]
        image[seen] = ((1 - y) * ((1 - x) * light[at] + x * light[at + 1])
                       + y * ((1 - x) * light[below] + x * light[below + 1]))


@lru_cache(maxsize=128)
def resampling_of(lens: Lens) -> tuple[Resampling, ...]:
    """Return how images of a lens are made: of one that looks ahead, or of the faces of a cube."""
    rays = rays_of(lens)
    seen = np.asarray(rays.any(axis=-1))
    if lens.model not in WIDE:
        return (_through(lens, rays, seen, _FACES[0]),)
    nearest: NDArray[np.int64] = np.where(
        seen, np.argmax(np.einsum('vui,fi->fvu', rays, _FACES[:, :, 2]), axis=0), -1)
    return tuple(_through(lens, rays @ _FACES[face], nearest == face, _FACES[face])
                 for face in np.unique(nearest[seen]).tolist())


def _through(lens: Lens, rays: Array, seen: NDArray[np.bool_], rotation: Array) -> Resampling:
    """Return how some pixels are made, whose rays look ahead in the frame of an ideal lens."""
    depth = np.where(seen, rays[..., 2], 1.0)
    u = np.where(seen, lens.fx * rays[..., 0] / depth, 0.0)
    v = np.where(seen, lens.fy * rays[..., 1] / depth, 0.0)
    left, top = int(np.floor(u.min())), int(np.floor(v.min()))
    width, height = int(np.floor(u.max())) - left + 2, int(np.floor(v.max())) - top + 2
    across, along = np.floor(u).astype(np.intp), np.floor(v).astype(np.intp)
    first = (along - top) * width + across - left
    return Resampling(
        rotation, Lens(width, height, lens.fx, lens.fy, -left, -top),
        np.where(seen, first, -1).astype(np.int32), (u - across).astype(np.float32),
        (v - along).astype(np.float32))


@compiled(counted=False)
def blend_light(colour: NDArray[np.uint8], first: NDArray[np.int32], right: Floats, down: Floats,
                image: NDArray[np.uint8]) -> None:
    """
    Fill in colours between the pixels of another image: bilinear in light, the square of a colour.

    :param colour: shape (rows, columns, 3); for `first`, `right` and `down` see `Resampling`.
    :param image: shape (height, width, 3); left as it is where `first` is -1.
    """
    columns = colour.shape[1]
    for v in range(image.shape[0]):
        for u in range(image.shape[1]):
            if first[v, u] < 0:
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
