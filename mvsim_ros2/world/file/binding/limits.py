# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Limits of the values of tags: those of the tag itself, and of its unit."""

import math
from typing import Any

from mvsim_ros2.frames import Pose
from mvsim_ros2.world.file.report import did_you_mean
from mvsim_ros2.world.spec.fields import LARGEST, LIMITS, Tag


def check_limits(tag: Tag, value: Any) -> None:
    """
    Check a value against the limits of its tag and of its unit.

    :param value: as the spec holds it: angles are in radians.
    :raises ValueError: where it is outside; says the limit in the unit of the file.
    """
    if tag.choices and value not in tag.choices:
        choices = ', '.join(choice for choice in tag.choices if choice)
        raise ValueError(f'possible are {choices}{did_you_mean(str(value), tag.choices)}')
    if tag.kind == 'axes' and isinstance(value, tuple):
        for each in value:
            check_limits(tag, each)
        return
    convert = math.radians if tag.kind in ('angle', 'rate') else float
    unit = f' {tag.unit}' if tag.unit else ''
    largest, smallest = LIMITS.get(tag.unit, (LARGEST, 0.0))
    if tag.above is not None and value <= convert(tag.above):
        raise ValueError(f'it must be above {tag.above:g}{unit}')
    if tag.above == 0 and value < convert(smallest):
        raise ValueError(f'it must be at least {smallest:g}{unit}')
    if tag.minimum is not None and value < convert(tag.minimum):
        raise ValueError(f'it must be at least {tag.minimum:g}{unit}')
    if tag.maximum is not None and value > convert(tag.maximum):
        raise ValueError(f'it must be at most {tag.maximum:g}{unit}')
    if _magnitude(value) > convert(largest):
        raise ValueError(f'it must be at most {largest:g}{"" if "," in unit else unit}, of '
                         'either sign')


def _magnitude(value: Any) -> float:
    """Return the largest absolute value of the numbers in a value."""
    if isinstance(value, Pose):
        return max(abs(value.x), abs(value.y), abs(value.z), abs(value.yaw), abs(value.pitch),
                   abs(value.roll))
    if isinstance(value, tuple):
        return max(map(_magnitude, value), default=0.0)
    return abs(value) if isinstance(value, int | float) else 0.0
