# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Warnings of reading a world, with file and line, and suggestions for misspelt names."""

from collections.abc import Iterable
from difflib import get_close_matches
import logging

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.spec.common import Source
from mvsim_ros2.spec.world import WorldWarning

_LOGGER = logging.getLogger(__name__)


class Report:
    """Collects the warnings of one world, each once, and logs them."""

    def __init__(self, strict: bool = False) -> None:
        """
        Start empty.

        :param strict: faults of the file are errors, raised by `end`.
        """
        self._strict = strict
        self._warnings: dict[WorldWarning, None] = {}
        self._faults: dict[WorldWarning, None] = {}

    @property
    def warnings(self) -> tuple[WorldWarning, ...]:
        """Return the warnings so far, in order."""
        return tuple(self._warnings)

    def note(self, source: Source, message: str) -> None:
        """Warn of something other than a fault of the file, such as a missing mesh."""
        warning = WorldWarning(source, message)
        if warning not in self._warnings:
            self._warnings[warning] = None
            _LOGGER.warning('%s', warning)

    def fault(self, source: Source, message: str) -> None:
        """Warn of a fault of the file."""
        self._faults[WorldWarning(source, message)] = None
        self.note(source, message)

    def end(self) -> None:
        """
        Finish.

        :raises WorldFileError: in strict mode with faults; names the first.
        """
        if self._strict and self._faults:
            first, *others = self._faults
            more = f' (and {len(others)} more, see the warnings)' if others else ''
            raise WorldFileError(f'{first}{more}')


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return `; did you mean 'x'?` for the nearest of the `known` names, or nothing."""
    spelled = {item.lower(): item for item in known}
    near = get_close_matches(name.lower(), spelled, 1, 0.7)
    return f"; did you mean '{spelled[near[0]]}'?" if near else ''
