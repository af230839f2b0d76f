# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What a conversion could not take over, and what it had to assume."""

from dataclasses import dataclass
from dataclasses import field

from mvsim_ros2.spec.common import Source


@dataclass(frozen=True)
class Finding:
    """One thing of a robot description that is not in the vehicle as it is written."""

    source: Source
    text: str  # what, and what to do about it
    lost: bool  # False: it was only assumed

    def __str__(self) -> str:
        """Return file, line and text."""
        return f'{self.source}: {self.text}'


@dataclass
class Findings:
    """Findings of one conversion, each once, in order."""

    found: dict[Finding, None] = field(default_factory=dict)

    def lost(self, source: Source, text: str) -> None:
        """Note what is not taken over."""
        self.found[Finding(source, text, True)] = None

    def assumed(self, source: Source, text: str) -> None:
        """Note what the description does not say, or says in two ways."""
        self.found[Finding(source, text, False)] = None
