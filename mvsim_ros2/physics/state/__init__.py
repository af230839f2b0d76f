# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Arrays with the state and the parameters of everything that moves."""

from typing import ClassVar

from mvsim_ros2.errors import PhysicsError


class Named:
    """
    Things with names, each with a row in some arrays.

    :ivar names: in the order of their rows.
    """

    KIND: ClassVar[str]  # for messages

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget all of them."""
        self.names: list[str] = []
        self._numbers: dict[str, int] = {}  # by name

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.names)

    def __contains__(self, name: str) -> bool:
        """Return whether there is one of this name."""
        return name in self._numbers

    def index(self, name: str) -> int:
        """
        Return the row of one.

        :raises PhysicsError: where there is none of this name.
        """
        try:
            return self._numbers[name]
        except KeyError:
            raise PhysicsError(f'there is no {self.KIND} {name!r}, only '
                               f'{", ".join(self.names) or "none"}') from None

    def _append_name(self, name: str) -> None:
        self._numbers[name] = len(self.names)
        self.names.append(name)

    def _remove_name(self, i: int) -> None:
        del self._numbers[self.names.pop(i)]
        self._numbers.update(zip(self.names[i:], range(i, len(self.names)), strict=True))
