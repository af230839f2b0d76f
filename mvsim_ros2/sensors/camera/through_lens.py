# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Images of lenses with distortion, made of those of ideal ones."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import runs_machine_code
from mvsim_ros2.scene.camera_view import CameraFrame
from mvsim_ros2.sensors.camera.image_kernels import blend_light
from mvsim_ros2.sensors.camera.lens import Lens, rays_of


@dataclass(frozen=True)
class Resampling:
    """
    How an image of a lens is made of one of an ideal lens.

    Colours are bilinear between pixels, in light; depths, ids and normals those of the nearest
    pixel, off by half a pixel.
    """

    ideal: Lens  # that sees all that the lens sees
    nearest: NDArray[np.intp]  # (height, width): pixels of the ideal lens
    blind: NDArray[np.bool_]  # (height, width): pixels that look nowhere
    first: NDArray[np.int32]  # (height, width): the upper left of the four pixels around; -1: none
    right: NDArray[np.float32]  # (height, width): shares of those on the right
    down: NDArray[np.float32]  # (height, width): and of the lower ones

    def taken(self, frame: CameraFrame) -> CameraFrame:
        """Return what the lens sees of what its ideal one sees."""
        pixels, blind = self.nearest, self.blind
        colour = depth = ids = normals = None
        if frame.colour is not None:
            colour = self._blended(frame.colour)
        if frame.depth is not None:
            depth = frame.depth.reshape(-1)[pixels]
            depth[blind] = np.inf
        if frame.ids is not None:
            ids = frame.ids.reshape(-1, 2)[pixels]
            ids[blind] = 0
        if frame.normals is not None:
            normals = frame.normals.reshape(-1, 3)[pixels]
            normals[blind] = 0
        return CameraFrame(colour, depth, ids, normals)

    def _blended(self, colour: NDArray[np.uint8]) -> NDArray[np.uint8]:
        if runs_machine_code():
            image = np.empty((*self.first.shape, 3), np.uint8)
            blend_light(np.ascontiguousarray(colour), self.first, self.right, self.down, image)
            return image
        light = np.square(colour.reshape(-1, 3), dtype=np.float32)
        a, width = np.maximum(self.first, 0), colour.shape[1]
        x, y = self.right[..., np.newaxis], self.down[..., np.newaxis]
        image = np.sqrt((1 - y) * ((1 - x) * light[a] + x * light[a + 1])
                        + y * ((1 - x) * light[a + width] + x * light[a + width + 1]))
        image[self.blind] = 0
        return np.asarray(image + np.float32(0.5), np.uint8)


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
    nearest = (np.round(v).astype(np.intp) - top) * width + np.round(u).astype(np.intp) - left
    return Resampling(
        Lens(width, height, lens.fx, lens.fy, -left, -top), nearest, blind,
        np.where(blind, -1, first).astype(np.int32), (u - across).astype(np.float32),
        (v - along).astype(np.float32))
