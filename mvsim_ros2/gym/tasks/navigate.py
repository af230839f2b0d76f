# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Go to a place."""

from functools import partial

from gymnasium.spaces import Box
import numpy as np

from mvsim_ros2.frames import Pose
from mvsim_ros2.gym.checks import number, truth
from mvsim_ros2.gym.grids import Grids
from mvsim_ros2.gym.task import Agent, Array, in_frame, ring, Situation, Task, Verdict

_FAR = 1000.0  # m; a goal farther away reads as this


class Navigate(Task):
    """
    Drive from a free place to another one, both drawn at random.

    The goal is observed as x and y in the frame of the robot [m]. Reward: the metres that the
    robot has come nearer, `success` at the goal, and `time` for each second. Distances are
    straight, or along the shortest path (as in E. Wijmans and others: DD-PPO, ICLR 2020), which
    leads out of dead ends. The length of this path is not observed. `near` teaches the robot not
    to cut corners. It grows from 0 to its full value as the middle of the robot comes nearer to a
    solid than `margin`.
    """

    checks = {
        'nearest': partial(number, least=0.0), 'farthest': partial(number, least=0.0),
        'radius': partial(number, above=0.0), 'success': number, 'time': number,
        'along_path': truth, 'near': number, 'margin': partial(number, above=0.0, most=1.5)}
    fixed = ('along_path',)

    def __init__(self, nearest: float = 2.0, farthest: float = 10.0, radius: float = 0.4,
                 success: float = 10.0, time: float = -0.1, along_path: bool = False,
                 near: float = 0.0, margin: float = 0.8) -> None:
        """
        Say where goals are.

        :param nearest: distance from the start to the goal, at least [m].
        :param farthest: the same, at most.
        :param radius: distance to the goal that is near enough [m].
        :param success: reward of reaching it.
        :param time: reward of a second.
        :param along_path: whether to measure along the shortest path.
        :param near: reward of a second with the middle of the robot at something solid.
        :param margin: distance at which `near` begins, at most 1.5 [m].
        :raises LearningError: where an argument is out of its range.
        """
        super().__init__()
        self.along_path, self.near, self.margin = along_path, near, margin
        self.nearest, self.radius = nearest, radius
        self.farthest = number(f'{self}: farthest', farthest, self.nearest)
        self.success, self.time = success, time

    def bind(self, agents: list[Agent]) -> None:
        """See `Task`."""
        super().bind(agents)
        self.goals = np.zeros((len(agents), 2))  # world frame [m]
        self._distance: Array = np.zeros(len(agents))
        spaces = [agent.space for agent in agents]
        if self.along_path:
            self._paths = Grids(spaces)
        self._clearances: Grids | None = None

    def enter(self, row: int) -> None:
        """See `Task`."""
        space = self.agents[row].space
        if self.along_path:
            self._paths.enter(row, space)
        if self._clearances is not None:
            self._clearances.enter(row, space)
            self._clearances.put(row, space.around)

    @property
    def goal_space(self) -> Box:
        """See `Task`."""
        return Box(-_FAR, _FAR, (2,), np.float32)

    def begin(self, row: int, random: np.random.Generator) -> Pose:
        """See `Task`."""
        agent = self.agents[row]
        (x, y), goal = agent.space.sample_pair(self.nearest, self.farthest, random)
        self._aim(row, *goal)
        return Pose(x, y, agent.home.z, float(random.uniform(-np.pi, np.pi)))

    def _aim(self, row: int, x: float, y: float) -> None:
        """Give an agent a goal."""
        self.goals[row] = x, y
        if self.along_path:
            self._paths.put(row, self.agents[row].space.lengths_to(x, y))

    def lines(self, row: int) -> list[Array]:
        """See `Task`."""
        x, y = self.goals[row].tolist()
        return [ring(x, y, self.radius)]

    def goal(self, now: Situation) -> Array:
        """See `Task`."""
        return in_frame(now.pose, self.goals)

    def judge(self, now: Situation) -> Verdict:
        """See `Task`."""
        away = self._away(now)
        distance = self._to_go(now) if self.along_path else away
        nearer, self._distance = self._distance - distance, distance
        success = away < self.radius
        terms = {'progress': nearer, 'success': self.success * success,
                 'time': np.full(len(distance), self.time * now.period)}
        if self.near:
            terms['near'] = self.near * now.period * self._nearness(now)
        return Verdict(terms, success, np.zeros(len(distance), bool))

    def forget(self, row: int, now: Situation) -> None:
        """See `Task`."""
        self._distance[row] = self._to_go(now)[row] if self.along_path else self._away(now)[row]

    def path_left(self, pose: Array) -> Array:
        """Return the shortest ways to goals from poses (n, 3), inf for none [m]; `along_path`."""
        return self._paths.at(pose)

    def clearance(self, pose: Array) -> Array:
        """Return how far solids are from poses, shape (n, 3), up to 8 % less [m]."""
        if self._clearances is None:  # most never ask
            self._clearances = Grids(
                [agent.space for agent in self.agents], clearances=True)
        return self._clearances.at(pose)

    def _away(self, now: Situation) -> Array:
        """Return the distances to the goals [m]."""
        x, y = now.pose[:, 0] - self.goals[:, 0], now.pose[:, 1] - self.goals[:, 1]
        return np.asarray(np.sqrt(x * x + y * y))

    def _to_go(self, now: Situation) -> Array:
        """Return the lengths of the shortest paths to the goals [m]."""
        lengths = self.path_left(now.pose)
        return np.where(np.isfinite(lengths), lengths, self._distance)

    def _nearness(self, now: Situation) -> Array:
        """Return 0 at the margin or farther from what is solid, 1 there."""
        return np.asarray(np.clip(1.0 - self.clearance(now.pose) / self.margin, 0.0, 1.0))
