# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Figures with matplotlib, where it is installed."""

from pathlib import Path
from typing import Any

from mvsim_ros2.errors import RecordingError

COLOURS = ('#2066a8', '#d1702a', '#3b8a4e', '#7b4fa3', '#b03a48', '#5f6b76')


def new_figure(rows: int, columns: int, title: str) -> tuple[Any, Any]:
    """
    Return an empty figure and its panels, shape (rows, columns).

    :raises RecordingError: where matplotlib is missing.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise RecordingError(
            "figures need matplotlib: pip install 'mvsim_ros2[plots]', or apt install "
            'python3-matplotlib') from error
    figure = Figure(figsize=(6.2 * columns, 2.9 * rows), layout='constrained')
    FigureCanvasAgg(figure)
    figure.suptitle(title, x=0.01, ha='left', fontsize=10)
    return figure, figure.subplots(rows, columns, squeeze=False)


def panel(axes: Any, title: str, x: str, y: str) -> None:
    """Give a panel its title and the names of its axes."""
    axes.set_title(title, loc='left', fontsize=10, fontweight='bold')
    axes.set_xlabel(x, fontsize=9)
    axes.set_ylabel(y, fontsize=9)
    axes.tick_params(labelsize=8)
    axes.grid(color='0.92', linewidth=0.7)
    axes.set_axisbelow(True)
    axes.spines[['top', 'right']].set_visible(False)


def legend(axes: Any, **options: Any) -> None:
    """Add a legend without a frame."""
    axes.legend(frameon=False, fontsize=8, **options)


def save_figure(figure: Any, path: str | Path) -> None:
    """
    Write a figure.

    :raises RecordingError: where it cannot be written, or the ending names no known format.
    """
    try:
        figure.savefig(path, dpi=110)
    except (OSError, ValueError) as error:
        raise RecordingError(f'{path}: the figure cannot be written: {error}') from error
