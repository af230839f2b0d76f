# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Warnings of reading a world, hints for misspelt names, and a summary of what it holds."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from difflib import get_close_matches
import logging
import re
from types import TracebackType
from typing import Any

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.world.spec import Resource, Source, WorldSpec, WorldWarning

_LOGGER = logging.getLogger(__name__)
_NAME = re.compile(' name="[^"]*"')
_SHOWN = 8  # lines, or tags, named in one warning
_MOST = 20  # names


class Report:
    """
    Collects the warnings of one world, each once; a context manager that logs them at its end.

    Equal messages about several lines of a file are one record of the log.
    """

    def __init__(self, strict: bool = False) -> None:
        """
        Start empty.

        :param strict: warnings are errors, raised by the end of the context.
        """
        self._strict = strict
        self._warnings: dict[WorldWarning, None] = {}
        # tags without effect and their first lines, by file and reason
        self._idle: dict[tuple[str, str], dict[str, int]] = {}

    @property
    def warnings(self) -> tuple[WorldWarning, ...]:
        """Return the warnings so far by file and line, without tags that have no effect."""
        return tuple(sorted(self._warnings, key=lambda each: (each.source.file, each.source.line)))

    def warn(self, source: Source, message: str) -> None:
        """Add a warning."""
        self._warnings[WorldWarning(source, message)] = None

    def has_no_effect(self, source: Source, label: str, reason: str) -> None:
        """Add a tag that is read, but that nothing acts on; it is no error in strict mode."""
        self._idle.setdefault((source.file, reason), {}).setdefault(label, source.line)

    def __enter__(self) -> 'Report':
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        """Log all warnings."""
        for line in (*_grouped(self.warnings), *self._without_effect()):
            _LOGGER.warning('%s', line)
        if self._strict and self._warnings and error is None:
            first, *others = self.warnings
            more = f' (and {len(others)} more, see the warnings)' if others else ''
            raise WorldFileError(f'{first}{more}')

    def _without_effect(self) -> Iterator[str]:
        """Yield one line for each file and reason why tags have no effect."""
        for (file, reason), labels in self._idle.items():
            shown = [f'{label} (line {line})' for label, line in labels.items()]
            more = f' and {len(shown) - _SHOWN} more' if len(shown) > _SHOWN else ''
            yield (f'{file}:{min(labels.values())}: read, but without effect here: '
                   f'{", ".join(shown[:_SHOWN])}{more}; {reason}')


def _grouped(warnings: Iterable[WorldWarning]) -> Iterator[str]:
    """Yield one line for each file and message, names apart, with the numbers of its lines."""
    groups: dict[tuple[str, str], list[WorldWarning]] = {}
    for warning in warnings:
        what = _NAME.sub('', warning.message)
        groups.setdefault((warning.source.file, what), []).append(warning)
    for first, *others in groups.values():
        also = ', '.join(str(each.source.line) for each in others[:_SHOWN])
        more = f' and {len(others) - _SHOWN} more' if len(others) > _SHOWN else ''
        yield f'{first}{f" (also in lines {also}{more})" if others else ""}'


def instead_of(name: str, known: Iterable[str]) -> str:
    """Return the allowed names, for the end of a message."""
    there = sorted(known)
    more = f' and {len(there) - _MOST} more' if len(there) > _MOST else ''
    return f'{did_you_mean(name, there)}; there are {", ".join(there[:_MOST]) or "none"}{more}'


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return `; did you mean 'x'?` for the nearest of the `known` names, or nothing."""
    spelled = {item.lower(): item for item in known}
    near = get_close_matches(name.lower(), spelled, 1, 0.7)
    return f"; did you mean '{spelled[near[0]]}'?" if near else ''


def summary(world: WorldSpec) -> Iterator[str]:
    """Yield the contents and the missing files of a world, line by line."""
    yield world.path
    yield (f'  physics: mode {world.physics.mode}, step {1e3 * world.timestep:g} ms, '
           f'gravity {world.gravity:g} m/s^2')
    yield f'  vehicles: {len(world.vehicles)}'
    for vehicle in world.vehicles:
        yield f'    {vehicle}'
    yield f'  vehicle classes: {", ".join(world.vehicle_classes) or "none"}'
    kinds = _counts('intangible' if block.intangible else 'static' if block.static else 'movable'
                    for block in world.blocks)
    yield f'  blocks: {len(world.blocks)}{kinds and f" ({kinds})"}'
    yield f'  block classes: {", ".join(world.block_classes) or "none"}'
    yield f'  elements: {_counts(element.XML_CLASS for element in world.elements) or "none"}'
    walls = sum(len(group.shape) // 2 for group in world.walls)
    for count, what in ((walls, 'wall segments'), (len(world.sensors), 'sensors of their own'),
                        (len(world.actors), 'actors'), (len(world.joints), 'joints'),
                        (len(world.markers), 'markers')):
        if count:
            yield f'  {what}: {count}'
    missing = {resource.uri: resource for resource in resources(world) if resource.path is None}
    yield f'  missing files: {len(missing)}'
    for resource in missing.values():
        yield f'    {resource.uri} ({resource.reason})'


def resources(spec: Any) -> Iterator[Resource]:
    """Yield every file that a spec refers to."""
    if isinstance(spec, Resource):
        yield spec
    elif isinstance(spec, tuple):
        for part in spec:
            yield from resources(part)
    elif is_dataclass(spec):
        for item in fields(spec):
            yield from resources(getattr(spec, item.name))


def _counts(names: Iterable[str]) -> str:
    return ', '.join(f'{count} {name}' for name, count in Counter(names).items())
