# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The common fields of all observations, and the tables that describe their fields."""

from dataclasses import dataclass, field
from textwrap import indent, wrap
from typing import Any, get_args

import numpy as np

from mvsim_ros2.base.short_repr import ShortRepr

_HEAD = ('field', 'shape', 'dtype', 'unit', 'frame', 'meaning')
_WIDEST = 60  # characters of a line of a meaning


def entry(meaning: str, shape: str = '', unit: str = '', frame: str = '', dtype: str = '',
          **default: Any) -> Any:
    """
    Return a field of an observation with its row in the table of the class.

    :param dtype: of an array of any type; else the annotation says it.
    """
    return field(metadata={'row': (shape, dtype, unit, frame, meaning)}, **default)


def _type_of(annotation: Any) -> str:
    """Return the dtype of an array, the name of another type; of what may be None the rest."""
    first, *others = get_args(annotation) or (annotation,)
    if isinstance(annotation, str):
        return annotation.partition(' ')[0]
    if type(None) in others:
        return _type_of(first)
    if others and issubclass(getattr(annotation, '__origin__'), np.ndarray):
        (kind,) = get_args(others[0])
        return 'struct' if kind is np.void else np.dtype(kind).name
    return str(annotation.__name__)


def describe(kind: type) -> None:
    """Add a table of its own fields to the docstring of a class of observations."""
    rows, known = [_HEAD], getattr(kind, '__dataclass_fields__', {}) | vars(kind)
    for name, annotation in kind.__annotations__.items():
        row = getattr(known.get(name), 'metadata', {}).get('row')
        if row:
            shape, dtype, *cells, meaning = row
            lines = wrap(meaning, _WIDEST) or ['']
            rows.append((name, shape, dtype or _type_of(annotation), *cells, lines[0]))
            rows += [('',) * 5 + (line,) for line in lines[1:]]
    widths = [max(map(len, column)) for column in zip(*rows)]
    border = '  '.join('=' * width for width in widths)
    text = ['  '.join(map(str.ljust, row, widths)).rstrip() for row in rows]
    table = '\n'.join([border, text[0], border, *text[1:], border])
    kind.__doc__ = f'{(kind.__doc__ or "").rstrip()}\n\n{indent(table, "    ")}\n    '


@dataclass(frozen=True, eq=False)
class Observation(ShortRepr):
    """
    The common fields of all observations.

    >>> from mvsim_ros2 import Simulation, world_path
    >>> simulation = Simulation.from_file(world_path('sensors'), seed=1)
    >>> scan = simulation.measure('robot/scan')
    >>> scan.sensor, scan.frame_id, scan.stamp_ns
    ('robot/scan', 'scan', 0)
    """

    sensor: str = entry("``'vehicle/sensor'``, or ``'sensor'`` where it stands in the world")
    frame_id: str = entry('frame of the data, without any prefix of the vehicle')
    stamp_ns: int = entry(
        'simulated time of the measured state; of a LiDAR that of the first ray', unit='ns')

    def __init_subclass__(cls) -> None:
        """Add the table of its fields to the docstring of a class."""
        super().__init_subclass__()
        describe(cls)


describe(Observation)
