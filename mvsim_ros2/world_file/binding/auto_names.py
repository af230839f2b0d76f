# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Names for the things of a world that have none, so that ``${NAME}`` means something."""

from collections import Counter


class AutoNames:
    """Names given so far to the things of one kind, such as the blocks of a world."""

    def __init__(self) -> None:
        """Start with no name taken."""
        self._taken: set[str] = set()
        self._count: Counter[str] = Counter()

    def give(self, name: str, prefix: str, digits: int = 1) -> str:
        """Return `name`, or where it is empty `prefix` with the next number that is free."""
        name = name.strip()
        while not name:
            self._count[prefix] += 1
            candidate = f'{prefix}{self._count[prefix]:0{digits}d}'
            name = '' if candidate in self._taken else candidate
        self._taken.add(name)
        return name
