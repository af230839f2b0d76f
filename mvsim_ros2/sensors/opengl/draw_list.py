# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The items that a render pass draws, with their matrices.

Surfaces of images that are neither opaque nor invisible.

Items are blended over their background, from the farthest centre to the nearest, each with its
back faces first. This is exact for convex objects that do not overlap.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.sensors.opengl.context import GlThread
from mvsim_ros2.sensors.opengl.mesh_buffers import Group, MeshBuffers
from mvsim_ros2.sensors.opengl.vertex_shader import INSTANCE_FORMAT, INSTANCE_NAMES

_MATRIX = 12  # words of an instance with its matrix, which come first


class DrawList:
    """Items with their matrices for one render pass."""

    def __init__(self, context: Any, buffers: MeshBuffers) -> None:
        self._buffers = buffers
        self._size = buffers.packed.itemsize
        self.instances = context.buffer(
            reserve=max(1, buffers.packed.nbytes), dynamic=True)
        self._commands = context.buffer(reserve=max(1, buffers.commands.nbytes), dynamic=True)
        self._indirect = context.version_code >= 430
        self._rows = buffers.commands.copy()  # those of the pass first, as they are drawn
        self._counts = np.zeros(len(buffers.commands), np.int64)  # zero between passes
        self._places = np.zeros(len(buffers.commands), np.int64)
        self._ends = np.zeros(len(buffers.groups) + 1, np.int64)
        self._spans = self._ends.tolist()  # first row of each group, and the end of the last
        self._words = np.zeros((len(buffers.packed), self._size // 4), np.uint32)
        self._reals = self._words.view(np.float32)

    def fill_one_by_one(self, items: NDArray[np.intp], linear: Array, centre: Array) -> None:
        """Set the items of the pass, for `draw_one`; parameters as of `fill`."""
        packed = self._buffers.packed[items]
        packed['matrix'][:, :, :3] = linear
        packed['matrix'][:, :, 3] = centre
        self.instances.orphan()
        self.instances.write(packed)
        rows = self._buffers.commands[self._buffers.part[items]]
        rows[:, 1], rows[:, 4] = 1, np.arange(len(items))
        self._ordered = rows.tolist()

    def draw_one(self, vertex_array: Any, number: int) -> None:
        """Draw one item of `fill_one_by_one`."""
        self._draw_row(vertex_array, *self._ordered[number])

    def fill(self, items: NDArray[np.intp], turn: Array, centre: Array,
             order: NDArray[np.intp]) -> None:
        """
        Set the items of the pass.

        Within a group, parts are drawn in the order of their first items.

        :param items: indices of items.
        :param turn: linear part of the map from the world, shape (3, 3).
        :param centre: mapped centres of their parts, shape (n, 3).
        :param order: of the items, shape (n,).
        """
        buffers = self._buffers
        count = _arrange(
            items, order, buffers.part, buffers.group, buffers.words, buffers.linear, turn,
            centre, buffers.commands, self._counts, self._places, self._rows, self._ends,
            self._words, self._reals)
        self._spans = self._ends.tolist()
        if len(items):
            self.instances.orphan()
            self.instances.write(self._words[:len(items)])
            if self._indirect:
                self._commands.write(self._rows[:count])

    def draw(self, vertex_array: Any, group: Group) -> None:
        """Draw the items of a group."""
        first, end = self._spans[group.number], self._spans[group.number + 1]
        if first == end:
            return
        if self._indirect:
            vertex_array.render_indirect(self._commands, count=end - first, first=first)
            return
        for row in self._rows[first:end].tolist():
            self._draw_row(vertex_array, *row)

    def _draw_row(self, vertex_array: Any, count: int, instances: int, start: int, _: int,
                  base: int) -> None:
        """Draw a row of `MeshBuffers.commands` without the buffer of commands."""
        for place, scalar, form, offset in self._fields(vertex_array.program):
            vertex_array.bind(place, scalar, self.instances, form, divisor=1,
                              offset=base * self._size + offset, stride=self._size)
        vertex_array.render(vertices=count, first=start, instances=instances)

    @staticmethod
    def _fields(program: Any) -> Iterator[tuple[int, str, str, int]]:
        """Yield location, type, format and offset of the instance attributes of a program."""
        offset = 0
        for name, form in zip(INSTANCE_NAMES, INSTANCE_FORMAT.removesuffix('/i').split(' ')):
            if program.get(name, None) is not None:
                yield (program[name].location, 'i' if form.startswith('2u') else 'f', form,
                       offset)
            offset += int(form[0]) * int(form[2])


@compiled(counted=False, brief=True)
def _arrange(items: NDArray[np.intp], order: NDArray[np.intp], part: NDArray[np.intp],
             group: NDArray[np.intp], packed: NDArray[np.uint32], linear: Array, turn: Array,
             centre: Array, commands: NDArray[np.uint32], counts: NDArray[np.int64],
             places: NDArray[np.int64], rows: NDArray[np.uint32], ends: NDArray[np.int64],
             words: NDArray[np.uint32], reals: NDArray[np.float32]) -> int:
    """
    Fill in the commands and the instances of a pass; return how many commands there are.

    :param items: see `DrawList.fill`, as `turn`, `centre` and `order`.
    :param part: of all items, shape (K,), and `group` of all parts, shape (P,).
    :param packed: words of all items, of which those of the matrix are not read, shape (K, 19).
    :param linear: of their maps to the world, shape (K, 3, 3).
    :param commands: of all parts, shape (P, 5).
    :param counts: zeros, shape (P,), which it leaves behind; `places` are for its own use.
    :param rows: commands as they are drawn: number of vertices, of instances, first vertex, 0,
        first instance.
    :param ends: where those of each group end, the first after a zero, shape (G + 1,).
    :param words: of the instances as they are drawn; `reals` are the same memory.
    """
    ends[:] = 0
    for n in order:
        number = part[items[n]]
        counts[number] += 1
        if counts[number] == 1:
            ends[group[number] + 1] += 1
    for n in range(1, len(ends)):
        ends[n] += ends[n - 1]
    for n in order:
        number = part[items[n]]
        if counts[number] > 0:  # the first item of its part
            row = ends[group[number]]  # the next of its group
            ends[group[number]] += 1
            rows[row, 0], rows[row, 1] = commands[number, 0], counts[number]
            rows[row, 2], rows[row, 3] = commands[number, 2], commands[number, 3]
            places[number] = row
            counts[number] = -1
    for n in range(len(ends) - 1, 0, -1):
        ends[n] = ends[n - 1]
    ends[0] = 0
    first = 0
    for row in range(ends[-1]):
        rows[row, 4] = first
        first += int(rows[row, 1])
    for n in order:
        item = items[n]
        number = part[item]
        if counts[number] < 0:
            counts[number] = 0
            places[number] = rows[places[number], 4]
        at = places[number]
        places[number] += 1
        for i in range(3):
            for j in range(3):
                reals[at, 4 * i + j] = (
                    turn[i, 0] * linear[item, 0, j] + turn[i, 1] * linear[item, 1, j]
                    + turn[i, 2] * linear[item, 2, j])
            reals[at, 4 * i + 3] = centre[n, i]
        for i in range(_MATRIX, words.shape[1]):
            words[at, i] = packed[item, i]
    return int(ends[-1])


_ALL, _NONE = (True,) * 4, (False,) * 4


class Translucent:
    """Draws the translucent items of a scene; used in the thread of the context."""

    def __init__(self, gl: GlThread, buffers: MeshBuffers) -> None:
        self._gl = gl
        self._buffers = buffers
        is_glass = buffers.seen & ~buffers.opaque
        self.any = bool(is_glass.any())
        self._items = np.zeros(0, np.intp)
        if self.any:
            self._draw_list = DrawList(gl.context, buffers)
        self._arrays: dict[Any, Any] = {}  # vertex arrays of programs

    def fill(self, items: NDArray[np.intp], linear: Array, centre: Array) -> None:
        """Set the items in view, in the camera frame; parameters as of `DrawList.fill`."""
        order = np.argsort(-np.linalg.norm(centre, axis=1), kind='stable')
        self._items = items[order]
        if len(items):
            self._draw_list.fill_one_by_one(self._items, linear[order], centre[order])

    def draw(self, target: Any, layers: tuple[str, ...], with_depth: bool,
             programs: list[Any]) -> None:
        """
        Draw over the opaque surfaces of a framebuffer, which is in use.

        Colours are blended; depth and ids are those of the nearest that counts as solid.

        :param layers: that are images of the framebuffer.
        :param programs: of the groups of parts, with their uniforms.
        """
        if not len(self._items):
            return
        context = self._gl.context
        solid = self._buffers.solid[self._items]
        others = tuple(layer for layer in layers if layer != 'colour')
        if 'colour' in layers:
            self._mask(target, layers, ('colour',), False)
            context.blend_func = (context.SRC_ALPHA, context.ONE_MINUS_SRC_ALPHA,
                                  context.ONE, context.ZERO)  # see `smoothing`
            for number in range(len(self._items)):
                self._draw(number, programs, context.BLEND)
        if (others or with_depth) and solid.any():
            self._mask(target, layers, others, True)
            for number in np.flatnonzero(solid).tolist():
                self._draw(number, programs, 0)
        self._mask(target, layers, layers, True)
        context.cull_face = 'back'

    def _draw(self, number: int, programs: list[Any], flags: int) -> None:
        context = self._gl.context
        which = self._buffers.group[self._buffers.part[self._items[number]]]
        group, program = self._buffers.groups[which], programs[which]
        if program not in self._arrays:
            self._arrays[program] = self._buffers.bind(
                context, program, self._draw_list.instances, False)
        group.use(program)
        context.enable_only(context.DEPTH_TEST | flags | (
            context.CULL_FACE if group.closed else 0))
        for side in ('front', 'back') if group.closed else ('back',):
            context.cull_face = side
            self._draw_list.draw_one(self._arrays[program], number)

    @staticmethod
    def _mask(target: Any, layers: tuple[str, ...], written: tuple[str, ...],
              with_depth: bool) -> None:
        """Choose what is written."""
        masks = tuple(_ALL if layer in written else _NONE for layer in layers)
        if masks:
            target.color_mask = masks if len(masks) > 1 else masks[0]
        target.depth_mask = with_depth
