# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Ray tracing by a compute shader of OpenGL 4.3 through the BVH of `raycast.bvh`.

Tables are textures with four floats per texel, `_WIDTH` texels wide; integers in them are exact
below 2^24. Triangles are intersected as by Moeller and Trumbore, Fast, minimum storage
ray/triangle intersection, 1997.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import RenderContextError, SceneError
from mvsim_ros2.sensors.opengl.context import gl_thread
from mvsim_ros2.sensors.raycast.bvh.bvh_build import DEPTH
from mvsim_ros2.sensors.raycast.target import Target

_TABLES = ('rays', 'nodes', 'triangles', 'top', 'instance_data', 'instance_index', 'motion')
_MOST = 2 ** 24  # integers that a float represents exactly
LEAST_VERSION = 430  # of OpenGL, 4.3
_WIDTH = 4096  # texels of a row of a table
_GROUP = 64  # rays of a work group

_TRACE = """
uniform sampler2D rays;  // two texels per ray: origin and time, direction
uniform sampler2D nodes;  // two per node: lower corner and first link, upper and second link
uniform sampler2D triangles;  // three each: corner and face, vectors to the others
uniform sampler2D top;  // as nodes
uniform sampler2D instance_data;  // four each: inverse rows; root, steps, mask, mask / 65536
uniform sampler2D instance_index;  // one each: index of the instance
uniform sampler2D motion;  // three per transform: rows of the matrix
uniform int count;
uniform int instances;
uniform uint mask;
uniform float reach;

struct Line {
    vec3 start;
    vec3 along;
    vec3 inverse;
};

vec4 entry(sampler2D table, int number) {
    return texelFetch(table, ivec2(number % WIDTH, number / WIDTH), 0);
}

Line line_of(vec3 start, vec3 along) {
    vec3 signs = vec3(along.x < 0.0 ? -1.0 : 1.0, along.y < 0.0 ? -1.0 : 1.0,
                      along.z < 0.0 ? -1.0 : 1.0);
    return Line(start, along, signs / max(abs(along), vec3(1e-30)));
}

// distance at which a line enters a box, or infinity
float enter(Line line, vec3 lower, vec3 upper, float best) {
    vec3 a = (lower - line.start) * line.inverse;
    vec3 b = (upper - line.start) * line.inverse;
    vec3 near = min(a, b);
    vec3 far = max(a, b);
    float first = max(max(near.x, near.y), max(near.z, 0.0));
    float last = min(min(far.x, far.y), min(far.z, best));
    return first <= last + 1e-5 * (1.0 + abs(last)) ? first : INFINITY;
}

void intersect(int leaf, int instance, vec3 start, vec3 along, float when, inout float best,
          inout ivec2 found) {
    vec4 head = entry(instance_data, 4 * leaf + 3);
    if (((uint(head.z) | uint(head.w) << 16) & mask) == 0u) {
        return;
    }
    vec4 rows[3];
    int steps = int(head.y);
    if (steps > 1) {
        int step = clamp(int(when * float(steps - 1)), 0, steps - 2);
        float fraction = when * float(steps - 1) - float(step);
        for (int i = 0; i < 3; i++) {
            rows[i] = mix(entry(motion, 3 * (step * instances + instance) + i),
                          entry(motion, 3 * ((step + 1) * instances + instance) + i), fraction);
        }
        mat3 back = inverse(transpose(mat3(rows[0].xyz, rows[1].xyz, rows[2].xyz)));
        start = back * (start - vec3(rows[0].w, rows[1].w, rows[2].w));
        along = back * along;
    } else {
        for (int i = 0; i < 3; i++) {
            rows[i] = entry(instance_data, 4 * leaf + i);
        }
        start = vec3(dot(rows[0], vec4(start, 1.0)), dot(rows[1], vec4(start, 1.0)),
                     dot(rows[2], vec4(start, 1.0)));
        along = vec3(dot(rows[0].xyz, along), dot(rows[1].xyz, along),
                     dot(rows[2].xyz, along));
    }
    Line line = line_of(start, along);
    int stack[DEPTH];
    int height = 0;
    int node = int(head.x);
    while (true) {
        vec4 lower = entry(nodes, 2 * node);
        vec4 upper = entry(nodes, 2 * node + 1);
        if (enter(line, lower.xyz, upper.xyz, best) <= best) {
            int first = int(lower.w);
            int size = int(upper.w);
            if (size == 0) {
                vec3 size = abs(along);
                int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
                vec4 left = entry(nodes, 2 * first) + entry(nodes, 2 * first + 1);
                vec4 right = entry(nodes, 2 * first + 2) + entry(nodes, 2 * first + 3);
                bool ahead = (left[axis] <= right[axis]) == (along[axis] > 0.0);
                stack[height] = ahead ? first + 1 : first;
                height++;
                node = ahead ? first : first + 1;
                continue;
            }
            for (int t = first; t < first + size; t++) {
                vec4 corner = entry(triangles, 3 * t);
                vec3 a = entry(triangles, 3 * t + 1).xyz;
                vec3 b = entry(triangles, 3 * t + 2).xyz;
                vec3 across = cross(along, b);
                float volume = dot(a, across);
                if (volume == 0.0) {
                    continue;
                }
                vec3 from = start - corner.xyz;
                float u = dot(from, across) / volume;
                vec3 other = cross(from, a);
                float v = dot(along, other) / volume;
                float distance = dot(b, other) / volume;
                if (u >= -SEAM && v >= -SEAM && u + v <= 1.0 + SEAM && distance >= 0.0
                        && distance < best) {
                    best = distance;
                    found = ivec2(instance, int(corner.w));
                }
            }
        }
        if (height == 0) {
            return;
        }
        height--;
        node = stack[height];
    }
}

ivec4 trace(int ray) {
    vec4 head = entry(rays, 2 * ray);
    vec3 start = head.xyz;
    vec3 along = entry(rays, 2 * ray + 1).xyz;
    Line line = line_of(start, along);
    float best = reach;
    ivec2 found = ivec2(-1);
    int stack[DEPTH];
    int height = min(instances, 1);  // where there are none the tree has no leaf
    stack[0] = 0;
    while (height > 0) {
        height--;
        vec4 lower = entry(top, 2 * stack[height]);
        vec4 upper = entry(top, 2 * stack[height] + 1);
        if (enter(line, lower.xyz, upper.xyz, best) > best) {
            continue;
        }
        int first = int(lower.w);
        int size = int(upper.w);
        if (size == 0) {
            float left = enter(line, entry(top, 2 * first).xyz,
                               entry(top, 2 * first + 1).xyz, best);
            float right = enter(line, entry(top, 2 * first + 2).xyz,
                                entry(top, 2 * first + 3).xyz, best);
            bool ahead = left <= right;
            stack[height] = ahead ? first + 1 : first;
            stack[height + 1] = ahead ? first : first + 1;
            height += 2;
            continue;
        }
        for (int leaf = first; leaf < first + size; leaf++) {
            int instance = int(entry(instance_index, leaf).x);
            intersect(leaf, instance, start, along, head.w, best, found);
        }
    }
    return ivec4(found, floatBitsToInt(best), 0);
}
"""

