# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The folder of each run, which appears when the run has finished, and the table of all runs."""

from collections.abc import Sequence
import csv
from dataclasses import asdict
from importlib.util import find_spec
import json
from pathlib import Path
import shutil
import time
from typing import Any
import uuid

from mvsim_ros2.base.files import replaced
from mvsim_ros2.base.warning_log import warnings_collected
from mvsim_ros2.errors import SweepError
from mvsim_ros2.studies.sweeps.plan import Job
from mvsim_ros2.studies.sweeps.work import Work

SUMMARY = 'summary.csv'
UNFINISHED = '.unfinished-'  # prefix of the names of incomplete folders
RUN_FILE = 'run.json'

# 'job': its fields, 'result': returned by the work, 'warnings': texts, 'wall_s'
Outcome = dict[str, Any]


def finished(job: Job, root: Path) -> Outcome | None:
    """
    Return the outcome of a finished job, None where it has not been run.

    :raises SweepError: where its folder exists without a readable outcome.
    """
    path = root / job.name / RUN_FILE
    if not path.parent.exists():
        return None
    try:
        outcome: Outcome = json.loads(path.read_text(encoding='utf-8'))
        if not isinstance(outcome, dict) or not isinstance(outcome.get('result'), dict):
            raise ValueError('there is no result in it')
    except (OSError, ValueError) as error:
        raise SweepError(f'{path}: this folder contains no finished run: {error}: remove it to '
                         'run it again') from error
    return outcome


def perform(job: Job, root: str | Path, work: Work) -> Outcome:
    """
    Run a job, unless it has finished already, and return its outcome.

    The folder is written under a temporary name and renamed atomically at the end, so that a
    killed process leaves no incomplete run under the final name.

    :raises MvsimError: where the work fails, or a file cannot be written.
    """
    root = Path(root)
    known = finished(job, root)
    if known is not None:
        return known
    folder = root / f'{UNFINISHED}{job.name}-{uuid.uuid4().hex[:8]}'
    try:
        folder.mkdir(parents=True)
        began = time.perf_counter()
        with warnings_collected(passed_on=False) as warnings:
            result = dict(work(job, folder))
        outcome: Outcome = {'job': asdict(job), 'result': result, 'warnings': warnings,
                            'wall_s': round(time.perf_counter() - began, 3)}
        (folder / RUN_FILE).write_text(json.dumps(outcome, indent=2) + '\n', encoding='utf-8')
        folder.rename(root / job.name)
    except OSError as error:
        known = finished(job, root)  # another process may have run the same job
        if known is None:
            raise SweepError(f'{folder}: the run cannot be written: {error}') from error
        return known
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return outcome


def remove_unfinished(root: Path) -> None:
    """Remove the folders of killed runs; no other sweep may be running there."""
    for folder in root.glob(f'{UNFINISHED}*'):
        shutil.rmtree(folder, ignore_errors=True)


def summary_rows(jobs: Sequence[Job], outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    """Return a row for each job: its parameters, then its results."""
    rows = []
    for job, outcome in zip(jobs, outcomes, strict=True):
        row: dict[str, Any] = {
            'run': job.name, 'world': Path(job.world).name, 'seed': job.seed,
            'controller': job.controller, 'physics': job.physics or '', 'part': job.part}
        row |= {f'parameter {name}': value for name, value in job.variables}
        row |= outcome.get('result', {})
        row |= {key: outcome[key] for key in ('wall_s', 'error') if key in outcome}
        rows.append(row)
    return rows


def _as_text(value: object) -> str:
    return f'{value:.9g}' if isinstance(value, float) else str(value)


def write_summary(root: str | Path, jobs: Sequence[Job], outcomes: Sequence[Outcome]) -> Path:
    """
    Write or replace the table of all runs atomically.

    Where pyarrow is installed, `summary.parquet` has the same rows with the types of Python.

    :returns: the path of the CSV file.
    :raises SweepError: where it cannot be written.
    """
    rows = summary_rows(jobs, outcomes)
    columns = list(dict.fromkeys(name for row in rows for name in row))
    columns.sort(key=lambda name: (name in ('wall_s', 'error')))  # stable sort
    path = Path(root) / SUMMARY
    try:
        with replaced(path) as new, new.open('w', newline='', encoding='utf-8') as file:
            writer = csv.DictWriter(file, columns, restval='', lineterminator='\n')
            writer.writeheader()
            writer.writerows({name: _as_text(value) for name, value in row.items()}
                             for row in rows)
        if find_spec('pyarrow') is not None:
            _write_parquet(path.with_suffix('.parquet'), columns, rows)
    except OSError as error:
        raise SweepError(f'{path}: the summary cannot be written: {error}') from error
    return path


def _write_parquet(path: Path, columns: list[str], rows: list[dict[str, Any]]) -> None:
    """Write rows as Parquet; a column of several types has their texts."""
    import pyarrow
    from pyarrow import parquet
    table = {}
    for name in columns:
        values = [row.get(name) for row in rows]
        kinds = {type(value) for value in values if value is not None}
        if len(kinds) > 1 and not kinds <= {int, float}:
            values = [None if value is None else _as_text(value) for value in values]
        table[name] = values
    with replaced(path) as new:
        parquet.write_table(pyarrow.table(table), new)
