# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Shader programs of image rendering.

Lighting approximates the encoding of sRGB by a square root: the encoded albedo times the root of
the light, within 0.03 of the exact curve.
"""

from typing import Any

import numpy as np

VERTEX_FORMAT = '3f4 3f4 2f4 4f1'
VERTEX_NAMES = ('position', 'normal', 'uv', 'colour')
INSTANCE_FORMAT = '4f4 4f4 4f4 4f4 2u2/i'
INSTANCE_NAMES = ('row0', 'row1', 'row2', 'tint', 'ids')

_INPUTS = """
in vec3 position;
in vec3 normal;
in vec2 uv;
in vec4 colour;
in vec4 row0;  // of the matrix from the mesh to the camera
in vec4 row1;
in vec4 row2;
in vec4 tint;
in uvec2 ids;
"""

_VERTEX = _INPUTS + """
uniform vec4 lens;  // clip x = lens.x x + lens.y z, clip y = lens.z y + lens.w z
uniform vec2 range;  // clip z = range.x z + range.y
uniform vec4 to_shadow[3];  // from the camera to the shadow map
out vec3 to_point;
out vec3 point_normal;
out vec2 point_uv;
out vec4 point_colour;
out vec3 point_shadow;
flat out uvec2 point_ids;

void main() {
    vec4 local = vec4(position, 1.0);
    vec3 point = vec3(dot(row0, local), dot(row1, local), dot(row2, local));
    gl_Position = vec4(lens.x * point.x + lens.y * point.z, lens.z * point.y + lens.w * point.z,
                       range.x * point.z + range.y, point.z);
    to_point = point;
    point_normal = vec3(dot(cross(row1.xyz, row2.xyz), normal),
                        dot(cross(row2.xyz, row0.xyz), normal),
                        dot(cross(row0.xyz, row1.xyz), normal));
    point_uv = uv;
    point_colour = colour * tint;
    vec4 from_camera = vec4(point, 1.0);
    point_shadow = vec3(dot(to_shadow[0], from_camera), dot(to_shadow[1], from_camera),
                        dot(to_shadow[2], from_camera));
    point_ids = ids;
}
"""

_FRAGMENT = """
in vec3 to_point;
in vec3 point_normal;
in vec2 point_uv;
in vec4 point_colour;
in vec3 point_shadow;
flat in uvec2 point_ids;
uniform vec3 towards_light;  // in the camera frame
uniform vec3 light;
uniform vec3 ambient;
uniform sampler2D image;
uniform sampler2DShadow shadow;

