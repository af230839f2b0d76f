# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Table and figure of an experiment."""

import csv
from pathlib import Path
from typing import Any

from mvsim_ros2.base.files import replaced
from mvsim_ros2.errors import RecordingError
from mvsim_ros2.pictures.figures import COLOURS, legend, new_figure, panel
from mvsim_ros2.studies.experiments.experiment import Experiment, Outcome, Row

COLUMNS = ('case', 'quantity', 'printed', 'expected', 'ours', 'difference [%]')
MOST_POINTS = 60  # of a curve that was run
SIZE = 7.0, 3.0  # of a panel with its legend [inches]
GREY = '0.35'


def cells(row: Row) -> list[str]:
    """Return the texts of a row, in the order of `COLUMNS`."""
    return [row.case, row.quantity, *(f'{each:.4g}' for each in (
        row.printed, row.expected, row.ours)), f'{100.0 * row.difference:+.2f}']


def save_table(outcome: Outcome, path: Path) -> None:
    """Write the table as CSV; raise `RecordingError` where it cannot be written."""
    try:
        with replaced(path) as new, new.open('w', newline='', encoding='utf-8') as file:
            writer = csv.writer(file, lineterminator='\n')
            writer.writerow(COLUMNS)
            writer.writerows(map(cells, outcome.rows))
    except OSError as error:
        raise RecordingError(f'{path}: the table cannot be written: {error}') from error


def experiment_figure(experiment: Experiment, outcome: Outcome) -> Any:
    """Return a figure: points for what was run, lines for what is expected."""
    only = len(outcome.panels) == 1
    figure, axes = new_figure(1, len(outcome.panels), '' if only else experiment.title, SIZE)
    for each, one in zip(outcome.panels, axes[0], strict=True):
        panel(one, experiment.title if only else each.title, each.x, each.y)
        labels = list(dict.fromkeys(curve.label for curve in each.curves))
        for curve in each.curves:
            colour = COLOURS[labels.index(curve.label) % len(COLOURS)]
            if curve.is_expected:
                one.plot(curve.x, curve.y, color=colour, linewidth=1.2)
            else:
                every = -(-len(curve.x) // MOST_POINTS)
                one.plot(curve.x[::every], curve.y[::every], '.', color=colour, markersize=5.0)
        kinds = [one.plot([], [], '-' if expected else '.', color=GREY,
                          label='expected' if expected else 'run')[0]
                 for expected in sorted({curve.is_expected for curve in each.curves})]
        names = [one.plot([], [], 's', color=COLOURS[k % len(COLOURS)], label=label)[0]
                 for k, label in enumerate(labels)]
        legend(one, handles=[*kinds, *names], loc='upper left', bbox_to_anchor=(1.0, 1.0))
    return figure
