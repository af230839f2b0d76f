# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The shaders of vertices and of whole faces, and the formats of vertices."""

VERTEX_FORMAT = '3f4 3f4 2f4 4f1'
VERTEX_NAMES = ('position', 'normal', 'uv', 'colour')
INSTANCE_FORMAT = '4f4 4f4 4f4 4f4 2u2 1f4 1f4/i'
INSTANCE_NAMES = ('row0', 'row1', 'row2', 'tint', 'ids', 'glow', 'casts')

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
in float casts;  // 1 for what is in the map of shadows of the sun, else 0
"""

# directions and places are in the camera frame, light is linear
SUN = """
uniform vec3 towards_light;
uniform vec3 light;
uniform vec3 ambient;
uniform vec3 ambient_lean;
uniform vec3 ambient_axis;
"""

# what fragments get from vertices: how it is interpolated, and its type
_HANDED_ON = {
    'to_point': ('', 'vec3'), 'point_normal': ('', 'vec3'), 'point_uv': ('', 'vec2'),
    'point_colour': ('', 'vec4'), 'point_shadow': ('', 'vec3'),
    'face_dim': ('flat', 'vec4'),  # light in the shade of a plane face, and opacity
    'face_sun': ('flat', 'vec3'),  # light of the sun on it
    'point_ids': ('flat', 'uvec2'), 'point_glow': ('flat', 'float')}


def handed_on(direction: str, form: str = '{}') -> str:
    """
    Return the declarations of what fragments get from vertices.

    :param direction: 'in' or 'out'.
    :param form: of the names.
    """
    return ''.join(f'{how} {direction} {kind} {form.format(name)};\n'
                   for name, (how, kind) in _HANDED_ON.items())


VERTEX = INPUTS + SUN + handed_on('out') + """
uniform vec4 lens;  // clip x = lens.x x + lens.y z, clip y = lens.z y + lens.w z
uniform vec2 range;  // clip z = range.x z + range.y
uniform vec4 to_shadow[3];  // from the camera to the shadow map
uniform vec2 shadow_bias;  // of depth against shadows of a face on itself: least, and by its slope

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
    float incidence = dot(point_normal, towards_light) * inversesqrt(
        dot(point_normal, point_normal) + 1e-30);
    // what is not in the map has none, so that no light leaks in at the foot of walls
    point_shadow.z -= casts * (shadow_bias.x + shadow_bias.y * sqrt(
        1.0 / max(incidence * incidence, 0.01) - 1.0));
    point_ids = ids;
    point_glow = glow;
#if FLAT
    float side = FACES == ALL_FACES && dot(point_normal, point) > 0.0 ? -1.0 : 1.0;
    vec3 upright = side * inversesqrt(dot(point_normal, point_normal) + 1e-30) * point_normal;
    vec3 albedo = point_colour.rgb * point_colour.rgb;
    face_dim = vec4(albedo * (ambient + dot(upright, ambient_axis) * ambient_lean),
                    point_colour.a);
    float facing = dot(upright, towards_light);
    face_sun = albedo * max(facing, 0.0) * light;
#if FACES != ALL_FACES
    if ((facing > 0.0) != (FACES == SUNNY_FACES)) {
        gl_Position = vec4(0.0, 0.0, 0.0, 1.0);  // all corners are there, so nothing is drawn
    }
#endif
#if !SHADOWS
    face_dim.rgb = sqrt(face_dim.rgb + face_sun);
#endif
#endif
}
"""

# A graphics card moves vertices to 256ths of a pixel before it interpolates: on the ground 30 m
# away depths are off by 3 mm. So those of the layer are of the plane of each face. `CORNERS` are
# definitions for `VERTEX` in front of `FACE`.
CORNERS = tuple(f'{name} corner_{name}' for name in _HANDED_ON)
FACE = """
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
""" + handed_on('in', 'corner_{}[]') + handed_on('out') + """
flat out vec3 face_plane;  // its points p are those with dot(face_plane, p) = 1
flat out vec2 face_range;  // its least and greatest depth

void main() {
    vec3 a = corner_to_point[0], b = corner_to_point[1], c = corner_to_point[2];
    vec3 across = cross(b - a, c - a);
    for (int i = 0; i < 3; i++) {
        gl_Position = gl_in[i].gl_Position;
        face_plane = across / dot(across, a);
        face_range = vec2(min(a.z, min(b.z, c.z)), max(a.z, max(b.z, c.z)));
        to_point = corner_to_point[i];
        point_normal = corner_point_normal[i];
        point_uv = corner_point_uv[i];
        point_colour = corner_point_colour[i];
        point_shadow = corner_point_shadow[i];
        point_ids = corner_point_ids[i];
        point_glow = corner_point_glow[i];
#if FLAT
        face_dim = corner_face_dim[i];
        face_sun = corner_face_sun[i];
#endif
        EmitVertex();
    }
}
"""
