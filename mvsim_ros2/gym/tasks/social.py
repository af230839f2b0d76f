# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Go through people."""

from functools import partial

import numpy as np

from mvsim_ros2.errors import LearningError
from mvsim_ros2.frames import Pose
from mvsim_ros2.gym.checks import number
from mvsim_ros2.gym.starts import reach
from mvsim_ros2.gym.task import Agent, Array, Flags, Situation, Verdict
from mvsim_ros2.gym.tasks.cross import Cross
from mvsim_ros2.simulation.together import People, people_of

SPACE = 0.5  # m to the bodies of people, with which space compliance is counted
_LATER = 100.0  # s; a collision that is later is none


class Social(Cross):
    """
    Drive to the place opposite through people, who begin somewhat differently in each episode.

    Observation and reward are those of `Navigate` along the shortest path; `near_people` is
    added. `info['measures']` has what evaluations of social navigation count, see `measures`.
    Made for `scenarios`.
    """

    checks = Cross.checks | {
        'near_people': number, 'spread': partial(number, least=0.0, most=1.0),
        'pace': partial(number, least=0.0, most=0.9)}

    def __init__(self, radius: float = 0.4, success: float = 10.0, time: float = -0.1,
                 along_path: bool = True, near: float = 0.0, margin: float = 0.8,
                 near_people: float = -1.0, spread: float = 0.2, pace: float = 0.2) -> None:
        """
        Say what counts; for the others see `Navigate`.

        :param near_people: reward of a second at a person, fading to 0 at `SPACE`.
        :param spread: standard deviation of where people begin [m].
        :param pace: largest share by which they are faster or slower than their world says.
        :raises LearningError: where an argument is out of its range.
        """
        super().__init__(radius=radius, success=success, time=time, along_path=along_path,
                         near=near, margin=margin)
        self.near_people, self.spread, self.pace = near_people, spread, pace

    def bind(self, agents: list[Agent]) -> None:
        """See `Task`."""
        super().bind(agents)
        count = len(agents)
        self._people: list[People] = [people_of(agent.simulation) for agent in agents]
        self._radius = np.zeros(count)
        self._seen = np.zeros((count, 0, 5))  # x, y, vx, vy, radius
        self._seconds, self._path, self._jerk, self._intruded = np.zeros((4, count))
        self._gap, self._least, self._collision, self._shortest = np.full((4, count), np.inf)
        self._place: Array = np.zeros((count, 2))
        self._velocity, self._acceleration = np.zeros((2, count, 2))

    def enter(self, row: int) -> None:
        """See `Task`."""
        super().enter(row)
        agent = self.agents[row]
        if not agent.simulation.actors:
            raise LearningError(f'{self}: {agent.simulation.world.path} has no <actor>: use '
                                'a world of scenarios, or add people')
        self._people[row] = people_of(agent.simulation)
        self._radius[row] = reach(agent.simulation.vehicles[agent.vehicle])
        more = max(len(each.radius) for each in self._people) - self._seen.shape[1]
        if more > 0:
            nobody = np.zeros((len(self._people), more, 5))
            nobody[:, :, :2] = np.inf
            self._seen = np.concatenate([self._seen, nobody], axis=1)
        self._seen[row, :, :2], self._seen[row, :, 2:] = np.inf, 0.0

    def begin(self, row: int, random: np.random.Generator) -> Pose:
        """See `Task`."""
        pose = super().begin(row, random)
        actors = self.agents[row].simulation.actors
        for actor in actors.values():
            spec = actor.spec
            x, y = random.normal(0.0, self.spread, 2).clip(-2 * self.spread, 2 * self.spread)
            actor.restart(
                Pose(spec.init_pose.x + float(x), spec.init_pose.y + float(y), spec.init_pose.z,
                     spec.init_pose.yaw),
                spec.walking_speed * float(random.uniform(1.0 - self.pace, 1.0 + self.pace)))
        return pose

    def forget(self, row: int, now: Situation) -> None:
        """See `Task`."""
        super().forget(row, now)
        for total in (self._seconds, self._path, self._jerk, self._intruded):
            total[row] = 0.0
        self._least[row] = self._collision[row] = np.inf
        self._shortest[row] = self._distance[row]
        self._place[row] = now.pose[row, :2]
        self._velocity[row] = self._acceleration[row] = 0.0

    def judge(self, now: Situation) -> Verdict:
        """See `Task`."""
        verdict = super().judge(now)
        for row, people in enumerate(self._people):
            part = self._seen[row, :len(people.radius)]
            part[:, :2] = people.pose[:, :2]
            cosine, sine = np.cos(people.pose[:, 3]), np.sin(people.pose[:, 3])
            part[:, 2] = cosine * people.twist[:, 0] - sine * people.twist[:, 1]
            part[:, 3] = sine * people.twist[:, 0] + cosine * people.twist[:, 1]
            part[:, 4] = people.radius
        cosine, sine = np.cos(now.pose[:, 2]), np.sin(now.pose[:, 2])
        velocity = np.stack([cosine * now.twist[:, 0] - sine * now.twist[:, 1],
                             sine * now.twist[:, 0] + cosine * now.twist[:, 1]], axis=1)
        both = self._radius[:, None] + self._seen[:, :, 4]
        way = self._seen[:, :, :2] - now.pose[:, None, :2]
        gap: Array = np.maximum(np.hypot(way[..., 0], way[..., 1]) - both, 0.0).min(axis=1)
        self._gap = gap
        self._collision = np.minimum(self._collision, time_to_collision(
            way, self._seen[:, :, 2:4] - velocity[:, None], both).min(axis=1))
        acceleration = (velocity - self._velocity) / now.period
        jerk = (acceleration - self._acceleration) / now.period
        self._jerk += now.period * np.hypot(jerk[:, 0], jerk[:, 1])
        self._velocity, self._acceleration = velocity, acceleration
        step = now.pose[:, :2] - self._place
        self._path += np.hypot(step[:, 0], step[:, 1])
        self._place[:] = now.pose[:, :2]
        self._seconds += now.period
        self._intruded += now.period * (gap < SPACE)
        self._least = np.minimum(self._least, gap)
        verdict.terms['people'] = self.near_people * now.period * np.clip(
            1.0 - gap / SPACE, 0.0, 1.0)
        return verdict

    def measures(self, now: Situation) -> dict[str, Array]:
        """
        Return measures of social navigation for the episodes so far, shape (n,) each.

        The definitions are by A. Francis and others (see `scenarios`). `spl` is success weighted
        by path length (P. Anderson and others, arXiv 1807.06757, 2018); a collision is no success.
        `path` is in m, `clearance` the smallest distance to people [m], and `compliance` the share
        of time with 0.5 m or more. `time_to_collision` is the smallest at constant velocities [s],
        100 for none. `jerk` is the mean of its amount [m/s^3], `hit_person` a collision with a
        person. Distances are between discs around people and the whole robot.
        """
        seconds = np.maximum(self._seconds, 1e-9)
        success = (self._away(now) < self.radius) & ~now.collided
        return {
            'seconds': self._seconds.copy(), 'path': self._path.copy(),
            'spl': success * self._shortest / np.maximum(self._path, self._shortest),
            'clearance': self._least.copy(), 'compliance': 1.0 - self._intruded / seconds,
            'time_to_collision': self._collision.copy(), 'jerk': self._jerk / seconds,
            'hit_person': now.collided & (self._gap < 0.1)}


def time_to_collision(way: Array, velocity: Array, radius: Array) -> Array:
    """Return times until discs of joint radii touch at velocities, `_LATER` for never [s]."""
    known: Flags = np.asarray(np.isfinite(way).all(axis=-1))
    way = np.where(known[..., None], way, 1e3)
    square = (velocity * velocity).sum(axis=-1)
    closing = -(way * velocity).sum(axis=-1)
    outside = (way * way).sum(axis=-1) - radius * radius
    root = closing * closing - square * outside
    meets = known & (closing > 0.0) & (root > 0.0) & (outside > 0.0)
    time = (closing - np.sqrt(np.where(meets, root, 0.0))) / np.where(meets, square, 1.0)
    found: Array = np.where(known & (outside <= 0.0), 0.0, np.where(
        meets, np.minimum(time, _LATER), _LATER))
    return found
