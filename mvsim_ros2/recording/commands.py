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
"""Commands of a run as a file; `trajectories.replay` gives them again."""

from collections.abc import Callable
from pathlib import Path

from mvsim_ros2.errors import ControllerError
from mvsim_ros2.recording.trajectory_files import TextFile
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.trajectories.replay import COLUMNS
from mvsim_ros2.trajectories.replay import FILE_NAME

Controller = Callable[[Simulation], None]


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


class CommandFile(TextFile):
    """
    What vehicles are told by twist or by steering, as twists, a row for each change.

    Torques, which the controller `raw` takes, are not in it.
    """

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
            if not vehicle.torques_taken and self._last.get(name) != twist:
                self._last[name] = twist
                numbers = ','.join(map(repr, twist))
                self.write(f'{self._simulation.time_ns},{name},{numbers}\n')
