# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Programs that trace rays through a BVH of two levels, see `raycast.bvh.bvh.Trees`.

The same code is a compute shader (OpenGL 4.3) or a fragment shader (3.3). Tables are textures
with four floats per texel, `WIDTH` texels wide; integers in them are exact below 2^24. Triangles
are intersected as by Moeller and Trumbore, Fast, minimum storage ray/triangle intersection, 1997.
"""

from typing import Any

WIDTH = 4096  # texels of a row of a table
GROUP = 64  # rays of a work group
_DEPTH = 64  # see `bvh_build.DEPTH`

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

_FRAGMENT = """
layout(location = 0) out ivec4 result;
void main() {
    int ray = int(gl_FragCoord.y) * (WIDTH / 2) + int(gl_FragCoord.x);
    result = ivec4(-1);
    if (ray < count) {
        result = trace(ray);
    }
}
"""

_VERTEX = """
#version 330
void main() {
    gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0);
}
"""

_DEFINITIONS = f"""
#define WIDTH {WIDTH}
#define DEPTH {_DEPTH}
#define GROUP {GROUP}
#define SEAM 1e-5
#define INFINITY 1e30
"""


def compute_program(context: Any) -> Any:
    """Return the program with a compute shader."""
    return context.compute_shader('#version 430\n' + _DEFINITIONS + _TRACE + _COMPUTE)


def pixel_program(context: Any) -> Any:
    """Return the program with a fragment shader, for a target half as wide as a table."""
    return context.program(_VERTEX.strip(),
                           '#version 330\n' + _DEFINITIONS + _TRACE + _FRAGMENT)
