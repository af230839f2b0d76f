# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What rules of the format have in common: each yields a sentence for what is wrong."""

from collections.abc import Callable
import math
from typing import Any

from mvsim_ros2.world.spec.fields import Problems, tags_of, xml_name

RECTANGLE = ('x_min', 'x_max'), ('y_min', 'y_max')


def no_problems(spec: Any) -> Problems:
    """Yield nothing: any values are possible together."""
    yield from ()


def ordered(spec: Any, *pairs: tuple[str, str]) -> Problems:
    """Yield a sentence for each pair of fields whose second is not larger than its first."""
    for low, high in pairs:
        if getattr(spec, high) <= getattr(spec, low):
            name = next(xml_name(item) for item, _ in tags_of(type(spec)) if item.name == high)
            yield f'{said(spec, high)} and {said(spec, low)}: {name} must be larger'


def said(spec: Any, field: str) -> str:
    """Return the name of a tag and its number as files have it: `fov_degrees is 90 deg`."""
    item, tag = next(each for each in tags_of(type(spec)) if each[0].name == field)
    value = getattr(spec, field)
    number = math.degrees(value) if tag.kind == 'angle' else value
    return f'{xml_name(item)} is {number:g}{" " * bool(tag.unit)}{tag.unit}'


def principal_point(spec: Any, prefix: str = '') -> Problems:
    """
    Yield a sentence for each axis on which the principal point of a camera is hardly meant.

    That is outside of the image, or that of the default size in an image of another one.

    :param prefix: of the names of its tags.
    """
    for place, count in (('cx', 'ncols'), ('cy', 'nrows')):
        there, size = getattr(spec, f'{prefix}{place}'), getattr(spec, f'{prefix}{count}')
        usual = getattr(type(spec), f'{prefix}{place}')
        if not 0.0 < there < size or there == usual and abs(there - 0.5 * size) > 0.1 * size:
            yield (f'{prefix}{place} is {there:g} px and {prefix}{count} {size} px: the principal '
                   f'point of a camera is near the middle of its image, say <{prefix}{place}>'
                   f'{0.5 * size:g}</{prefix}{place}>')


def ranges(*pairs: tuple[str, str]) -> Callable[[Any], Problems]:
    """Return the check that pairs of fields are ordered."""
    return lambda spec: ordered(spec, *pairs)
