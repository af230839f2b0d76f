# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Standard normal numbers from the generators of numpy, drawn by compiled code.

Numpy has functions in C that fill an array; `Generator.standard_normal` calls them, so that the
numbers are the same to the last bit.
"""

import ctypes
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.native_function import call4

_SYMBOLS = {'float64': 'random_standard_normal_fill', 'float32': 'random_standard_normal_fill_f'}


@cache
def filler(kind: str) -> int:
    """
    Return the address of what fills an array from a generator: see `draw_normals`.

    :param kind: of the numbers, `float64` or `float32`.
    :raises ImportError: where a build of numpy keeps it to itself.
    """
    library = ctypes.CDLL(import_module('numpy.random._generator').__file__)
    try:
        return ctypes.cast(getattr(library, _SYMBOLS[kind]), ctypes.c_void_p).value or 0
    except AttributeError as error:
        raise ImportError(f'this build of numpy hides {_SYMBOLS[kind]}: pip install '
                          '--force-reinstall numpy', name='numpy') from error


def address_of(generator: np.random.Generator) -> int:
    """Return where what draws a generator's numbers lies in memory, as long as there is one."""
    return int(generator.bit_generator.ctypes.bit_generator.value)


@compiled
def draw_normals(fill: int, generator: int, normals: NDArray[Any]) -> None:
    """
    Draw standard normal numbers, as `Generator.standard_normal` does.

    :param fill: `filler` of their kind.
    :param generator: its `address_of`.
    :param normals: to fill in, contiguous.
    """
    call4(fill, generator, normals.size, normals.ctypes.data, 0)
