# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Drive along a route, once or in laps."""

from functools import partial
from os import PathLike
from pathlib import Path

from gymnasium.spaces import Box
import numpy as np

from mvsim_ros2.errors import LearningError
from mvsim_ros2.frames import Pose
from mvsim_ros2.gym.checks import number, numbers, whole
from mvsim_ros2.gym.task import Agent, Array, Flags, in_frame, Situation, Task, Verdict
from mvsim_ros2.trajectories.route import Route
from mvsim_ros2.trajectories.route_file import read_route

_FAR = 1000.0  # m
_STEP = 0.05  # m between two points of the line that the robot is compared with
_WINDOW = 2.0  # m along the route, before and behind where it was, where it is looked for


class Follow(Task):
    """
    Follow a route from its start to its end.

    Points of the route ahead are observed as x and y in the frame of the robot [m]. Reward: the
    metres along the route, `aside` for each metre and second away from it, and `success` at the
    end. It fails farther from the route than `width`.
    """

    checks = {
        'ahead': partial(numbers, least=0.0), 'width': partial(number, above=0.0),
        'success': number, 'aside': number}
    fixed = ('route', 'ahead')

    def __init__(self, route: Route | str | Path, ahead: tuple[float, ...] = (0.5, 1.0, 2.0),
                 width: float = 1.0, success: float = 10.0, aside: float = -1.0) -> None:
        """
        Say where to drive.

        :param route: a route, or a file of one, see `read_route`; world frame.
        :param ahead: how far ahead along the route the observed points are [m].
        :param width: of the strip that may be used, to each side [m].
        :param success: reward of the end.
        :param aside: reward of a second one metre from the route.
        :raises TrajectoryError: where the file is no route.
        :raises LearningError: where an argument is out of its range.
        """
        super().__init__()
        if not isinstance(route, Route | str | PathLike):
            raise LearningError(
                f'{self}: route is of type {type(route).__name__}: give a file of points, or '
                'Route.through(points)')
        self.route = route if isinstance(route, Route) else read_route(route)
        self.ahead, self.width, self.success, self.aside = ahead, width, success, aside
        count = max(2, round(self.route.length / _STEP) + 1)
        self._stations = np.linspace(0.0, self.route.length, count)
        self._line = np.column_stack([
            np.interp(self._stations, self.route.stations, axis) for axis in self.route.points.T])

    def bind(self, agents: list[Agent]) -> None:
        """See `Task`."""
        super().bind(agents)
        self.began = np.zeros(len(agents))  # along the route, without laps [m]
        self.station = np.zeros(len(agents))  # the same now [m]
        self.driven = np.zeros(len(agents))  # along the route since the start [m]

    def enter(self, row: int) -> None:
        """See `Task`."""
        agent = self.agents[row]
        if any(agent.space is other.space for other in self.agents[:row]):
            return
        for x, y in self._line.tolist():
            agent.check_place(f'{self}: a place on {self.route.name}', x, y, agent.inner_radius)

    @property
    def goal_space(self) -> Box:
        """See `Task`."""
        return Box(-_FAR, _FAR, (2 * len(self.ahead),), np.float32)

    def begin(self, row: int, random: np.random.Generator) -> Pose:
        """See `Task`."""
        self.station[row] = 0.0
        return self._start(row, 0.0)

    def _start(self, row: int, station: float) -> Pose:
        """Return the pose on the route at a station, facing ahead."""
        (x, y), (to_x, to_y) = self._points(np.array([station, station + 2.0 * _STEP])).tolist()
        return Pose(x, y, self.agents[row].home.z, float(np.arctan2(to_y - y, to_x - x)))

    def lines(self, row: int) -> list[Array]:
        """See `Task`."""
        return [self._line]

    def goal(self, now: Situation) -> Array:
        """See `Task`."""
        return self.ahead_of(now, np.array(self.ahead)).reshape(len(self.agents), -1)

    def ahead_of(self, now: Situation, reach: Array) -> Array:
        """Return route points so far ahead [m], (k,) or (n, k), on the robots, (n, k, 2) [m]."""
        return in_frame(now.pose, self._points(self.station[:, None] + reach))

    def judge(self, now: Situation) -> Verdict:
        """See `Task`."""
        before = self.station.copy()
        beside = self._locate(now)
        along = self.station - before
        if self.route.closed:
            half = 0.5 * self.route.length
            along = (along + half) % self.route.length - half
        self.driven += along
        success = self._finished()
        return Verdict({'progress': along, 'aside': self.aside * now.period * beside,
                        'success': self.success * success},
                       success, (beside > self.width) & ~success)

    def _finished(self) -> Flags:
        """Return who has arrived."""
        return np.asarray(self.driven > self.route.length - 2.0 * _STEP)

    def forget(self, row: int, now: Situation) -> None:
        """See `Task`."""
        self.driven[row] = 0.0

    def _points(self, stations: Array) -> Array:
        """Return places on the route, shape (..., 2) [m]."""
        if self.route.closed:
            stations = stations % self.route.length
        return np.stack([np.interp(stations, self._stations, axis) for axis in self._line.T], -1)

    def _locate(self, now: Situation) -> Array:
        """Find where the robots are along the route; return their distance from it [m]."""
        reach = np.arange(-_WINDOW, _WINDOW + 0.5 * _STEP, _STEP)
        stations = self.station[:, None] + reach
        if not self.route.closed:
            stations = np.clip(stations, 0.0, self.route.length)
        distance = np.linalg.norm(self._points(stations) - now.pose[:, None, :2], axis=2)
        nearest = distance.argmin(axis=1)
        rows = np.arange(len(nearest))
        self.station = stations[rows, nearest]
        if self.route.closed:
            self.station %= self.route.length
        return np.asarray(distance[rows, nearest])


