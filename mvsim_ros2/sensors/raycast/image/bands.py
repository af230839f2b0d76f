# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Bands of an image, one for each thread."""

from collections.abc import Callable

from mvsim_ros2.base.threads import beside, threads

_MOST = 8  # each has scratch of its own


def band_count() -> int:
    """Return the number of bands that an image is cut into, one for each thread."""
    return min(_MOST, threads())


def in_bands(total: int, draw: Callable[[int, int, int], None], least: int = 1) -> None:
    """
    Have bands drawn at the same time, and return when all are done.

    :param total: of rows or pixels.
    :param draw: is called with the number of a band, its first row and the end of its rows.
    :param least: rows of a band, where there is more than one.
    """
    count = max(1, min(band_count(), total // least))
    beside(count, lambda number: draw(
        number, total * number // count, total * (number + 1) // count))
