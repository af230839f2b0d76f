# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Image files as textures."""

from functools import lru_cache
from io import BytesIO
import logging
from pathlib import Path
import struct
from typing import TYPE_CHECKING
import zlib

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.scene.scene import Texture
from mvsim_ros2.world.spec.common import Colour, Resource

if TYPE_CHECKING:
    from PIL.Image import Image

_LOG = logging.getLogger(__name__)
LARGEST = 2048  # px of a side; larger images are reduced


def texture_of(resource: Resource | None) -> Texture | None:
    """
    Return the texture in a file; None where there is none.

    Loading the world warns of a missing file, this function of a broken one.
    """
    if resource is None or resource.path is None:
        return None
    return _load(resource.path, resource.uri)


def painted(colour: Colour, texture: Texture | None) -> Colour:
    """Return the colour of an instance; a texture is multiplied by its alpha only."""
    return colour if texture is None else (1.0, 1.0, 1.0, colour[3])


@lru_cache(maxsize=128)
def _load(path: str, uri: str) -> Texture | None:
    try:
        from PIL import Image
    except ImportError:
        _LOG.warning('textures need Pillow: install it with `pip install pillow`; plain colours '
                     'are used instead')
        return None
    try:
        # from memory, a chunk that claims to be larger than the file takes no memory
        with Image.open(BytesIO(Path(path).read_bytes())) as image:
            return texture_of_image(image)
    except (OSError, ValueError, SyntaxError, EOFError, struct.error, zlib.error,
            Image.DecompressionBombError) as error:
        _LOG.warning('the texture %s cannot be read, a plain colour is used instead: %s', uri,
                     str(error).partition(' <_io')[0])  # without the name of an object in memory
        return None


def texture_of_image(image: 'Image') -> Texture:
    """Return an image as a texture, reduced where it is very large."""
    if max(image.size) > LARGEST:
        share = LARGEST / max(image.size)
        image = image.resize((max(1, round(image.width * share)),
                              max(1, round(image.height * share))))
    return Texture(np.array(image.convert('RGBA')))


def texture_of_cells(colours: NDArray[np.uint8]) -> Texture:
    """
    Return the colours of a grid as a texture, subsampled where it is very large.

    :param colours: sRGB, shape (rows, columns, 3), row 0 at the bottom.
    """
    step = -(-max(colours.shape[:2]) // LARGEST)
    pixels = colours[step // 2::step, step // 2::step][::-1]
    opaque = np.full((*pixels.shape[:2], 1), 255, np.uint8)
    return Texture(np.concatenate([pixels, opaque], axis=-1))
