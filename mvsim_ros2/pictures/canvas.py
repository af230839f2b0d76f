# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""An anti-aliased drawing area with metric coordinates, and the page around a finished plan."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mvsim_ros2.errors import RecordingError

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw

Rgba = tuple[int, int, int, int]
Bounds = tuple[float, float, float, float]  # x_min, y_min, x_max, y_max [m]

SUPERSAMPLING = 3  # pixels per pixel of the picture, along each axis
LARGEST_PICTURE = 40e6  # pixels of the finished picture
INK, SOFT_INK, PAPER = (45, 55, 66), (100, 110, 120), (255, 255, 255)
LEFT, RIGHT, TOP, BOTTOM = 58, 20, 30, 100  # px of margin
TITLE = 30  # px at the top for a title
SMALL, NORMAL, LARGE = 17, 19, 23  # px of letters; a page shows plans half as large


def check_pillow() -> None:
    """Raise `RecordingError` where no pictures can be made."""
    try:
        import PIL  # noqa: F401
    except ImportError as error:
        raise RecordingError(
            'pictures need Pillow: install it with `pip install pillow`') from error


def rgba(colour: str | Iterable[float], alpha: float = 1.0) -> Rgba:
    """Return a colour given as ``#rrggbb`` or as red, green, blue, alpha in 0..1."""
    if isinstance(colour, str):
        red, green, blue = (int(colour[i:i + 2], 16) for i in (1, 3, 5))
        return red, green, blue, round(255 * alpha)
    red, green, blue, own = (round(255 * min(1.0, max(0.0, part))) for part in colour)
    return red, green, blue, round(own * alpha)


def shade(colour: Rgba, factor: float) -> Rgba:
    """Return `colour` darkened by a `factor` below 1, or lightened towards white above 1."""
    if factor <= 1.0:
        red, green, blue = (round(part * factor) for part in colour[:3])
    else:
        red, green, blue = (round(255 - (255 - part) / factor) for part in colour[:3])
    return red, green, blue, colour[3]


