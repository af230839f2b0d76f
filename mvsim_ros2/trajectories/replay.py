# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Replay of recorded commands at the same simulated times."""

import csv
from io import TextIOWrapper
import json
from pathlib import Path

from mvsim_ros2.base.files import open_file
from mvsim_ros2.errors import TrajectoryError
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.trajectories.controller import command

FILE_NAME = 'commands.csv'
RUN_FILE = 'run.json'
COLUMNS = 'time_ns', 'vehicle', 'vx', 'vy', 'wz'  # vx, vy in m/s, wz in rad/s


class CommandReplay:
    """
    A controller that replays the commands of a recording at the same times.

    It has finished at the end of the recording, given by the `run.json` in their folder, else
    after the last command.
    """

    def __init__(self, path: str | Path, vehicle: str | None = None) -> None:
        """
        Read the commands.

        :param path: folder of a recording, or its `commands.csv`.
        :param vehicle: name, None for all vehicles of the file.
        :raises TrajectoryError: where there are no commands for it.
        """
        file = Path(path)
        file = file / FILE_NAME if file.is_dir() else file
        self._commands: list[tuple[int, str, tuple[float, float, float]]] = []
        line = 1
        try:
            with TextIOWrapper(open_file(file), 'utf-8', newline='') as text:
                reader = csv.DictReader(text)
                for line, row in enumerate(reader, 2):
                    if vehicle in (None, row['vehicle']):
                        self._commands.append((int(row['time_ns']), row['vehicle'], (
                            float(row['vx']), float(row['wz']), float(row['vy']))))
            run = file.with_name(RUN_FILE)
            self._end_ns = (int(json.loads(run.read_text(encoding='utf-8'))['end_ns'])
                            if run.is_file() else max(each[0] for each in self._commands))
        except OSError as error:
            raise TrajectoryError(f'{file}: {error.strerror}: give the folder of a recording, or '
                                  f'its {FILE_NAME}') from error
        except (KeyError, TypeError, ValueError) as error:
            raise TrajectoryError(
                f'{file}:{line}: there must be rows of {", ".join(COLUMNS)}, as a recording '
                'writes them') from error
        self._file = file
        self._next = 0
        self._finished = False

    @property
    def finished(self) -> bool:
        """Return whether the end of the recording is reached."""
        return self._finished

    def __call__(self, simulation: Simulation) -> None:
        """
        Issue the commands that are due.

        :raises TrajectoryError: where there is no such vehicle.
        :raises ControllerError: where it accepts neither twists nor steering.
        """
        while (self._next < len(self._commands)
               and self._commands[self._next][0] <= simulation.time_ns):
            _, name, (vx, wz, vy) = self._commands[self._next]
            if name not in simulation.vehicles:
                raise TrajectoryError(f'{self._file}: commands for a vehicle {name!r}, which '
                                      f'{simulation.world.path} does not have')
            vehicle = simulation.vehicles[name]
            if vehicle.accepts_twist:
                vehicle.set_twist(vx, wz, vy)
            else:
                command(vehicle, vx, wz)
            self._next += 1
        self._finished = simulation.time_ns >= self._end_ns
