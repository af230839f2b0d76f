# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Options of environments: what makes no sense is refused in a sentence that names it."""

from collections.abc import Iterable
from difflib import get_close_matches
import inspect
import math
from numbers import Integral
from numbers import Real
from typing import Any

from gymnasium.error import ClosedEnvironmentError
from gymnasium.error import ResetNeeded
import numpy as np

from mvsim_ros2.errors import LearningError
from mvsim_ros2.gym.task import Task
from mvsim_ros2.physics.modes import MODES
from mvsim_ros2.random_streams import LARGEST_SEED

_LONGEST = 60  # characters of a value in a message
_MOST_RAYS = 100_000
_LAST_SEED = LARGEST_SEED - 2 ** 32  # so that each row has one of its own


class NotBegunError(LearningError, ResetNeeded):
    """Raised by a step without an episode: before the first `reset`, or after the end."""


class ClosedError(LearningError, ClosedEnvironmentError):
    """Raised where an environment is used after `close`."""


def refused(name: str, value: object, remedy: str) -> LearningError:
    """Return the error that says what an option is, and what it has to be."""
    try:
        text = ' '.join(repr(value).split())
    except ValueError:  # a whole number of thousands of digits
        text = f'a very large {type(value).__name__}'
    short = text if len(text) <= _LONGEST else f'{text[:_LONGEST - 3]}...'
    return LearningError(f'{name} is {short}: {remedy}')


def real(name: str, value: object, least: float, most: float, remedy: str) -> float:
    """
    Return an option that is a number in a range.

    :raises LearningError: where it is something else.
    """
    number = math.nan
    if isinstance(value, Real) and not isinstance(value, bool):
        try:
            number = float(value)
        except OverflowError:  # a whole number of hundreds of digits
            pass
    if not least <= number <= most:
        raise refused(name, value, remedy)
    return number


def whole(name: str, value: object, least: int, most: float = math.inf, remedy: str = '') -> int:
    """
    Return an option that is a whole number in a range.

    :raises LearningError: where it is something else.
    """
    if (not isinstance(value, Integral) or isinstance(value, bool)
            or not least <= int(value) <= most):
        raise refused(name, value, remedy or f'give a whole number of at least {least}')
    return int(value)


def truth(name: str, value: object) -> bool:
    """
    Return an option that is True or False.

    :raises LearningError: where it is something else.
    """
    if not isinstance(value, bool | np.bool_):
        raise refused(name, value, 'give True or False')
    return bool(value)


def one_of(name: str, value: object, known: Iterable[str]) -> str:
    """
    Return an option that is one of some words.

    :raises LearningError: where it is something else.
    """
    words = list(known)
    if not isinstance(value, str) or value not in words:
        raise refused(name, value, f'take {" or ".join(map(repr, words))}')
    return value


def names(name: str, value: object, example: str) -> tuple[str, ...]:
    """
    Return an option that is a row of names, none of them twice.

    :raises LearningError: where it is something else.
    """
    if (not isinstance(value, tuple | list)
            or not all(isinstance(each, str) for each in value)):
        raise refused(name, value, f'give names in a tuple, as in {name}=({example!r},)')
    if len(set(value)) < len(value):
        raise refused(name, value, 'give each name once')
    return tuple(value)


def seed_of(value: object, name: str = 'seed') -> int:
    """
    Return a seed.

    :raises LearningError: where it is no whole number, or a negative or very large one.
    """
    return whole(name, value, 0, _LAST_SEED,
                 f'give a whole number from 0 to {_LAST_SEED}')


def check_making(task: object, world: object, physics: object, rays: object,
                 seed: object) -> None:
    """
    Check what all environments are made of; worlds and vehicles are checked where they are found.

    :raises LearningError: where something makes no sense.
    """
    if isinstance(world, Task):
        raise refused('world', world, 'the task comes first and the world second, as in '
                                      "VehicleEnv(Navigate(), 'demo')")
    if not isinstance(task, Task):
        remedy = (f'write {task.__name__}(), with parentheses'
                  if isinstance(task, type) and issubclass(task, Task) else 'give a task')
        raise refused('task', task, f"{remedy}, as in VehicleEnv(Navigate(), 'demo')")
    if physics is not None:
        one_of('physics', physics, MODES)
    if rays is not None:
        whole('rays', rays, 1, _MOST_RAYS, f'give a whole number from 1 to {_MOST_RAYS}')
    seed_of(seed)


def check_names(given: Iterable[str], known: Iterable[str], whose: str,
                task: Task | None = None) -> None:
    """
    Check that options are there.

    :param given: their names.
    :param known: those that there are.
    :param whose: what has them, for the message.
    :param task: which may be what has the option.
    :raises LearningError: where there is no such option; names the nearest ones.
    """
    there = sorted(known)
    for name in given:
        if name in there:
            continue
        if task is not None and name in inspect.signature(type(task)).parameters:
            remedy = f'the task has it: write {type(task).__name__}({name}=...)'
        else:
            near = get_close_matches(name, there, 1)
            remedy = f'did you mean {near[0]}? ' if near else ''
            remedy += f'There are {", ".join(there)}'
        raise LearningError(f'{whose} has no option {name}: {remedy}')


def options_of(function: Any) -> set[str]:
    """Return the names of the options that a function or class lists."""
    return {name for name, each in inspect.signature(function).parameters.items()
            if name != 'self' and each.kind is not inspect.Parameter.VAR_KEYWORD}


def seeds_of(seed: object, count: int) -> list[int | None]:
    """
    Return the seed of each of some environments, None where it goes on with its own.

    :param seed: of the first, the next one has the next number; or one for each; or None.
    :raises LearningError: where it is something else.
    """
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
