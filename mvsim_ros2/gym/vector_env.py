# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Many environments in one process, as Gymnasium takes them."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.gym.actions import checked_actions
from mvsim_ros2.gym.arena import Arena, Observations, Outcome
from mvsim_ros2.gym.card import DEVICES
from mvsim_ros2.gym.checks import one_of, truth, truths, whole
from mvsim_ros2.gym.options import check_making, check_open, check_reset, NotBegunError, seeds_of
from mvsim_ros2.gym.render import check_mode, PICTURES, Renderer
from mvsim_ros2.gym.settings import settings_of
from mvsim_ros2.gym.task import Array, Flags, Task
from mvsim_ros2.gym.worlds import copies, Worlds

MOST = 2 ** 20  # environments


class VehicleVectorEnv(VectorEnv[Observations, NDArray[Any], NDArray[Any]]):
    """
    Environments with one agent each, stepped together.

    What happens in one of them depends on its seed and its actions only, not on the number of
    the others. Observations are arrays with a row for each environment, written anew by each
    step where `copy` is False.

    The entries of `info` have a row for each environment: `success`, `collided`, and
    `reward_terms`. `_success` and the like name the rows with values. As in Gymnasium, with
    `AutoresetMode.SAME_STEP` an ended row has its values in `final_info`, and its last observation
    in `final_obs`, an array of dictionaries and None.

    >>> from mvsim_ros2.gym import Navigate, VehicleVectorEnv
    >>> envs = VehicleVectorEnv(2, Navigate(), 'demo', rays=36)
    >>> observations, info = envs.reset(seed=1)
    >>> observations['scan'].shape, observations['goal'].shape
    ((2, 36), (2, 2))
    >>> observations, reward, terminated, truncated, info = envs.step([[1.0, 0.0], [0.5, 0.5]])
    >>> reward.shape, sorted(info['reward_terms'])
    ((2,), ['collision', 'progress', 'success', 'time'])
    >>> envs.close()
    """

    def __init__(self, num_envs: int, task: Task, world: Worlds, vehicle: str | None = None,
                 physics: str | None = None, rays: int | None = None, seed: int | None = None,
                 autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP, copy: bool = True,
                 render_mode: str | None = None, device: str = 'cpu', **settings: Any) -> None:
        """
        Make the worlds.

        :param num_envs: how many.
        :param task: what is to be done, such as `Navigate()`.
        :param world: file, name, `WorldSpec`, a function that makes one of a generator, or
            several of these, which take turns.
        :param vehicle: name of the vehicle that learns; None takes the first one.
        :param physics: physics mode, None for what the world says.
        :param rays: of each planar LiDAR, None for what the world says.
        :param seed: of random worlds, and of other draws before a `reset` with a seed; None takes
            one from the operating system.
        :param autoreset_mode: when an environment begins anew after the end of an episode.
        :param copy: False hands out the arrays that the next step writes.
        :param render_mode: `rgb_array`: pictures by `render`.
        :param device: `cuda`: sensors in three dimensions measure on the graphics card, and
            observations are tensors of torch there; rewards and the like stay arrays.
        :param settings: see `Settings`.
        :raises LearningError: where an option is not there or makes no sense, or a world does
            not suit the task.
        :raises CardError: where there is no graphics card, or a sensor does not measure on it.
        :raises MvsimError: where a world cannot be loaded.
        """
        self.num_envs = num_envs = whole(
            'num_envs', num_envs, 1, MOST)
        seed = check_making(task, world, physics, rays, seed)
        self.autoreset_mode = autoreset_mode if isinstance(
            autoreset_mode, AutoresetMode) else AutoresetMode(one_of(
                'autoreset_mode', autoreset_mode, [each.value for each in AutoresetMode]))
        self.copy = truth('copy', copy)
        check_mode(render_mode, PICTURES)
        self.render_mode = render_mode
        chosen = settings_of(settings, VehicleVectorEnv, task)
        self.arena = Arena(copies(world, num_envs, vehicle, physics, rays, seed), task, chosen,
                           one_of('device', device, DEVICES))
        self.metadata = {'autoreset_mode': self.autoreset_mode, 'render_modes': list(PICTURES),
                         'render_fps': round(1.0 / self.arena.period)}
        self._renderers = [
            Renderer(agent.simulation, self.arena.period, partial(task.lines, row))
            for row, agent in enumerate(self.arena.agents)] if render_mode else []
        self.single_observation_space = self.arena.observation_space
        self.single_action_space = self.arena.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._randoms = [np.random.default_rng(seed + row) for row in range(num_envs)]
        self._over = np.zeros(num_envs, bool)
        self._begun = np.zeros(num_envs, bool)

    def reset(self, *, seed: int | Sequence[int | None] | None = None,
              options: dict[str, Any] | None = None) -> tuple[Observations, dict[str, Any]]:
        """
        Begin episodes.

        :param seed: of environment 0, the next one has the next number; or one for each.
        :param options: `reset_mask`, shape (num_envs,), bool: only these.
        :raises LearningError: where these make no sense.
        """
        check_open(self.closed)
        seeds = seeds_of(seed, self.num_envs)
        check_reset(options, ('reset_mask',))
        mask = (options or {}).get('reset_mask', [True] * self.num_envs)
        rows = np.flatnonzero(truths('reset_mask', mask, self.num_envs)).tolist()
        for row in rows:
            if seeds[row] is not None:
                self._randoms[row] = np.random.default_rng(seeds[row])
        self._begin(rows)
        return self._observations(), {}

    def step(self, actions: Any) -> tuple[Observations, Array, Flags, Flags, dict[str, Any]]:
        """
        Make a step in all environments.

        :param actions: shape (num_envs, width), from -1 to 1.
        :raises LearningError: for other actions. Before the first `reset`, or after an episode
            without autoreset, it is a `ResetNeeded` of Gymnasium too; after `close` a
            `ClosedEnvironmentError`.
        """
        check_open(self.closed)
        if not self._begun.all():
            raise NotBegunError('an environment has not begun: call reset() first')
        mode, over = self.autoreset_mode, self._over
        if mode is AutoresetMode.DISABLED and over.any():
            raise NotBegunError(f'the episodes of {np.flatnonzero(over).tolist()} are over: call '
                                "reset(options={'reset_mask': mask}) for these")
        outcome = self.arena.advance(
            checked_actions('actions', actions, self.arena.now.action.shape))
        going = ~over
        ended = (outcome.terminated | outcome.truncated) & going
        if over.any():  # their action is passed over, and a new episode begins
            for array in (outcome.reward, outcome.terminated, outcome.truncated, outcome.success,
                          outcome.collided, *outcome.terms.values()):
                array[over] = 0
            self._begin(np.flatnonzero(over).tolist())
        if mode is AutoresetMode.SAME_STEP and ended.any():
            rows, final = np.flatnonzero(ended).tolist(), np.full(self.num_envs, None, object)
            for row in rows:
                final[row] = self.arena.observed_by(row)
            info = _info(outcome, ~ended) | {
                'final_obs': final, '_final_obs': ended,
                'final_info': _info(outcome, ended), '_final_info': ended}
            self._begin(rows)
        else:
            info, self._over = _info(outcome, going), ended
        return (self._observations(), outcome.reward, outcome.terminated, outcome.truncated, info)

    def render(self) -> tuple[NDArray[np.uint8], ...] | None:
        """Return a picture of each environment, shape (480, 640, 3); None without a mode."""
        check_open(self.closed)
        return tuple(each.picture() for each in self._renderers) if self.render_mode else None

    def _begin(self, rows: list[int]) -> None:
        self.arena.begin(rows, [self._randoms[row] for row in rows])
        for renderer, agent in zip(self._renderers, self.arena.agents, strict=False):
            renderer.follow(agent.simulation)
        self._over[rows], self._begun[rows] = False, True

    def _observations(self) -> Observations:
        return self.arena.observed(self.copy)

    def close_extras(self, **_: Any) -> None:
        """Let another environment have the task."""
        self.arena.close()


def _info(outcome: Outcome, rows: Flags) -> dict[str, Any]:
    """Return the infos of some rows; others have zeros."""
    success, collided, terms = outcome.success, outcome.collided, outcome.terms
    if not rows.all():
        success, collided = success & rows, collided & rows
        terms = {name: term * rows for name, term in terms.items()}
    info = {'success': success, '_success': rows, 'collided': collided, '_collided': rows,
            'reward_terms': terms, '_reward_terms': rows}
    if outcome.measures:
        info |= {'measures': outcome.measures, '_measures': rows}
    return info
