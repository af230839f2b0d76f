# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Many environments as stable-baselines3 takes them."""

from collections.abc import Sequence
from typing import Any

from gymnasium.vector import AutoresetMode
import numpy as np
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv

from mvsim_ros2.gym.arena import Observations
from mvsim_ros2.gym.checks import refused
from mvsim_ros2.gym.vector_env import VehicleVectorEnv


class Sb3VecEnv(VecEnv):  # type: ignore[misc]
    """
    A `VehicleVectorEnv` for the algorithms of stable-baselines3.

    Where an episode ends, `info` has `is_success`: the `success_rate` in logs of a `VecMonitor`.
    """

    def __init__(self, envs: VehicleVectorEnv) -> None:
        """
        Take environments over.

        :param envs: with `autoreset_mode='SameStep'` and `copy=True`.
        :raises LearningError: where they are others.
        """
        if (not isinstance(envs, VehicleVectorEnv) or not envs.copy
                or envs.autoreset_mode is not AutoresetMode.SAME_STEP):
            raise refused('envs', envs, "give VehicleVectorEnv(..., autoreset_mode='SameStep')")
        self.envs = envs
        self._actions: Any = None
        super().__init__(envs.num_envs, envs.single_observation_space, envs.single_action_space)

    def reset(self) -> Observations:
        """Begin episodes in all environments, with the seeds given to `seed`."""
        observations, _ = self.envs.reset(seed=self._seeds)
        self._reset_seeds()
        self.reset_infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        return observations

    def step_async(self, actions: NDArray[Any]) -> None:
        """Take the actions of the next step, shape (num_envs, width)."""
        self._actions = actions

    def step_wait(self) -> tuple[Observations, NDArray[np.float32], NDArray[np.bool_],
                                 list[dict[str, Any]]]:
        """Make the step."""
        observations, reward, terminated, truncated, info = self.envs.step(self._actions)
        ended = terminated | truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for row in np.flatnonzero(ended).tolist():
            infos[row] = {
                'terminal_observation': info['final_obs'][row],
                'TimeLimit.truncated': bool(truncated[row] and not terminated[row]),
                'is_success': bool(info['final_info']['success'][row])}
        return observations, reward.astype(np.float32), ended, infos

    def close(self) -> None:
        """Close the environments."""
        self.envs.close()

    def get_images(self) -> Sequence[NDArray[np.uint8] | None]:
        """Return a picture of each environment, None without `render_mode='rgb_array'`."""
        return self.envs.render() or [None] * self.num_envs

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Return an attribute that all share, for some of them."""
        return [getattr(self.envs, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute of all environments."""
        setattr(self.envs, attr_name, value)

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None,
                   **method_kwargs: Any) -> list[Any]:
        """Call a method of all environments once; return what it returns for some of them."""
        result = getattr(self.envs, method_name)(*method_args, **method_kwargs)
        return [result] * len(list(self._get_indices(indices)))

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:
        """Return False: no wrapper of single environments is there."""
        return [False] * len(list(self._get_indices(indices)))
