# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Handles by name."""

from collections.abc import Iterator, Mapping
from typing import TypeVar

SHOWN = 8  # names that are printed

Handle = TypeVar('Handle')


class Handles(Mapping[str, Handle]):
    """
    Read-only mapping from names to handles, in the order of the world.

    Things that come are in it; where one goes, the simulation has another mapping.

    >>> from mvsim_ros2 import Simulation, world_path
    >>> simulation = Simulation.from_file(world_path('two_robots'))
    >>> simulation.vehicles
    <2 vehicles: 'r1', 'r2'>
    >>> 'r3' in simulation.vehicles
    False
    >>> [vehicle.pose.x for vehicle in simulation.vehicles.values()]
    [-3.0, 3.0]
    """

    __slots__ = ('_what', '_handles')

    def __init__(self, what: str, handles: dict[str, Handle]) -> None:
        """
        Hold handles.

        :param what: kind of thing, for messages: ``'vehicle'``.
        :param handles: by name.
        """
        self._what = what
        self._handles = handles

    def add(self, name: str, handle: Handle) -> None:
        """Take in a thing that came behind the others; `Simulation` does that."""
        self._handles[name] = handle

    def without(self, name: str) -> 'Handles[Handle]':
        """Return another mapping that has all others."""
        others = self._handles.copy()
        del others[name]
        return Handles(self._what, others)

    def __getitem__(self, name: str) -> Handle:
        """
        Return the handle called `name`.

        :raises KeyError: where there is none; lists the names there are.
        """
        try:
            return self._handles[name]
        except KeyError:
            raise KeyError(
                f'no {self._what} {name!r}; there are: {", ".join(self._handles) or "none"}'
            ) from None

    def __contains__(self, name: object) -> bool:
        """Return whether there is a handle called `name`."""
        return name in self._handles

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of now: things may come and go meanwhile."""
        return iter(list(self._handles))

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._handles)

    def __repr__(self) -> str:
        """Return how many there are, and the first names."""
        names = [*map(repr, list(self)[:SHOWN]), *['...'] * (len(self) > SHOWN)]
        return (f'<{len(self)} {self._what}{"s" * (len(self) != 1)}'
                f'{": " * bool(names)}{", ".join(names)}>')
