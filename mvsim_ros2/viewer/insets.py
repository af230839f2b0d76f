# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Images of cameras in the corner of a picture, and colours of numbers."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike
from numpy.typing import NDArray

if TYPE_CHECKING:
    from PIL.Image import Image

_SHARE = 0.24  # of the width of the picture that an inset takes
_MARGIN = 12  # px
# from low to high
_RAMP = np.array([(49, 54, 149), (57, 130, 190), (72, 180, 160), (120, 200, 90), (230, 200, 50),
                  (235, 120, 40), (190, 20, 40)], float)


def colours_of(values: ArrayLike, low: float | None = None,
               high: float | None = None) -> NDArray[np.uint8]:
    """
    Return a colour for each number, from blue over green to red; grey for what is not finite.

    :param values: any shape.
    :param low: what is blue, None for the smallest.
    :param high: what is red, None for the largest.
    :returns: red, green, blue, shape (..., 3).
    """
    numbers = np.asarray(values, float)
    finite = np.isfinite(numbers)
    some = numbers[finite]
    first = low if low is not None else float(some.min(initial=np.inf) if some.size else 0.0)
    last = high if high is not None else float(some.max(initial=-np.inf) if some.size else 1.0)
    share = np.zeros(numbers.shape)
    share[finite] = np.clip((some - first) / max(last - first, 1e-9), 0.0, 1.0)
    steps = np.arange(len(_RAMP)) / (len(_RAMP) - 1)
    colours = np.stack([np.interp(share, steps, _RAMP[:, k]) for k in range(3)], axis=-1)
    colours[~finite] = 110
    return np.asarray(np.rint(colours), np.uint8)


def add_insets(picture: 'Image', images: Mapping[str, NDArray[np.uint8]]) -> None:
    """Put images with their names along the right border of a picture, as many as fit."""
    from PIL import Image
    from PIL import ImageDraw
    from PIL import ImageFont
    draw, font = ImageDraw.Draw(picture), ImageFont.load_default(13)
    width, top = round(_SHARE * picture.width), _MARGIN
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
