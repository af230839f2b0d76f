# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The work of a run: a recording or logs of the true motion, and results for the summary."""

from collections.abc import Callable, Mapping
import hashlib
import math
from pathlib import Path

from mvsim_ros2.errors import needed_for, SweepError
from mvsim_ros2.recording.csv_log import CsvLog, RowSchedule
from mvsim_ros2.recording.incidents import in_words, Incidents
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.studies.sweeps.plan import Job
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
