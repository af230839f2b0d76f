# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
How a spec dataclass declares its place in the world file.

A field made by `tag` has the XML name, kind of value and limits for the reader, and unit, default
and meaning for the manual. So code and documentation cannot differ.

A spec class may say, without annotation, ``XML_CLASS``: the `class` attribute that chooses it, and
``IDLE``: why nothing acts on it, as `Tag.idle`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, MISSING
from functools import cache
import math
from typing import Any

from mvsim_ros2.base.registry import with_plugins
from mvsim_ros2.base.short_repr import ShortRepr

# kind of a value in the file -> what the spec holds
KINDS = {
    'float': 'a number',
    'int': 'a whole number (a fraction is cut off)',
    'bool': 'true, false, 1 or 0',
    'choice': 'true, false, 1, 0 or auto',
    'flag': 'presence of the tag',
    'text': 'text',
    'name': 'a name, as an attribute only',
    'names': 'names, separated by commas or blanks',
    'uri': 'a path or address (local, file://, package://, https://, inner path of a zip)',
    'colour': '#RRGGBB or #RRGGBBAA',
    'angle': 'an angle in degrees',
    'rate': 'an angular velocity in degrees per second',
    'values': 'numbers, separated by blanks',
    'angles': 'angles in degrees, separated by blanks',
    'axes': 'a number, or three of them for x, y and z',
    'point2': 'x y',
    'point3': 'x y [z]',
    'pose': 'x y yaw, or under the name with 3d: x y z yaw pitch roll (degrees)',
    'pose3': 'x y z yaw pitch roll (degrees)',
    'keyframes': 't x y yaw, or under the name with 3d: t x y z yaw pitch roll (degrees)',
    'wheel_pos': 'x y [yaw (degrees)]',
    'twist2': 'vx vy wz (wz in degrees per second)',
    'polygon': 'three or more <pt>x y</pt>',
    'segments': 'an even number of <pt>x y</pt>, each pair one segment',
    'matrix': '[a b; c d]',
    'spec': 'a group of tags',
    'specs': 'a group of tags, any number of times',
}

# unit -> largest value, of either sign, and smallest one of what must be above 0
LIMITS = {
    'm': (1e7, 1e-6), 'm, deg': (1e7, 0.0), 'kg': (1e9, 1e-6), 's': (1e6, 1e-9),
    'px': (1e6, 1e-3), 'deg': (1e6, 0.0), 'deg/s': (1e6, 0.0), 'm/s': (1e5, 0.0),
    'm/s, deg/s': (1e6, 0.0), 'm/s^2': (1e5, 0.0), 's, m, deg': (1e7, 0.0)}
LARGEST = 1e15  # of the others

PerAxis = float | tuple[float, float, float]  # of the kind 'axes'
Problems = Iterator[str]
# what other values leave without effect: the spec or a part of it, a field, and why
Unused = Iterator[tuple[Any, str, str]]
Classes = type | tuple[type, ...] | Callable[[], tuple[type, ...]]  # called when they are needed


@dataclass(frozen=True)
class Source:
    """Place in a world file."""

    file: str = ''
    line: int = 0

    def __str__(self) -> str:
        return f'{self.file}:{self.line}' if self.file else 'made by a script'


@dataclass(frozen=True)
class Spec(ShortRepr):
    """The base of all specs: their place in the file, and rules on several of their values."""

    source: Source = field(default=Source(), kw_only=True)

    def problems(self) -> Problems:
        """Yield a sentence for each rule that its values break."""
        yield from ()

    def doubts(self) -> Problems:
        """Yield a sentence for what is possible but hardly meant."""
        yield from ()

    def without_effect(self) -> Unused:
        """Yield the values that others leave without effect."""
        yield from ()


