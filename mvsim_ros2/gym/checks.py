# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What arguments of environments, tasks and maps have to be, said in a sentence."""

from collections.abc import Iterable
import math
from numbers import Integral, Real

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import LearningError

_LONGEST = 60  # characters of a value in a message


def refused(name: str, value: object, remedy: str) -> LearningError:
    """Return the error that says what an option is, and what it has to be."""
    try:
        text = ' '.join(repr(value).split())
    except ValueError:  # a whole number of thousands of digits
        text = f'a very large {type(value).__name__}'
    short = text if len(text) <= _LONGEST else f'{text[:_LONGEST - 3]}...'
    return LearningError(f'{name} is {short}: {remedy}')


def number(name: str, value: object, least: float = -math.inf, most: float = math.inf,
           above: float = -math.inf, infinite: bool = False) -> float:
    """Return the number of an argument, as `Navigate: radius`, or raise `LearningError`."""
    if isinstance(value, Real) and not isinstance(value, bool | np.bool_):
        try:
            found = float(value)
        except OverflowError:  # a whole number of hundreds of digits
            found = math.nan
        if least <= found <= most and found > above and (infinite or math.isfinite(found)):
            return found
    limits = (('of at least', least), ('above', above), ('at most', most))
    wanted = ' and '.join(f'{word} {limit:g}' for word, limit in limits if math.isfinite(limit))
    raise refused(name, value, f'give a {"" if infinite else "finite "}number {wanted}'.rstrip())


def whole(name: str, value: object, least: int, most: float = math.inf) -> int:
    """Return an argument that is a whole number, or raise `LearningError`."""
    if (isinstance(value, Integral) and not isinstance(value, bool)
            and least <= int(value) <= most):
        return int(value)
    end = f' and at most {most}' if most < math.inf else ''
    raise refused(name, value, f'give a whole number of at least {least}{end}')


def numbers(name: str, values: object, least: float = -math.inf, above: float = -math.inf,
            ) -> tuple[float, ...]:
    """Return an argument that is a row of at least one number, or raise `LearningError`."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise refused(name, values, 'give numbers, such as (0.5, 1.0)')
    found = tuple(number(f'a number of {name}', value, least, above=above) for value in values)
    if not found:
        raise LearningError(f'{name} is empty: give numbers, such as (0.5, 1.0)')
    return found


def truth(name: str, value: object) -> bool:
    """Return an option that is True or False, or raise `LearningError`."""
    if not isinstance(value, bool | np.bool_):
        raise refused(name, value, 'give True or False')
    return bool(value)


def truths(name: str, values: object, count: int) -> NDArray[np.bool_]:
    """Return an argument that is so often True or False, or raise `LearningError`."""
    try:
        found = np.asarray(values)
    except ValueError:  # rows of different lengths
        found = np.array(None)
    if found.dtype != bool or found.shape != (count,):
        raise refused(name, values, f'give True or False, {count} times')
    return found


def one_of(name: str, value: object, known: Iterable[str]) -> str:
    """Return an option that is one of some words, or raise `LearningError`."""
    words = list(known)
    if not isinstance(value, str) or value not in words:
        raise refused(name, value, f'take {" or ".join(map(repr, words))}')
    return value


def names(name: str, value: object, example: str) -> tuple[str, ...]:
    """Return an option that is a row of names, none of them twice, or raise `LearningError`."""
    if (not isinstance(value, tuple | list)
            or not all(isinstance(each, str) for each in value)):
        raise refused(name, value, f'give names in a tuple, as in {name}=({example!r},)')
    if len(set(value)) < len(value):
        raise refused(name, value, 'give each name once')
    return tuple(value)
