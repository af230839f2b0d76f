# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The look of all figures that matplotlib draws: colours, panels, legends, and files of them."""

from pathlib import Path
from typing import Any

from mvsim_ros2.errors import RecordingError

COLOURS = ('#2066a8', '#d1702a', '#3b8a4e', '#7b4fa3', '#b03a48', '#5f6b76')
PANEL = 6.2, 2.9  # inches, width and height
DOTS = 110  # px an inch
TITLE, TEXT, SMALL = 11, 10, 9  # points


def new_figure(rows: int, columns: int, title: str = '',
               size: tuple[float, float] = PANEL) -> tuple[Any, Any]:
    """
    Return an empty figure and its panels, shape (rows, columns).

    :param title: above all panels; leave it out where one panel says it.
    :param size: of a panel [inches].
    :raises RecordingError: where matplotlib is missing.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
        from matplotlib.layout_engine import ConstrainedLayoutEngine
    except ImportError as error:
        raise RecordingError(
            "figures need matplotlib: pip install 'mvsim_ros2[plots]', or apt install "
            'python3-matplotlib') from error
    figure = Figure(figsize=(size[0] * columns, size[1] * rows), layout=ConstrainedLayoutEngine(
        w_pad=0.08, h_pad=0.06, wspace=0.03, hspace=0.03))
    FigureCanvasAgg(figure)
    if title:
        figure.suptitle(title, x=0.01, ha='left', fontsize=TITLE)
    return figure, figure.subplots(rows, columns, squeeze=False)


def panel(axes: Any, title: str, x: str, y: str) -> None:
    """Set the title and the axis labels of a panel, the latter with their units."""
    axes.set_title(title, loc='left', fontsize=TITLE, fontweight='bold')
    axes.set_xlabel(x, fontsize=TEXT)
    axes.set_ylabel(y, fontsize=TEXT)
    axes.tick_params(labelsize=SMALL, color='0.4')
    axes.grid(color='0.92', linewidth=0.7)
    axes.set_axisbelow(True)
    axes.spines[['top', 'right']].set_visible(False)
    axes.spines[['left', 'bottom']].set_color('0.4')


def second_axis(axes: Any, y: str, colour: str) -> Any:
    """Return a second axis on the right of a panel, in the colour of its only line."""
    right = axes.twinx()
    right.set_ylabel(y, fontsize=TEXT, color=colour)
    right.tick_params(labelsize=SMALL, color=colour, labelcolor=colour)
    right.spines['top'].set_visible(False)
    right.spines[['left', 'bottom', 'right']].set_color('0.4')
    return right


def legend(axes: Any, **options: Any) -> None:
    """Add a legend to a panel, or to a figure, on half-clear ground without a frame."""
    drawn = axes.legend(**{'fontsize': SMALL, 'title_fontsize': SMALL, 'facecolor': 'white',
                           'edgecolor': 'none', 'framealpha': 0.8} | options)
    drawn.set_zorder(10)


def save_figure(figure: Any, path: str | Path) -> None:
    """
    Write a figure.

    :raises RecordingError: where it cannot be written, or the extension is not known.
    """
    try:
        figure.savefig(path, dpi=DOTS)
    except (OSError, ValueError) as error:
        raise RecordingError(f'{path}: the figure cannot be written: {error}') from error
