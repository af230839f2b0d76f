# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Where everything was at the last steps, for measurements that take time.

Between steps things move straight and turn evenly. Where the past is not known, as before the
first step or after a thing was put elsewhere, things are taken to have kept their motion; who
asks does that.
"""

from collections import deque
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.scene.scene import MoverStates

Array = NDArray[np.float64]

_POSES = 'vehicles', 'blocks', 'figures'


class PoseHistory:
    """The states of the last steps, oldest first."""

    def __init__(self) -> None:
        self._states: deque[tuple[int, MoverStates]] = deque()
        self._step_ns = 0

    def remember(self, time_ns: int, states: MoverStates, step_ns: int, span_ns: int) -> None:
        """
        Add a state, and forget what is not needed to know everything of a time before it.

        :param states: of their own, not to be changed.
        :param step_ns: time between states; after a longer one nothing before is known.
        """
        if self._states and self._states[-1][0] == time_ns:
            self._states.pop()
        if self._states and self._states[-1][0] != time_ns - step_ns:
            self._states.clear()
        self._step_ns = step_ns
        self._states.append((time_ns, states))
        while len(self._states) > 1 and self._states[1][0] <= time_ns - span_ns:
            self._states.popleft()

    def forget(self) -> None:
        """Forget all: from now on things are somewhere else."""
        self._states.clear()

    def before(self, time_ns: int, span: float) -> list[tuple[float, MoverStates]]:
        """
        Return ages [s] and states before an instant, youngest first, until one of `span`.

        Nothing where the past is not known that far back.
        """
        found: list[tuple[float, MoverStates]] = []
        known = [(then, states) for then, states in self._states if then < time_ns]
        if not known or known[-1][0] != time_ns - self._step_ns:
            return []
        for then, states in reversed(known):
            found.append((1e-9 * (time_ns - then), states))
            if found[-1][0] >= span - 1e-9:
                return found
        return []

    def snapshot(self) -> tuple[Any, ...]:
        """Return all of it."""
        return self._step_ns, *self._states

    def restore(self, states: tuple[Any, ...]) -> None:
        """Continue with what `snapshot` returned."""
        self._step_ns, *kept = states
        self._states = deque(kept)


def between(younger: MoverStates, older: MoverStates, share: float) -> MoverStates:
    """
    Return states between two that are a step apart.

    :param share: 0 the younger, 1 the older ones.
    """
    def mixed(name: str) -> Array:
        end: Array = getattr(younger, name)
        way: Array = getattr(older, name) - end
        if name in _POSES:
            way[:, 3:] -= 2.0 * np.pi * np.round(way[:, 3:] / (2.0 * np.pi))
        result: Array = end + share * way
        return result

    return replace(
        younger, vehicles=mixed('vehicles'), wheel_steer=mixed('wheel_steer'),
        wheel_angle=mixed('wheel_angle'), blocks=mixed('blocks'), figures=mixed('figures'))
