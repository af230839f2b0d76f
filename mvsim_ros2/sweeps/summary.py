# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""One table of all runs."""

from collections.abc import Sequence
import csv
import os
from pathlib import Path
import tempfile

from mvsim_ros2.errors import SweepError
from mvsim_ros2.sweeps.plan import Job
from mvsim_ros2.sweeps.run import Outcome

SUMMARY = 'summary.csv'


def summary_rows(jobs: Sequence[Job], outcomes: Sequence[Outcome]) -> list[dict[str, str]]:
    """Return a row for each job: what it was, then what came of it."""
    rows = []
    for job, outcome in zip(jobs, outcomes, strict=True):
        row = {'run': job.name, 'world': Path(job.world).name, 'seed': str(job.seed),
               'controller': job.controller, 'physics': job.physics or ''}
        row |= {f'parameter {name}': value for name, value in job.variables}
        row |= {key: _as_text(value) for key, value in outcome.get('result', {}).items()}
        row |= {key: _as_text(outcome[key]) for key in ('wall_s', 'error') if key in outcome}
        rows.append(row)
    return rows


def _as_text(value: object) -> str:
    return f'{value:.9g}' if isinstance(value, float) else str(value)


def write_summary(root: str | Path, jobs: Sequence[Job], outcomes: Sequence[Outcome]) -> Path:
    """
    Write the table of all runs over the one that was there, in one step.

    :returns: its path.
    :raises SweepError: where it cannot be written.
    """
    rows = summary_rows(jobs, outcomes)
    columns = list(dict.fromkeys(name for row in rows for name in row))
    columns.sort(key=lambda name: (name in ('wall_s', 'error')))  # the rest keeps its order
    path = Path(root) / SUMMARY
    try:
        with tempfile.NamedTemporaryFile(
                'w', dir=root, suffix='.csv', newline='', delete=False) as file:
            writer = csv.DictWriter(file, columns, restval='', lineterminator='\n')
            writer.writeheader()
            writer.writerows(rows)
        os.chmod(file.name, 0o644)
        os.replace(file.name, path)
    except OSError as error:
        raise SweepError(f'{path}: the summary cannot be written: {error}') from error
    return path
