# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Making of many objects at once."""

from collections.abc import Iterator
from contextlib import contextmanager
import gc


@contextmanager
def without_collection() -> Iterator[None]:
    """
    Make objects that stay without Python looking through all of them time and again.

    They count as old then, as if they had been looked through.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            if not gc.get_freeze_count():  # what others have frozen stays so
                gc.freeze()
                gc.unfreeze()
            gc.enable()
