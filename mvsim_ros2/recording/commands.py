# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
"""Commands of a run as a file, and their replay."""

from collections.abc import Callable
import csv
from pathlib import Path

from mvsim_ros2.errors import ControllerError
from mvsim_ros2.errors import RecordingError
from mvsim_ros2.recording.trajectory_files import TextFile
from mvsim_ros2.simulation import Simulation

Controller = Callable[[Simulation], None]
FILE_NAME = 'commands.csv'
COLUMNS = 'time_ns', 'vehicle', 'vx', 'vy', 'wz'


def hold_twist(v: float, w: float) -> Controller:
    """
    Return the controller that drives all vehicles that take a twist.

    :param v: forward [m/s].
    :param w: yaw rate [rad/s].
    """
    def control(simulation: Simulation) -> None:
        vehicles = [each for each in simulation.vehicles.values() if each.accepts_twist]
        if not vehicles:
            raise ControllerError(f'{simulation.world.path}: no vehicle takes a twist')
        for vehicle in vehicles:
            vehicle.set_twist(v, w)

    return control


class Replay:
    """A controller that gives the commands of a recording again, at the same times."""

    def __init__(self, path: str | Path) -> None:
        """
        Read the commands.

        :param path: folder of a recording, or its `commands.csv`.
        :raises RecordingError: where there are none.
        """
        file = Path(path)
        file = file / FILE_NAME if file.is_dir() else file
        try:
            with file.open(newline='', encoding='utf-8') as text:
                rows = list(csv.DictReader(text))
            self._commands = [
                (int(row['time_ns']), row['vehicle'],
                 (float(row['vx']), float(row['wz']), float(row['vy']))) for row in rows]
        except OSError as error:
            raise RecordingError(f'{file}: {error.strerror}: give the folder of a recording, or '
                                 f'its {FILE_NAME}') from error
        except (KeyError, TypeError, ValueError) as error:
            raise RecordingError(f'{file}: this is no table of {", ".join(COLUMNS)}') from error
        self._next = 0

    def __call__(self, simulation: Simulation) -> None:
        """Give the commands that are due."""
        while (self._next < len(self._commands)
               and self._commands[self._next][0] <= simulation.time_ns):
            _, name, twist = self._commands[self._next]
            if name not in simulation.vehicles:
                raise RecordingError(f'the recorded commands are for a vehicle {name!r}, which '
                                     f'{simulation.world.path} does not have')
            simulation.vehicles[name].set_twist(*twist)
            self._next += 1


class CommandFile(TextFile):
    """The twists that vehicles are told to follow, a row for each change."""

    def __init__(self, folder: Path, simulation: Simulation) -> None:
        """
        Begin the file.

        :raises OSError: where that is not possible.
        """
        self.text = ''  # all of it
        super().__init__(folder / FILE_NAME, ','.join(COLUMNS) + '\n')
        self._simulation = simulation
        self._last: dict[str, tuple[float, float, float]] = {}

    def write(self, text: str) -> None:
        """Append text."""
        self.text += text
        super().write(text)

    def add_changes(self) -> None:
        """Append the commands that changed."""
        for name, vehicle in self._simulation.vehicles.items():
            twist = vehicle.commanded_twist
            if vehicle.accepts_twist and self._last.get(name) != twist:
                self._last[name] = twist
                numbers = ','.join(map(repr, twist))
                self.write(f'{self._simulation.time_ns},{name},{numbers}\n')
