# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Arguments of public functions: what is not right raises `ArgumentError`, which says why."""

from collections.abc import Iterable
from types import UnionType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mvsim_ros2.errors import ArgumentError


def check_type(name: str, value: object, kind: type | UnionType, remedy: str) -> None:
    """Check that an argument is of a type."""
    if not isinstance(value, kind):
        raise ArgumentError(f'{name} is {_short(value)}, which is no '
                            f'{getattr(kind, "__name__", kind)}: {remedy}')


def truth(name: str, value: object) -> bool:
    """Return an argument that is True or False."""
    if not isinstance(value, bool | np.bool_):
        raise ArgumentError(f'{name} is {_short(value)}: give True or False')
    return bool(value)


def real(name: str, value: object) -> float:
    """Return an argument that is a number."""
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise ArgumentError(f'{name} is {_short(value)}: give a number') from None


def vector(name: str, values: ArrayLike) -> NDArray[np.float64]:
    """Return an argument that is a row of numbers, shape (n,)."""
    try:
        return np.asarray(values, float).reshape(-1)
    except (TypeError, ValueError):
        raise ArgumentError(f'{name} is {_short(values)}: give numbers') from None


def check_finite(name: str, values: Iterable[float], most: float) -> None:
    """Check that numbers are finite and not too large."""
    for value in values:
        if not abs(value) < most:
            raise ArgumentError(f'{name} has a number {value}: give finite ones below {most:g}')


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f'{text[:57]}...'
