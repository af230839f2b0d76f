# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What environments of one world share: episodes that can be copied, pictures, the end."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.gym.arena import Arena, Outcome
from mvsim_ros2.gym.options import check_open, NotBegunError
from mvsim_ros2.gym.render import Renderer
from mvsim_ros2.gym.task import Array, Task


class OneWorld:
    """
    An environment of one world, for one agent or several.

    Copies and pickles replay the episode in a new world: same seeds and actions, same bits.

    :ivar np_random: source of all random draws.
    """

    render_mode: str | None
    np_random: np.random.Generator

    def _make(self, arguments: dict[str, Any], arena: Arena, seed: int,
              lines: Callable[[], Iterable[Array]]) -> None:
        """Begin without an episode, with arguments of `__init__` that have the drawn seed."""
        self.arena, self._arguments = arena, arguments
        self.render_mode = arguments['render_mode']
        self.np_random = np.random.default_rng(seed)
        self._renderer = Renderer(arena.simulations[0], arena.period, lines)
        self._going = self._closed = False
        self._start: tuple[dict[str, Any], dict[str, Any]] | None = None
        self._actions: list[NDArray[np.float64]] = []

    def _begin(self) -> None:
        """Begin an episode of all agents."""
        self._start = dict(self.np_random.bit_generator.state), self.arena.task.arguments()
        self._actions = []
        self.arena.begin(range(len(self.arena.agents)), [self.np_random] * len(self.arena.agents))
        self._renderer.follow(self.arena.simulations[0])
        self._going = True

    def _advance(self, actions: NDArray[np.float64]) -> Outcome:
        """Make a step by actions of shape (agents, width), from -1 to 1."""
        self._actions.append(actions)
        return self.arena.advance(actions)

    def _check_going(self) -> None:
        """Check that a step can be made; raise `LearningError` after `close` or an end."""
        check_open(self._closed)
        if not self._going:
            raise NotBegunError('there is no episode: call reset() first, and after each end')

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to make a copy that stands where this one does."""
        return _copy_of, (type(self), self._arguments, self._start, self._actions,
                          self.arena.task.arguments(), self.np_random.bit_generator.state,
                          self._rest())

    def _rest(self) -> dict[str, Any]:
        """Return the attributes of a copy that replaying does not restore."""
        return {'_going': self._going, '_closed': self._closed}

    def render(self) -> NDArray[np.uint8] | None:
        """Return a picture, shape (480, 640, 3), uint8; None with the mode `human`."""
        check_open(self._closed)
        return self._renderer.picture() if self.render_mode == 'rgb_array' else None

    def close(self) -> None:
        """Close the window, and let another environment have the task."""
        self._closed = True
        self._renderer.close()
        self.arena.close()

    def _show(self) -> None:
        if self.render_mode == 'human':
            self._renderer.show()


def _copy_of(kind: type[OneWorld], arguments: dict[str, Any],
             start: tuple[dict[str, Any], dict[str, Any]] | None,
             actions: list[NDArray[np.float64]], now: dict[str, Any], random: dict[str, Any],
             rest: dict[str, Any]) -> OneWorld:
    """Return an environment that has made these steps."""
    task: Task = arguments['task']
    env = kind(**arguments)
    if start is not None:
        env.np_random.bit_generator.state, began = start
        task.change(began)
        env._begin()
        for action in actions:
            env._advance(action)
        task.change(now)
    env.np_random.bit_generator.state = random
    for name, value in rest.items():
        setattr(env, name, value)
    return env
