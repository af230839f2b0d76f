# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Ray tracing by OpenGL through the BVH of `raycast.bvh`."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import SceneError
from mvsim_ros2.sensors.opengl.context import gl_thread
from mvsim_ros2.sensors.opengl.tracer_shaders import compute_program, GROUP, pixel_program, WIDTH
from mvsim_ros2.sensors.raycast.target import Target

_TABLES = ('rays', 'nodes', 'triangles', 'top', 'instance_data', 'instance_index', 'motion')
_MOST = 2 ** 24  # integers that a float represents exactly


class Tracer:
    """
    Finds the closest triangles along rays.

    It works in single precision; callers intersect the planes of the triangles again, see
    `raycast.surface.meet_planes`.
    """

    def __init__(self, target: Target, compute: bool | None = None) -> None:
        """
        Load the BVH of the meshes.

        :param target: of a `RayScene` with the backend 'bvh'.
        :param compute: use a compute shader; None where they are supported.
        :raises RenderContextError: where OpenGL is not available.
        :raises SceneError: where the meshes are too large.
        """
        self._gl = gl_thread()
        self._gl.collect()
        self._compute = self._gl.version >= 430 if compute is None else compute
        self._target: Target | None = None  # whose transforms are loaded
        self._gl.run(self._load, target)

    def trace(self, target: Target, rays: NDArray[np.float32], mask: int,
              farthest: float) -> NDArray[np.int32]:
        """
        Return instance and face of the closest hit of each ray, -1 for none, and its distance.

        The distance is in lengths of the direction: the bits of a float in the third column.

        :param target: that of the meshes, with present transforms.
        :param rays: origin in the target and time, direction and padding, shape (N, 8).
        :param mask: of the rays, see `RayScene.mask`.
        """
        return self._gl.run(self._trace, target, rays, mask, farthest)

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
        self._results: Any = None
        self._program = (compute_program if self._compute else pixel_program)(context)
        if not self._compute:
            self._screen = context.vertex_array(self._program, [])
        for number, name in enumerate(_TABLES):
            self._program[name].value = number

    def _trace(self, target: Target, rays: NDArray[np.float32], mask: int,
               farthest: float) -> NDArray[np.int32]:
        context, program = self._gl.context, self._program
        if target is not self._target:
            self._place(target)
        self._fill('rays', rays)
        for number, name in enumerate(_TABLES):
            self._textures[name].use(number)
        program['count'].value = len(rays)
        program['instances'].value = len(target.inverse)
        program['mask'].value = mask
        program['reach'].value = farthest
        rows = -(-2 * len(rays) // WIDTH)
        found = np.empty((rows * WIDTH // 2, 4), np.int32)
        if self._compute:
            if self._results is None or self._results.size < found.nbytes:
                self._results = context.buffer(reserve=found.nbytes)
            self._results.bind_to_storage_buffer(0)
            program.run(-(-len(rays) // GROUP))
            context.memory_barrier()
            self._results.read_into(found, found.nbytes)
        else:
            if self._results is None or self._results.height < rows:
                self._results = context.framebuffer(
                    [context.renderbuffer((WIDTH // 2, rows), 4, dtype='i4')])
            self._results.use()
            context.enable_only(0)
            self._screen.render(context.TRIANGLES, 3)
            self._results.read_into(found, (WIDTH // 2, rows), components=4, dtype='i4')
        return found[:len(rays)]

    def _place(self, target: Target) -> None:
        """Load the transforms of all instances."""
        trees = target.trees
        self._target = target
        self._fill_nodes('top', trees.top_nodes, trees.top_links)
        order = trees.top_order
        instance_data = np.zeros((len(order), 4, 4), np.float32)
        instance_data[:, :3] = target.inverse[order]
        masks = trees.masks[order]
        instance_data[:, 3] = np.stack(
            [trees.root[order], target.steps[order], masks & 0xFFFF, masks >> 16], axis=1)
        self._fill('instance_data', instance_data)
        instance_index = np.zeros((len(order), 4), np.float32)
        instance_index[:, 0] = order
        self._fill('instance_index', instance_index)
        self._fill('motion', target.forward.astype(np.float32))

    def _fill_nodes(self, name: str, nodes: NDArray[np.float32],
                    links: NDArray[np.int32]) -> None:
        table = np.zeros((len(nodes), 2, 4), np.float32)
        table[:, 0, :3], table[:, 1, :3] = nodes[:, :3], nodes[:, 3:]
        table[:, :, 3] = links
        self._fill(name, table)

    def _fill(self, name: str, values: NDArray[np.float32]) -> None:
        """Write texels into a table, which grows where it is too small."""
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
