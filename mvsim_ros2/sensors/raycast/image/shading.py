# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Colours of the surfaces and the sky of a scene, for kernels."""

from collections.abc import Sequence
import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array, Numbers, Reals
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.scene.scene import HOLE, Mesh, Scene, Texture
from mvsim_ros2.sensors.raycast.opacity import uv_at
from mvsim_ros2.sensors.raycast.target import map_normal
from mvsim_ros2.world.spec.common import MaterialSpec

# columns of `Shading.faces`: for each corner normals and then texture coordinates
COLOUR, TEXTURE, DENSITY, NORMALS, UV, MATTER, BUMPS, DETAIL = 0, 4, 5, 6, 15, 21, 22, 23
_WIDTH = 27  # of details: texture or -1, texels per unit length, repetitions along u and v
STRENGTH, SHININESS, EMISSIVE = 0, 1, 2  # columns of `Shading.matter`
IMAGE, ALONG_U, ALONG_V, FINE = 0, 1, 4, 7  # columns of `Shading.bumps`
TINT, SCALE, GLOW = 0, 4, 5  # columns of `Shading.instances`
_FRONT, _BACK, _DOWN, _UP, _LEFT, _RIGHT = range(6)  # as `Lighting.sky`


class Shading(NamedTuple):
    """
    Materials of the faces, in the order of `Target.faces`.

    Kernels read the fields once: every access to a field of a tuple counts references.
    """

    faces: Reals  # (F, 27): colour and alpha, texture or -1, texels per unit length, ...
    instances: Array  # (N, 6): factors of colour and alpha, scale, whether it gives off light
    matter: Array  # (M, 5): strength and shininess of highlights, own light (linear)
    bumps: Array  # (B, 8): of faces with a normal map: its texture, gradients of u and v,
    # texels per unit length
    levels: Numbers  # (K, L, 3): offset in `texels`, height, width; height 0 after the last level
    texels: NDArray[np.uint8]  # (T, 4): textures with all mipmap levels, from v = 1 down


def shading_of(scene: Scene) -> Shading:
    """Return the materials of a scene."""
    materials = [material for mesh in scene.meshes for material in mesh.materials]
    textures = list({id(image): image for m in materials
                     for image in (m.texture, m.bumps, m.detail) if image}.values())
    matters = {look: i for i, look in enumerate(dict.fromkeys(
        _look(material.matter) for material in materials))}
    number = {id(texture): i for i, texture in enumerate(textures)}
    levels, texels = _mipmaps(textures)
    faces, bumps, count = [np.zeros((0, _WIDTH), np.float32)], [np.zeros((0, 8))], 0
    for mesh in scene.meshes:
        rows = np.empty((len(mesh.faces), _WIDTH), np.float32)
        texture = np.array([number.get(id(m.texture), -1) for m in mesh.materials], np.int32)
        colours = np.array([m.colour for m in mesh.materials]).reshape(-1, 4)
        rows[:, COLOUR:COLOUR + 4] = colours[mesh.face_material]
        rows[:, TEXTURE] = texture[mesh.face_material]
        rows[:, DENSITY] = _densities(mesh.vertices[mesh.faces], mesh.uv[mesh.faces],
                                      texture[mesh.face_material], levels)
        rows[:, NORMALS:UV] = mesh.normals[mesh.faces].reshape(-1, 9)
        rows[:, UV:MATTER] = mesh.uv[mesh.faces].reshape(-1, 6)
        rows[:, MATTER] = np.array(
            [matters[_look(m.matter)] for m in mesh.materials])[mesh.face_material]
        image = np.array([number.get(id(m.bumps), -1) for m in mesh.materials])[
            mesh.face_material]
        rows[:, BUMPS] = np.where(image >= 0, count + np.cumsum(image >= 0) - 1, -1)
        bumps.append(_slopes(mesh, image, levels))
        count += len(bumps[-1])
        detail = np.array([number.get(id(m.detail), -1) for m in mesh.materials], np.int32)
        scale = np.array([m.detail_scale for m in mesh.materials])[mesh.face_material]
        rows[:, DETAIL] = detail[mesh.face_material]
        rows[:, DETAIL + 1] = _densities(
            mesh.vertices[mesh.faces], mesh.uv[mesh.faces] * scale[:, None].astype(np.float32),
            detail[mesh.face_material], levels)
        rows[:, DETAIL + 2:] = scale
        faces.append(rows)
    instances = np.ones((len(scene.mesh), 6))
    instances[:, TINT:SCALE] = scene.colour
    instances[:, SCALE] = np.abs(np.linalg.det(scene.transform[:, :3, :3])) ** (1 / 3)
    return Shading(np.concatenate(faces), instances, np.array(list(matters)).reshape(-1, 5),
                   np.concatenate(bumps), levels, texels)