void main() {
#if TEXTURED && (defined(COLOUR) || HOLES)
    vec4 albedo = point_colour * texture(image, point_uv);
#if HOLES
    float mask = texture(image, point_uv).a;
#if COVERAGE
    // the share of the pixel that lies within the outline of the hole
    float share = clamp((mask - 0.5) / max(fwidth(mask), 1e-4) + 0.5, 0.0, 1.0);
    if (share == 0.0) {
        discard;
    }
#else
    if (mask < 0.5) {
        discard;
    }
#endif
#endif
#else
    vec4 albedo = point_colour;
#endif
#ifdef COLOUR
    float slope = dot(point_normal, towards_light);
    // the side that is seen is the one that is lit
    slope = dot(point_normal, to_point) > 0.0 ? -slope : slope;
    float lit = max(slope, 0.0) * inversesqrt(dot(point_normal, point_normal) + 1e-30);
#if SHADOWS
    if (lit > 0.0 && clamp(point_shadow, 0.0, 1.0) == point_shadow) {
        lit *= texture(shadow, point_shadow);
    }
#endif
    colour = vec4(albedo.rgb * sqrt(ambient + lit * light), point_colour.a);
#if COVERAGE && HOLES
    colour.a *= share;
#endif
#endif
#ifdef DEPTH
    depth = 1.0 / gl_FragCoord.w;
#endif
#ifdef IDS
    ids = point_ids;
#endif
}
"""

_OUTPUT = {'colour': 'vec4 colour', 'depth': 'float depth', 'ids': 'uvec2 ids'}

_FULL_SCREEN = """
uniform vec4 ray_scale;  // direction in the camera: ray_scale.xy * position + ray_scale.zw, 1
uniform mat3 rotation;  // from the camera to the world
uniform vec2 far;  // clip z and w of the far end
out vec3 towards;
void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0;
    towards = rotation * vec3(ray_scale.xy * corner + ray_scale.zw, 1.0);
    gl_Position = vec4(2.0 * corner - 1.0, far);
}
"""

_SKY = """
in vec3 towards;
uniform sampler2DArray sky;  // faces as of `Lighting.sky`
uniform float infinite;
void main() {
    vec3 size = abs(towards);
    vec3 uvw;  // to the right, down, and the face
    if (size.x >= size.y && size.x >= size.z) {
        uvw = towards.x > 0.0 ? vec3(-towards.y / size.x, -towards.z / size.x, 0.0)
                         : vec3(towards.y / size.x, -towards.z / size.x, 1.0);
    } else if (size.z >= size.y) {
        uvw = towards.z > 0.0 ? vec3(-towards.y / size.z, towards.x / size.z, 3.0)
                         : vec3(-towards.y / size.z, -towards.x / size.z, 2.0);
    } else {
        uvw = towards.y > 0.0 ? vec3(towards.x / size.y, -towards.z / size.y, 4.0)
                         : vec3(-towards.x / size.y, -towards.z / size.y, 5.0);
    }
#ifdef COLOUR
    colour = vec4(textureLod(sky, vec3(0.5 + 0.5 * uvw.xy, uvw.z), 0.0).rgb, 1.0);
#endif
#ifdef DEPTH
    depth = infinite;
#endif
#ifdef IDS
    ids = uvec2(0u);
#endif
}
"""

_CAST = _INPUTS + """
out vec2 point_uv;
void main() {
    vec4 local = vec4(position, 1.0);
    point_uv = uv;
    gl_Position = vec4(dot(row0, local), dot(row1, local), dot(row2, local), 1.0);
}
"""

_CAST_FRAGMENT = """
in vec2 point_uv;
uniform sampler2D image;
void main() {
#if HOLES
    if (texture(image, point_uv).a < 0.5) {
        discard;
    }
#endif
}
"""

_RESTORE = """
in vec4 rectangle;  // left, bottom, right, top in the shadow map, -1 to 1
void main() {
    vec2 side = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    gl_Position = vec4(mix(rectangle.xy, rectangle.zw, side), 0.0, 1.0);
}
"""

_RESTORE_FRAGMENT = """
uniform sampler2D static_depth;
void main() {
    gl_FragDepth = texelFetch(static_depth, ivec2(gl_FragCoord.xy), 0).r;
}
"""


def surface_program(context: Any, layers: tuple[str, ...], textured: bool, holes: bool,
                    shadows: bool, coverage: bool) -> Any:
    """
    Return the program that draws surfaces into some layers, in their order.

    :param holes: the textures have transparent pixels.
    :param coverage: the alpha of what has holes is the share of the pixel that it covers.
    """
    return context.program(
        _with(_VERTEX), _with(_outputs(layers) + _FRAGMENT, *map(str.upper, layers),
                              TEXTURED=textured, HOLES=holes, SHADOWS=shadows,
                              COVERAGE=coverage))


def sky_program(context: Any, layers: tuple[str, ...]) -> Any:
    """Return the program that draws the sky on the background."""
    return context.program(_with(_FULL_SCREEN), _with(
        _outputs(layers) + _SKY, *map(str.upper, layers)))


def cast_program(context: Any, holes: bool) -> Any:
    """Return the program that draws into a shadow map."""
    return context.program(_with(_CAST), _with(_CAST_FRAGMENT, HOLES=holes))


def restore_program(context: Any) -> Any:
    """Return the program that copies rectangles of one shadow map into another."""
    return context.program(_with(_RESTORE), _with(_RESTORE_FRAGMENT))


def set_uniforms(program: Any, uniforms: dict[str, Any]) -> None:
    """Set the uniforms that a program has."""
    for name, value in uniforms.items():
        if name in program:
            if isinstance(value, int):
                program[name].value = value
            else:
                program[name].write(value.astype(np.float32))


def _outputs(layers: tuple[str, ...]) -> str:
    return ''.join(f'layout(location={i}) out {_OUTPUT[layer]};\n'
                   for i, layer in enumerate(layers))


def _with(source: str, *names: str, **switches: bool) -> str:
    """Return the source of a shader after its version and definitions."""
    lines = ['#version 330', *(f'#define {name}' for name in names),
             *(f'#define {name} {int(switch)}' for name, switch in switches.items())]
    return '\n'.join(lines) + '\n' + source
