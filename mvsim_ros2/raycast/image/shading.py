# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Colours of the surfaces and the sky of a scene, for kernels."""

from collections.abc import Sequence
import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.scene.scene import HOLE
from mvsim_ros2.scene.scene import Scene
from mvsim_ros2.scene.scene import Texture

Array = NDArray[np.float64]
Reals = NDArray[np.float32]
Numbers = NDArray[np.int64]

# columns of `Shading.faces`: for each corner normals and then texture coordinates
COLOUR, TEXTURE, DENSITY, NORMALS, UV = 0, 4, 5, 6, 15
TINT, SCALE = 0, 4  # columns of `Shading.instances`
_FRONT, _BACK, _DOWN, _UP, _LEFT, _RIGHT = range(6)  # as `Lighting.sky`


class Shading(NamedTuple):
    """
    Materials of the faces, in the order of `Target.faces`.

    Kernels read the fields once: every access to a field of a tuple counts references.
    """

    faces: Reals  # (F, 21): colour and alpha, texture or -1, texels per unit length, ...
    instances: Array  # (N, 5): factors of colour and alpha, scale
    levels: Numbers  # (K, L, 3): offset in `texels`, height, width; height 0 after the last level
    texels: NDArray[np.uint8]  # (T, 4): textures with all mipmap levels, from v = 1 down


def shading_of(scene: Scene) -> Shading:
    """Return the materials of a scene."""
    materials = [material for mesh in scene.meshes for material in mesh.materials]
    textures = list({id(m.texture): m.texture for m in materials if m.texture}.values())
    number = {id(texture): i for i, texture in enumerate(textures)}
    levels, texels = _mipmaps(textures)
    faces = [np.zeros((0, 21), np.float32)]
    for mesh in scene.meshes:
        rows = np.empty((len(mesh.faces), 21), np.float32)
        texture = np.array([number.get(id(m.texture), -1) for m in mesh.materials], np.int32)
        colours = np.array([m.colour for m in mesh.materials]).reshape(-1, 4)
        rows[:, COLOUR:COLOUR + 4] = colours[mesh.face_material]
        rows[:, TEXTURE] = texture[mesh.face_material]
        rows[:, DENSITY] = _densities(mesh.vertices[mesh.faces], mesh.uv[mesh.faces],
                                      texture[mesh.face_material], levels)
        rows[:, NORMALS:UV] = mesh.normals[mesh.faces].reshape(-1, 9)
        rows[:, UV:] = mesh.uv[mesh.faces].reshape(-1, 6)
        faces.append(rows)
    instances = np.empty((len(scene.mesh), 5))
    instances[:, TINT:SCALE] = scene.colour
    instances[:, SCALE] = np.abs(np.linalg.det(scene.transform[:, :3, :3])) ** (1 / 3)
    return Shading(np.concatenate(faces), instances, levels, texels)


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


@compiled(inner=True)
def sample_texture(levels: Numbers, texels: NDArray[np.uint8], texture: int, level: int, u: float,
                   v: float) -> tuple[float, float, float, float]:
    """
    Return colour and alpha of a texture, bilinear between the four nearest texels.

    :param levels: see `Shading`, as `texels`.
    :param u: texture coordinates, which repeat after 1; as `v`.
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


@compiled(inner=True)
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
        first = 1.0 - second - third
        u = first * faces[row, UV] + second * faces[row, UV + 2] + third * faces[row, UV + 4]
        v = first * faces[row, UV + 1] + second * faces[row, UV + 3] + third * faces[row, UV + 5]
        size = reach * faces[row, DENSITY] / instances[instance, SCALE]
        level = 0
        while (size > 1.5 and level + 1 < levels.shape[1]
               and levels[texture, level + 1, 1] > 0):
            size *= 0.5
            level += 1
        texel = sample_texture(levels, texels, texture, level, u, v)
        red, green, blue = red * texel[0], green * texel[1], blue * texel[2]
        if texel[3] < HOLE:
            alpha = 0.0
    return red, green, blue, alpha


@compiled(inner=True)
def add_sky(sky: NDArray[np.uint8], x: float, y: float, z: float, share: float,
            sums: Array, at: int) -> None:
    """
    Add a share of the colour of the sky in a direction of the world.

    :param sky: faces, see `Lighting.sky`.
    :param sums: 0 to 255, shape (N, 3).
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
        sums[at, i] += share * ((1.0 - v) * above + v * below)
