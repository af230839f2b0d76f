# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Calls of OpenGL by machine code.

moderngl keeps the interpreter's lock while it draws and reads; here other threads run meanwhile.
"""

import ctypes
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.native_function import call10

_WORDS = 11  # the address of a function, and as many arguments as any has
_FLOAT, _UNSIGNED_BYTE, _RGBA, _DEPTH_COMPONENT = 0x1406, 0x1401, 0x1908, 0x1902
_FIRST_IMAGE = 0x8CE0
_TRIANGLES, _UNSIGNED_INT, _DRAW_INDIRECT = 0x0004, 0x1405, 0x8F3F
_COMMAND = 20  # bytes of an indirect command


class GlCalls:
    """Calls of functions without results, made one after the other, again and again."""

    def __init__(self) -> None:
        """Begin with none."""
        self._rows: list[list[int]] = []
        self._table = np.zeros((0, _WORDS), np.int64)  # the same, once they are made
        self._arrays: list[NDArray[Any]] = []  # which are not to be freed

    def add(self, name: str, *arguments: int | NDArray[Any]) -> None:
        """
        Add a call.

        :param arguments: integers, and contiguous arrays, whose addresses are handed over.
        """
        words = [each if isinstance(each, int) else each.ctypes.data for each in arguments]
        self._arrays += [each for each in arguments if not isinstance(each, int)]
        self._rows.append([gl_address(name), *words, *[0] * (_WORDS - 1 - len(words))])

    def add_reading(self, number: int, first: int,
                    pixels: NDArray[np.uint8] | NDArray[np.float32]) -> None:
        """
        Add calls that read rows of the bound framebuffer.

        :param number: of the image; -1 for the depth buffer.
        :param first: row.
        :param pixels: as many whole rows as are read: four bytes for each pixel, or its depth.
        """
        what = (_DEPTH_COMPONENT, _FLOAT) if number < 0 else (_RGBA, _UNSIGNED_BYTE)
        if number >= 0:
            self.add('glReadBuffer', _FIRST_IMAGE + number)
        self.add('glReadPixels', 0, first, pixels.shape[1], len(pixels), *what, pixels)

    def add_uniform(self, program: Any, name: str, value: NDArray[np.float32]) -> None:
        """
        Add a call that sets a uniform, where a program has one of this name.

        :param program: of moderngl, which is in use then.
        """
        uniform = program.get(name, None)
        if uniform is not None:
            self.add(f'glUniform{uniform.dimension}fv', uniform.location, uniform.array_length,
                     value)

    def add_drawing(self, vertex_array: Any, commands: Any) -> None:
        """
        Add calls that draw what `set_drawing` says.

        :param vertex_array: of moderngl, as the buffer of indirect `commands`.
        """
        self.add('glUseProgram', vertex_array.program.glo)
        self.add('glBindVertexArray', vertex_array.glo)
        self.add('glBindBuffer', _DRAW_INDIRECT, commands.glo)
        self.add('glMultiDrawElementsIndirect', _TRIANGLES, _UNSIGNED_INT, 0, 0, _COMMAND)

    def set_drawing(self, first: int, end: int) -> None:
        """
        Say which commands the last drawing draws.

        :param first: number of the first one, and the `end` of them.
        """
        self._rows[-1][3:5] = _COMMAND * first, end - first
        self._table[-1:, 3], self._table[-1:, 4] = _COMMAND * first, end - first

    def __call__(self) -> None:
        """Make the calls."""
        if len(self._table) < len(self._rows):
            self._table = np.array(self._rows, np.int64)
        _call(self._table)


@compiled(counted=False)
def _call(calls: NDArray[np.int64]) -> None:
    """
    Call functions.

    :param calls: addresses and arguments, shape (n, _WORDS).
    """
    for n in range(len(calls)):
        call10(calls[n, 0], calls[n, 1], calls[n, 2], calls[n, 3], calls[n, 4], calls[n, 5],
               calls[n, 6], calls[n, 7], calls[n, 8], calls[n, 9], calls[n, 10])


@cache
def gl_address(name: str) -> int:
    """Return the address of a function of OpenGL."""
    find = ctypes.CDLL('libEGL.so.1').eglGetProcAddress
    find.restype = ctypes.c_void_p
    find.argtypes = [ctypes.c_char_p]
    address: int = find(name.encode())
    return address