@dataclass(frozen=True)
class Tag:
    """Place of a field in the world file, and its meaning."""

    kind: str  # a key of KINDS
    doc: str
    unit: str = ''
    name: str | None = None  # XML name, where it is not the field's name
    aliases: tuple[str, ...] = ()  # further XML names that are read
    attribute: bool = False  # written as an attribute (both forms are read)
    content: bool = False  # written as the text of the element itself
    choices: tuple[str, ...] = ()
    minimum: float | None = None  # smallest value allowed, in the unit of the file
    above: float | None = None  # the value must be larger than this
    maximum: float | None = None
    over: str = ''  # field that it must be larger than
    required: bool = False
    spec: Classes = ()  # of the kinds 'spec' and 'specs'
    plugins: str = ''  # entry points whose records have further classes: see `registry`
    mixed: bool = False  # tags of the other classes in `spec` are passed over
    stand_in: str = ''  # what a missing file is replaced by; without one it is an error
    needs: str = ''  # field without which it has no effect, or field=value
    idle: str = ''  # read and kept, but nothing acts on it: why, and what to use instead
    random: bool = False  # size of a random error, for what can be had without any


def tag(kind: str, default: Any = MISSING, *, doc: str, **options: Any) -> Any:
    """
    Return a dataclass field bound to the world file.

    :param kind: a key of `KINDS`.
    :param default: value where the file gives none; without one the tag is required.
    :param options: further fields of `Tag`.
    """
    if kind not in KINDS:
        raise ValueError(f'unknown kind of tag {kind!r}')
    required = options.pop('required', default is MISSING)
    return field(default=default,
                 metadata={'tag': Tag(kind=kind, doc=doc, required=required, **options)})


@dataclass(frozen=True)
class Entry:
    """A bound field of a spec class."""

    field: str
    tag: Tag
    names: tuple[str, ...]  # the XML name and its aliases

    @property
    def own_classes(self) -> tuple[type, ...]:
        """Spec classes that the tag may hold, without further records."""
        spec = self.tag.spec
        if isinstance(spec, type):
            return (spec,)
        return spec if isinstance(spec, tuple) else spec()

    @property
    def classes(self) -> tuple[type, ...]:
        """Spec classes that the tag may hold."""
        group = self.tag.plugins
        return with_plugins(self.own_classes, group) if group else self.own_classes


@cache
def entries(spec: type) -> tuple[Entry, ...]:
    """Return the bound fields of a spec class."""
    return tuple(Entry(item.name, tag, (tag.name or item.name, *tag.aliases))
                 for item in fields(spec) for tag in (item.metadata.get('tag'),) if tag)


def entry_of(spec: type, field: str) -> Entry:
    """Return a bound field by its name."""
    return next(entry for entry in entries(spec) if entry.field == field)


def per_axis(value: PerAxis) -> tuple[float, float, float]:
    """Return the values of the axes x, y and z of a tag of the kind 'axes'."""
    return value if isinstance(value, tuple) else (value, value, value)


def acts(tag: Tag, spec: Any) -> bool:
    """Return whether `spec` has what `tag`, one of its own, needs to have an effect."""
    name, _, wanted = tag.needs.partition('=')
    if not name:
        return True
    value = getattr(spec, name)
    return bool(value == wanted if wanted else value)


def no_problems(spec: Any) -> Problems:
    """Yield nothing: any values are possible together."""
    yield from ()


@cache
def _ordered_fields(spec: type) -> tuple[tuple[str, str], ...]:
    """Return pairs of fields of a spec class, the second of which must be larger."""
    return tuple((entry.tag.over, entry.field) for entry in entries(spec) if entry.tag.over)


def ordered(spec: Any, *pairs: tuple[str, str]) -> Problems:
    """
    Yield a sentence for each pair of fields whose second is not larger than its first.

    :param pairs: without any, those that the tags say.
    """
    kind: Any = type(spec)
    for low, high in pairs or _ordered_fields(kind):
        if getattr(spec, high) <= getattr(spec, low):
            yield (f'{said(spec, high)} and {said(spec, low)}: '
                   f'{entry_of(kind, high).names[0]} must be larger')


def said(spec: Any, field: str) -> str:
    """Return the name of a tag and its number as files have it: `fov_degrees is 90 deg`."""
    entry, value = entry_of(type(spec), field), getattr(spec, field)
    number = math.degrees(value) if entry.tag.kind == 'angle' else value
    return f'{entry.names[0]} is {number:g}{" " * bool(entry.tag.unit)}{entry.tag.unit}'


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
