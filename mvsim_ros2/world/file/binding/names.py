# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Names of the objects of a world: unique, valid in topics, generated where missing."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
import re
from typing import Any

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.world.file.report import Report
from mvsim_ros2.world.spec import Source

_TOPIC_NAME = re.compile('[A-Za-z][A-Za-z0-9_]*')


class NameSpace:
    """Unique names, such as those of all bodies of a world or all sensors of a vehicle."""

    def __init__(self, report: Report, specs: Iterable[Any]) -> None:
        """
        Reserve the names of the file, which automatic ones must not use.

        :param specs: all objects of the name space.
        """
        self._report = report
        self._wanted = {spec.name for spec in specs}
        self._owners: dict[str, Source] = {}
        self._count: Counter[str] = Counter()

    def give(self, spec: Any, kind: str, unique: bool = False) -> Any:
        """
        Return the spec with a unique name.

        :param kind: prefix of automatic names, followed by a number.
        :param unique: a duplicate name is an error; else the object is renamed.
        :raises WorldFileError: names both lines of a duplicate name.
        """
        name: str = spec.name
        chosen = name or self._free(kind)
        if chosen in self._owners:
            if unique:
                raise WorldFileError(
                    f'{spec.source}: the name {name!r} is taken at {self._owners[name]}: '
                    'give another name')
            chosen = self._free(f'{name}_')
            self._report.warn(
                spec.source, f'the name {name!r} is taken at {self._owners[name]}: '
                f'this one is called {chosen!r}')
        self._owners[chosen] = spec.source
        return spec if chosen == name else replace(spec, name=chosen)

    def _free(self, kind: str) -> str:
        while True:
            self._count[kind] += 1
            name = f'{kind}{self._count[kind]}'
            if name not in self._wanted and name not in self._owners:
                return name


def warn_of_topic_names(report: Report, kind: str, specs: Iterable[Any]) -> None:
    """
    Warn of names that are not valid in topics.

    :raises WorldFileError: for a sensor with a slash, which would stand for another vehicle.
    """
    for spec in specs:
        if kind == 'sensor' and '/' in spec.name:
            raise WorldFileError(
                f'{spec.source}: the sensor is called {spec.name!r}: the part before a / is the '
                f'name of the vehicle: write {spec.name.replace("/", "_")!r}')
        if not _TOPIC_NAME.fullmatch(spec.name):
            report.warn(spec.source, f'the {kind} is called {spec.name!r}: only letters, digits '
                        'and _, with a letter first, can be part of a topic')


class AutoNames:
    """Generated names of one kind of objects, such as the blocks of a world."""

    def __init__(self) -> None:
        """Start without names."""
        self._taken: set[str] = set()
        self._count: Counter[str] = Counter()

    def give(self, name: str, prefix: str, digits: int = 1) -> str:
        """Return `name`, or where it is empty `prefix` with the next free number."""
        name = name.strip()
        while not name:
            self._count[prefix] += 1
            candidate = f'{prefix}{self._count[prefix]:0{digits}d}'
            name = '' if candidate in self._taken else candidate
        self._taken.add(name)
        return name
