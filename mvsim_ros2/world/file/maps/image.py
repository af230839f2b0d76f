# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Occupancy maps from greyscale images, as in the original."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
import struct
from typing import TYPE_CHECKING
import zlib

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.base.files import read_bytes
from mvsim_ros2.errors import ResourceError
from mvsim_ros2.world.spec.grid import OccupancyMap

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageFile import ImageFile

Levels = NDArray[np.uint8 | np.uint16]
Grey = NDArray[np.float64]

MAX_CELLS = 10 ** 8
LEVELS_16 = 65535
STRIP = 64  # rows that are read at a time


def read_grey(path: Path) -> Grey:
    """
    Return the grey values 0..1 of an image, shape (rows, columns), row 0 at the bottom.

    :raises ResourceError: where it is not an image, or too large.
    """
    with _opened(path) as image:
        return _grey_of(image)[_levels_of(image)[::-1]]


def read_cells(path: Path, cells_of: Callable[['Image'], NDArray[np.int8]]) -> NDArray[np.int8]:
    """
    Return a value for each pixel of an image, shape (rows, columns), row 0 at the bottom.

    It takes no more memory than the image and its cells.

    :param cells_of: returns the values of the pixels of a part of the image, row 0 at the top.
    :raises ResourceError: where it is not an image, or too large.
    """
    with _opened(path) as image:
        width, height = image.size
        cells = np.empty((height, width), np.int8)
        for first in range(0, height, STRIP):
            last = min(first + STRIP, height)
            part = image.crop((0, height - last, width, height - first))
            cells[first:last] = cells_of(part)[::-1]
        return cells


@contextmanager
def _opened(path: Path) -> Iterator['ImageFile']:
    """Open an image, and say what is wrong where it cannot be read."""
    try:
        from PIL import Image
    except ImportError:
        raise ResourceError(f'{path}: images need Pillow: install it with '
                            '`pip install pillow`') from None
    try:
        # from memory, a chunk that claims to be larger than the file takes no memory
        with Image.open(BytesIO(read_bytes(path))) as image:
            if image.width * image.height > MAX_CELLS:
                raise ResourceError(
                    f'{path}: the image has {image.width} x {image.height} pixels, '
                    f'{MAX_CELLS} are allowed')
            if not image.width * image.height:
                raise ResourceError(f'{path}: the image is empty')
            yield image
    except (OSError, ValueError, SyntaxError, EOFError, struct.error, zlib.error,
            Image.DecompressionBombError) as error:
        raise ResourceError(f'{path}: this image cannot be read: {error}') from error


def _levels_of(image: 'Image') -> Levels:
    """Return the levels of an image or of a part of it, row 0 at the top."""
    if image.mode.startswith('I'):  # 16 bit
        return np.asarray(image).clip(0, LEVELS_16).astype(np.uint16)
    return np.asarray(image if image.mode == 'L' else image.convert('L'))


def _grey_of(image: 'Image') -> Grey:
    """Return the grey value 0..1 of each level."""
    most = LEVELS_16 if image.mode.startswith('I') else 255
    return np.arange(most + 1) / most


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
    return OccupancyMap(
        read_cells(path, lambda part: _percent_of(_grey_of(part))[_levels_of(part)]), resolution,
        -centre[0] * resolution, -centre[1] * resolution)


def _percent_of(grey: Grey) -> NDArray[np.int8]:
    """Return how surely cells are occupied, by their grey values [%]."""
    free = np.clip(grey, 0.01, 0.99)
    percent = np.rint(100 * (1 - free))
    # rounding must not cross the threshold
    return np.where(free < 0.5, np.maximum(percent, 51), np.minimum(percent, 50)).astype(np.int8)
