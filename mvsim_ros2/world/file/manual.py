# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The tables of tags in the documentation, made from the specs that the reader uses.

`python -m mvsim_ros2.world.file.manual docs/*.md` updates pages: a table is between a line ``<!--
tags of CLASS -->`` and the next ``<!-- end -->``. CLASS is a class of sensors, `sensor` for their
common tags, `all` for the whole manual, `mvsim` for MVSim's tags, or `values` for their kinds.
Without a page it prints the whole manual.
"""

from collections.abc import Iterator
from dataclasses import fields
import inspect
import math
from pathlib import Path
import re
import sys
from typing import Any

from mvsim_ros2.errors import PluginError
from mvsim_ros2.frames import Pose
from mvsim_ros2.world.file.binding.tags import spec_classes
from mvsim_ros2.world.file.differences import DIFFERENCES, is_original, titles
from mvsim_ros2.world.spec.fields import entries, Entry, KINDS
from mvsim_ros2.world.spec.sensors.base import sensor_specs, SensorSpec

_BLOCK = re.compile(r'<!-- tags of (\w+) -->\n.*?<!-- end -->', re.DOTALL)
_HEADER = ('| tag | value | unit | default | limits | meaning |', '|---|---|---|---|---|---|')


def with_tables(text: str) -> str:
    """Return a page with the tables that it asks for."""
    specs = {spec.XML_CLASS: spec for spec in sensor_specs()}

    def fill(block: re.Match[str]) -> str:
        name = block[1]
        if name in specs:
            lines = table(specs[name], SensorSpec)
        elif name == 'sensor':
            lines = table(SensorSpec)
        elif name in _WHOLE:
            lines = list(_WHOLE[name]())
        else:
            raise PluginError(f'there is no sensor of class {name!r}: there are '
                              f'{", ".join(specs)}')
        text = '\n'.join(lines).rstrip()
        return f'<!-- tags of {name} -->\n\n{text}\n\n<!-- end -->'
    return _BLOCK.sub(fill, text)


def manual() -> str:
    """Return the manual of all tags as Markdown."""
    return '\n'.join(_sections())


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
    """Return the lines of the table of the tags of a spec."""
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
        meaning += f'. If it is missing, {tag.stand_in} replaces it'
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


def _values() -> Iterator[str]:
    yield '| value | text |\n|---|---|'
    yield from (f'| {kind} | {_cell(text)} |' for kind, text in KINDS.items())


def _mvsim() -> Iterator[str]:
    """Yield a section for each class that MVSim knows, with what its tags do here."""
    for spec, title in titles().items():
        known = [entry for entry in entries(spec) if is_original(spec, entry)]
        rules = [rule for rule in DIFFERENCES if issubclass(spec, rule.spec)]
        if not known:
            continue
        name, _, own = title.partition(' ')
        opening = f'<{name} class="{own}">' if own else f'<{name}>'
        yield f'### `{opening}`\n'
        for rule in rules:
            if not rule.tag:
                yield f'{rule.text[0].upper()}{rule.text[1:]}.\n'
        rows: dict[str, list[str]] = {}  # the tags that have a meaning
        for entry in known:
            differs = next((rule.text for rule in rules if rule.tag in entry.names), '')
            idle = entry.tag.idle and f'without effect: {entry.tag.idle}'
            rows.setdefault(differs or idle or 'the same', []).append(
                f'`{", ".join(entry.names)}`')
        yield '| tags | here |\n|---|---|'
        for here, names in rows.items():
            yield f'| {", ".join(names)} | {here} |'.replace('&', '&amp;')
        yield ''


_WHOLE = {'all': _sections, 'mvsim': _mvsim, 'values': _values}

if __name__ == '__main__':
    for page in map(Path, sys.argv[1:]):
        page.write_text(with_tables(page.read_text()))
    if not sys.argv[1:]:
        sys.stdout.write(manual())
