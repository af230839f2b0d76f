# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
CSV logs of vehicles: one file with poses and one file for each wheel.

File names and columns are as in MVSim, in alphabetical order and separated by a comma and a space.
Before the header two lines begin with `#`: title, and units in the order of the columns.
"""

from collections.abc import Callable, Mapping, Sequence
import math
from pathlib import Path, PurePosixPath
from types import TracebackType

from mvsim_ros2.base.progress import tell
from mvsim_ros2.errors import RecordingError
from mvsim_ros2.recording.read_log import (
    pid_row, PID_UNITS, pose_row, POSE_UNITS, Row, wheel_row, WHEEL_UNITS)
from mvsim_ros2.recording.text_files import TextFile
from mvsim_ros2.sensors.observations import Observation
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.simulation.handles import VehicleHandle

FLUSHED_EVERY = 1.0  # s of simulated time that a crash of the machine can lose


class CsvFile(TextFile):
    """A file of rows of numbers."""

    def __init__(self, path: Path, title: str, units: Mapping[str, str]) -> None:
        self._names = sorted(units)
        super().__init__(path, f'# {" ".join(title.split())}\n'
                         f'# units: {", ".join(units[name] for name in self._names)}\n'
                         f'{", ".join(self._names)}\n')

    def add(self, row: Row) -> None:
        """Append a row."""
        self.write(', '.join(f'{row[name]:.9g}' for name in self._names) + '\n')


def _failure(error: OSError) -> RecordingError:
    return RecordingError(
        f'{error.filename}: the log cannot be written: {error.strerror or error}: free '
        'disk space, or choose another folder')


class _VehicleLog:
    """The files of one vehicle."""

    def __init__(self, simulation: Simulation, folder: Path, vehicle: VehicleHandle) -> None:
        self._vehicle = vehicle
        start = f'{_start(vehicle)}mvsim_{vehicle.name.replace("/", "_")}_'
        title = (f'of vehicle {vehicle.name}, {simulation.world.path}, physics mode '
                 f'{simulation.mode}, seed {simulation.seed}')
        self._pose = CsvFile(folder / f'{start}pose.csv', f'pose {title}', POSE_UNITS)
        self._pid = vehicle.has_pid
        self._spins = vehicle.wheels['omega'].tolist()
        self._time = simulation.time
        self._wheels = [
            CsvFile(folder / f'{start}wheel_{k}.csv', f'wheel {k} {title}',
                    {**WHEEL_UNITS, **(PID_UNITS if self._pid and k == 1 else {})})
            for k in range(1, len(self._spins) + 1)]
        self.files = [self._pose, *self._wheels]

    def write(self, time: float) -> None:
        """Append a row to each file."""
        self._pose.add(pose_row(time, self._vehicle))
        wheels = self._vehicle.wheels
        for k, (file, wheel) in enumerate(zip(self._wheels, wheels, strict=True)):
            row = wheel_row(time, wheel, self._spins[k], time - self._time)
            if self._pid and k == 0:
                row |= pid_row(self._vehicle)
            file.add(row)
        self._time, self._spins = time, wheels['omega'].tolist()


def _start(vehicle: VehicleHandle) -> str:
    """Return the prefix of the file names of a vehicle, from its `log_path`."""
    path = PurePosixPath(vehicle.spec.log_path)
    if path.is_absolute() or '..' in path.parts:
        raise RecordingError(
            f'{vehicle.spec.source}: log_path {vehicle.spec.log_path!r} leads out of the folder '
            'of the logs: give the start of a file name, with folders before it or without')
    return vehicle.spec.log_path


class RowSchedule:
    """When rows are due: each with the first step at or after its time."""

    def __init__(self, simulation: Simulation, rate: float | None, first: int = 1) -> None:
        """Begin with a rate [Hz], None or a high one: each step; row number 0 is due at once."""
        self._simulation = simulation
        self.period = 1.0 if rate is None else max(1.0, 1.0 / (rate * simulation.dt))  # steps
        self._begin, self._row = simulation.steps, first

    def steps_until_due(self) -> int:
        """Return the steps to go until the next row, 0 or less where it is due."""
        due = self._begin + math.ceil(self._row * self.period - 1e-6)
        return due - self._simulation.steps

    def take(self) -> None:
        """Count a row, with those that were due before it."""
        steps = self._simulation.steps - self._begin
        self._row = math.floor(steps / self.period + 1e-6) + 1


class CsvLog:
    """
    Logs of the vehicles of a simulation; a context manager that closes them.

    ::

        with CsvLog(simulation, 'logs') as log:
            log.run(10.0)
    """

    def __init__(self, simulation: Simulation, folder: str | Path,
                 vehicles: Sequence[str] | None = None, rate: float | None = None) -> None:
        """
        Create or replace the files.

        :param folder: created where it is missing.
        :param vehicles: names; None for all.
        :param rate: of the rows [Hz], of which each comes with the first step at or after its
            time; None for a row each step.
        :raises RecordingError: where a file cannot be written.
        :raises KeyError: where a vehicle does not exist.
        """
        self._simulation = simulation
        self._schedule = RowSchedule(simulation, rate)
        self._flush_every = max(1, round(
            FLUSHED_EVERY / (self._schedule.period * simulation.dt)))
        self._rows = 0
        self._logs: dict[str, _VehicleLog] = {}
        try:
            for name in simulation.vehicles if vehicles is None else vehicles:
                self._logs[name] = _VehicleLog(
                    simulation, Path(folder), simulation.vehicles[name])
        except OSError as error:
            self._close_all()
            raise _failure(error) from error

    @property
    def paths(self) -> tuple[Path, ...]:
        """Return the files."""
        return tuple(file.path for file in self._files)

    @property
    def _files(self) -> list[CsvFile]:
        return [file for log in self._logs.values() for file in log.files]

    def write(self) -> None:
        """Append a row of each vehicle that is still there, or raise `RecordingError`."""
        self._rows += 1
        try:
            for name, log in self._logs.items():
                if name in self._simulation.vehicles:
                    log.write(self._simulation.time)
            if self._rows % self._flush_every == 0:
                for file in self._files:
                    file.flush()
        except OSError as error:
            raise _failure(error) from error

    def run(self, duration_s: float,
            on_observation: Callable[[Observation], None] | None = None) -> None:
        """
        Run the simulation like `Simulation.run`, and write.

        :raises RecordingError: where a row cannot be written.
        :raises ValueError: where the duration is negative or no finite number.
        """
        if not 0.0 <= duration_s < math.inf:
            raise ValueError(f'cannot run for {duration_s} s: give a finite time, 0 or more')
        total = remaining = round(duration_s / self._simulation.dt)
        while remaining > 0:
            tell((total - remaining) * self._simulation.dt, duration_s, 's')
            due = max(1, self._schedule.steps_until_due())
            count = min(due, remaining)
            for observation in self._simulation.step(count):
                if on_observation is not None:
                    on_observation(observation)
            if count == due:
                self._schedule.take()
                self.write()
            remaining -= count

    def close(self) -> None:
        """Close all files, also twice; raise `RecordingError` where one lacks its last rows."""
        failure = self._close_all()
        if failure is not None:
            raise _failure(failure) from failure

    def _close_all(self) -> OSError | None:
        """Close all files; return the first failure."""
        first = None
        for file in self._files:
            try:
                file.close()
            except OSError as error:
                first = first or error
        return first

    def __enter__(self) -> 'CsvLog':
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        failure = self._close_all()
        if failure is not None and error is None:
            raise _failure(failure) from failure
