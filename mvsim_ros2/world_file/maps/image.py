# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Occupancy maps from greyscale images, as in the original."""

from io import BytesIO
from pathlib import Path
import struct
import zlib

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import ResourceError
from mvsim_ros2.spec.grid import OccupancyMap

MAX_CELLS = 10 ** 8
LEVELS_16 = 65535


def read_grey(path: Path) -> NDArray[np.float64]:
    """Return the grey values 0..1 of an image, as `read_levels` has them."""
    levels, grey = read_levels(path)
    return grey[levels]


def read_levels(path: Path) -> tuple[NDArray[np.uint8 | np.uint16], NDArray[np.float64]]:
    """
    Return the levels of an image, shape (rows, columns), row 0 at the bottom, and what they mean.

    :returns: levels, 8 or 16 bit; the grey value 0..1 of each level.
    :raises ResourceError: where it is not an image, or too large.
    """
    try:
        from PIL import Image
    except ImportError:
        raise ResourceError(f'{path}: images need Pillow: install it with '
                            '`pip install pillow`') from None
    try:
        # from memory, a chunk that claims to be larger than the file takes no memory
        with Image.open(BytesIO(path.read_bytes())) as image:
            if image.width * image.height > MAX_CELLS:
                raise ResourceError(
                    f'{path}: the image has {image.width} x {image.height} pixels, '
                    f'{MAX_CELLS} are allowed')
            if image.mode.startswith('I'):  # 16 bit
                levels = np.asarray(image).clip(0, LEVELS_16).astype(np.uint16)
                grey = np.arange(LEVELS_16 + 1) / LEVELS_16
            else:
                levels = np.asarray(image if image.mode == 'L' else image.convert('L'))
                grey = np.arange(256) / 255
    except (OSError, ValueError, SyntaxError, EOFError, struct.error, zlib.error,
            Image.DecompressionBombError) as error:
        raise ResourceError(f'{path}: this image cannot be read: {error}') from error
    if levels.size == 0:
        raise ResourceError(f'{path}: the image is empty')
    return levels[::-1], grey


def read_image(path: Path, resolution: float, centre: tuple[float, float]) -> OccupancyMap:
    """
    Return the map of an image whose grey values are the probabilities of free cells.

    Black is occupied; a cell is solid where the probability is below 0.5. Probabilities are
    clipped to 0.01 .. 0.99.

    :param resolution: size of a pixel [m].
    :param centre: pixel of the world origin, column from the left and row from the bottom.
        The default of the original, -1 -1, is the pixel below and left of the image.
    :raises ResourceError: where the file is not an image.
    """
    levels, grey = read_levels(path)
    free = np.clip(grey, 0.01, 0.99)
    percent = np.rint(100 * (1 - free))
    # rounding must not cross the threshold
    percent = np.where(free < 0.5, np.maximum(percent, 51), np.minimum(percent, 50))
    return OccupancyMap(percent.astype(np.int8)[levels], resolution,
                        -centre[0] * resolution, -centre[1] * resolution)
