# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The graphics card, as numba programs it."""

from collections.abc import Callable, Sequence
from functools import cache
from types import FunctionType
from typing import Any

from numba import cuda
import numpy as np
from numpy.typing import DTypeLike, NDArray

from mvsim_ros2.errors import CardError
from mvsim_ros2.jit.kernel import Callee, names_in

THREADS = 128  # of a block
# kernels, called as ``kernel[blocks, threads](...)``, and functions that these call
kernel: Callable[[Callable[..., Any]], Any] = cuda.jit
part: Callable[[Callable[..., Any]], Any] = cuda.jit(device=True)


def check_card() -> None:
    """
    Check that there is a card.

    :raises CardError: where there is none.
    """
    if not cuda.is_available():
        raise CardError('no graphics card with CUDA is found: take a machine with a card of '
                        "NVIDIA and its driver, or device='cpu'")


@cache
def on_card(known_kernel: Callable[..., Any]) -> Any:
    """Return a kernel of the processor, with its callees, for kernels on the card."""
    function: Any = getattr(known_kernel, 'function')
    known = function.__globals__
    names = {name: on_card(known[name]) if isinstance(known[name], Callee) else known[name]
             for name in names_in(function.__code__) if name in known}
    copy = FunctionType(function.__code__, {'__builtins__': function.__builtins__, **names},
                        function.__name__, function.__defaults__)
    return part(copy)


def upload(array: NDArray[Any]) -> Any:
    """Return a copy on the card; an array without rows has one there, since none may be empty."""
    if not array.size:
        array = np.zeros((1, *array.shape[1:]), array.dtype)
    return cuda.to_device(np.ascontiguousarray(array))


def pinned(shape: Sequence[int], dtype: DTypeLike = np.float64) -> NDArray[Any]:
    """Return zeros that the card reads at full speed; at least one row."""
    array: NDArray[Any] = cuda.pinned_array((max(1, shape[0]), *shape[1:]), dtype)
    array[...] = 0
    return array[:shape[0]]


def blocks(count: int) -> int:
    """Return how many blocks of threads do so many things, at least one."""
    return max(1, -(-count // THREADS))
