# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Annotations of a top view: axes in metres, scale bar, legend, title, labels."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mvsim_ros2.pictures.canvas import Bounds, Rgba

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw

INK, SOFT_INK, PAPER = (45, 55, 66), (100, 110, 120), (255, 255, 255)
LEFT, RIGHT, TOP, BOTTOM = 58, 20, 30, 100  # px of margin
TITLE = 30  # px at the top for a title
SMALL, NORMAL, LARGE = 17, 19, 23  # px of letters; a page shows plans half as large


@dataclass(frozen=True)
class LegendEntry:
    """An entry of the legend."""

    text: str
    colour: Rgba
    kind: str  # 'line', 'dashed' or 'area'


@dataclass(frozen=True)
class Label:
    """A text in the picture, centred above a point of the world."""

    text: str
    x: float  # m
    y: float  # m
    colour: Rgba


def round_length(longest: float) -> float:
    """Return the largest number of the form 1, 2 or 5 times a power of ten up to `longest`."""
    power = 10.0 ** np.floor(np.log10(longest))
    return float(power * max(step for step in (1, 2, 5) if step * power <= longest * 1.0000001))


def ticks(low: float, high: float, step: float) -> list[float]:
    """Return the multiples of `step` within [low, high]."""
    first, last = int(np.ceil(low / step - 1e-9)), int(np.floor(high / step + 1e-9))
    return [round(index * step, 9) for index in range(first, last + 1)]


def frame_picture(picture: 'Image', bounds: Bounds, scale: float,
                  legend: tuple[LegendEntry, ...], labels: tuple[Label, ...],
                  title: str) -> 'Image':
    """
    Return `picture` with labels, axes, scale bar, legend and title.

    :param bounds: of the picture [m].
    :param scale: pixels per metre.
    """
    from PIL import Image, ImageDraw, ImageFont
    top = TOP + (TITLE if title else 0)
    page = Image.new(
        'RGB', (picture.width + LEFT + RIGHT, picture.height + top + BOTTOM), PAPER)
    page.paste(picture, (LEFT, top))
    draw = ImageDraw.Draw(page)
    small, normal = ImageFont.load_default(SMALL), ImageFont.load_default(NORMAL)
    for label in labels:
        draw.text((LEFT + (label.x - bounds[0]) * scale, top + (bounds[3] - label.y) * scale),
                  label.text, label.colour[:3], normal, 'mb', stroke_width=2, stroke_fill=PAPER)
    if title:
        draw.text((LEFT, 10), title, INK, ImageFont.load_default(LARGE))
    low = top + picture.height
    draw.rectangle((LEFT - 1, top - 1, LEFT + picture.width, low), outline=(190, 196, 202))
    step = round_length(max(110.0 / scale, 1e-3))
    for x in ticks(bounds[0], bounds[2], step):
        column = LEFT + (x - bounds[0]) * scale
        draw.line((column, low, column, low + 5), SOFT_INK)
        draw.text((column, low + 8), f'{x:.9g}', SOFT_INK, small, 'mt')
    for y in ticks(bounds[1], bounds[3], step):
        row = top + (bounds[3] - y) * scale
        draw.line((LEFT - 6, row, LEFT - 1, row), SOFT_INK)
        draw.text((LEFT - 10, row), f'{y:.9g}', SOFT_INK, small, 'rm')
    draw.text((LEFT + picture.width, low + 32), 'x [m]', SOFT_INK, small, 'rt')
    draw.text((LEFT - 6, top - 6), 'y [m]', SOFT_INK, small, 'rb')
    _scale_bar(draw, LEFT, low + 68, scale, round_length(max(160.0 / scale, 1e-3)), normal)
    _legend(draw, LEFT + 240, low + 68, legend, normal)
    return page


def _scale_bar(draw: 'ImageDraw', x: float, y: float, scale: float, length: float,
               font: object) -> None:
    """Draw a scale bar of `length` [m] in four parts, alternately dark and light."""
    part = length * scale / 4
    for index in range(4):
        draw.rectangle((x + index * part, y - 3, x + (index + 1) * part, y + 3),
                       fill=INK if index % 2 == 0 else PAPER, outline=INK)
    draw.text((x + 4 * part + 10, y), f'{length:g} m', INK, font, 'lm')  # type: ignore[arg-type]


def _legend(draw: 'ImageDraw', x: float, y: float, legend: tuple[LegendEntry, ...],
            font: object) -> None:
    for entry in legend:
        if entry.kind == 'area':
            draw.rectangle((x, y - 6, x + 26, y + 6), fill=_on_paper(entry.colour, 0.22))
            for dot in (2, 10, 18, 26):
                draw.ellipse((x + dot - 2, y - 8, x + dot + 2, y - 4), fill=entry.colour[:3])
        elif entry.kind == 'dashed':
            for start in (0, 10, 20):
                draw.line((x + start, y, x + start + 6, y), entry.colour[:3], 3)
        else:
            draw.line((x, y, x + 26, y), entry.colour[:3], 3)
        draw.text((x + 34, y), entry.text, INK, font, 'lm')  # type: ignore[arg-type]
        x += 34 + draw.textlength(entry.text, font) + 26  # type: ignore[arg-type]


def _on_paper(colour: Rgba, alpha: float) -> tuple[int, int, int]:
    red, green, blue = (round(alpha * part + (1 - alpha) * 255) for part in colour[:3])
    return red, green, blue
