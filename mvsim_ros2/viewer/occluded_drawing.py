# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Points and areas drawn into a picture, hidden by what stands before them."""

import numpy as np
from numpy.typing import ArrayLike
from numpy.typing import NDArray

from mvsim_ros2.scene.camera_view import CameraFrame
from mvsim_ros2.scene.camera_view import CameraView
from mvsim_ros2.viewer.viewpoint import projected

Array = NDArray[np.float64]
Rgb = tuple[int, int, int]

# how far a point may lie behind the surface that it is on: m, and share of its depth
_MARGIN, _MARGIN_SHARE = 0.04, 0.003


class OccludedDrawing:
    """A picture that is drawn on."""

    def __init__(self, view: CameraView, frame: CameraFrame) -> None:
        """Take a picture; its pixels are changed."""
        assert frame.colour is not None and frame.depth is not None
        self.view, self.pixels, self.depth = view, frame.colour, frame.depth
        self.strength = 0.2  # of tints: 0 nothing, 1 opaque

    def dots(self, points: ArrayLike, colours: ArrayLike, radius: int) -> None:
        """
        Draw a dot at every point that is not hidden.

        :param points: of the world, shape (n, 3) [m].
        :param colours: red, green, blue of each, shape (n, 3), or of all.
        :param radius: of a dot [px].
        """
        places, depth = projected(self.view, np.asarray(points, float).reshape(-1, 3))
        paint = np.broadcast_to(np.asarray(colours, np.uint8), (len(depth), 3))
        column, row = np.rint(places).astype(np.int64).T
        inside = ((depth > self.view.near) & (column >= 0) & (column < self.view.width)
                  & (row >= 0) & (row < self.view.height))
        column, row, depth, paint = (each[inside] for each in (column, row, depth, paint))
        seen = depth < self.depth[row, column] * (1 + _MARGIN_SHARE) + _MARGIN
        order = np.flatnonzero(seen)[np.argsort(-depth[seen], kind='stable')]  # nearest last
        for i in range(-radius, radius + 1):
            for j in range(-radius, radius + 1):
                if i * i + j * j <= radius * radius:
                    x, y = column[order] + j, row[order] + i
                    kept = (x >= 0) & (x < self.view.width) & (y >= 0) & (y < self.view.height)
                    self.pixels[y[kept], x[kept]] = paint[order[kept]]

    def fan(self, origin: ArrayLike, ends: ArrayLike, colour: Rgb) -> None:
        """
        Tint the area that a planar scan went through, where it is not hidden.

        :param origin: of the rays, shape (3,) [m].
        :param ends: of the rays, in their order, shape (n, 3) [m].
        """
        centre, tips = np.asarray(origin, float), np.asarray(ends, float)
        marked = np.zeros(self.depth.shape, bool)
        for a, b in zip(tips[:-1], tips[1:], strict=True):
            self._triangle(np.stack([centre, a, b]), marked)
        tint = np.asarray(colour, float)
        self.pixels[marked] = np.rint(
            (1 - self.strength) * self.pixels[marked] + self.strength * tint).astype(np.uint8)

    def _triangle(self, corners: Array, marked: NDArray[np.bool_]) -> None:
        """Mark the pixels in which a triangle is seen."""
        pieces = self._before_the_eye(corners)
        for k in range(1, len(pieces) - 1):
            places, depth = projected(self.view, pieces[[0, k, k + 1]])
            low = np.maximum(np.floor(places.min(axis=0)), 0).astype(int)
            high = np.minimum(np.ceil(places.max(axis=0)),
                              (self.view.width - 1, self.view.height - 1)).astype(int)
            (ax, ay), (bx, by), (cx, cy) = places
            area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
            if (low > high).any() or abs(area) < 1e-9:
                continue
            x, y = np.meshgrid(np.arange(low[0], high[0] + 1), np.arange(low[1], high[1] + 1))
            v = ((x - ax) * (cy - ay) - (y - ay) * (cx - ax)) / area
            w = ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / area
            near = (1 - v - w) / depth[0] + v / depth[1] + w / depth[2]  # 1 / depth
            window = slice(low[1], high[1] + 1), slice(low[0], high[0] + 1)
            inside = (v >= 0) & (w >= 0) & (v + w <= 1)
            marked[window] |= inside & (near * self.depth[window] > 1)

    def _before_the_eye(self, corners: Array) -> Array:
        """Return the part of a convex polygon that lies before the camera, shape (n, 3)."""
        depth = (corners - self.view.pose[:3, 3]) @ self.view.pose[:3, 2] - self.view.near
        kept = []
        for i in range(len(corners)):
            j = (i + 1) % len(corners)
            if depth[i] > 0:
                kept.append(corners[i])
            if (depth[i] > 0) != (depth[j] > 0):
                share = depth[i] / (depth[i] - depth[j])
                kept.append(corners[i] + share * (corners[j] - corners[i]))
        return np.array(kept).reshape(-1, 3)
