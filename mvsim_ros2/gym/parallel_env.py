# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Several agents in one world, as PettingZoo takes them."""

from collections.abc import Mapping
from typing import Any

from gymnasium.spaces import Box, Space
import numpy as np
from numpy.typing import NDArray
from pettingzoo import ParallelEnv

from mvsim_ros2.errors import LearningError
from mvsim_ros2.gym.actions import checked_actions
from mvsim_ros2.gym.arena import Arena, Observations
from mvsim_ros2.gym.checks import names, refused
from mvsim_ros2.gym.free_space import FreeSpace
from mvsim_ros2.gym.one_world import OneWorld
from mvsim_ros2.gym.options import check_making, check_open, seed_of
from mvsim_ros2.gym.render import check_mode, MODES
from mvsim_ros2.gym.settings import settings_of
from mvsim_ros2.gym.task import Agent, Task
from mvsim_ros2.gym.worlds import copies, vehicle_of, World


class FleetEnv(OneWorld, ParallelEnv):  # type: ignore[misc]
    """
    All vehicles of a world learn at once, each with a goal of its own.

    An agent whose episode is over stands still until all are; its vehicle stays in the world.

    >>> from mvsim_ros2.gym import Navigate
    >>> from mvsim_ros2.gym.parallel_env import FleetEnv
    >>> env = FleetEnv(Navigate(), 'two_robots', rays=36)
    >>> observations, infos = env.reset(seed=1)
    >>> env.agents
    ['r1', 'r2']
    >>> env.close()
    """

    metadata = {'name': 'mvsim_ros2', 'render_modes': list(MODES),
                'is_parallelizable': True}

    def __init__(self, task: Task, world: World, vehicles: tuple[str, ...] | None = None,
                 physics: str | None = None, rays: int | None = None, seed: int | None = None,
                 render_mode: str | None = None, **settings: Any) -> None:
        """
        Make the world.

        :param vehicles: names of those that learn; None takes all.
        :raises LearningError: where an option is not there or makes no sense, or the world does
            not suit the task.
        :raises MvsimError: where the world cannot be loaded.

        The others are those of `VehicleEnv`.
        """
        seed = check_making(task, world, physics, rays, seed)
        check_mode(render_mode)
        chosen = settings_of(settings, FleetEnv, task)
        if vehicles is not None and not names('vehicles', vehicles, 'r1'):
            raise refused('vehicles', vehicles, 'give at least one, or None for all')
        (first,) = copies(world, 1, vehicles[0] if vehicles else None, physics, rays, seed)
        simulation = first.simulation
        self.possible_agents = list(vehicles or simulation.vehicles)
        members = [self._member(first, vehicle_of(simulation, name))
                   for name in self.possible_agents]
        self._rows = {name: row for row, name in enumerate(self.possible_agents)}
        self.agents: list[str] = []
        self._make({'task': task, 'world': world, 'vehicles': vehicles, 'physics': physics,
                    'rays': rays, 'seed': seed, 'render_mode': render_mode} | settings,
                   Arena(members, task, chosen), seed,
                   lambda: [line for row in range(len(members)) for line in task.lines(row)])
        width = 7 + int(np.prod(task.goal_space.shape))
        self.state_space = Box(-np.inf, np.inf, (len(members) * width,), np.float32)

    @staticmethod
    def _member(first: Agent, name: str) -> Agent:
        """Return a vehicle that learns; those with the outline of the first share its ground."""
        simulation = first.simulation
        vehicle, known = simulation.vehicles[name], simulation.vehicles[first.vehicle]
        alike = vehicle.footprint == known.footprint
        return Agent(simulation, name, first.space if alike else FreeSpace.of(simulation, name),
                     vehicle.pose)

    def observation_space(self, agent: str) -> Space[Any]:
        """Return the space of the observations of an agent."""
        return self.arena.observation_space

    def action_space(self, agent: str) -> Space[Any]:
        """Return the space of the actions of an agent."""
        return self.arena.action_space

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None,
              ) -> tuple[dict[str, Observations], dict[str, dict[str, Any]]]:
        """
        Begin an episode of all agents.

        :param seed: of all random draws from now on.
        :param options: none has a meaning.
        :raises LearningError: where the seed is none.
        """
        check_open(self._closed)
        if seed is not None:
            self.np_random = np.random.default_rng(seed_of(seed))
        self._begin()
        self.agents = list(self.possible_agents)
        self._show()
        return self._observations(), {name: {} for name in self.agents}

    def step(self, actions: dict[str, NDArray[Any]]) -> tuple[
            dict[str, Observations], dict[str, float], dict[str, bool], dict[str, bool],
            dict[str, dict[str, Any]]]:
        """
        Make a step.

        :param actions: of each agent that is still there, shape (width,), from -1 to 1; those of
            others that were there are passed over.
        :raises LearningError: where one is missing or something else; without an episode, also
            one of Gymnasium, `ResetNeeded`, after `close` its `ClosedEnvironmentError`.
        """
        self._check_going()
        if not isinstance(actions, Mapping):
            raise refused('actions', actions, "give a dictionary, as in {'r1': [0.5, 0.0]}")
        for name in actions:
            if name not in self._rows:
                raise LearningError(f'actions has {name!r}, which is no agent: there are '
                                    f'{", ".join(self.agents)}')
        shape = self.arena.action_space.shape
        every = np.zeros((len(self.possible_agents), *shape))
        for name in self.agents:
            if name not in actions:
                raise LearningError(f'actions has none for {name!r}: give one for each of '
                                    f'{", ".join(self.agents)}')
            every[self._rows[name]] = checked_actions(f'actions[{name!r}]', actions[name], shape)
        outcome = self._advance(every)
        self._show()
        rows = {name: self._rows[name] for name in self.agents}
        seen = self._observations()
        terminated = {name: bool(outcome.terminated[row]) for name, row in rows.items()}
        truncated = {name: bool(outcome.truncated[row]) for name, row in rows.items()}
        rewards = {name: float(outcome.reward[row]) for name, row in rows.items()}
        infos = {name: {'success': bool(outcome.success[row]),
                        'collided': bool(outcome.collided[row]),
                        'reward_terms': {term: float(values[row])
                                         for term, values in outcome.terms.items()}}
                 for name, row in rows.items()}
        self.agents = [name for name in self.agents
                       if not (terminated[name] or truncated[name])]
        self._going = bool(self.agents)
        return seen, rewards, terminated, truncated, infos

    def state(self) -> NDArray[np.float32]:
        """
        Return what is true of all agents, for critics that see everything, shape (n * width,).

        Of each agent x, y [m], cosine and sine of its heading, vx, vy [m/s], wz [rad/s], and its
        goal as it observes it.
        """
        now = self.arena.now
        goal = self.arena.observations['goal'].reshape(len(now.pose), -1)
        return np.concatenate([
            now.pose[:, :2], np.cos(now.pose[:, 2:]), np.sin(now.pose[:, 2:]), now.twist, goal],
            axis=1, dtype=np.float32).ravel()

    def _rest(self) -> dict[str, Any]:
        return super()._rest() | {'agents': list(self.agents)}

    def _observations(self) -> dict[str, Observations]:
        seen = self.arena.observed(copy=True)
        return {name: {key: array[self._rows[name]] for key, array in seen.items()}
                for name in self.agents}
