# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Shader programs of image rendering.

Lighting approximates the encoding of sRGB by a square root: the encoded albedo times the root of
the light, within 0.03 of the exact curve.
"""

from typing import Any, NamedTuple

import numpy as np

from mvsim_ros2.scene.lamps import MOST
from mvsim_ros2.sensors.opengl.vertex_shader import CORNERS, FACE, handed_on, SUN, VERTEX
from mvsim_ros2.sensors.raycast.opacity import FULL

MOST_TILES = 6 * MOST  # of shadow maps of lamps
ALL_FACES, SUNNY_FACES, TURNED_FACES = range(3)  # which a program draws

_FRAGMENT = SUN + handed_on('in') + """
uniform vec3 light_specular;
uniform vec3 air;
uniform float extinction;
uniform vec2 specular;  // strength and shininess of the material
uniform vec3 emissive;
uniform int lamp_count;
uniform vec4 lamp_place[MOST_LAMPS];  // and range
uniform vec4 lamp_axis[MOST_LAMPS];  // and cosine of the inner cone
uniform vec4 lamp_diffuse[MOST_LAMPS];  // and cosine of the outer cone
uniform vec4 lamp_specular[MOST_LAMPS];  // and first tile of shadows, -1 for none
uniform vec3 lamp_fall[MOST_LAMPS];
uniform sampler2D image;
uniform sampler2D bumps;
uniform sampler2D detail;
uniform vec2 detail_scale;
uniform sampler2DShadow shadow;
uniform sampler2DShadow whole_shadow;
uniform vec4 to_whole;  // from the one to the other
uniform sampler2D openness;  // and place in the camera frame, see `raycast.image.openness`
uniform vec2 open_last;  // column and row of the last pixel
uniform vec3 open_grid;  // spacing, flatness, least weight
#ifdef DEPTH
flat in vec3 face_plane;
flat in vec2 face_range;
uniform vec4 pixel_look;  // direction of a pixel: pixel_look.xy * its centre + pixel_look.zw, 1
#endif

#ifdef COLOUR

#if OCCLUSION
// share of the ambient light that things nearby leave to a pixel
float open_share() {
    vec3 face = normalize(cross(dFdx(to_point), dFdy(to_point)));
    vec2 at = gl_FragCoord.xy - 0.5;
    vec2 first = floor(at / open_grid.x);
    vec2 wide = min(vec2(open_grid.x), open_last - open_grid.x * first);
    vec2 part = (at - open_grid.x * first) / max(wide, vec2(1.0));
    ivec2 near = ivec2(first);
    ivec2 end = textureSize(openness, 0) - 1;
    float thick = 1.0 / (open_grid.y * length(to_point) + 1e-9);
    float total = 0.0, weights = 0.0;
    for (int k = 0; k < 4; k++) {
        ivec2 step = ivec2(k % 2, k / 2);
        vec4 known = texelFetch(openness, min(near + step, end), 0);
        float flatness = max(0.0, 1.0 - abs(dot(face, known.yzw - to_point)) * thick);
        vec2 share = mix(1.0 - part, part, vec2(step));
        float weight = share.x * share.y * (flatness + open_grid.z);
        weights += weight;
        total += weight * known.x;
    }
    return total / weights;
}
#endif

#if SHADOWS
// share of the light of the sun
float sunlit(vec3 place) {
#if COVERAGE && CARD
    // a tent of three texels, by four filtered samples: I. Castano, Shadow mapping summary, 2013
    vec2 size = vec2(textureSize(shadow, 0));
    vec2 at = place.xy * size;
    vec2 base = floor(at + 0.5) - 0.5;
    vec2 part = at - base;  // 0 to 1 beyond the texel's middle
    vec2 one = 3.0 - 2.0 * part;
    vec2 two = 1.0 + 2.0 * part;
    vec2 left = (base + (2.0 - part) / one - 1.0) / size;
    vec2 right = (base + part / two + 1.0) / size;
    return (one.x * one.y * texture(shadow, vec3(left, place.z))
          + two.x * one.y * texture(shadow, vec3(right.x, left.y, place.z))
          + one.x * two.y * texture(shadow, vec3(left.x, right.y, place.z))
          + two.x * two.y * texture(shadow, vec3(right, place.z))) / 16.0;
#else
    return texture(shadow, place);
#endif
}

// the same, for places beyond the map too
float sunlit_anywhere(vec3 place) {
    if (clamp(place, 0.0, 1.0) == place) {
        return sunlit(place);
    }
#if FAR_SHADOWS
    place = vec3(to_whole.x * place.xy + to_whole.yz, place.z + to_whole.w);
    return clamp(place, 0.0, 1.0) == place ? texture(whole_shadow, place) : 1.0;
#else
    return 1.0;
#endif
}
#endif

