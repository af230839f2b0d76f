# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Surfaces of images that are neither opaque nor invisible.

Items are blended over what is behind them, from the farthest centre to the nearest, of each the
faces turned away before the others: exact for convex things that do not reach into each other.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.sensors.opengl.context import GlThread
from mvsim_ros2.sensors.opengl.draw_list import DrawList
from mvsim_ros2.sensors.opengl.mesh_buffers import MeshBuffers

Array = NDArray[np.float64]

_ALL, _NONE = (True,) * 4, (False,) * 4


class Translucent:
    """Draws the translucent items of a scene; used in the thread of the context."""

    def __init__(self, gl: GlThread, buffers: MeshBuffers) -> None:
        """Note which items these are."""
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
        :param with_depth: its depth buffer is wanted as well.
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
