# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Bounds that end a world which would expand without end."""

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.spec.common import Source

LIMITS = {
    'elements': 300_000,
    'loop iterations, conditions and variables': 1_000_000,
    'includes': 20_000,
    'characters': 50_000_000,
}
ELEMENTS, STEPS, INCLUDES, CHARACTERS = LIMITS


class Budget:
    """What is left of `LIMITS` for one world."""

    def __init__(self) -> None:
        self._left = dict(LIMITS)

    def spend(self, what: str, source: Source, amount: int = 1) -> None:
        """
        Count `amount` of `what`.

        :raises WorldFileError: where that is more than one world may have.
        """
        self._left[what] -= amount
        if self._left[what] < 0:
            raise WorldFileError(f'{source}: the world has more than {LIMITS[what]} {what} when '
                                 'expanded: check its loops and includes')