def _look(matter: MaterialSpec) -> tuple[float, ...]:
    """Return the row of a matter in `Shading.matter`."""
    own = matter.emissive or (0.0, 0.0, 0.0, 1.0)
    return (matter.specular, matter.shininess, *(part * part for part in own[:3]))


def _slopes(mesh: Mesh, image: NDArray[np.int64], levels: Numbers) -> Array:
    """Return the rows of `Shading.bumps` of a mesh; `image`: -1 for faces without one."""
    on = np.flatnonzero(image >= 0)
    rows = np.zeros((len(on), 8))
    if len(on):
        a, b, c = np.moveaxis(mesh.vertices[mesh.faces[on]], 1, 0)
        uv = mesh.uv[mesh.faces[on]].astype(float)
        normal = np.cross(b - a, c - a)
        square = np.maximum((normal * normal).sum(axis=1), 1e-30)[:, None]
        first, second = np.cross(c - a, normal) / square, np.cross(normal, b - a) / square
        rows[:, IMAGE] = image[on]
        rows[:, FINE] = _densities(mesh.vertices[mesh.faces[on]], mesh.uv[mesh.faces[on]],
                                   image[on].astype(np.int32), levels)
        for k, place in ((0, ALONG_U), (1, ALONG_V)):
            rows[:, place:place + 3] = (first * (uv[:, 1, k] - uv[:, 0, k])[:, None]
                                        + second * (uv[:, 2, k] - uv[:, 0, k])[:, None])
    return rows


def _densities(points: Array, uv: Reals, texture: NDArray[np.int32], levels: Numbers) -> Reals:
    """Return the texels per unit length of the mesh, from the areas of faces."""
    density = np.zeros(len(points), np.float32)
    on = np.flatnonzero(texture >= 0)
    if len(on):
        a, b, c = np.moveaxis(points[on], 1, 0)
        area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
        a, b, c = np.moveaxis(uv[on].astype(float), 1, 0)
        (x1, y1), (x2, y2) = (b - a).T, (c - a).T
        share = np.abs(x1 * y2 - y1 * x2)
        size = levels[texture[on], 0, 1] * levels[texture[on], 0, 2]
        density[on] = np.sqrt(share * size / np.maximum(area, 1e-12))
    return density


