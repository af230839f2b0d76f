# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Go through what lies in the middle of a world."""

import math

import numpy as np

from mvsim_ros2.errors import LearningError
from mvsim_ros2.frames import Pose
from mvsim_ros2.gym.starts import reach
from mvsim_ros2.gym.tasks.navigate import Navigate

_OFF = 0.2  # rad


class Cross(Navigate):
    """
    Drive from the place in the world file to the one opposite, on the other side of the origin.

    Observation and reward are those of `Navigate`; the robot begins facing its goal, to 0.2
    rad. Made for `maps.barn`.
    """

    def enter(self, row: int) -> None:
        """See `Task`."""
        super().enter(row)
        agent = self.agents[row]
        if math.hypot(agent.home.x, agent.home.y) < self.radius:
            raise LearningError(
                f'{self}: {agent.vehicle} stands at the origin of '
                f'{agent.simulation.world.path}: place it on one side of the obstacles')
        agent.check_place(f'{self}: the goal on the opposite side', -agent.home.x, -agent.home.y,
                          reach(agent.simulation.vehicles[agent.vehicle]))

    def begin(self, row: int, random: np.random.Generator) -> Pose:
        """See `Task`."""
        home = self.agents[row].home
        self._aim(row, -home.x, -home.y)
        if self.along_path and not math.isfinite(self.path_left(np.array(
                [[home.x, home.y, 0.0]] * len(self.agents)))[row]):
            raise LearningError(
                f'{self}: there is no way wide enough for {self.agents[row].vehicle} from '
                f'({home.x:g}, {home.y:g}) to the opposite side: leave out along_path')
        ahead = math.atan2(-home.y, -home.x)
        return Pose(home.x, home.y, home.z, ahead + float(random.uniform(-_OFF, _OFF)))
