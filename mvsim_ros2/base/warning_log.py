# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The warnings of this package: records of `logging` below the logger `mvsim_ros2`.

Without further handlers Python prints them on the standard error output.
"""

from collections.abc import Iterator
from contextlib import contextmanager
import logging

LOGGER = logging.getLogger('mvsim_ros2')


class _Collector(logging.Handler):
    """Appends the text of each warning to a list, each once."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Append the text of one record."""
        message = record.getMessage()
        if message not in self.messages:
            self.messages.append(message)


@contextmanager
def warnings_collected(passed_on: bool = True) -> Iterator[list[str]]:
    """Collect the warnings of this package meanwhile, each once, in the list that is returned."""
    collector, others, upward = _Collector(), LOGGER.handlers[:], LOGGER.propagate
    last = [] if LOGGER.hasHandlers() or logging.lastResort is None else [logging.lastResort]
    LOGGER.handlers[:] = [*(others or last if passed_on else ()), collector]
    LOGGER.propagate = upward and passed_on
    try:
        yield collector.messages
    finally:
        LOGGER.handlers[:], LOGGER.propagate = others, upward