#if LAMP_SHADOWS
uniform mat3 tile_frame[MOST_TILES];  // from the camera to the tiles of the maps
uniform vec3 lamp_tiles[MOST_LAMPS];  // first tile, number of tiles, focal length
uniform vec2 tile_depth;
uniform int tiles_aside;
uniform float tile_margin;
uniform sampler2DShadow lamp_shadow;

// share of the light of a lamp
float lamplit(int lamp, vec3 way, float far) {
    int first = int(lamp_tiles[lamp].x);
    int count = int(lamp_tiles[lamp].y);
    vec3 place = vec3(0.0);
    int tile = first;
    for (int k = 0; k < count; k++) {
        vec3 other = tile_frame[first + k] * (-far * way);
        tile = other.z > place.z ? first + k : tile;
        place = other.z > place.z ? other : place;
    }
    if (place.z <= 0.0) {
        return 1.0;
    }
    vec2 at = clamp(0.5 + 0.5 * lamp_tiles[lamp].z * place.xy / place.z, tile_margin,
                    1.0 - tile_margin);
    vec2 corner = vec2(float(tile % tiles_aside), float(tile / tiles_aside));
    float ahead = 0.998 * place.z - 0.002;
    return texture(lamp_shadow, vec3((corner + at) / float(tiles_aside),
                                     tile_depth.x + tile_depth.y / ahead));
}
#endif

#if BUMPS
// the normal map on a surface whose outer normal is `normal`
vec3 bumped(vec3 normal) {
    vec3 right = dFdx(to_point), down = dFdy(to_point);
    vec2 across = dFdx(point_uv), along = dFdy(point_uv);
    vec3 face = cross(right, down);
    // gradients of u and v within the face
    vec3 u = cross(down, face) * across.x + cross(face, right) * along.x;
    vec3 v = cross(down, face) * across.y + cross(face, right) * along.y;
    float longest = max(dot(u, u), dot(v, v));
    vec3 bump = texture(bumps, point_uv).xyz * 2.0 - 1.0;
    return normalize((u * bump.x + v * bump.y) * inversesqrt(max(longest, 1e-30))
                     + normal * bump.z);
}
#endif

// light of highlights on a surface, from a direction
float shine(vec3 normal, vec3 towards) {
    vec3 middle = normalize(towards - normalize(to_point));
    return specular.x * pow(max(dot(normal, middle), 0.0), specular.y);
}
#endif

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
#if DETAIL && defined(COLOUR)
    vec3 fine = 2.0 * texture(detail, detail_scale * point_uv).rgb;
    albedo.rgb *= fine;
#endif
#if defined(COLOUR) && FLAT
#if SHADOWS
    float lit = sunlit_anywhere(point_shadow);
    colour = vec4(sqrt(face_dim.rgb + lit * face_sun), face_dim.a);
#else
    colour = face_dim;
#endif
#if TEXTURED
    colour.rgb *= texture(image, point_uv).rgb;
#endif
#if DETAIL
    colour.rgb *= fine;
#endif
#elif defined(COLOUR)
    // the side that is seen is the one that is lit
    float side = dot(point_normal, to_point) > 0.0 ? -1.0 : 1.0;
    float unit = inversesqrt(dot(point_normal, point_normal) + 1e-30);
#if BUMPS
    vec3 normal = side * bumped(unit * point_normal);
    float slope = dot(normal, towards_light);
    float lean = dot(normal, ambient_axis);
#else
    float slope = side * unit * dot(point_normal, towards_light);
    float lean = side * unit * dot(point_normal, ambient_axis);
#if MATTER || LAMPS
    vec3 normal = side * unit * point_normal;
#endif
#endif
    float lit = slope > 0.0 ? 1.0 : 0.0;
#if SHADOWS
    if (lit > 0.0) {
        lit = sunlit_anywhere(point_shadow);
    }
#endif
    vec3 gathered = ambient + lean * ambient_lean;
#if OCCLUSION
    gathered *= open_share();
#endif
    gathered += lit * slope * light;
#if MATTER
    vec3 mirrored = emissive * point_glow + lit * shine(normal, towards_light) * light_specular;
#endif
#if LAMPS
    for (int i = 0; i < lamp_count; i++) {
        vec3 way = lamp_place[i].xyz - to_point;
        float far = length(way);
        way /= max(far, 1e-6);
        slope = dot(normal, way);
        if (slope <= 0.0) {
            continue;
        }
        float share = 1.0 / dot(lamp_fall[i], vec3(1.0, far, far * far));
        if (lamp_place[i].w > 0.0) {
            float reach = min(far / lamp_place[i].w, 1.0);
            reach *= reach;
            reach = 1.0 - reach * reach;
            share *= reach * reach;
        }
        share *= clamp((-dot(way, lamp_axis[i].xyz) - lamp_diffuse[i].w)
                       / (lamp_axis[i].w - lamp_diffuse[i].w), 0.0, 1.0);
        if (share <= 0.0) {
            continue;
        }
#if LAMP_SHADOWS
        share *= lamplit(i, way, far);
#endif
        gathered += share * slope * lamp_diffuse[i].rgb;
#if MATTER
        mirrored += share * shine(normal, way) * lamp_specular[i].rgb;
#endif
    }
