# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Runs of a sweep: their work and folders, the table of all, and the card of the dataset.

The folder of a run appears when the run has finished.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
import csv
from dataclasses import asdict
import hashlib
from importlib.util import find_spec
import json
import math
from pathlib import Path
import shutil
import time
from typing import Any
import uuid

from mvsim_ros2 import __version__
from mvsim_ros2.base.files import replaced
from mvsim_ros2.base.progress import warnings_collected
from mvsim_ros2.errors import needed_for, SweepError
from mvsim_ros2.recording.csv_log import CsvLog, RowSchedule
from mvsim_ros2.recording.incidents import in_words, Incidents
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.studies.sweeps.plan import Job, TRAIN, VALIDATION
from mvsim_ros2.studies.sweeps.runs_page import write_runs_page
from mvsim_ros2.trajectories.controller import Controller, drive, vehicle_to_drive
from mvsim_ros2.trajectories.controllers_by_name import make_controller

Result = Mapping[str, str | float | bool]
# Does a job, writes into an existing empty folder, and returns columns of the summary. It is
# pickled for other processes, so it must be a function of a module.
Work = Callable[[Job, Path], Result]


class _Logged:
    """A controller that also writes logs and sums up the travelled distance."""

    def __init__(self, controller: Controller | None, vehicle: str | None, log: CsvLog,
                 schedule: RowSchedule, incidents: Incidents) -> None:
        self._controller, self._name, self._log = controller, vehicle, log
        self._schedule = schedule
        self.incidents = incidents
        self._place: tuple[float, float] | None = None
        self.distance = 0.0  # m

    @property
    def finished(self) -> bool:
        """Return whether the controller has."""
        return self._controller is not None and self._controller.finished

    def __call__(self, simulation: Simulation) -> None:
        """Call the controller, and write a row where it is due."""
        self.incidents.watch()
        if self._controller is not None:
            self._controller(simulation)
        pose = vehicle_to_drive(simulation, self._name).pose
        self.distance += math.dist(self._place or (pose.x, pose.y), (pose.x, pose.y))
        self._place = pose.x, pose.y
        if self._schedule.steps_until_due() <= 0:
            self._schedule.take()
            self._log.write()


def do_job(job: Job, folder: Path) -> Result:
    """Run a job: record it where the plan asks for it, else log it."""
    return record_run(job, folder) if job.record else log_run(job, folder)


def record_run(job: Job, folder: Path) -> Result:
    """Run a job as `mvsim_ros2 record` does, into the folder `bag`."""
    with needed_for('recordings', 'record', SweepError):
        from mvsim_ros2.recording.recorder import Recorder
    simulation = Simulation.from_file(
        job.world, job.seed, job.physics, variables=dict(job.variables))
    controller = make_controller(
        job.controller, job.vehicle, job.folder) if job.controller else None
    with Recorder(simulation, folder / 'bag', controller) as recorder:
        recorder.describe(controller=job.controller)
        recorder.run(job.duration)
    topics = recorder.bag.topics.values()
    together = hashlib.sha256(b''.join(each.digest.digest() for each in topics))
    return {**_state(simulation, job.vehicle, recorder.incidents),
            'messages': sum(each.count for each in topics),
            'finished': controller is not None and controller.finished,
            'sha256': together.hexdigest()}


def _state(simulation: Simulation, vehicle: str | None, incidents: Incidents) -> Result:
    """Return the columns of the summary for the final state of a run, and its incidents."""
    driven = vehicle_to_drive(simulation, vehicle)
    return {'time_s': simulation.time, **incidents.of(driven.name),
            'incidents': in_words(incidents.found), 'x': driven.pose.x, 'y': driven.pose.y,
            'yaw': driven.pose.yaw}


def log_run(job: Job, folder: Path) -> Result:
    """Run a job without sensors and log the true motion as `mvsim_ros2 log` does."""
    simulation = Simulation.from_file(
        job.world, job.seed, job.physics, sensors=False, variables=dict(job.variables))
    controller = make_controller(
        job.controller, job.vehicle, job.folder) if job.controller else None
    with CsvLog(simulation, folder) as log:
        logged = _Logged(controller, job.vehicle, log,
                         RowSchedule(simulation, job.rate, first=0), Incidents(simulation))
        drive(simulation, logged, job.duration)
        log.write()
    motion = hashlib.sha256()
    for path in log.paths:
        with path.open('rb') as file:  # without comments, which contain the seed
            motion.update(b''.join(line for line in file if not line.startswith(b'#')))
    return {**_state(simulation, job.vehicle, logged.incidents), 'finished': logged.finished,
            'distance_m': logged.distance, 'sha256': motion.hexdigest()}