_COMPUTE = """
layout(local_size_x = GROUP) in;
layout(std430, binding = 0) writeonly buffer Results {
    ivec4 results[];
};
void main() {
    int ray = int(gl_GlobalInvocationID.x);
    if (ray < count) {
        results[ray] = trace(ray);
    }
}
"""

_DEFINITIONS = f"""
#define WIDTH {_WIDTH}
#define DEPTH {DEPTH}
#define GROUP {_GROUP}
#define SEAM 1e-5
#define INFINITY 1e30
"""


class Tracer:
    """
    Finds the closest triangles along rays.

    It works in single precision; callers intersect the planes of the triangles again, see
    `raycast.surface.meet_planes`.
    """

    def __init__(self, target: Target) -> None:
        """
        Load the BVH of the meshes.

        :param target: of a `RayScene` with the backend 'bvh'.
        :raises RenderContextError: where OpenGL 4.3 is not available.
        :raises SceneError: where the meshes are too large.
        """
        self._gl = gl_thread()
        self._gl.collect()
        if self._gl.version < LEAST_VERSION:
            raise RenderContextError(
                f'{self._gl.renderer} has OpenGL {self._gl.version / 100:.1f}, and rays need 4.3: '
                'choose the renderer "cpu" for LiDARs')
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
        self._program = context.compute_shader(
            '#version 430\n' + _DEFINITIONS + _TRACE + _COMPUTE)
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
        found = np.empty((max(1, len(rays)), 4), np.int32)
        if self._results is None or self._results.size < found.nbytes:
            self._results = context.buffer(reserve=found.nbytes)
        self._results.bind_to_storage_buffer(0)
        program.run(-(-len(rays) // _GROUP))
        context.memory_barrier()
        self._results.read_into(found, found.nbytes)
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
        full, rest = divmod(len(texels), _WIDTH)
        texture = self._textures.get(name)
        if texture is None or texture.height < max(1, full + (rest > 0)):
            texture = self._gl.context.texture(
                (_WIDTH, max(1, full + (rest > 0))), 4, dtype='f4')
            texture.filter = self._gl.context.NEAREST, self._gl.context.NEAREST
            self._textures[name] = texture
        if full:
            texture.write(texels[:full * _WIDTH], viewport=(0, 0, _WIDTH, full))
        if rest:
            texture.write(texels[full * _WIDTH:], viewport=(0, full, rest, 1))
