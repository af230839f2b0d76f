# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Overlays of a rendered picture: occluded points and areas, insets of images."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mvsim_ros2.frames import Array
from mvsim_ros2.pictures.viewpoint import projected
from mvsim_ros2.scene.camera_view import CameraFrame, CameraView

if TYPE_CHECKING:
    from PIL.Image import Image

Rgb = tuple[int, int, int]

# tolerance of the depth test: m, and fraction of the depth
_DEPTH_MARGIN, _RELATIVE_MARGIN = 0.04, 0.003
_INSET_WIDTH = 0.24  # fraction of the width of the picture
_MARGIN = 12  # px
# from low to high
_COLOUR_MAP = np.array([(49, 54, 149), (57, 130, 190), (72, 180, 160), (120, 200, 90),
                        (230, 200, 50), (235, 120, 40), (190, 20, 40)], float)


class OccludedDrawing:
    """A rendered picture to draw on, with its depth buffer."""

    def __init__(self, view: CameraView, frame: CameraFrame) -> None:
        """Take the pixels of a frame, which are modified."""
        assert frame.colour is not None and frame.depth is not None
        self.view, self.pixels, self.depth = view, frame.colour, frame.depth
        self.strength = 0.2  # opacity of tints, 0 to 1
        self.dot_scale = 1.0  # of the radius of dots

    def dots(self, points: ArrayLike, colours: ArrayLike, radius: int) -> None:
        """Draw a dot of a radius [px] at every point (n, 3) that is not occluded."""
        radius = round(self.dot_scale * radius)
        pixels, depth = projected(self.view, np.asarray(points, float).reshape(-1, 3))
        paint = np.broadcast_to(np.asarray(colours, np.uint8), (len(depth), 3))
        column, row = np.rint(pixels).astype(np.int64).T
        inside = ((depth > self.view.near) & (column >= 0) & (column < self.view.width)
                  & (row >= 0) & (row < self.view.height))
        column, row, depth, paint = (each[inside] for each in (column, row, depth, paint))
        seen = depth < self.depth[row, column] * (1 + _RELATIVE_MARGIN) + _DEPTH_MARGIN
        order = np.flatnonzero(seen)[np.argsort(-depth[seen], kind='stable')]  # nearest last
        for i in range(-radius, radius + 1):
            for j in range(-radius, radius + 1):
                if i * i + j * j <= radius * radius:
                    x, y = column[order] + j, row[order] + i
                    kept = (x >= 0) & (x < self.view.width) & (y >= 0) & (y < self.view.height)
                    self.pixels[y[kept], x[kept]] = paint[order[kept]]

    def fan(self, origin: ArrayLike, ends: ArrayLike, colour: Rgb) -> None:
        """Tint the area covered by the rays of a planar scan, where it is not occluded."""
        centre, tips = np.asarray(origin, float), np.asarray(ends, float)
        marked = np.zeros(self.depth.shape, bool)
        for a, b in zip(tips[:-1], tips[1:], strict=True):
            self._triangle(np.stack([centre, a, b]), marked)
        tint = np.asarray(colour, float)
        self.pixels[marked] = np.rint(
            (1 - self.strength) * self.pixels[marked] + self.strength * tint).astype(np.uint8)

    def _triangle(self, corners: Array, marked: NDArray[np.bool_]) -> None:
        """Mark the pixels in which a triangle is visible."""
        pieces = self._clip_to_front(corners)
        for k in range(1, len(pieces) - 1):
            pixels, depth = projected(self.view, pieces[[0, k, k + 1]])
            low = np.maximum(np.floor(pixels.min(axis=0)), 0).astype(int)
            high = np.minimum(np.ceil(pixels.max(axis=0)),
                              (self.view.width - 1, self.view.height - 1)).astype(int)
            (ax, ay), (bx, by), (cx, cy) = pixels
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

    def _clip_to_front(self, corners: Array) -> Array:
        """Return the part of a convex polygon in front of the camera, shape (n, 3)."""
        depth = (corners - self.view.pose[:3, 3]) @ self.view.pose[:3, 2] - self.view.near
        kept = []
        for i in range(len(corners)):
            j = (i + 1) % len(corners)
            if depth[i] > 0:
                kept.append(corners[i])
            if (depth[i] > 0) != (depth[j] > 0):
                fraction = depth[i] / (depth[i] - depth[j])
                kept.append(corners[i] + fraction * (corners[j] - corners[i]))
        return np.array(kept).reshape(-1, 3)


def colours_of(values: ArrayLike, low: float | None = None,
               high: float | None = None) -> NDArray[np.uint8]:
    """
    Return a colour for each number, from blue over green to red; grey where it is not finite.

    :param low: number shown blue, None for the smallest; `high` is shown red.
    """
    numbers = np.asarray(values, float)
    finite = np.isfinite(numbers)
    some = numbers[finite]
    first = low if low is not None else float(some.min(initial=np.inf) if some.size else 0.0)
    last = high if high is not None else float(some.max(initial=-np.inf) if some.size else 1.0)
    fraction = np.zeros(numbers.shape)
    fraction[finite] = np.clip((some - first) / max(last - first, 1e-9), 0.0, 1.0)
    steps = np.arange(len(_COLOUR_MAP)) / (len(_COLOUR_MAP) - 1)
    colours = np.stack([np.interp(fraction, steps, _COLOUR_MAP[:, k]) for k in range(3)], axis=-1)
    colours[~finite] = 110
    return np.asarray(np.rint(colours), np.uint8)


def add_insets(picture: 'Image', images: Mapping[str, NDArray[np.uint8]]) -> None:
    """Paste images with their names along the right border of a picture, as many as fit."""
    from PIL import Image, ImageDraw, ImageFont
    draw, font = ImageDraw.Draw(picture), ImageFont.load_default(13)
    width, top = round(_INSET_WIDTH * picture.width), _MARGIN
    left = picture.width - width - _MARGIN
    for name, pixels in images.items():
        rows, columns = pixels.shape[:2]
        height = max(1, round(width * rows / columns))
        if top + height + _MARGIN > picture.height:
            break
        inset = Image.fromarray(np.ascontiguousarray(pixels)).resize((width, height))
        draw.rectangle((left - 2, top - 2, left + width + 1, top + height + 1), fill='white')
        picture.paste(inset, (left, top))
        draw.text((left + 6, top + 4), name, 'white', font, stroke_width=2, stroke_fill='black')
        top += height + _MARGIN
