# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A `repr` for dataclasses with many fields: what differs from the defaults, in short."""

from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

__all__ = ['ShortRepr']

LONGEST = 60  # characters of a value


class ShortRepr:
    """
    Base of dataclasses that print what differs from their defaults.

    Arrays print their type and shape, long values their type and length. The field `source`, the
    place in the world file, is left out.

    >>> from mvsim_ros2.world.spec import LaserSpec
    >>> LaserSpec(name='scan', nrays=360)
    LaserSpec(name='scan', nrays=360)
    """

    def __init_subclass__(cls) -> None:
        """Give the class a `__repr__` of its own, so that `dataclass` makes none."""
        super().__init_subclass__()
        cls.__repr__ = cls.__repr__  # type: ignore[method-assign]

    def __repr__(self) -> str:
        """Return the name of the class, and the fields that differ from their defaults."""
        return short_repr(self)


def short_repr(value: Any) -> str:
    """Return the `repr` of a dataclass as `ShortRepr` has it."""
    different = ', '.join(
        f'{item.name}={_text(part)}' for item in fields(value)
        if item.repr and item.name != 'source'
        and not _same(part := getattr(value, item.name), item.default))
    return f'{type(value).__name__}({different})'


def _same(value: Any, default: Any) -> bool:
    """Return whether a field has its default; arrays have none."""
    return value is default or (
        type(value) is type(default) and not isinstance(value, np.ndarray) and value == default)


def _text(value: Any) -> str:
    """Return a value in at most `LONGEST` characters, numbers with six digits."""
    if isinstance(value, np.ndarray):
        return f'<{" ".join(value.dtype.names or [str(value.dtype)])} {value.shape}>'
    if isinstance(value, float):
        return min(repr(value), f'{value:.6g}', key=len)
    if isinstance(value, tuple):
        text = f'({", ".join(map(_text, value))}{"," * (len(value) == 1)})'
        short = f'<{len(value)} {type(value[0]).__name__}>' if value else '()'
    elif is_dataclass(value):
        text = repr(value) if isinstance(value, ShortRepr) else short_repr(value)
        short = f'{type(value).__name__}(...)'
    else:
        text = repr(value)
        short = f'{text[:LONGEST - 3]}...'
    return text if len(text) <= LONGEST else short