class Canvas:
    """
    Drawing area of `bounds` of the world; x to the right, y up.

    Widths of lines are in pixels of the finished picture, everything else in metres.
    """

    def __init__(self, bounds: Bounds, pixels_per_metre: float, background: Rgba) -> None:
        """Create an empty canvas; raise `RecordingError` where it would be too large."""
        check_pillow()
        from PIL import Image, ImageDraw, ImageFilter
        self.bounds = bounds
        self.scale = pixels_per_metre
        self.width = max(1, round((bounds[2] - bounds[0]) * pixels_per_metre))
        self.height = max(1, round((bounds[3] - bounds[1]) * pixels_per_metre))
        if self.width * self.height > LARGEST_PICTURE:
            raise RecordingError(
                f'a picture of {self.width} x {self.height} pixels is too large: choose less '
                f'than {pixels_per_metre:g} pixels per metre')
        self._image_module, self._filter_module = Image, ImageFilter
        self._draw_module = ImageDraw
        size = self.width * SUPERSAMPLING, self.height * SUPERSAMPLING
        self._image = Image.new('RGB', size, background[:3])
        self._draw = ImageDraw.Draw(self._image, 'RGBA')

    def _fine(self, points: ArrayLike) -> list[tuple[float, float]]:
        """Return points of the world, shape (n, 2), as pixels of the supersampled picture."""
        xy = np.asarray(points, float).reshape(-1, 2)
        scale = self.scale * SUPERSAMPLING
        return list(zip((xy[:, 0] - self.bounds[0]) * scale,
                        (self.bounds[3] - xy[:, 1]) * scale, strict=True))

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        """Return column and row of a point of the world in the finished picture."""
        return (x - self.bounds[0]) * self.scale, (self.bounds[3] - y) * self.scale

    def polygon(self, points: ArrayLike, fill: Rgba, outline: Rgba | None = None,
                width: float = 1.0) -> None:
        """Draw a filled polygon, with an outline where it has a colour."""
        corners = self._fine(points)
        self._draw.polygon(corners, fill=fill)
        if outline is not None:
            self._stroke([*corners, corners[0], corners[1]], outline, width)

    def line(self, points: ArrayLike, colour: Rgba, width: float) -> None:
        """Draw a line through `points`, shape (n, 2)."""
        self._stroke(self._fine(points), colour, width)

    def _stroke(self, corners: list[tuple[float, float]], colour: Rgba, width: float) -> None:
        if len(corners) < 2:
            return
        thick = max(1, round(width * SUPERSAMPLING))
        self._draw.line(corners, fill=colour, width=thick, joint='curve')

    def dashed(self, points: ArrayLike, colour: Rgba, width: float, dash: float,
               gap: float) -> None:
        """Draw a dashed line; `dash` and `gap` in pixels."""
        for piece in dashes(points, dash / self.scale, gap / self.scale):
            self.line(piece, colour, width)

    def dots(self, points: ArrayLike, colour: Rgba, radius: float) -> None:
        """Draw a dot of `radius` [px] at every point, shape (n, 2)."""
        r = radius * SUPERSAMPLING
        for x, y in self._fine(points):
            self._draw.ellipse((x - r, y - r, x + r, y + r), fill=colour)

    def shadows(self, polygons: Iterable[ArrayLike], offset: float, blur: float,
                strength: float) -> None:
        """
        Draw soft shadows of `polygons`, to the lower right; offset and blur are in m.

        :param strength: 0 (none) to 1 (black).
        """
        mask = self._image_module.new('L', self._image.size, 0)
        draw = self._draw_module.Draw(mask)
        for polygon in polygons:
            moved = np.asarray(polygon, float) + (offset, -offset)
            draw.polygon(self._fine(moved), fill=round(255 * strength))
        radius = blur * self.scale * SUPERSAMPLING
        mask = mask.filter(self._filter_module.BoxBlur(radius))
        mask = mask.filter(self._filter_module.BoxBlur(radius))
        self._image.paste((20, 26, 36), (0, 0), mask)

    def cells(self, pixels: NDArray[np.uint8], x_min: float, y_min: float,
              resolution: float) -> None:
        """
        Draw a raster map from its lower left corner on, with cells of a size [m].

        :param pixels: colours, shape (rows, columns, 4), row 0 at the lowest y.
        """
        rows, columns = pixels.shape[:2]
        picture = self._image_module.fromarray(np.ascontiguousarray(pixels[::-1]), 'RGBA')
        (left, top), (right, low) = self._fine(
            [(x_min, y_min + rows * resolution), (x_min + columns * resolution, y_min)])
        size = max(1, round(right) - round(left)), max(1, round(low) - round(top))
        picture = picture.resize(size, self._image_module.Resampling.BOX)
        self._image.paste(picture, (round(left), round(top)), picture)

    def finish(self) -> 'Image':
        """Return the finished picture, RGB."""
        return self._image.resize(
            (self.width, self.height), self._image_module.Resampling.BOX)


def dashes(points: ArrayLike, dash: float, gap: float) -> list[NDArray[np.float64]]:
    """
    Split the line through `points`, shape (n, 2), into dashes of length `dash` with gaps.

    Corners inside a dash are kept, so that the dashes follow the line.
    """
    line = np.asarray(points, float).reshape(-1, 2)
    if len(line) < 2:
        return []
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    pieces = []
    for start in np.arange(0.0, along[-1], dash + gap):
        end = min(start + dash, along[-1])
        inside = np.flatnonzero((along > start) & (along < end))
        stations = np.concatenate([[start], along[inside], [end]])
        pieces.append(np.stack([np.interp(stations, along, line[:, 0]),
                                np.interp(stations, along, line[:, 1])], axis=1))
    return pieces


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
    """Return `picture` with labels, axes, scale bar, legend and title."""
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
