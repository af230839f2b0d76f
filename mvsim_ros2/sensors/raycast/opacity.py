# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
How much surfaces hide of what is behind them.

One rule for all sensors. Where the texture of a surface has an alpha below one half there is a
hole. Elsewhere its opacity is the alpha of its colour: of the material times that of the instance.
A sensor for which a surface is not there goes on to the next.
"""

from collections.abc import Callable
import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array, Numbers, Reals
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.scene.scene import HOLE, Material, Scene, Texture
from mvsim_ros2.sensors.raycast import ray_block as column
from mvsim_ros2.sensors.raycast.query import find
from mvsim_ros2.sensors.raycast.ray_block import Beyond, Block
from mvsim_ros2.sensors.raycast.target import Target

LAYERS = 16  # surfaces that a ray passes at most
ANYTHING = 0.004  # opacity of what can be seen at all
FULL = 0.996  # opacity from which nothing behind is seen
SOLID = 0.5  # opacity from which a surface has a depth and a shadow
_PAST = 1e-5  # by which a ray goes on behind a surface, of the distance and of 1 m
_ALPHA, _PASSED, MASK, _UV = 0, 1, 2, 3  # columns of `Opacity.faces`


class Opacity(NamedTuple):
    """Opacities of the faces of a scene, in the order of `Target.faces`; none if all are full."""

    faces: Reals  # (F, 9): of the material; share of LiDAR light passed, or -1; texture or -1, uv
    instances: Reals  # (N,): factor of the opacity
    sizes: Numbers  # (T, 3): first pixel of a texture, height, width
    alpha: NDArray[np.uint8]  # (M,): alpha of the pixels of all textures, from v = 1 down


def opacity_of(scene: Scene) -> Opacity:
    """Return the opacities of a scene."""
    materials = [material for mesh in scene.meshes for material in mesh.materials]
    textures = list({id(m.texture): m.texture for m in materials
                     if m.texture and m.texture.has_holes}.values())
    number = {id(texture): i for i, texture in enumerate(textures)}
    alpha = np.concatenate([np.zeros(0, np.uint8), *(
        each.pixels[..., 3].ravel() for each in textures)])
    if not textures and (scene.colour[:, 3] >= FULL).all() and all(
            m.colour[3] >= FULL and not m.transmittance and not m.matter.mirror
            for m in materials):
        return Opacity(np.zeros((0, 9), np.float32), np.zeros(0, np.float32),
                       np.zeros((0, 3), np.int64), alpha)
    return Opacity(
        rows_of_faces(scene, lambda m: (
            m.colour[3], -1.0 if m.transmittance is None else m.transmittance,
            number.get(id(m.texture), -1))),
        scene.colour[:, 3].astype(np.float32), sizes_of(textures), alpha)


def sizes_of(textures: list[Texture]) -> Numbers:
    """Return first pixel, height and width of textures one after the other, shape (T, 3)."""
    sizes = np.array([each.pixels.shape[:2] for each in textures], np.int64).reshape(-1, 2)
    return np.column_stack([np.cumsum([0, *sizes.prod(axis=1)])[:-1], sizes])


def rows_of_faces(scene: Scene, look: Callable[[Material], tuple[float, float, float]]) -> Reals:
    """Return three numbers of the material of each face, and uv of its corners, shape (F, 9)."""
    return np.concatenate([np.concatenate(
        [np.array([look(m) for m in mesh.materials], np.float32).reshape(-1, 3)[
            mesh.face_material], mesh.uv[mesh.faces].reshape(-1, 6)], axis=1)
        for mesh in scene.meshes])


@compiled(inlined=True)
def uv_at(faces: Reals, row: int, at: int, second: float, third: float) -> tuple[float, float]:
    """Return the texture coordinates of a place on a face; corners have theirs from `at` on."""
    first = 1.0 - second - third
    return (first * faces[row, at] + second * faces[row, at + 2] + third * faces[row, at + 4],
            first * faces[row, at + 1] + second * faces[row, at + 3] + third * faces[row, at + 5])


@compiled(counted=False)
def opacity_at(faces: Reals, instances: Reals, sizes: Numbers, alpha: NDArray[np.uint8],
               instance: int, row: int, second: float, third: float) -> tuple[float, float]:
    """
    Return the opacity of a surface, and the share of the light of a LiDAR that passes it.

    :param faces: see `Opacity`, as the three that follow.
    :param second: weight of the second corner, as `third`.
    """
    opacity = faces[row, _ALPHA] * instances[instance]
    texture = int(faces[row, MASK])
    if texture >= 0:
        u, v = uv_at(faces, row, _UV, second, third)
        place, height, width = sizes[texture, 0], sizes[texture, 1], sizes[texture, 2]
        x = (u - math.floor(u)) * width - 0.5
        y = (1.0 - (v - math.floor(v))) * height - 0.5
        left, top = int(math.floor(x)), int(math.floor(y))
        across, down = x - left, y - top
        x0, x1 = left % width, (left + 1) % width
        y0, y1 = place + top % height * width, place + (top + 1) % height * width
        mask = ((1.0 - down) * ((1.0 - across) * alpha[y0 + x0] + across * alpha[y0 + x1])
                + down * ((1.0 - across) * alpha[y1 + x0] + across * alpha[y1 + x1]))
        if mask < 255.0 * HOLE:
            return 0.0, 1.0
    if opacity < ANYTHING:
        return 0.0, 1.0
    passed = faces[row, _PASSED]
    return opacity, (1.0 - opacity if passed < 0.0 else passed)


@compiled(inlined=True)
def go_on(rays: Array, n: int, distance: float, to: Array, k: int) -> float:
    """Fill in row `k` of `to`: ray `n` from behind a surface on; return what it has gone."""
    further = distance + _PAST * (1.0 + distance)
    for i in range(3):
        to[k, column.OX + i] = rays[n, column.OX + i] + further * rays[n, column.DX + i]
        to[k, column.DX + i] = rays[n, column.DX + i]
    to[k, column.TIME] = rays[n, column.TIME]
    return further


@compiled(counted=False)
def find_opaque(target: Target, opacity: Opacity, block: Block, beyond: Beyond, count: int,
                nearest: float, farthest: float, mask: int, least: float, coherent: bool) -> None:
    """Fill in the closest hits whose opacity is at least `least`; parameters as of `find`."""
    find(target, block, count, nearest, farthest, mask, coherent)
    faces, instances, sizes, alpha = opacity
    if faces.shape[0] == 0:
        return
    hits, found = block.hits, block.found
    rays, met, what = block.rays, hits, found  # of the present cast
    on, number, travelled = beyond.block.rays, beyond.number, beyond.travelled
    first_face = target.first_face
    for n in range(count):
        number[n], travelled[n] = n, 0.0
    left = count
    for layer in range(1 + LAYERS):
        if left == 0:
            break
        if layer > 0:
            find(target, beyond.block, left, 0.0, farthest, mask, False)
            rays, met, what = on, beyond.block.hits, beyond.block.found
        going, left = left, 0
        for k in range(going):
            instance = what[k, column.INSTANCE]
            if instance < 0:
                continue
            distance, n = met[k, column.DISTANCE], number[k]
            if opacity_at(faces, instances, sizes, alpha, instance,
                          first_face[instance] + what[k, column.FACE],
                          met[k, column.WEIGHT_1], met[k, column.WEIGHT_2])[0] < least:
                if layer == 0:
                    found[n, column.INSTANCE] = found[n, column.FACE] = -1
                travelled[left] = travelled[k] + go_on(rays, k, distance, on, left)
                number[left] = n
                left += 1
            elif layer > 0 and travelled[k] + distance <= farthest:
                for i in range(6):
                    hits[n, i] = met[k, i]
                hits[n, column.DISTANCE] = travelled[k] + distance
                found[n, column.INSTANCE] = instance
                found[n, column.FACE] = what[k, column.FACE]
