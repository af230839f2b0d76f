# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Report of a conversion: what was not converted, and what was assumed."""

from dataclasses import dataclass, field

from mvsim_ros2.world.spec import Source


@dataclass(frozen=True)
class Finding:
    """A difference between a robot description and the vehicle."""

    source: Source
    text: str  # description and remedy
    lost: bool  # False: assumed

    def __str__(self) -> str:
        """Return file, line and text."""
        return f'{self.source}: {self.text}'


@dataclass
class Findings:
    """Distinct findings of one conversion, in order."""

    found: dict[Finding, None] = field(default_factory=dict)
    drive: str = ''  # which class of dynamics was chosen, and why
    slope: str = ''  # the steepest one that it climbs, and why

    def lost(self, source: Source, text: str) -> None:
        """Add something that is not converted."""
        self.found[Finding(source, text, True)] = None

    def assumed(self, source: Source, text: str) -> None:
        """Add something that the description lacks or contradicts."""
        self.found[Finding(source, text, False)] = None
