# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
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
