# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Poses of blocks and of what moves by itself, as a table."""

import csv
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.recording.trajectory_files import joined, TextFile
from mvsim_ros2.simulation import Simulation

Array = NDArray[np.float64]

NAME = 'moving.csv'
PERIOD_NS = 20_000_000  # simulated time between two looks
BLOCK, FIGURE = 'block', 'figure'
_COLUMNS = ('#timestamp [ns]', 'kind', 'name', 'x [m]', 'y [m]', 'z [m]', 'yaw [rad]',
            'pitch [rad]', 'roll [rad]')
_STEP = 1e-6  # m, rad; smaller motions are none


class MovingThingsFile(TextFile):
    """
    A row for each block and figure at the start, and wherever one moves.

    Figures are actors, walls and planes that move by themselves; their names are their rows in
    `MoverStates.figures`. Between two rows of a thing its motion is linear: where it begins to
    move after a rest, its last pose is written once more.
    """

    def __init__(self, path: Path, simulation: Simulation) -> None:
        """Create the file; raise `OSError` where it cannot be created."""
        super().__init__(path, ','.join(_COLUMNS) + '\n')
        self._simulation = simulation
        self._due_ns = -1
        self._looked_ns = 0
        self._poses: Array = np.zeros((0, 6))
        self._written_ns: NDArray[np.int64] = np.zeros(0, np.int64)
        self._names: list[str] = []

    def add(self, time_ns: int) -> None:
        """Write what has moved since the last look, where it is time."""
        if time_ns < self._due_ns:
            return
        self._due_ns = (time_ns // PERIOD_NS + 1) * PERIOD_NS
        movers = self._simulation.movers()
        poses = np.concatenate([movers.blocks, movers.figures])
        if len(poses) != len(self._poses):
            self._names = [f'{BLOCK},{_quoted(name)}' for name in self._simulation.blocks] + [
                f'{FIGURE},{row}' for row in range(len(movers.figures))]
            self._written_ns = np.full(len(poses), time_ns)
            moved = np.arange(len(poses))
        else:
            moved = np.flatnonzero(np.abs(poses - self._poses).max(axis=1, initial=0.0) > _STEP)
        for row in moved.tolist():
            if self._written_ns[row] < self._looked_ns:
                self._write(self._looked_ns, row, self._poses[row])
            self._write(time_ns, row, poses[row])
        self._written_ns[moved] = time_ns
        if len(poses) == len(self._poses):
            poses = np.where(np.isin(np.arange(len(poses)), moved)[:, None], poses, self._poses)
        self._poses, self._looked_ns = poses, time_ns

    def _write(self, time_ns: int, row: int, pose: Array) -> None:
        self.write(f'{time_ns},{self._names[row]},{joined(",", tuple(pose.tolist()))}\n')


def _quoted(name: str) -> str:
    """Return a name as a field of a table."""
    plain = not set(name) & set(',"\r\n')
    return name if plain else '"' + name.replace('"', '""') + '"'


def read_moving_things(path: Path) -> dict[tuple[str, str], tuple[Array, Array]]:
    """
    Return times (n,) [s] and poses (n, 6) by kind and name of what such a file holds.

    :raises ValueError: where a row is damaged.
    """
    rows: dict[tuple[str, str], list[list[float]]] = {}
    with path.open(newline='', encoding='utf-8') as file:
        for fields in csv.reader(file):
            if not fields or fields[0].startswith('#'):
                continue
            time_ns, kind, name, *numbers = fields
            if len(numbers) != 6:
                raise ValueError(f'{path}: a row has {len(fields)} fields, not 9')
            rows.setdefault((kind, name), []).append(
                [1e-9 * int(time_ns), *map(float, numbers)])
    tables = {key: np.array(each) for key, each in rows.items()}
    return {key: (table[:, 0], table[:, 1:]) for key, table in tables.items()}
