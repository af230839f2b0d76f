# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Go through what lies in the middle of a world."""

import math

import numpy as np

from mvsim_ros2.frames import Pose
from mvsim_ros2.gym.tasks.navigate import Navigate

_OFF = 0.2  # rad


class Cross(Navigate):
    """
    Drive from the place in the world file to the one opposite, on the other side of the origin.

    Observation and reward are those of `Navigate`; the robot begins facing its goal, to 0.2
    rad. Made for `maps.barn`.
    """

    def begin(self, row: int, random: np.random.Generator) -> Pose:
        """See `Task`."""
        home = self.agents[row].home
        self._aim(row, -home.x, -home.y)
        ahead = math.atan2(-home.y, -home.x)
        return Pose(home.x, home.y, home.z, ahead + float(random.uniform(-_OFF, _OFF)))
