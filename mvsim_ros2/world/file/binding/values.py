# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Parsing of the values of a world file to the types of specs.

As in MVSim, text after a number is ignored, but with a warning. A decimal comma is an error. This
is the only module that converts degrees to radians.
"""

from collections.abc import Callable
from contextlib import suppress
import math
import re
from typing import Any

from mvsim_ros2.frames import Pose
from mvsim_ros2.world.file.report import did_you_mean
from mvsim_ros2.world.spec import colour, Keyframe, Tag
from mvsim_ros2.world.spec.fields import LARGEST, LIMITS, PerAxis

Remark = Callable[[str], None]

_NUMBER = re.compile(r'\s*([-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)')
_PLAIN = re.compile(r'[-+0-9.\s]*', re.ASCII)
_COMMA = re.compile(',[0-9]')
_NO_NUMBER = re.compile(r'\s*[-+]?(nan|inf)', re.IGNORECASE)
_HEXADECIMAL = re.compile(r'\s*([-+]?)0[xX]([0-9a-fA-F]{1,8})')
_INT_LIMIT = 2 ** 31


def numbers(text: str, remark: Remark, least: int = 1, most: int = 10 ** 6) -> list[float]:
    """
    Return the numbers at the start of `text`, separated by blanks.

    :param remark: called with a sentence where text after the numbers is ignored.
    :param least: smallest number of values.
    :param most: largest number of values that are read.
    :raises ValueError: where there are fewer, one is not finite, or one has a decimal comma.
    """
    if len(text) < 300 and _PLAIN.fullmatch(text) and least <= len(parts := text.split()) <= most:
        with suppress(ValueError):  # left to what follows
            return [float(part) for part in parts]
    values: list[float] = []
    place = 0
    while len(values) < most:
        match = _NUMBER.match(text, place)
        # numbers are separated by blanks: 1.2.3 has the number 1.2 only
        if match is None or (values and match.start(1) == place):
            break
        values.append(float(match[1]))
        place = match.end()
    if values and _COMMA.match(text, place):
        raise ValueError('numbers have a decimal point, not a comma, and blanks between them')
    rest = text[place:].strip()
    if len(values) < least:
        if _NO_NUMBER.match(text, place):
            raise ValueError('numbers must be finite')
        wanted = 'a number is' if least == 1 else f'{least} numbers, separated by blanks, are'
        raise ValueError(f'{wanted} needed')
    if not all(map(math.isfinite, values)):
        raise ValueError('numbers must be finite')
    if rest:
        remark(f'{_short(rest)} after the {"number" if most == 1 else "numbers"} is ignored')
    return values


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:37] + '...')


def _exactly(count: int) -> Callable[[str, Remark], list[float]]:
    return lambda text, remark: numbers(text, remark, count, count)


def _float(text: str, remark: Remark) -> float:
    return numbers(text, remark, 1, 1)[0]


def _int(text: str, remark: Remark) -> int:
    hexadecimal = _HEXADECIMAL.match(text)
    if hexadecimal:
        value = int(hexadecimal[1] + hexadecimal[2], 16)
    else:
        # a formula may return 799.9999999999999 for 800
        value = math.trunc(float(f'{_float(text, remark):.12g}'))
    if abs(value) >= _INT_LIMIT:
        raise ValueError(f'whole numbers are below {_INT_LIMIT}')
    return value


def _bool(text: str, remark: Remark) -> bool:
    truth = {'true': True, '1': True, 'false': False, '0': False}.get(text.strip().lower())
    if truth is None:
        raise ValueError('give true, false, 1 or 0')
    return truth


def _flag(text: str, remark: Remark) -> bool:
    if text.strip().lower() in ('false', '0'):
        remark('the presence of the tag switches it on, with any content: remove it to switch '
               'it off')
    return True


def _angle(text: str, remark: Remark) -> float:
    return math.radians(_float(text, remark))


def _point3(text: str, remark: Remark) -> tuple[float, float, float]:
    x, y, *z = numbers(text, remark, 2, 3)
    return x, y, z[0] if z else 0.0


def _axes(text: str, remark: Remark) -> PerAxis:
    values = numbers(text, remark, 1, 3)
    if len(values) == 1:
        return values[0]
    if len(values) == 2:
        raise ValueError('one number for all axes or three, for x, y and z, are needed')
    return values[0], values[1], values[2]


def _wheel_pos(text: str, remark: Remark) -> tuple[float, float, float]:
    x, y, yaw = _point3(text, remark)
    return x, y, math.radians(yaw)


def pose3(text: str, remark: Remark) -> Pose:
    """Return the pose of `x y z yaw pitch roll`, angles in degrees."""
    x, y, z, *angles = _exactly(6)(text, remark)
    return Pose(x, y, z, *map(math.radians, angles))


def pose2(text: str, remark: Remark) -> tuple[float, float, float]:
    """Return two numbers and an angle [rad] of `x y yaw`, the angle in degrees."""
    x, y, yaw = _exactly(3)(text, remark)
    return x, y, math.radians(yaw)


def keyframe(text: str, remark: Remark, in_space: bool) -> Keyframe:
    """Return the key of `t x y yaw`, in space `t x y z yaw pitch roll`, angles in degrees."""
    time, x, y, *rest = _exactly(7 if in_space else 4)(text, remark)
    z = rest.pop(0) if in_space else 0.0
    return Keyframe(time, Pose(x, y, z, *map(math.radians, rest)))


def matrix(text: str, remark: Remark) -> tuple[tuple[float, ...], ...]:
    """Return the rows of a matrix: `[a b; c d]`, or one row a line, with or without brackets."""
    rows = [row.replace(',', ' ') for row in re.split(r'[;\n]', text.strip().strip('[]'))]
    table = tuple(tuple(numbers(row, remark)) for row in rows if row.strip())
    if not table:
        raise ValueError('a matrix is needed, such as [1 2; 3 4]')
    if len({len(row) for row in table}) > 1:
        raise ValueError('all rows of a matrix need the same number of columns')
    return table


# kind of a tag -> parser of its text; other kinds need more than the text
READERS: dict[str, Callable[[str, Remark], Any]] = {
    'float': _float,
    'int': _int,
    'bool': _bool,
    'choice': lambda text, remark: None if text.strip().lower() == 'auto' else _bool(
        text, remark),
    'flag': _flag,
    'text': lambda text, remark: text.strip(),
    'name': lambda text, remark: text.strip(),
    'names': lambda text, remark: tuple(filter(None, re.split(r'[,\s]+', text))),
    'colour': lambda text, remark: colour(text.strip()),
    'angle': _angle,
    'rate': _angle,
    'values': lambda text, remark: tuple(numbers(text, remark)),
    'angles': lambda text, remark: tuple(map(math.radians, numbers(text, remark))),
    'axes': _axes,
    'point2': lambda text, remark: tuple(_exactly(2)(text, remark)),
    'point3': _point3,
    'pose3': pose3,
    'wheel_pos': _wheel_pos,
    'twist2': pose2,
    'matrix': matrix,
}


def check_limits(tag: Tag, value: Any) -> None:
    """Check a value against the limits of its tag and of its unit."""
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
