# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""One environment, as Gymnasium takes it."""

from typing import Any, cast

import gymnasium
from gymnasium.spaces import Space
from numpy.typing import NDArray

from mvsim_ros2.gym.actions import checked_actions
from mvsim_ros2.gym.arena import Arena, Observations
from mvsim_ros2.gym.one_world import OneWorld
from mvsim_ros2.gym.options import check_making, check_open, check_reset, seed_of
from mvsim_ros2.gym.render import check_mode, MODES
from mvsim_ros2.gym.settings import settings_of
from mvsim_ros2.gym.task import Task
from mvsim_ros2.gym.worlds import copies, World


class VehicleEnv(OneWorld, gymnasium.Env[dict[str, NDArray[Any]], NDArray[Any]]):
    """
    An environment with one agent: the first row of a `VehicleVectorEnv` of one, bit by bit.

    >>> from mvsim_ros2.gym import Navigate, VehicleEnv
    >>> env = VehicleEnv(Navigate(), 'demo', rays=36)
    >>> observation, info = env.reset(seed=1)
    >>> sorted(observation), observation['scan'].shape
    (['goal', 'scan', 'velocity'], (36,))
    >>> observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
    >>> env.close()
    """

    metadata = {'render_modes': list(MODES), 'render_fps': 10}

    def __init__(self, task: Task, world: World, vehicle: str | None = None,
                 physics: str | None = None, rays: int | None = None, seed: int | None = None,
                 render_mode: str | None = None, **settings: Any) -> None:
        """
        Make the world.

        :param render_mode: `rgb_array`: pictures by `render`; `human`: a window in the browser.
        :raises LearningError: where an option is not there or makes no sense, or the world does
            not suit the task.
        :raises MvsimError: where the world cannot be loaded.

        The others are those of `VehicleVectorEnv`.
        """
        seed = check_making(task, world, physics, rays, seed)
        check_mode(render_mode)
        chosen = settings_of(settings, VehicleEnv, task)
        self._make({'task': task, 'world': world, 'vehicle': vehicle, 'physics': physics,
                    'rays': rays, 'seed': seed, 'render_mode': render_mode} | settings,
                   Arena(copies(world, 1, vehicle, physics, rays, seed), task, chosen), seed,
                   lambda: task.lines(0))
        self.metadata = self.metadata | {'render_fps': round(1.0 / self.arena.period)}
        self.observation_space = cast(
            'Space[Observations]', self.arena.observation_space)
        self.action_space = self.arena.action_space

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None,
              ) -> tuple[Observations, dict[str, Any]]:
        """
        Begin an episode.

        :param seed: of all random draws from now on.
        :param options: there are none.
        :raises LearningError: where the seed is none, or there are options.
        """
        check_open(self._closed)
        check_reset(options)
        if seed is not None:
            super().reset(seed=seed_of(seed))
        self._begin()
        self._show()
        return self._observation(), {}

    def step(self, action: Any) -> tuple[Observations, float, bool, bool, dict[str, Any]]:
        """
        Make a step.

        :param action: shape (width,), from -1 to 1.
        :raises LearningError: where the action is something else; without an episode, also one
            of Gymnasium, `ResetNeeded`, after `close` its `ClosedEnvironmentError`.
        """
        self._check_going()
        driven = checked_actions('action', action, self.arena.action_space.shape)
        outcome = self._advance(driven[None])
        self._going = not (outcome.terminated[0] or outcome.truncated[0])
        self._show()
        info = {'success': bool(outcome.success[0]), 'collided': bool(outcome.collided[0]),
                'reward_terms': {name: float(term[0]) for name, term in outcome.terms.items()}}
        if outcome.measures:
            info['measures'] = {name: float(each[0]) for name, each in outcome.measures.items()}
        return (self._observation(), float(outcome.reward[0]), bool(outcome.terminated[0]),
                bool(outcome.truncated[0]), info)

    def _observation(self) -> Observations:
        return {name: array[0].copy() for name, array in self.arena.observations.items()}
