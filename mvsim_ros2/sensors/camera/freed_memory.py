# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What becomes of the memory of images that nobody holds any more."""

from functools import cache

import numpy as np

_LARGEST = 2 ** 25 - 2 ** 14  # bytes: that of the largest array by whose end glibc is changed


@cache
def keep_freed_memory() -> None:
    """
    Have the C library keep freed memory for what comes, up to 64 MB.

    That of GNU gives freed memory back to the system where there is twice as much of it as the
    largest array had that was freed before. Then a camera whose images are dropped at once gets
    new memory for each, with a page fault for every 4 kB: a millisecond for colour and depth of
    640 x 480 pixels. So a large array ends here; its memory is never touched. Other C libraries
    take no notice.
    """
    np.empty(_LARGEST, np.uint8)
