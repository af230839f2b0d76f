# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What arguments of environments, tasks and maps have to be, said in a sentence."""

from collections.abc import Iterable
import math
from numbers import Integral
from numbers import Real

import numpy as np

from mvsim_ros2.errors import LearningError


def number(name: str, value: object, least: float = -math.inf, most: float = math.inf,
           above: float = -math.inf, infinite: bool = False) -> float:
    """
    Return an argument that is a number.

    :param name: of the argument, with that of what takes it: `Navigate: radius`.
    :param least: smallest number that is taken.
    :param most: largest one.
    :param above: what it has to be larger than.
    :param infinite: whether infinity is taken.
    :raises LearningError: where it is something else.
    """
    if isinstance(value, Real) and not isinstance(value, bool | np.bool_):
        found = float(value)
        if least <= found <= most and found > above and (infinite or math.isfinite(found)):
            return found
    wanted = [f'at least {least:g}'] * (least > -math.inf)
    wanted += [f'above {above:g}'] * (above > -math.inf) + [f'at most {most:g}'] * (most < math.inf)
    raise LearningError(f'{name} is {value!r}: give a number {" and ".join(wanted)}'.rstrip())


def whole(name: str, value: object, least: int, most: float = math.inf) -> int:
    """
    Return an argument that is a whole number.

    :raises LearningError: where it is something else.
    """
    if isinstance(value, Integral) and not isinstance(value, bool) and least <= value <= most:
        return int(value)
    end = f' and at most {most:g}' if most < math.inf else ''
    raise LearningError(f'{name} is {value!r}: give a whole number of at least {least}{end}')


def numbers(name: str, values: object, least: float = -math.inf, above: float = -math.inf,
            ) -> tuple[float, ...]:
    """
    Return an argument that is a row of at least one number.

    :raises LearningError: where it is something else.
    """
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise LearningError(f'{name} is {values!r}: give numbers, such as (0.5, 1.0)')
    found = tuple(number(f'a number of {name}', value, least, above=above) for value in values)
    if not found:
        raise LearningError(f'{name} is empty: give numbers, such as (0.5, 1.0)')
    return found