SUMMARY = 'summary.csv'
UNFINISHED = '.unfinished-'  # prefix of the names of incomplete folders
RUN_FILE = 'run.json'

# 'job': its fields, 'result': returned by the work, 'warnings': texts, 'wall_s'
Outcome = dict[str, Any]
CARD = 'README.md'
INCIDENTS = 'collided', 'tipped', 'stuck'


def finished(job: Job, root: Path) -> Outcome | None:
    """Return the outcome of a finished job, None where it has not been run."""
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

    The folder has a temporary name and is renamed atomically at the end. So a killed process
    leaves no incomplete run under the final name.
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
    Write or replace the table of all runs atomically, and the page that lists them.

    Where pyarrow is installed, `summary.parquet` has the same rows with the types of Python.

    :returns: the path of the CSV file.
    :raises SweepError: where it cannot be written.
    """
    rows = summary_rows(jobs, outcomes)
    columns = list(dict.fromkeys(name for row in rows for name in row))
    columns.sort(key=lambda name: (name in ('wall_s', 'error')))  # stable sort
    texts = [[_as_text(row.get(name, '')) for name in columns] for row in rows]
    path = Path(root) / SUMMARY
    try:
        write_runs_page(path.parent, columns, texts)
        with replaced(path) as new, new.open('w', newline='', encoding='utf-8') as file:
            writer = csv.writer(file, lineterminator='\n')
            writer.writerows((columns, *texts))
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


def write_card(root: str | Path, jobs: Sequence[Job], outcomes: Sequence[Outcome]) -> None:
    """Write `README.md`, `train.txt` and `val.txt` in the folder of the runs."""
    root = Path(root)
    good = [(job, outcome['result']) for job, outcome in zip(jobs, outcomes, strict=True)
            if 'result' in outcome]
    files = {f'{part}.txt': ''.join(f'{job.name}\n' for job, _ in good if job.part == part)
             for part in (TRAIN, VALIDATION)}
    try:
        for name, text in {**files, CARD: _card(jobs, good)}.items():
            with replaced(root / name) as new:
                new.write_text(text, encoding='utf-8')
    except OSError as error:
        raise SweepError(f'{root}: the card of the dataset cannot be written: {error}') from error


def _card(jobs: Sequence[Job], good: list[tuple[Job, Outcome]]) -> str:
    """Return the card, with the front matter that dataset hubs read."""
    counts = Counter(job.part for job, _ in good)
    seconds = sum(float(result.get('time_s', 0.0)) for _, result in good)
    lines = [
        '---', f'pretty_name: {len(good)} runs of mvsim_ros2', 'tags: [robotics, simulation]',
        'configs:', '- config_name: default', '  data_files: summary.csv', '---', '',
        f'# {len(good)} simulated runs', '',
        f'Made by mvsim_ros2 {__version__} with `mvsim_ros2 sweep`: '
        f'{seconds:g} simulated seconds. {len(jobs) - len(good)} runs failed.', '',
        '| part | runs | file |', '|---|---|---|',
        *(f'| {part} | {counts[part]} | `{part}.txt` |' for part in (TRAIN, VALIDATION)), '',
        '| world | runs | seeds | controllers | parameters |', '|---|---|---|---|---|']
    for world in dict.fromkeys(Path(job.world).name for job, _ in good):
        own = [job for job, _ in good if Path(job.world).name == world]
        seeds = sorted({job.seed for job in own})
        values: dict[str, dict[str, None]] = {}
        for job in own:
            for name, value in job.variables:
                values.setdefault(name, {})[value] = None
        lines.append(
            f'| {world} | {len(own)} | {", ".join(map(str, seeds[:20]))}'
            f'{" ..." if len(seeds) > 20 else ""} | '
            f'{", ".join(sorted({job.controller or "none" for job in own}))} | '
            + ('; '.join(name + ': ' + ', '.join(found) for name, found in values.items())
               or 'none') + ' |')
    lines += ['', 'Runs in which a vehicle', '']
    lines += [f'- {kind}: {sum(result.get(kind) is True for _, result in good)}'
              for kind in INCIDENTS]
    recorded = any(job.record for job, _ in good)
    lines += ['', 'Each folder is one run, with `run.json` and '
              + ('a ROS 2 bag with ground truth in `bag/`' if recorded
                 else 'logs of the true motion') + '; `summary.csv` has a row for each.', '']
    return '\n'.join(lines)
