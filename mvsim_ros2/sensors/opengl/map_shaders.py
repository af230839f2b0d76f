# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Shader programs of the sky and of shadow maps."""

from typing import Any

from mvsim_ros2.sensors.opengl.shaders import outputs, with_switches
from mvsim_ros2.sensors.opengl.vertex_shader import INPUTS

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
uniform vec3 towards_sun, disc;
uniform vec3 sun;  // radius of the disc and of its smooth edge [px], pixels in a radian
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
#if HDR
    colour.rgb *= colour.rgb;
    float off = length(cross(normalize(towards), towards_sun)) * sun.z;
    float most = sun.x * sun.x / (sun.y * sun.y + 1.0 / 12.0);
    float share = most * clamp(sun.y + 0.5 - off, 0.0, 1.0);
    colour.rgb += dot(towards, towards_sun) > 0.0 ? share * disc : vec3(0.0);
#endif
#endif
#ifdef DEPTH
    depth = infinite;
#endif
#ifdef IDS
    ids = uvec2(0u);
#endif
#ifdef NORMALS
    normals = vec4(0.0);
#endif
}
"""

_CAST = INPUTS + """
uniform vec3 lens;  // focal length; clip z = lens.y z + lens.z
out vec2 point_uv;
void main() {
    vec4 local = vec4(position, 1.0);
    point_uv = uv;
    vec3 point = vec3(dot(row0, local), dot(row1, local), dot(row2, local));
#if PERSPECTIVE
    gl_Position = vec4(lens.x * point.xy, lens.y * point.z + lens.z, point.z);
#else
    gl_Position = vec4(point, 1.0);
#endif
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


def sky_program(context: Any, layers: tuple[str, ...], hdr: bool) -> Any:
    """Return the program that draws the sky on the background, its light where it is `hdr`."""
    return context.program(with_switches(_FULL_SCREEN), with_switches(
        outputs(layers) + _SKY, *map(str.upper, layers), HDR=hdr))


def cast_program(context: Any, holes: bool, perspective: bool = False) -> Any:
    """Return the program that draws into a shadow map."""
    return context.program(with_switches(_CAST, PERSPECTIVE=perspective),
                           with_switches(_CAST_FRAGMENT, HOLES=holes))
