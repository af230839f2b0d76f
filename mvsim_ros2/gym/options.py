# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Options of environments; an invalid one is an error that names it."""

from collections.abc import Iterable, Mapping
import inspect
from numbers import Integral
import secrets
from typing import Any

from gymnasium.error import ClosedEnvironmentError, ResetNeeded
import numpy as np

from mvsim_ros2.base.random_streams import LARGEST_SEED
from mvsim_ros2.errors import LearningError
from mvsim_ros2.gym.checks import one_of, refused, whole
from mvsim_ros2.gym.task import Task
from mvsim_ros2.world.file.report import instead_of
from mvsim_ros2.world.spec.fields import entry_of
from mvsim_ros2.world.spec.world import PhysicsSpec

_MODES = entry_of(PhysicsSpec, 'mode').tag.choices
_MOST_RAYS = 100_000
_LAST_SEED = LARGEST_SEED - 2 ** 32  # so that each row has one of its own


class NotBegunError(LearningError, ResetNeeded):
    """Raised by a step without an episode: before the first `reset`, or after the end."""


class ClosedError(LearningError, ClosedEnvironmentError):
    """Raised where an environment is used after `close`."""


def seed_of(value: object, name: str = 'seed') -> int:
    """Return a seed; raise `LearningError` for no whole number, a negative or a very large one."""
    return whole(name, value, 0, _LAST_SEED)


def check_making(task: object, world: object, physics: object, rays: object, seed: object) -> int:
    """Check what environments are made of; return the seed, or raise `LearningError`."""
    if isinstance(world, Task):
        raise refused('world', world, 'the task comes first and the world second, as in '
                                      "VehicleEnv(Navigate(), 'demo')")
    if not isinstance(task, Task):
        remedy = (f'write {task.__name__}(), with parentheses'
                  if isinstance(task, type) and issubclass(task, Task) else 'give a task')
        raise refused('task', task, f"{remedy}, as in VehicleEnv(Navigate(), 'demo')")
    if physics is not None:
        one_of('physics', physics, _MODES)
    if rays is not None:
        whole('rays', rays, 1, _MOST_RAYS)
    return secrets.randbits(31) if seed is None else seed_of(seed)


def check_names(given: Iterable[str], known: Iterable[str], whose: str,
                task: Task | None = None) -> None:
    """Check that names are known to a maker or its task, or raise with the nearest."""
    there = set(known)
    for name in given:
        if name in there:
            continue
        if task is not None and name in inspect.signature(type(task)).parameters:
            remedy = f'; the task has it: write {type(task).__name__}({name}=...)'
        else:
            remedy = instead_of(name, there)
        raise LearningError(f'{whose} has no option {name}{remedy}')


def check_open(closed: bool) -> None:
    """Check that an environment may still be used; raise `ClosedError` where it may not."""
    if closed:
        raise ClosedError('the environment is closed: make another one')


def check_reset(options: object, known: tuple[str, ...] = ()) -> None:
    """Check the options of a `reset`; raise `LearningError` for one that is not known."""
    if not isinstance(options, Mapping | None):
        raise refused('options', options, 'give a dictionary')
    for name in options or ():
        if name not in known:
            raise refused('options', options, f'there is no {name!r}, only '
                                              f'{", ".join(map(repr, known)) or "None"}')


def options_of(function: Any) -> set[str]:
    """Return the names of the options that a function or class lists."""
    return {name for name, each in inspect.signature(function).parameters.items()
            if name != 'self' and each.kind is not inspect.Parameter.VAR_KEYWORD}


def seeds_of(seed: object, count: int) -> list[int | None]:
    """Return seeds: the next number for each, or one for each, or None; else raise."""
    if seed is None:
        return [None] * count
    if isinstance(seed, Integral):
        first = seed_of(seed)
        return [first + row for row in range(count)]
    if not (isinstance(seed, list | tuple) or isinstance(seed, np.ndarray) and seed.ndim == 1):
        raise refused('seed', seed, 'give a whole number, or one for each environment')
    if len(seed) != count:
        raise refused('seed', seed, f'give one for each of the {count} environments')
    return [None if each is None else seed_of(each, f'seed[{row}]')
            for row, each in enumerate(seed)]
