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
"""Commands from a file, given again at the same simulated times."""

from bisect import bisect_right
from dataclasses import dataclass
from pathlib import Path

from mvsim_ros2.simulation import Simulation
from mvsim_ros2.trajectories.controller import command
from mvsim_ros2.trajectories.controller import vehicle_to_drive
from mvsim_ros2.trajectories.table import read_table

WHAT = 'time v w in s, m/s and rad/s'


@dataclass(frozen=True)
class Commands:
    """Velocities over time."""

    times: tuple[float, ...]  # s of simulated time, growing
    twists: tuple[tuple[float, float], ...]  # m/s, rad/s; each holds until the next


def read_commands(path: str | Path) -> Commands:
    """
    Return the commands in a file: lines of time v w [s, m/s, rad/s].

    :raises TrajectoryError: where it cannot be read or breaks a rule; names the line.
    """
    table = read_table(path, (3,), WHAT)
    times = tuple(row[0] for row in table.rows)
    for row in range(1, len(times)):
        if not times[row] > times[row - 1]:
            raise table.error(row, f'time {times[row]:.9g} s does not come after '
                                   f'{times[row - 1]:.9g} s')
    return Commands(times, tuple((row[1], row[2]) for row in table.rows))


class CommandReplay:
    """
    Gives recorded commands: each from its time on, none before the first.

    The last one marks the end: with it the vehicle stops and the replay has finished.
    """

    def __init__(self, commands: Commands, vehicle: str | None = None) -> None:
        """
        Plan to replay.

        :param vehicle: name, None for the first one.
        """
        self._commands, self._name = commands, vehicle
        self._finished = False

    @property
    def finished(self) -> bool:
        """Return whether the time of the last command has come."""
        return self._finished

    def __call__(self, simulation: Simulation) -> None:
        """
        Command the vehicle.

        :raises TrajectoryError: where there is no such vehicle.
        :raises ControllerError: where it takes neither twists nor steering.
        """
        # half a nanosecond: 0.3 s is 300000000 ns and 0.30000000000000004 s
        row = bisect_right(self._commands.times, simulation.time + 5e-10) - 1
        self._finished = row == len(self._commands.times) - 1
        v, w = (0.0, 0.0) if row < 0 or self._finished else self._commands.twists[row]
        command(vehicle_to_drive(simulation, self._name), v, w)
