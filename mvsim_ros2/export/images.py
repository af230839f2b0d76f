# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Images of a bag as files."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import ConversionError


def pixels(message: Any) -> NDArray[np.generic]:
    """
    Return the pixels of an Image: (rows, columns) or (rows, columns, 3), red first.

    :raises ConversionError: where its encoding is none of those of the simulator.
    """
    kinds = {'rgb8': (np.uint8, 3), 'bgr8': (np.uint8, 3), 'mono8': (np.uint8, 1),
             'mono16': (np.uint16, 1), '16UC1': (np.uint16, 1)}
    if message.encoding not in kinds:
        raise ConversionError(f'images of encoding {message.encoding!r} cannot be converted')
    kind, channels = kinds[message.encoding]
    rows = np.frombuffer(message.data, np.uint8).reshape(message.height, message.step)
    size = np.dtype(kind).itemsize * channels
    data = np.frombuffer(rows[:, :message.width * size].tobytes(), kind)
    if message.is_bigendian:
        data = data.byteswap()
    shape = (message.height, message.width, 3)[:2 + (channels == 3)]
    image = data.reshape(shape)
    return image[..., ::-1] if message.encoding == 'bgr8' else image


def save_image(message: Any, path: Path) -> None:
    """Write an Image as PNG, without loss."""
    from PIL import Image

    Image.fromarray(np.ascontiguousarray(pixels(message))).save(path, compress_level=1)
