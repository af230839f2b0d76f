# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""One agent that learns against others in its world, which policies drive, such as its own."""

from collections.abc import Callable, Sequence
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.gym.arena import Observations
from mvsim_ros2.gym.checks import number, refused
from mvsim_ros2.gym.options import NotBegunError
from mvsim_ros2.gym.parallel_env import FleetEnv
from mvsim_ros2.gym.tasks.follow import Follow

Driver = Callable[[Observations], NDArray[Any]]  # returns the action for what an opponent observes


class OpponentsEnv(gymnasium.Env[Observations, NDArray[Any]]):
    """
    The first vehicle of a `FleetEnv` learns; drivers drive the others.

    For self-play put a copy of the policy into `drivers` from time to time. An opponent whose
    episode is over stands where it is.

    >>> from mvsim_ros2.gym import maps, Race
    >>> world, route = maps.track(3, vehicles=2)
    >>> fleet = FleetEnv(Race(route, gap=2.0), world, rays=36)
    >>> env = OpponentsEnv(fleet, [lambda seen: [0.4, 0.0]])
    >>> observation, info = env.reset(seed=1)
    >>> round(env.step([1.0, 0.0])[4]['lead'])
    2
    >>> env.close()
    """

    metadata = FleetEnv.metadata

    def __init__(self, fleet: FleetEnv, drivers: Sequence[Driver], lead: float = 0.0) -> None:
        """
        Take a fleet.

        :param drivers: of the others, in their order.
        :param lead: reward of each metre by which the lead on the best opponent grows; it needs
            a task along a route.
        :raises LearningError: where there is not one driver for each opponent, or `lead` makes no
            sense.
        """
        self.fleet, self.drivers = fleet, list(drivers)
        self.agent, *self.opponents = fleet.possible_agents
        if len(self.drivers) != len(self.opponents) or not self.drivers:
            raise refused('drivers', drivers, f'give one for each of the {len(self.opponents)} '
                                              'opponents')
        self.lead = number('lead', lead)
        if lead and not isinstance(fleet.arena.task, Follow):
            raise refused('lead', lead, 'only Follow and Race have a route')
        self.render_mode = fleet.render_mode
        self.observation_space = fleet.observation_space(self.agent)
        self.action_space = fleet.action_space(self.agent)
        self._seen: dict[str, Observations] = {}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None,
              ) -> tuple[Observations, dict[str, Any]]:
        """Begin an episode of all vehicles, see `FleetEnv.reset`."""
        self._seen, _ = self.fleet.reset(seed, options)
        self._ahead, _ = self._lead(), super().reset(seed=seed)
        return self._seen[self.agent], {}

    def step(self, action: Any) -> tuple[Observations, float, bool, bool, dict[str, Any]]:
        """
        Make a step of all vehicles.

        `info['lead']` is how far the agent is ahead of the best opponent on a route [m].
        """
        if self.agent not in self.fleet.agents:
            raise NotBegunError('there is no episode: call reset() first, and after each end')
        actions = {self.agent: action} | {
            name: np.asarray(drive(self._seen[name]), float)
            for name, drive in zip(self.opponents, self.drivers, strict=True)
            if name in self.fleet.agents}
        self._seen, rewards, ended, cut, infos = self.fleet.step(actions)
        info, before, self._ahead = infos[self.agent], self._ahead, self._lead()
        if self._ahead is not None and before is not None:
            info['lead'] = self._ahead
            info['reward_terms']['lead'] = self.lead * (self._ahead - before)
        reward = rewards[self.agent] + info['reward_terms'].get('lead', 0.0)
        return self._seen[self.agent], reward, ended[self.agent], cut[self.agent], info

    def _lead(self) -> float | None:
        """Return the lead on the best opponent along the route [m]; None without a route."""
        task = self.fleet.arena.task
        if not isinstance(task, Follow):
            return None
        along = task.began + task.driven
        return float(along[0] - along[1:].max())

    def render(self) -> NDArray[np.uint8] | None:
        """Return a picture, see `FleetEnv.render`."""
        return self.fleet.render()

    def close(self) -> None:
        """Close the fleet."""
        self.fleet.close()