class Race(Follow):
    """
    Drive laps on a closed track, as fast as possible, from a random place on it.

    The route is the middle of the track. Reward and observation are those of `Follow`, with
    `time` for each second; the episode ends after the laps.
    """

    checks = Follow.checks | {'laps': partial(whole, least=1), 'time': number, 'gap': number}

    def __init__(self, route: Route | str | Path, laps: int = 1,
                 ahead: tuple[float, ...] = (1.0, 2.0, 4.0), width: float = 1.5,
                 success: float = 10.0, time: float = -0.5, gap: float = 0.0) -> None:
        """
        Say where to race.

        :param laps: after which the race ends.
        :param width: of the track, to each side of its middle [m].
        :param time: reward of a second.
        :param gap: at the start from a vehicle to the next one of its world, behind it, or ahead
            where negative [m]; 0: each begins anywhere.
        :raises LearningError: where the route is no loop.
        """
        super().__init__(route, ahead, width, success, 0.0)
        if not self.route.closed:
            raise LearningError(f'{self.route.name} is no loop: a race needs one, whose last '
                                'point is the first')
        self.laps, self.time, self.gap = laps, time, gap

    def begin(self, row: int, random: np.random.Generator) -> Pose:
        """See `Task`."""
        together = [k for k, each in enumerate(self.agents[:row])
                    if each.simulation is self.agents[row].simulation]
        self.began[row] = (
            self.began[together[-1]] - self.gap if together and self.gap
            else random.uniform(0.0, self.route.length))
        self.station[row] = self.began[row] % self.route.length
        return self._start(row, float(self.station[row]))

    def judge(self, now: Situation) -> Verdict:
        """See `Task`."""
        verdict = super().judge(now)
        verdict.terms['time'] = np.full(len(self.agents), self.time * now.period)
        del verdict.terms['aside']
        return verdict

    def _finished(self) -> Flags:
        return np.asarray(self.driven >= self.laps * self.route.length)
