# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
"""Work on parts of a scan or an image at the same time."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
import os
from typing import TypeVar

R = TypeVar('R')


@cache
def threads() -> int:
    """
    Return how many threads a sensor may use: the cores of this process.

    The environment variable MVSIM_ROS2_THREADS sets another number.
    """
    if hasattr(os, 'sched_getaffinity'):
        cores = len(os.sched_getaffinity(0))
    else:
        cores = os.cpu_count() or 1
    return max(1, int(os.environ.get('MVSIM_ROS2_THREADS', cores)))


def divide(count: int, smallest: int) -> list[tuple[int, int]]:
    """Return the bounds of at most `threads()` even parts of `count`, none below `smallest`."""
    parts = max(1, min(threads(), count // max(1, smallest)))
    return [(count * k // parts, count * (k + 1) // parts) for k in range(parts)]


def in_parallel(work: Callable[[int], R], count: int) -> list[R]:
    """
    Return ``work(0)`` to ``work(count - 1)``, done at the same time.

    Only code that lets go of the interpreter lock gains, such as kernels.
    """
    later = [_pool(os.getpid()).submit(work, number) for number in range(1, count)]
    return [work(0), *(result.result() for result in later)]


@cache
def _pool(process: int) -> ThreadPoolExecutor:
    """Return the threads of a process; a fork has none and gets its own."""
    return ThreadPoolExecutor(max(1, threads() - 1), 'mvsim_ros2-sensor')
