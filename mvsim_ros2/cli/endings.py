# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Endings of pictures, figures and films, checked before the work begins."""

from pathlib import Path

from mvsim_ros2.errors import RecordingError

PICTURES = '.bmp', '.jpeg', '.jpg', '.pdf', '.png', '.tif', '.tiff', '.webp'  # of Pillow
FIGURES = '.jpeg', '.jpg', '.pdf', '.png', '.svg', '.webp'  # of matplotlib
FILMS = '.mp4',


def check_ending(file: str, endings: tuple[str, ...]) -> None:
    """
    Check that a file has one of some endings, in any case of letters.

    :raises RecordingError: where it has not.
    """
    if Path(file).suffix.lower() not in endings:
        raise RecordingError(f'{file}: the ending says the format: choose one of '
                             f'{", ".join(endings)}')
