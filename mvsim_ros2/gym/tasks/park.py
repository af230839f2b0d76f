# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Stop at a place in a direction."""

from functools import partial
from typing import Any

from gymnasium.spaces import Box
import numpy as np

from mvsim_ros2.errors import LearningError
from mvsim_ros2.frames import Pose, wrap_angle
from mvsim_ros2.gym.checks import number, numbers
from mvsim_ros2.gym.task import Agent, Array, in_frame, ring, Situation, Task, Verdict

_FAR = 1000.0  # m
_NEAREST = 1.0  # m; distance of a start from the place


def _place(name: str, place: Any) -> tuple[float, ...] | None:
    """Return where to park: x, y [m], yaw [rad] or None; raise `LearningError` for others."""
    if place is None:
        return None
    found = numbers(name, place)
    if len(found) != 3:
        raise LearningError(f'{name} is {place}: give x, y [m] and yaw [rad]')
    return found


class Park(Task):
    """
    Stand at a place in a given direction.

    The goal is observed as x and y in the frame of the robot [m], and cosine and sine of the angle
    that is missing. Reward: the decrease of the distance, with `turn` metres for each radian of
    heading near the place, `success` once it stands there, and `time`.
    """

    checks = {
        'place': _place, 'farthest': partial(number, least=1.0),
        'distance': partial(number, above=0.0), 'angle': partial(number, above=0.0),
        'speed': partial(number, above=0.0), 'turn': partial(number, least=0.0),
        'success': number, 'time': number}

    def __init__(self, place: tuple[float, float, float] | None = None, farthest: float = 6.0,
                 distance: float = 0.15, angle: float = 0.15, speed: float = 0.1,
                 turn: float = 0.5, success: float = 10.0, time: float = -0.1) -> None:
        """
        Say where to park.

        :param place: x, y [m], yaw [rad]; None draws one for each episode.
        :param farthest: of the start from it [m].
        :param distance: that is near enough [m].
        :param angle: the same of the heading [rad].
        :param speed: below which the robot stands [m/s].
        :param turn: weight of the heading [m/rad].
        :param success: reward of standing there.
        :param time: reward of a second.
        :raises LearningError: where an argument is out of its range.
        """
        super().__init__()
        self.place, self.farthest, self.distance = place, farthest, distance
        self.angle, self.speed, self.turn = angle, speed, turn
        self.success, self.time = success, time

    def bind(self, agents: list[Agent]) -> None:
        """See `Task`."""
        super().bind(agents)
        self.goals = np.zeros((len(agents), 3))  # x, y [m], yaw [rad], world frame
        self._missing: Array = np.zeros(len(agents))

    def enter(self, row: int) -> None:
        """See `Task`."""
        if self.place is not None:
            agent, (x, y, _) = self.agents[row], self.place
            agent.check_place(f'{self}: place', x, y, agent.inner_radius)

    @property
    def goal_space(self) -> Box:
        """See `Task`."""
        high = np.array([_FAR, _FAR, 1.0, 1.0], np.float32)
        return Box(-high, high, dtype=np.float32)

    def begin(self, row: int, random: np.random.Generator) -> Pose:
        """See `Task`."""
        agent = self.agents[row]
        self.enter(row)  # the place may be another one by now
        if self.place is None:
            goal, (x, y) = agent.space.sample_pair(_NEAREST, self.farthest, random)
            self.goals[row] = *goal, random.uniform(-np.pi, np.pi)
        else:
            self.goals[row] = self.place
            x, y = agent.space.sample_around(*self.place[:2], _NEAREST, self.farthest, random)
        return Pose(x, y, agent.home.z, float(random.uniform(-np.pi, np.pi)))

    def lines(self, row: int) -> list[Array]:
        """See `Task`."""
        x, y, yaw = self.goals[row].tolist()
        ahead = x + np.cos(yaw), y + np.sin(yaw)
        return [ring(x, y, self.distance), np.array([(x, y), ahead])]

    def goal(self, now: Situation) -> Array:
        """See `Task`."""
        turn = self.goals[:, 2] - now.pose[:, 2]
        return np.column_stack([in_frame(now.pose, self.goals[:, :2]), np.cos(turn), np.sin(turn)])

    def judge(self, now: Situation) -> Verdict:
        """See `Task`."""
        missing = self._cost(now)
        better, self._missing = self._missing - missing, missing
        away, turn = self._away(now)
        success = (away < self.distance) & (turn < self.angle) & (
            np.abs(now.twist[:, 0]) < self.speed)
        return Verdict({'progress': better, 'success': self.success * success,
                        'time': np.full(len(away), self.time * now.period)},
                       success, np.zeros(len(away), bool))

    def forget(self, row: int, now: Situation) -> None:
        """See `Task`."""
        self._missing[row] = self._cost(now)[row]

    def _away(self, now: Situation) -> tuple[Array, Array]:
        """Return the distances [m] and angles [rad] that are missing."""
        return (np.linalg.norm(now.pose[:, :2] - self.goals[:, :2], axis=1),
                np.abs(wrap_angle(self.goals[:, 2] - now.pose[:, 2])))

    def _cost(self, now: Situation) -> Array:
        away, turn = self._away(now)
        return away + self.turn * turn * np.exp(-away)
