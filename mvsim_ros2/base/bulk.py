# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Making of many objects at once."""

from collections.abc import Iterator
from contextlib import contextmanager
import gc


@contextmanager
def without_collection() -> Iterator[None]:
    """Make objects that stay without Python looking through all of them time and again."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()