#endif
#if MATTER || WEATHER
    vec3 seen = albedo.rgb * albedo.rgb * gathered;
#if MATTER
    seen += mirrored;
#endif
#if WEATHER
    // Koschmieder, Theorie der horizontalen Sichtweite, 1924
#if !HDR
    seen = min(seen, vec3(1.0));
#endif
    seen = mix(air, seen, exp(-extinction * length(to_point)));
#endif
    colour = vec4(sqrt(seen), point_colour.a);
#else
    colour = vec4(albedo.rgb * sqrt(gathered), point_colour.a);
#endif
#endif
#if defined(COLOUR) && COVERAGE && HOLES
    colour.a *= share;
#endif
#if defined(COLOUR) && HDR
    colour.rgb *= colour.rgb;
#endif
#ifdef DEPTH
    vec3 look = vec3(pixel_look.xy * gl_FragCoord.xy + pixel_look.zw, 1.0);
    depth = clamp(1.0 / dot(face_plane, look), face_range.x, face_range.y);
#endif
#ifdef NORMALS
    vec3 upright = normalize(cross(dFdx(to_point), dFdy(to_point)));
    normals = vec4(dot(upright, to_point) > 0.0 ? -upright : upright, 1.0);
#endif
#ifdef IDS
    ids = point_ids;
#endif
}
"""

_OUTPUT = {'colour': 'vec4 colour', 'depth': 'float depth', 'ids': 'uvec2 ids',
           'normals': 'vec4 normals'}


class Surface(NamedTuple):
    """The options of a program that draws surfaces."""

    textured: bool
    holes: bool  # the textures have transparent pixels
    bumps: bool  # there are normal maps
    detail: bool  # there are details of the ground
    matter: bool  # some light is mirrored or given off
    flat: bool  # faces are plane, and each has one light but for shadows
    faces: int  # of plane ones that are closed: all, those towards the sun, or the others


class Light(NamedTuple):
    """Lights in addition to the sun, and the content of the air."""

    shadows: bool  # of the sun
    far_shadows: bool  # in two maps: software OpenGL looks into both for each pixel
    lamps: bool
    lamp_shadows: bool
    weather: bool
    occlusion: bool  # of ambient light
    hdr: bool  # drawn as light in place of colours


def surface_program(context: Any, layers: tuple[str, ...], surface: Surface, light: Light,
                    coverage: bool, card: bool) -> Any:
    """
    Return the program that draws surfaces into some layers, in their order.

    :param coverage: the alpha of what has holes is the share of the pixel that it covers.
    :param card: there is a graphics card, which has time for shadows with softer borders.
    """
    # faces that look away from the sun are in no shadow
    light = light._replace(shadows=light.shadows and surface.faces != TURNED_FACES)
    switches = {name.upper(): switch for name, switch in (
        surface._asdict() | light._asdict() | {'coverage': coverage, 'card': card}).items()}
    pixels = with_switches(outputs(layers) + _FRAGMENT, *map(str.upper, layers), **switches)
    if 'depth' in layers:
        return context.program(with_switches(VERTEX, *CORNERS, **switches), pixels,
                               with_switches(FACE, **switches))
    return context.program(with_switches(VERTEX, **switches), pixels)


def set_uniforms(program: Any, uniforms: dict[str, Any]) -> None:
    """Set the uniforms that a program has."""
    for name, value in uniforms.items():
        uniform = program.get(name, None)  # `in` looks at one name after the other
        if uniform is None:
            continue
        if isinstance(value, int):
            uniform.value = value
        else:
            uniform.write(value.astype(np.float32))


def outputs(layers: tuple[str, ...]) -> str:
    """Return the declarations of the outputs of a fragment shader."""
    return ''.join(f'layout(location={i}) out {_OUTPUT[layer]};\n'
                   for i, layer in enumerate(layers))


def with_switches(source: str, *names: str, **switches: int) -> str:
    """Return the source of a shader after its version and definitions."""
    lines = ['#version 330', f'#define MOST_LAMPS {MOST}', f'#define MOST_TILES {MOST_TILES}',
             f'#define FULL {FULL}',
             f'#define ALL_FACES {ALL_FACES}', f'#define SUNNY_FACES {SUNNY_FACES}',
             *(f'#define {name}' for name in names),
             *(f'#define {name} {int(switch)}' for name, switch in switches.items())]
    return '\n'.join(lines) + '\n' + source
