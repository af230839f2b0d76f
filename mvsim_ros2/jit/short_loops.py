# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Compilation of loops that go round a few times only."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def short_loops() -> Iterator[None]:
    """
    Compile loops as they are.

    Else there are others beside them for many rounds, in wide registers, and what finds out which
    of them to take: that was a twentieth of a step of one vehicle, with its two to four wheels.
    """
    from numba.core import config
    from numba.core.compiler_lock import global_compiler_lock
    with global_compiler_lock:
        before, config.LOOP_VECTORIZE = config.LOOP_VECTORIZE, 0
        try:
            yield
        finally:
            config.LOOP_VECTORIZE = before
