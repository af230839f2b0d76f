# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Go to a place."""

from gymnasium.spaces import Box
import numpy as np

from mvsim_ros2.frames import Pose
from mvsim_ros2.gym.task import Agent
from mvsim_ros2.gym.task import Array
from mvsim_ros2.gym.task import in_frame
from mvsim_ros2.gym.task import Situation
from mvsim_ros2.gym.task import Task
from mvsim_ros2.gym.task import Verdict

_FAR = 1000.0  # m; a goal farther away reads as this


class Navigate(Task):
    """
    Drive from a free place to another one, both drawn at random.

    The goal is observed as x and y in the frame of the robot [m]. Reward: the metres that the
    robot has come nearer, `success` at the goal, and `time` for each second.
    """

    def __init__(self, nearest: float = 2.0, farthest: float = 10.0, radius: float = 0.4,
                 success: float = 10.0, time: float = -0.1) -> None:
        """
        Say where goals are.

        :param nearest: distance from the start to the goal, at least [m].
        :param farthest: the same, at most.
        :param radius: distance to the goal that is near enough [m].
        :param success: reward of reaching it.
        :param time: reward of a second.
        """
        super().__init__()
        self.nearest, self.farthest, self.radius = nearest, farthest, radius
        self.success, self.time = success, time

    def bind(self, agents: list[Agent]) -> None:
        """See `Task`."""
        super().bind(agents)
        self.goals = np.zeros((len(agents), 2))  # world frame [m]
        self._distance: Array = np.zeros(len(agents))

    @property
    def goal_space(self) -> Box:
        """See `Task`."""
        return Box(-_FAR, _FAR, (2,), np.float32)

    def begin(self, row: int, random: np.random.Generator) -> Pose:
        """See `Task`."""
        agent = self.agents[row]
        x, y = agent.space.sample(random)
        self.goals[row] = agent.space.sample_around(x, y, self.nearest, self.farthest, random)
        return Pose(x, y, agent.home.z, float(random.uniform(-np.pi, np.pi)))

    def goal(self, now: Situation) -> Array:
        """See `Task`."""
        return in_frame(now.pose, self.goals)

    def judge(self, now: Situation) -> Verdict:
        """See `Task`."""
        distance = self._away(now)
        nearer, self._distance = self._distance - distance, distance
        success = distance < self.radius
        return Verdict({'progress': nearer, 'success': self.success * success,
                        'time': np.full(len(distance), self.time * now.period)},
                       success, np.zeros(len(distance), bool))

    def forget(self, row: int, now: Situation) -> None:
        """See `Task`."""
        self._distance[row] = self._away(now)[row]

    def _away(self, now: Situation) -> Array:
        """Return the distances to the goals [m]."""
        return np.asarray(np.linalg.norm(now.pose[:, :2] - self.goals, axis=1))
