# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Push a block to a place."""

from functools import partial

from gymnasium.spaces import Box
import numpy as np

from mvsim_ros2.errors import LearningError
from mvsim_ros2.frames import Pose
from mvsim_ros2.gym.checks import number
from mvsim_ros2.gym.task import Agent, Array, in_frame, ring, Situation, Task, Verdict

_FAR = 1000.0  # m


class Push(Task):
    """
    Push a block to a place that is drawn at random.

    The block, and the place for it, are observed as x and y in the frame of the robot [m]. Reward:
    the metres that the block comes nearer to its place, a tenth of those from the robot to the
    block, `success`, and `time`.
    """

    touching_fails = False
    checks = {
        'nearest': partial(number, least=0.0), 'farthest': partial(number, least=1.0),
        'radius': partial(number, above=0.0), 'success': number, 'time': number}
    fixed = ('block',)

    def __init__(self, block: str | None = None, nearest: float = 1.0, farthest: float = 3.0,
                 radius: float = 0.3, success: float = 10.0, time: float = -0.1) -> None:
        """
        Say what to push, and how far.

        :param block: its name; None takes the first one that moves.
        :param nearest: distance of the place from the block, at least [m].
        :param farthest: the same, at most.
        :param radius: distance to the place that is near enough [m].
        :param success: reward of the block at its place.
        :param time: reward of a second.
        :raises LearningError: where an argument is out of its range.
        """
        super().__init__()
        self.block, self.nearest, self.radius = block, nearest, radius
        self.farthest = number('Push: farthest', farthest, max(1.0, self.nearest))
        self.success, self.time = success, time

    def bind(self, agents: list[Agent]) -> None:
        """See `Task`."""
        super().bind(agents)
        self.goals = np.zeros((len(agents), 2))  # world frame [m]
        self._left: Array = np.zeros((len(agents), 2))

    def enter(self, row: int) -> None:
        """See `Task`."""
        simulation = self.agents[row].simulation
        movable = [name for name, block in simulation.blocks.items() if block.spec.moves]
        name = self.block or next(iter(movable), None)
        if name is None or name not in movable:
            raise LearningError(
                f'{simulation.world.path} has no movable block {name or ""}'.rstrip()
                + f': movable blocks are {", ".join(movable) or "none"}')
        self._name = name

    @property
    def goal_space(self) -> Box:
        """See `Task`."""
        return Box(-_FAR, _FAR, (4,), np.float32)

    def begin(self, row: int, random: np.random.Generator) -> Pose:
        """See `Task`."""
        agent = self.agents[row]
        block = agent.simulation.blocks[self._name].pose
        self.goals[row] = agent.space.sample_around(
            block.x, block.y, self.nearest, self.farthest, random)
        x, y = agent.space.sample_around(block.x, block.y, 1.0, self.farthest, random)
        return Pose(x, y, agent.home.z, float(random.uniform(-np.pi, np.pi)))

    def lines(self, row: int) -> list[Array]:
        """See `Task`."""
        x, y = self.goals[row].tolist()
        return [ring(x, y, self.radius)]

    def goal(self, now: Situation) -> Array:
        """See `Task`."""
        return np.column_stack([in_frame(now.pose, self._blocks()),
                                in_frame(now.pose, self.goals)])

    def judge(self, now: Situation) -> Verdict:
        """See `Task`."""
        left = self._distances(now)
        gained, self._left = self._left - left, left
        success = left[:, 0] < self.radius
        return Verdict({'progress': gained[:, 0], 'approach': 0.1 * gained[:, 1],
                        'success': self.success * success,
                        'time': np.full(len(left), self.time * now.period)},
                       success, np.zeros(len(left), bool))

    def forget(self, row: int, now: Situation) -> None:
        """See `Task`."""
        self._left[row] = self._distances(now)[row]

    def _blocks(self) -> Array:
        """Return where the blocks are, shape (n, 2) [m]."""
        poses = [agent.simulation.blocks[self._name].pose for agent in self.agents]
        return np.array([(pose.x, pose.y) for pose in poses])

    def _distances(self, now: Situation) -> Array:
        """Return how far blocks are from their places, and robots from blocks, (n, 2) [m]."""
        blocks = self._blocks()
        return np.column_stack([np.linalg.norm(blocks - self.goals, axis=1),
                                np.linalg.norm(blocks - now.pose[:, :2], axis=1)])
