# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Images side by side, each with a title above it and, where its colours are numbers, a scale."""

from typing import NamedTuple

from matplotlib import font_manager
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from mvsim_ros2.pictures.overlays import colours_of

Pixels = NDArray[np.uint8]

GAP, STRIP = 10, 26  # px between images, and of the title above each
INK = 20, 20, 20
BAR = 120, 10  # px of a scale


class Scale(NamedTuple):
    """What the colours of an image mean."""

    low: str  # at the blue end
    high: str  # at the red end, with the unit


def _letters(weight: str) -> ImageFont.FreeTypeFont:
    """Return the letters that the other figures have."""
    path = font_manager.findfont(font_manager.FontProperties('DejaVu Sans', weight=weight))
    return ImageFont.truetype(path, 15)


def titled(pixels: Pixels, title: str, scale: Scale | None = None) -> Pixels:
    """Return an image with a title above it, and its scale on the right of that."""
    height, width = pixels.shape[:2]
    page = Image.new('RGB', (width, height + STRIP), 'white')
    page.paste(Image.fromarray(np.ascontiguousarray(pixels)), (0, STRIP))
    draw = ImageDraw.Draw(page)
    draw.text((0, STRIP - 7), title, INK, _letters('bold'), 'ls')
    if scale is not None:
        plain = _letters('regular')
        right = width - round(draw.textlength(scale.high, plain))
        draw.text((right, STRIP - 7), scale.high, INK, plain, 'ls')
        bar = colours_of(np.broadcast_to(np.linspace(0.0, 1.0, BAR[0]), BAR[::-1]))
        left = right - BAR[0] - 8
        page.paste(Image.fromarray(bar), (left, STRIP - 17))
        draw.text((left - 8, STRIP - 7), scale.low, INK, plain, 'rs')
    return np.asarray(page)


def in_rows(*rows: tuple[Pixels, ...]) -> Pixels:
    """Return rows of images of equal heights, with white gaps."""
    lines = []
    for row in rows:
        height = row[0].shape[0]
        gap = np.full((height, GAP, 3), 255, np.uint8)
        lines.append(np.concatenate([part for image in row for part in (image, gap)][:-1], 1))
        lines.append(np.full((GAP, lines[-1].shape[1], 3), 255, np.uint8))
    return np.concatenate(lines[:-1])
