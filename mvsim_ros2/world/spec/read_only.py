# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Mappings of frozen data."""

from collections.abc import Iterator, Mapping
from typing import TypeVar

V = TypeVar('V')


class ReadOnlyMapping(Mapping[str, V]):
    """
    A mapping that nobody changes and that, unlike that of `types`, can be pickled and copied.

    >>> from mvsim_ros2.world.spec.read_only import ReadOnlyMapping
    >>> ReadOnlyMapping({'speed': '1.5'})
    ReadOnlyMapping({'speed': '1.5'})
    """

    def __init__(self, entries: Mapping[str, V]) -> None:
        """Take a copy of the entries."""
        self._entries = dict(entries)

    def __getitem__(self, name: str) -> V:
        """Return an entry."""
        return self._entries[name]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names, in their order."""
        return iter(self._entries)

    def __len__(self) -> int:
        """Return the number of entries."""
        return len(self._entries)

    def __repr__(self) -> str:
        """Return what makes the same."""
        return f'ReadOnlyMapping({self._entries!r})'
