# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""See as much of a world as possible."""

from functools import partial

from gymnasium.spaces import Box
import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Pose
from mvsim_ros2.gym.checks import number, whole
from mvsim_ros2.gym.task import Agent, Array, Situation, Task, Verdict
from mvsim_ros2.jit.kernel import compiled

Rays = NDArray[np.float64]

CELL = 0.25  # m


@compiled
def mark_seen(seen: NDArray[np.bool_], x: float, y: float, bearings: Rays,
              ranges: Rays, cell: float) -> int:
    """
    Mark the cells that rays cross; return how many of them were not marked before.

    :param seen: shape (rows, columns); row 0 at y = 0, column 0 at x = 0.
    :param x: where the rays begin [m].
    :param bearings: shape (n,) [rad].
    :param ranges: how far they go, shape (n,) [m].
    :param cell: size of a cell [m].
    """
    found = 0
    for ray in range(len(bearings)):
        cosine, sine = np.cos(bearings[ray]), np.sin(bearings[ray])
        for step in range(int(2.0 * ranges[ray] / cell)):
            along = 0.5 * cell * step
            column = int(np.floor((x + along * cosine) / cell))
            row = int(np.floor((y + along * sine) / cell))
            if 0 <= row < seen.shape[0] and 0 <= column < seen.shape[1] and not seen[row, column]:
                seen[row, column] = True
                found += 1
    return found


class Explore(Task):
    """
    See all of the ground that the robot can reach.

    Ground is seen from the middle of the robot, all around, up to a range. The goal is
    observed as the share that was seen. Reward: the square metres that are new, `success` at the
    wanted share, and `time`.
    """

    checks = {
        'reach': partial(number, above=0.0), 'share': partial(number, above=0.0, most=1.0),
        'directions': partial(whole, least=1), 'success': number, 'time': number}
    fixed = ('directions',)

    def __init__(self, reach: float = 4.0, share: float = 0.95, directions: int = 120,
                 success: float = 10.0, time: float = -0.1) -> None:
        """
        Say what has to be seen.

        :param reach: how far the robot sees [m].
        :param share: of the ground that is enough.
        :param directions: in which it looks, over the whole circle.
        :param success: reward of that share.
        :param time: reward of a second.
        :raises LearningError: where an argument is out of its range.
        """
        super().__init__()
        self.reach, self.share, self.directions = reach, share, directions
        self.success, self.time = success, time
        count = self.directions
        self._bearings = np.array([2.0 * np.pi * ray / count for ray in range(count)], np.float64)

    def bind(self, agents: list[Agent]) -> None:
        """See `Task`."""
        super().bind(agents)
        # by agent: what it has seen, with a border of cells that count as seen already
        self._seen: list[NDArray[np.bool_]] = [np.zeros((0, 0), bool) for _ in agents]
        self._ground = list(self._seen)
        self._found = np.zeros(len(agents))
        self._shares = np.zeros(len(agents))

    def enter(self, row: int) -> None:
        """Find the cells that a robot can reach, in cells of `CELL`."""
        space = self.agents[row].space
        at = ((space.middles - (space.x_min, space.y_min)) / CELL).astype(int)
        cells = np.zeros(at.max(axis=0)[::-1] + 1, bool)
        cells[at[:, 1], at[:, 0]] = True
        self._ground[row] = cells

    @property
    def goal_space(self) -> Box:
        """See `Task`."""
        return Box(0.0, 1.0, (1,), np.float32)

    def begin(self, row: int, random: np.random.Generator) -> Pose:
        """See `Task`."""
        agent = self.agents[row]
        x, y = agent.space.sample(random)
        self._seen[row] = ~self._ground[row]
        return Pose(x, y, agent.home.z, float(random.uniform(-np.pi, np.pi)))

    def goal(self, now: Situation) -> Array:
        """See `Task`."""
        return self._shares[:, None].copy()

    def judge(self, now: Situation) -> Verdict:
        """See `Task`."""
        for row in range(len(self.agents)):
            self._look(row, now)
        success = self._shares >= self.share
        return Verdict({'progress': CELL * CELL * self._found, 'success': self.success * success,
                        'time': np.full(len(success), self.time * now.period)},
                       success, np.zeros(len(success), bool))

    def forget(self, row: int, now: Situation) -> None:
        """See `Task`."""
        self._look(row, now)

    def _look(self, row: int, now: Situation) -> None:
        """See what is around an agent."""
        agent = self.agents[row]
        x, y, _ = now.pose[row].tolist()
        ranges = agent.simulation.cast_rays((x, y), self._bearings, self.reach, agent.vehicle)
        self._found[row] = mark_seen(
            self._seen[row], x - agent.space.x_min, y - agent.space.y_min, self._bearings,
            ranges.clip(max=self.reach), CELL)
        ground = self._ground[row]
        self._shares[row] = (self._seen[row] & ground).sum() / ground.sum()
