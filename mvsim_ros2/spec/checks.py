# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What rules of the format have in common: each yields a sentence for what is wrong."""

from collections.abc import Callable
from collections.abc import Iterator
from typing import Any

Problems = Iterator[str]

RECTANGLE = ('x_min', 'x_max'), ('y_min', 'y_max')


def no_problems(spec: Any) -> Problems:
    """Yield nothing: any values are possible together."""
    yield from ()


def ordered(spec: Any, *pairs: tuple[str, str]) -> Problems:
    """Yield a sentence for each pair of fields whose second is not larger than its first."""
    for low, high in pairs:
        if getattr(spec, high) <= getattr(spec, low):
            yield (f'{high} is {getattr(spec, high):g} and {low} is {getattr(spec, low):g}: '
                   f'{high} must be larger')


def ranges(*pairs: tuple[str, str]) -> Callable[[Any], Problems]:
    """Return the check that pairs of fields are ordered."""
    return lambda spec: ordered(spec, *pairs)
