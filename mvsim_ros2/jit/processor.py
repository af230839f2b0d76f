# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Features of the processor."""

from itertools import takewhile
from pathlib import Path

_CPUS = Path('/proc/cpuinfo')


def has_avx512() -> bool:
    """Return whether it has AVX-512; False where that is not known."""
    try:
        with _CPUS.open(encoding='ascii', errors='replace') as lines:
            first = takewhile(str.strip, lines)  # a block of lines for each core
            return any(line.startswith('flags') and 'avx512vl' in line.split() for line in first)
    except OSError:  # no Linux
        return False
