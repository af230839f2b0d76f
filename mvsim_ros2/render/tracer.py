# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Rays that OpenGL traces through trees of our own."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import SceneError
from mvsim_ros2.raycast.target import Target
from mvsim_ros2.render.context import gl_thread
from mvsim_ros2.render.tracer_shaders import compute_program
from mvsim_ros2.render.tracer_shaders import GROUP
from mvsim_ros2.render.tracer_shaders import pixel_program
from mvsim_ros2.render.tracer_shaders import WIDTH

_TABLES = ('asked', 'nodes', 'triangles', 'top', 'things', 'numbers', 'motion')
_MOST = 2 ** 24  # whole numbers that a float tells apart


class Tracer:
    """
    Finds the triangles that rays meet first.

    It works in single precision; whoever uses what it finds meets the planes of the triangles
    again, see `raycast.surface.meet_planes`.
    """

    def __init__(self, target: Target, compute: bool | None = None) -> None:
        """
        Load the trees of the meshes.

        :param target: of a `RayScene` with trees of our own.
        :param compute: use a compute shader, or not; None where there are any.
        :raises RenderContextError: where OpenGL cannot be had.
        :raises SceneError: where the meshes are too large.
        """
        self._gl = gl_thread()
        self._gl.collect()
        self._compute = self._gl.version >= 430 if compute is None else compute
        self._target: Target | None = None  # whose places are loaded
        self._gl.run(self._load, target)

    def trace(self, target: Target, asked: NDArray[np.float32], mask: int,
              farthest: float) -> NDArray[np.int32]:
        """
        Return instance and face that each ray meets, -1 for none, and a depth.

        The depth is in lengths of the direction: a float in the memory of the third column.

        :param target: that of the meshes, with present places.
        :param asked: origin in the target and time, direction, and nothing, shape (N, 8).
        :param mask: what is seen, see `RayScene.mask`.
        """
        return self._gl.run(self._trace, target, asked, mask, farthest)

    def _load(self, target: Target) -> None:
        context = self._gl.context
        self._textures: dict[str, Any] = {}
        self._fill_nodes('nodes', target.trees.nodes, target.trees.links)
        corners = target.trees.corners
        if max(len(corners), len(target.trees.nodes)) > _MOST:
            raise SceneError(f'the meshes have {len(corners)} triangles, too many for LiDARs on '
                             'the graphics card: choose the renderer "cpu" for them')
        triangles = np.zeros((len(corners), 3, 4), np.float32)
        triangles[:, :, :3] = corners.reshape(-1, 3, 3)
        triangles[:, 0, 3] = target.trees.face
        self._fill('triangles', triangles)
        self._answers: Any = None
        self._program = (compute_program if self._compute else pixel_program)(context)
        if not self._compute:
            self._screen = context.vertex_array(self._program, [])
        for number, name in enumerate(_TABLES):
            self._program[name].value = number

    def _trace(self, target: Target, asked: NDArray[np.float32], mask: int,
               farthest: float) -> NDArray[np.int32]:
        context, program = self._gl.context, self._program
        if target is not self._target:
            self._place(target)
        self._fill('asked', asked)
        for number, name in enumerate(_TABLES):
            self._textures[name].use(number)
        program['count'].value = len(asked)
        program['instances'].value = len(target.inverse)
        program['mask'].value = mask
        program['reach'].value = farthest
        rows = -(-2 * len(asked) // WIDTH)
        found = np.empty((rows * WIDTH // 2, 4), np.int32)
        if self._compute:
            if self._answers is None or self._answers.size < found.nbytes:
                self._answers = context.buffer(reserve=found.nbytes)
            self._answers.bind_to_storage_buffer(0)
            program.run(-(-len(asked) // GROUP))
            context.memory_barrier()
            self._answers.read_into(found, found.nbytes)
        else:
            if self._answers is None or self._answers.height < rows:
                self._answers = context.framebuffer(
                    [context.renderbuffer((WIDTH // 2, rows), 4, dtype='i4')])
            self._answers.use()
            context.enable_only(0)
            self._screen.render(context.TRIANGLES, 3)
            self._answers.read_into(found, (WIDTH // 2, rows), components=4, dtype='i4')
        return found[:len(asked)]

    def _place(self, target: Target) -> None:
        """Take over where everything is."""
        trees = target.trees
        self._target = target
        self._fill_nodes('top', trees.top_nodes, trees.top_links)
        order = trees.top_order
        things = np.zeros((len(order), 4, 4), np.float32)
        things[:, :3] = target.inverse[order]
        things[:, 3] = np.stack([trees.root[order], target.steps[order],
                                 trees.masks[order] & 0xFFFF, trees.masks[order] >> 16], axis=1)
        self._fill('things', things)
        numbers = np.zeros((len(order), 4), np.float32)
        numbers[:, 0] = order
        self._fill('numbers', numbers)
        self._fill('motion', target.forward.astype(np.float32))

    def _fill_nodes(self, name: str, nodes: NDArray[np.float32],
                    links: NDArray[np.int32]) -> None:
        table = np.zeros((len(nodes), 2, 4), np.float32)
        table[:, 0, :3], table[:, 1, :3] = nodes[:, :3], nodes[:, 3:]
        table[:, :, 3] = links
        self._fill(name, table)

    def _fill(self, name: str, values: NDArray[np.float32]) -> None:
        """Put texels into a table, which is made larger where it is too small."""
        texels = values.reshape(-1, 4)
        full, rest = divmod(len(texels), WIDTH)
        texture = self._textures.get(name)
        if texture is None or texture.height < max(1, full + (rest > 0)):
            texture = self._gl.context.texture(
                (WIDTH, max(1, full + (rest > 0))), 4, dtype='f4')
            texture.filter = self._gl.context.NEAREST, self._gl.context.NEAREST
            self._textures[name] = texture
        if full:
            texture.write(texels[:full * WIDTH], viewport=(0, 0, WIDTH, full))
        if rest:
            texture.write(texels[full * WIDTH:], viewport=(0, full, rest, 1))
