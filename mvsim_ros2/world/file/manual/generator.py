# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Generator of the manual of the world format from the specs.

Run as `python -m mvsim_ros2.world.file.manual.generator`.

The tables match the reader, because both use the same declarations.
"""

from collections.abc import Iterator
from dataclasses import fields
import inspect
import math
import sys
from typing import Any

from mvsim_ros2.frames import Pose
from mvsim_ros2.world.file.binding.tag_lookup import entries, Entry
from mvsim_ros2.world.file.binding.tag_places import spec_classes
from mvsim_ros2.world.file.manual.text import INTRODUCTION
from mvsim_ros2.world.spec.fields import KINDS

_HEADER = ('| tag | value | unit | default | limits | meaning |', '|---|---|---|---|---|---|')


def manual() -> str:
    """Return the manual as Markdown."""
    kinds = '\n'.join(f'| {kind} | {_cell(text)} |' for kind, text in KINDS.items())
    return '\n'.join([INTRODUCTION.replace('{kinds}', kinds), *_sections()])


def _sections() -> Iterator[str]:
    for spec, names in spec_classes().items():
        own = getattr(spec, 'XML_CLASS', '')
        title = ', '.join(f'`<{name} class="{own}">`' if own else f'`<{name}>`' for name in names)
        yield f'## {title}\n'
        yield f'{_text_of(spec)}\n'
        if hasattr(spec, 'IDLE'):
            yield f'Without effect here: {spec.IDLE}.\n'
        yield from table(spec)
        yield ''


def _text_of(spec: type) -> str:
    """Return what the docstring of a spec says, without its examples in Python."""
    text, _, _ = (inspect.getdoc(spec) or '').partition('\n\n>>> ')
    return text


def table(spec: type, base: type | None = None) -> list[str]:
    """
    Return the lines of the table of the tags of a spec.

    :param base: tags inherited unchanged from this class are left out.
    """
    known = {_row(base, entry) for entry in entries(base)} if base else set()
    rows = [row for entry in entries(spec) if (row := _row(spec, entry)) not in known]
    return [*_HEADER, *rows] if rows else ['Takes no tags.']


def _row(spec: type, entry: Entry) -> str:
    tag = entry.tag
    names = ', '.join(entry.names) if not tag.content else 'its text'
    form = f'`{names}=""`' if tag.attribute else f'`<{names}>`' if not tag.content else names
    meaning = tag.doc + (f' *(without effect: {tag.idle})*' if tag.idle else '')
    if tag.needs:
        meaning += f' *(only with {tag.needs.replace("=", " ")})*'
    if tag.stand_in:
        meaning += f'; where it is missing, {tag.stand_in} is used instead'
    cells = (form, tag.kind, tag.unit, _default(spec, entry), _limits(entry), meaning)
    return f'| {" | ".join(_cell(cell) for cell in cells)} |'


def _cell(text: str) -> str:
    return text.replace('|', '\\|')


def _limits(entry: Entry) -> str:
    tag = entry.tag
    signs = (('>', tag.above), ('>=', tag.minimum), ('<=', tag.maximum))
    limits = [f'{sign} {limit:g}' for sign, limit in signs if limit is not None]
    return ', '.join([*limits, *(f'`{choice}`' for choice in tag.choices if choice)])


def _default(spec: type, entry: Entry) -> str:
    if entry.tag.required:
        return '**required**'
    default = next(item.default for item in fields(spec) if item.name == entry.field)
    return _text(entry, default)


def _text(entry: Entry, value: Any) -> str:
    """Return a value as a world file has it."""
    kind = entry.tag.kind
    if value is None or value == () or value == '':
        return ''
    if kind == 'colour':
        return '#' + ''.join(f'{round(255 * part):02x}' for part in value)
    if kind in ('angle', 'rate'):
        return f'{math.degrees(value):.6g}'
    if kind in ('pose', 'pose3'):
        return _pose(value)
    if kind in ('wheel_pos', 'twist2'):
        return _numbers(*value[:2], math.degrees(value[2]))
    if kind == 'polygon':
        return ', '.join(_numbers(*corner) for corner in value)
    if kind == 'spec':
        return _differences(value)
    if kind == 'specs':
        return '; '.join(_differences(each) for each in value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return _numbers(*value)
    return f'{value:g}' if isinstance(value, float) else str(value)


def _pose(pose: Pose) -> str:
    angles = (math.degrees(angle) for angle in (pose.yaw, pose.pitch, pose.roll))
    return _numbers(pose.x, pose.y, pose.z, *angles)


def _differences(value: Any) -> str:
    """Return the differences of a default value from the defaults of its class."""
    spec: type = type(value)
    plain = spec()
    own = [f'class {value.XML_CLASS}'] if getattr(value, 'XML_CLASS', '') else []
    return '; '.join(own + [
        f'{entry.names[0]} {_text(entry, getattr(value, entry.field))}'
        for entry in entries(spec)
        if getattr(value, entry.field) != getattr(plain, entry.field)])


def _numbers(*values: float) -> str:
    return ' '.join(f'{value:.6g}' for value in values)


if __name__ == '__main__':
    sys.stdout.write(manual())
