# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Antialiasing of images that OpenGL draws with one sample a pixel: rays smooth their edges.

Several samples of all pixels are cheap on a graphics card and dear without one. So software
OpenGL takes one and leaves a mark in the opacity of each pixel, which says what is seen and
whether the sun shines on it, or `UNSURE` on the border of a shadow or of a hole. Edges run between
neighbours whose colours differ and whose marks do, or that do not lie in one plane: across a plane
the depths of OpenGL, which are inverse, grow evenly. Pixels on edges are drawn again by rays.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.raycast.image.edges import ABOVE
from mvsim_ros2.raycast.image.edges import BELOW
from mvsim_ros2.raycast.image.edges import EACH
from mvsim_ros2.raycast.image.edges import LEFT
from mvsim_ros2.raycast.image.edges import RIGHT
from mvsim_ros2.scene.camera_view import CameraView

# draws samples of pixels again, in an image of a view: see `raycast.image.edges`
Smoother = Callable[[CameraView, NDArray[np.uint8], NDArray[np.uint8]], None]

UNSURE = 0  # mark of a pixel that is on an edge whatever is beside it
_SAME_COLOUR = 3  # of 255
_BENT = 0.25  # tangent, of the angle between faces that are not taken for one
_EXACT = 2e-7  # of depths


def marked_edges(pixels: NDArray[np.uint8], depth: NDArray[np.float32], view: CameraView,
                 image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """
    Copy the colours of pixels into an image, and return the samples that rays are to draw.

    :param pixels: red, green, blue and mark, shape (height, width, 4).
    :param depth: reversed depths of OpenGL, 0 for nothing, shape (height, width).
    :param image: red, green and blue, shape (height, width, 3).
    """
    edges = np.zeros(depth.shape, np.uint8)
    _find_edges(pixels, depth, _BENT / view.fx, _BENT / view.fy, image, edges)
    return edges


@compiled(counted=False)
def _find_edges(
        pixels: NDArray[np.uint8], depth: NDArray[np.float32], across: float, along: float,
        image: NDArray[np.uint8], edges: NDArray[np.uint8]) -> None:
    """Set the samples of pixels on edges; depths may bend by the shares `across` and `along`."""
    height, width = depth.shape
    for v in range(height):
        for u in range(width):
            for part in range(3):
                image[v, u, part] = pixels[v, u, part]
            if pixels[v, u, 3] == UNSURE:
                edges[v, u] = EACH
            if u + 1 < width and _differ(pixels, v, u, v, u + 1) and (
                    pixels[v, u, 3] != pixels[v, u + 1, 3] or _bend(
                        depth, v, u, 0, 1, across)):
                edges[v, u] |= RIGHT
                edges[v, u + 1] |= LEFT
            if v + 1 < height and _differ(pixels, v, u, v + 1, u) and (
                    pixels[v, u, 3] != pixels[v + 1, u, 3] or _bend(
                        depth, v, u, 1, 0, along)):
                edges[v, u] |= BELOW
                edges[v + 1, u] |= ABOVE


@compiled(inner=True, counted=False)
def _differ(pixels: NDArray[np.uint8], v: int, u: int, row: int, column: int) -> bool:
    """Return whether two pixels do not look alike."""
    for part in range(3):
        if abs(int(pixels[v, u, part]) - int(pixels[row, column, part])) > _SAME_COLOUR:
            return True
    return False


@compiled(inner=True, counted=False)
def _bend(depth: NDArray[np.float32], v: int, u: int, down: int, right: int,
          share: float) -> bool:
    """Return whether a pixel and the next do not lie in one plane, by those around them."""
    one, other = float(depth[v, u]), float(depth[v + down, u + right])
    limit = share * min(one, other) + _EXACT
    if v - down >= 0 and u - right >= 0 and abs(
            depth[v - down, u - right] - 2.0 * one + other) > limit:
        return True
    v, u = v + 2 * down, u + 2 * right
    return bool(v < depth.shape[0] and u < depth.shape[1]
                and abs(one - 2.0 * other + depth[v, u]) > limit)
