# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Text files of a run: commands, tables, and true trajectories in formats of SLAM tools.

Numbers have nine decimals, times are exact. Poses are of a frame in the world.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import sha256
from operator import mul
from pathlib import Path

from mvsim_ros2.errors import ControllerError
from mvsim_ros2.frames import Pose
from mvsim_ros2.recording.export.trajectory import seconds
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.trajectories.replay import COLUMNS, FILE_NAME

BUFFERED = 256  # rows


class TextFile:
    """A file of whole rows, also after a failed write; a missing folder is created."""

    def __init__(self, path: Path, header: str = '') -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open('wb', buffering=0)
        self._rows: list[str] = []  # still to be written
        self.size = 0  # of the file [byte]
        self.digest = sha256()  # of its content
        self.write(header)

    @property
    def files(self) -> tuple['TextFile', ...]:
        """Return the files of which it consists."""
        return (self,)

    def write(self, text: str) -> None:
        """Append whole rows."""
        self._rows.append(text)
        if len(self._rows) >= BUFFERED:
            self.flush()

    def flush(self) -> None:
        """Hand all rows to the operating system."""
        data = ''.join(self._rows).encode()
        written = 0
        try:
            while written < len(data):
                written += self._file.write(data[written:])
            self._rows.clear()
        except OSError as error:
            error.filename = str(self.path)
            whole = data.rfind(b'\n', 0, written) + 1
            self._rows = [data[whole:].decode()]
            with suppress(OSError):  # a device has no end
                self._file.seek(self.size + whole)
                self._file.truncate()
            written = whole
            raise
        finally:
            self.size += written
            self.digest.update(data[:written])

    def close(self) -> None:
        """Close the file; closing twice is allowed."""
        if self._file.closed:
            return
        try:
            self.flush()
        finally:
            self._file.close()


class TrajectoryFile:
    """The poses of a frame: `NAME.tum`, and `NAME.kitti`, which starts at the identity."""

    def __init__(self, path: Path) -> None:
        """Create the files; raise `OSError` where it cannot be created."""
        self._tum = TextFile(path.with_name(f'{path.name}.tum'))
        self._kitti = TextFile(path.with_name(f'{path.name}.kitti'))
        self.files = self._tum, self._kitti
        self._first: tuple[Pose, list[list[float]]] | None = None  # rotation of the first pose

    def write(self, stamp_ns: int, pose: Pose) -> None:
        """Append a pose."""
        numbers = (pose.x, pose.y, pose.z, *pose.quaternion)
        self._tum.write(f'{seconds(stamp_ns)} {joined(" ", numbers)}\n')
        rows = pose.rows
        if self._first is None:
            self._first = pose, [list(column) for column in zip(*rows, strict=True)]
        first, to_first = self._first
        offset = pose.x - first.x, pose.y - first.y, pose.z - first.z
        self._kitti.write(joined(' ', tuple([
            sum(map(mul, axis, column))
            for axis in to_first for column in (*zip(*rows, strict=True), offset)])) + '\n')


class TableFile(TextFile):
    """A CSV file with a time and numbers in each row."""

    def __init__(self, path: Path, columns: tuple[str, ...]) -> None:
        super().__init__(path, ','.join(('#timestamp [ns]', *columns)) + '\n')

    def add(self, stamp_ns: int, numbers: tuple[float, ...]) -> None:
        """Append a row."""
        self.write(f'{stamp_ns},{joined(",", numbers)}\n')


@cache
def _form(separator: str, count: int) -> str:
    return separator.join(('%.9f',) * count)


def joined(separator: str, numbers: tuple[float, ...]) -> str:
    """Return numbers with nine decimals."""
    return _form(separator, len(numbers)) % numbers


Controller = Callable[[Simulation], None]


def hold_twist(v: float, w: float) -> Controller:
    """Return a controller of constant v [m/s] and w [rad/s] for vehicles that take twists."""
    def control(simulation: Simulation) -> None:
        vehicles = [each for each in simulation.vehicles.values() if each.accepts_twist]
        if not vehicles:
            raise ControllerError(f'{simulation.world.path}: no vehicle accepts a twist')
        for vehicle in vehicles:
            vehicle.set_twist(v, w)

    return control


class CommandFile(TextFile):
    """
    Twist and steering commands of the vehicles as twists, a row for each change.

    Torques, the commands of the controller `raw`, are not included.
    """

    def __init__(self, folder: Path, simulation: Simulation) -> None:
        super().__init__(folder / FILE_NAME, ','.join(COLUMNS) + '\n')
        self._simulation = simulation
        self._last: dict[str, tuple[float, float, float]] = {}

    def add_changes(self) -> None:
        """Append the commands that have changed."""
        for name, vehicle in self._simulation.vehicles.items():
            twist = vehicle.commanded_twist
            if not vehicle.torques_taken and self._last.get(name) != twist:
                self._last[name] = twist
                numbers = ','.join(map(repr, twist))
                self.write(f'{self._simulation.time_ns},{name},{numbers}\n')
