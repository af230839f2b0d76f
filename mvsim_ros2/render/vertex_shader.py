# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The vertex shader of surfaces, and the formats of its inputs."""

VERTEX_FORMAT = '3f4 3f4 2f4 4f1'
VERTEX_NAMES = ('position', 'normal', 'uv', 'colour')
INSTANCE_FORMAT = '4f4 4f4 4f4 4f4 2u2 1f4/i'
INSTANCE_NAMES = ('row0', 'row1', 'row2', 'tint', 'ids', 'glow')

INPUTS = """
in vec3 position;
in vec3 normal;
in vec2 uv;
in vec4 colour;
in vec4 row0;  // of the matrix from the mesh to the camera
in vec4 row1;
in vec4 row2;
in vec4 tint;
in uvec2 ids;
in float glow;
"""

# directions and places are in the camera frame, light is linear
SUN = """
uniform vec3 towards_light;
uniform vec3 light;
uniform vec3 ambient;
uniform vec3 ambient_lean;
uniform vec3 ambient_axis;
"""

# marks of other things and colours, 1 to 127; those of faces that look away from the sun
TURNED = """
uint turned(uint mark) {
    return 1u + (mark + 62u) % 127u;
}
"""

VERTEX = INPUTS + SUN + TURNED + """
uniform vec4 lens;  // clip x = lens.x x + lens.y z, clip y = lens.z y + lens.w z
uniform vec2 range;  // clip z = range.x z + range.y
uniform vec4 to_shadow[3];  // from the camera to the shadow map
out vec3 to_point;
out vec3 point_normal;
out vec2 point_uv;
out vec4 point_colour;
out vec3 point_shadow;
flat out vec4 face_dim;  // light in the shade of a plane face, and opacity
flat out vec3 face_sun;  // light of the sun on it
flat out uvec2 point_ids;
flat out float point_glow;
flat out uint point_mark;  // 1 to 127: other things and colours mostly have others

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
    point_glow = glow;
#if MARKED
    uvec3 levels = uvec3(255.0 * clamp(point_colour.rgb, 0.0, 1.0));
    uint mixed = (ids.y * 0x9E3779B1u) ^ ((levels.r | levels.g << 8 | levels.b << 16)
                                          * 0x85EBCA6Bu);
    point_mark = 1u + (((mixed ^ mixed >> 15) * 0xC2B2AE35u) >> 8) % 127u;
#endif
#if FLAT
    float side = dot(point_normal, point) > 0.0 ? -1.0 : 1.0;
    vec3 upright = side * inversesqrt(dot(point_normal, point_normal) + 1e-30) * point_normal;
    vec3 albedo = point_colour.rgb * point_colour.rgb;
    face_dim = vec4(albedo * (ambient + dot(upright, ambient_axis) * ambient_lean),
                    point_colour.a);
    float facing = dot(upright, towards_light);
    face_sun = albedo * max(facing, 0.0) * light;
#if MARKED
    point_mark = facing > 0.0 ? point_mark : turned(point_mark);
#endif
#if !SHADOWS
    face_dim.rgb = sqrt(face_dim.rgb + face_sun);
#endif
#endif
}
"""
