# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
"""A `repr` for dataclasses with many fields: what differs from the defaults, in short."""

from dataclasses import fields
from dataclasses import is_dataclass
from typing import Any

import numpy as np

__all__ = ['ShortRepr']

LONGEST = 60  # characters of a value


class ShortRepr:
    """
    Base of dataclasses that print what differs from their defaults.

    Arrays are printed as their type and shape, long values as what they are and how long; the
    field `source`, the place in the world file, is left out.

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
