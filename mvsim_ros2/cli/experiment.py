# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Repeat published experiments on vehicle physics.

Repeat published experiments, and write a table and a figure of each: the printed value, the
expected value without misprints, and the result. Without a name it lists the experiments. The exit
code is 1 if a result is outside its tolerance.
"""

import argparse
from pathlib import Path

from mvsim_ros2.errors import RecordingError


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    command.add_argument('names', metavar='NAME', nargs='*', help='names of experiments, or all')
    command.add_argument(
        '-o', '--output', metavar='FOLDER', default='experiments',
        help='folder for tables and figures, created if missing (default: experiments)')


def run(options: argparse.Namespace) -> int:
    """Run experiments, or list them."""
    from mvsim_ros2.pictures.figures import save_figure
    from mvsim_ros2.studies.experiments import EXPERIMENTS
    from mvsim_ros2.studies.experiments.experiment import cells, experiment_figure, save_table

    if not options.names:
        for experiment in EXPERIMENTS.values():
            print(f'{experiment.name:14} {experiment.title} ({experiment.document})')
        return 0
    names = list(EXPERIMENTS) if options.names == ['all'] else options.names
    for name in names:
        if name not in EXPERIMENTS:
            raise RecordingError(f'there is no experiment {name!r}, only '
                                 f'{", ".join(EXPERIMENTS)}, and all')
    folder = Path(options.output)
    folder.mkdir(parents=True, exist_ok=True)
    code = 0
    for name in names:
        experiment = EXPERIMENTS[name]
        outcome = experiment.run()
        print(f'{experiment.title} ({experiment.document})')
        for row in outcome.rows:
            case, quantity, printed, expected, ours, difference = cells(row)
            print(f'  {case}: {quantity}: printed {printed}, expected {expected}, here {ours} '
                  f'({difference} %)')
            if not abs(row.difference) <= experiment.bound:
                print(f'  farther off than {100.0 * experiment.bound:g} %')
                code = 1
        save_table(outcome, folder / f'{name}.csv')
        save_figure(experiment_figure(experiment, outcome), folder / f'{name}.png')
        print(folder / f'{name}.csv')
        print(folder / f'{name}.png')
    return code
