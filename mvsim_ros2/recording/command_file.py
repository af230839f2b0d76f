# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The commands of a run as a file, which `trajectories.replay` replays."""

from collections.abc import Callable
from pathlib import Path

from mvsim_ros2.errors import ControllerError
from mvsim_ros2.recording.trajectory_files import TextFile
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.trajectories.replay import COLUMNS, FILE_NAME

Controller = Callable[[Simulation], None]


def hold_twist(v: float, w: float) -> Controller:
    """
    Return a controller that commands a constant twist to all vehicles that accept one.

    :param v: forward [m/s].
    :param w: yaw rate [rad/s].
    """
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
        """Create the file; raise `OSError` where it cannot be created."""
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