def _mipmaps(textures: Sequence[Texture]) -> tuple[Numbers, NDArray[np.uint8]]:
    """Return `Shading.levels` and `Shading.texels`."""
    images, places, place = [np.zeros((1, 4), np.uint8)], [], 1
    for texture in textures:
        pixels, rows = texture.pixels, []
        while True:
            height, width = pixels.shape[:2]
            rows.append((place, height, width))
            images.append(pixels.reshape(-1, 4))
            place += height * width
            if height == width == 1:
                break
            down, across = max(height // 2, 1), max(width // 2, 1)
            blocks = pixels[:down * (height // down), :across * (width // across)].reshape(
                down, height // down, across, width // across, 4)
            pixels = np.round(blocks.mean(axis=(1, 3))).astype(np.uint8)
        places.append(rows)
    levels = np.zeros((len(places), max(map(len, places), default=1), 3), np.int64)
    for row, filled in zip(levels, places):
        row[:len(filled)] = filled
    return levels, np.concatenate(images)


@compiled(counted=False)
def sample_texture(levels: Numbers, texels: NDArray[np.uint8], texture: int, level: int, u: float,
                   v: float) -> tuple[float, float, float, float]:
    """
    Return colour and alpha of a texture, bilinear between the four nearest texels.

    :param levels: see `Shading`, as `texels`; u and v repeat after 1.
    """
    place, height, width = (
        levels[texture, level, 0], levels[texture, level, 1], levels[texture, level, 2])
    x = (u - math.floor(u)) * width - 0.5
    y = (1.0 - (v - math.floor(v))) * height - 0.5
    left, top = int(math.floor(x)), int(math.floor(y))
    across, down = (x - left) / 255.0, y - top
    x0, x1 = left % width, (left + 1) % width
    y0, y1 = place + top % height * width, place + (top + 1) % height * width
    ka, kb = (1.0 - down) * (1.0 / 255.0 - across), (1.0 - down) * across
    kc, kd = down * (1.0 / 255.0 - across), down * across
    a, b, c, d = y0 + x0, y0 + x1, y1 + x0, y1 + x1
    return (
        ka * texels[a, 0] + kb * texels[b, 0] + kc * texels[c, 0] + kd * texels[d, 0],
        ka * texels[a, 1] + kb * texels[b, 1] + kc * texels[c, 1] + kd * texels[d, 1],
        ka * texels[a, 2] + kb * texels[b, 2] + kc * texels[c, 2] + kd * texels[d, 2],
        ka * texels[a, 3] + kb * texels[b, 3] + kc * texels[c, 3] + kd * texels[d, 3])


@compiled(counted=False)
def _texel(levels: Numbers, texels: NDArray[np.uint8], texture: int, u: float, v: float,
           size: float) -> tuple[float, float, float, float]:
    """Return colour and alpha of a texture for a pixel of so many texels, as OpenGL does."""
    level = 0
    while size > 2.0 and level + 1 < levels.shape[1] and levels[texture, level + 1, 1] > 0:
        size *= 0.5
        level += 1
    fine = sample_texture(levels, texels, texture, level, u, v)
    if size <= 1.0 or level + 1 >= levels.shape[1] or levels[texture, level + 1, 1] == 0:
        return fine
    coarse = sample_texture(levels, texels, texture, level + 1, u, v)
    share = min(math.log2(size), 1.0)
    return (fine[0] + share * (coarse[0] - fine[0]), fine[1] + share * (coarse[1] - fine[1]),
            fine[2] + share * (coarse[2] - fine[2]), fine[3] + share * (coarse[3] - fine[3]))


@compiled(counted=False)
def colour_at(
        faces: Reals, instances: Array, levels: Numbers, texels: NDArray[np.uint8],
        instance: int, row: int, second: float, third: float,
        reach: float) -> tuple[float, float, float, float]:
    """
    Return colour and opacity of a surface, 0 where its texture has a hole.

    :param faces: see `Shading`, as the three that follow.
    :param row: index among all faces.
    :param second: weight of the second corner, as `third`.
    :param reach: length of a pixel on the surface [m].
    """
    red = faces[row, 0] * instances[instance, 0]
    green = faces[row, 1] * instances[instance, 1]
    blue = faces[row, 2] * instances[instance, 2]
    alpha = faces[row, 3] * instances[instance, 3]
    texture = int(faces[row, TEXTURE])
    if texture >= 0:
        u, v = uv_at(faces, row, UV, second, third)
        texel = _texel(levels, texels, texture, u, v,
                       reach * faces[row, DENSITY] / instances[instance, SCALE])
        red, green, blue = red * texel[0], green * texel[1], blue * texel[2]
        if texel[3] < HOLE:
            alpha = 0.0
    detail = int(faces[row, DETAIL])
    if detail >= 0:
        u, v = uv_at(faces, row, UV, second, third)
        texel = _texel(levels, texels, detail, faces[row, DETAIL + 2] * u,
                       faces[row, DETAIL + 3] * v,
                       reach * faces[row, DETAIL + 1] / instances[instance, SCALE])
        red, green, blue = 2.0 * red * texel[0], 2.0 * green * texel[1], 2.0 * blue * texel[2]
    return red, green, blue, alpha


@compiled(counted=False)
def bumped(
        faces: Reals, instances: Array, bumps: Array, levels: Numbers,
        texels: NDArray[np.uint8], inverse: Array, instance: int, row: int, second: float,
        third: float, reach: float, face: tuple[float, float, float],
        normal: tuple[float, float, float]) -> tuple[float, float, float]:
    """
    Return the unit normal of a surface with a normal map, in the world.

    :param faces: see `Shading`, as `instances` to `texels`; the rest as of `colour_at`.
    :param inverse: from the world to the mesh, shape (N, 3, 4).
    :param face: unit normal of the face, in the world.
    :param normal: normal of the surface without the map.
    """
    bump = int(faces[row, BUMPS])
    across, along = uv_at(faces, row, UV, second, third)
    texel = _texel(levels, texels, int(bumps[bump, IMAGE]), across, along,
                   reach * bumps[bump, FINE] / instances[instance, SCALE])
    right, up, out = 2.0 * texel[0] - 1.0, 2.0 * texel[1] - 1.0, 2.0 * texel[2] - 1.0
    u = _within(inverse, instance, bumps, bump, ALONG_U, face)
    v = _within(inverse, instance, bumps, bump, ALONG_V, face)
    longest = max(u[0] * u[0] + u[1] * u[1] + u[2] * u[2],
                  v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    part = 1.0 / math.sqrt(max(longest, 1e-30))
    x = part * (u[0] * right + v[0] * up) + normal[0] * out
    y = part * (u[1] * right + v[1] * up) + normal[1] * out
    z = part * (u[2] * right + v[2] * up) + normal[2] * out
    scale = 1.0 / math.sqrt(x * x + y * y + z * z + 1e-30)
    return scale * x, scale * y, scale * z


@compiled(counted=False)
def _within(inverse: Array, instance: int, bumps: Array, bump: int, at: int,
            face: tuple[float, float, float]) -> tuple[float, float, float]:
    """Return a gradient of `Shading.bumps` in the world, within the plane of its face."""
    x, y, z = map_normal(
        inverse[instance], bumps[bump, at], bumps[bump, at + 1], bumps[bump, at + 2])
    out = x * face[0] + y * face[1] + z * face[2]
    return x - out * face[0], y - out * face[1], z - out * face[2]


@compiled(counted=False)
def add_sky(sky: NDArray[np.uint8], x: float, y: float, z: float, share: float,
            sums: Array, at: int, linear: bool) -> None:
    """
    Add a share of the colour of the sky in a direction of the world.

    :param sky: faces, see `Lighting.sky`.
    :param sums: 0 to 255, shape (N, 3).
    :param linear: add the light of the colour, its square.
    """
    ahead, aside, high = abs(x), abs(y), abs(z)
    if ahead >= aside and ahead >= high:
        face = _FRONT if x > 0.0 else _BACK
        right, down, depth = -y if x > 0.0 else y, -z, ahead
    elif high >= aside:
        face = _UP if z > 0.0 else _DOWN
        right, down, depth = -y, x if z > 0.0 else -x, high
    else:
        face = _LEFT if y > 0.0 else _RIGHT
        right, down, depth = x if y > 0.0 else -x, -z, aside
    size = sky.shape[1]
    u = min(max((0.5 + 0.5 * right / depth) * size - 0.5, 0.0), size - 1.0)
    v = min(max((0.5 + 0.5 * down / depth) * size - 0.5, 0.0), size - 1.0)
    column, row = int(u), int(v)
    next_column, next_row = min(column + 1, size - 1), min(row + 1, size - 1)
    u, v = u - column, v - row
    for i in range(3):
        above = (1.0 - u) * sky[face, row, column, i] + u * sky[face, row, next_column, i]
        below = ((1.0 - u) * sky[face, next_row, column, i]
                 + u * sky[face, next_row, next_column, i])
        value = (1.0 - v) * above + v * below
        sums[at, i] += share * (value * value / 255.0 if linear else value)
