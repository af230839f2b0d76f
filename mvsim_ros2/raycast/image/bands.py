# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Work on the pixels of an image, spread over the cores."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
import os

_MOST_THREADS = 8


@cache
def band_count() -> int:
    """Return the number of bands that an image is cut into, one for each thread."""
    return min(_MOST_THREADS, os.cpu_count() or 1)


def in_bands(total: int, draw: Callable[[int, int, int], None]) -> None:
    """
    Have bands drawn at the same time, and return when all are done.

    :param total: of rows or pixels.
    :param draw: is called with the number of a band, its first row and the end of its rows.
    """
    ends = [total * number // band_count() for number in range(band_count() + 1)]
    others = [_threads().submit(draw, number, ends[number], ends[number + 1])
              for number in range(1, band_count())]
    draw(0, ends[0], ends[1])
    for other in others:
        other.result()


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(_MOST_THREADS - 1, 'mvsim-view')
