# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
How surfaces reflect the light of a LiDAR: evenly, as mirrors and as retroreflectors.

Strengths of echoes are those of a white surface that scatters evenly and faces the sensor:
reflectivity times cosine for one that does so (Lambert).

A mirror throws on the share m + (1 - m) (1 - cosine)^5 (Schlick, An inexpensive BRDF model for
physically-based rendering, Computer Graphics Forum 13, 1994); what is left is scattered. It
returns light if twice the angle of incidence is within the half divergence h of the beam. A mirror
at a distance r spreads it over the radius 2 r h, an even surface over pi r^2, so the strength is m
/ (4 h^2).

A retroreflector of the coefficient R_A (luminous intensity per lux and m^2, CIE 54.2:2001) has the
strength pi R_A / cosine. An even surface has R_A = reflectivity cosine^2 / pi. Its coefficient
falls with the angle of incidence b as exp(-(b / 42 deg)^2). For a sheet of type III it falls from
250 cd/(lx m^2) at -4 degrees to 150 at 30 degrees, as in ASTM D4956.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Reals
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.scene.scene import Scene, Texture
from mvsim_ros2.sensors.raycast import ray_block as ray
from mvsim_ros2.sensors.raycast.opacity import rows_of_faces, sizes_of, uv_at
from mvsim_ros2.sensors.raycast.ray_block import Block
from mvsim_ros2.sensors.raycast.target import REFLECTIVITY, Target

Words = NDArray[np.uint16]

_MIRROR, _RETRO, _TEXTURE, _UV = 0, 1, 2, 3  # columns of `Matter.faces`
_ENTRANCE = math.radians(42.0)
_WHITE = 65535
_STEPS = 1024
# what a retroreflector of 1 cd/(lx m^2) returns, times the cosine, at evenly spaced cosines
_RETURNS = math.pi * np.exp(-(np.arccos(np.linspace(0.0, 1.0, _STEPS + 1)) / _ENTRANCE) ** 2)
_LUMINANCE = np.array([0.2126, 0.7152, 0.0722])  # of linear red, green, blue (ITU-R BT.709)


class Matter(NamedTuple):
    """Matter of the faces of a scene, in the order of `Target.faces`; none where all is even."""

    faces: Reals  # (F, 9): share of a mirror; cd/(lx m^2); texture or -1; uv of the corners
    sizes: NDArray[np.int64]  # (T, 3): first pixel of a texture, height, width
    light: Words  # (M,): linear brightness of the pixels of all textures, 0 to _WHITE, from v = 1
    # down: in the caches of a core are twice as many of them as of real numbers


def matter_of(scene: Scene) -> Matter:
    """Return the matter of a scene."""
    materials = [material for mesh in scene.meshes for material in mesh.materials]
    if not any(m.matter.mirror or m.matter.retroreflection or m.matter.textured
               for m in materials):
        return Matter(np.zeros((0, 9), np.float32), np.zeros((0, 3), np.int64),
                      np.zeros(0, np.uint16))
    textures = list({id(m.texture): m.texture for m in materials
                     if m.texture and m.matter.textured}.values())
    number = {id(texture): i for i, texture in enumerate(textures)}
    light = np.concatenate([np.zeros(0), *(_brightness(each) for each in textures)])
    return Matter(
        rows_of_faces(scene, lambda m: (
            m.matter.mirror, m.matter.retroreflection,
            number[id(m.texture)] if m.texture and m.matter.textured else -1)),
        sizes_of(textures), np.round(_WHITE * light).astype(np.uint16))


def _brightness(texture: Texture) -> NDArray[np.float64]:
    """Return the linear brightness of the pixels of a texture (IEC 61966-2-1), shape (n,)."""
    part = texture.pixels[..., :3].astype(float) / 255.0
    linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    brightness: NDArray[np.float64] = (linear @ _LUMINANCE).ravel()
    return brightness


@compiled(counted=False)
def mirrored(faces: Reals, row: int, cosine: float) -> float:
    """Return the share of a beam that a surface throws on as a mirror does, see `Matter`."""
    share = faces[row, _MIRROR]
    if share <= 0.0:
        return 0.0
    grazing = 1.0 - cosine
    square = grazing * grazing
    thrown: float = share + (1.0 - share) * square * square * grazing
    return thrown


@compiled(counted=False)
def texel(faces: Reals, sizes: NDArray[np.int64], row: int, second: float, third: float) -> int:
    """
    Return the pixel of the texture of a face that has one, an index of `Matter.light`.

    :param faces: see `Matter`, as `sizes`.
    :param second: weight of the second corner, as `third`.
    """
    texture = int(faces[row, _TEXTURE])
    u, v = uv_at(faces, row, _UV, second, third)
    height, width = sizes[texture, 1], sizes[texture, 2]
    x = min(int((u - math.floor(u)) * width), width - 1)
    y = min(int((1.0 - (v - math.floor(v))) * height), height - 1)
    pixel: int = sizes[texture, 0] + y * width + x
    return pixel


@compiled(counted=False)
def strength_at(faces: Reals, sizes: NDArray[np.int64], light: Words, row: int, second: float,
                third: float, cosine: float, even: float, half: float) -> float:
    """
    Return the strength of the echo of a surface, see `texel`.

    :param even: the strength if it scattered evenly, without its texture.
    :param half: half divergence of the beam [rad].
    """
    if faces[row, _TEXTURE] >= 0:
        even *= light[texel(faces, sizes, row, second, third)] / _WHITE
    return _with_mirror(faces, row, even, cosine, half)


@compiled(inlined=True)
def _with_mirror(faces: Reals, row: int, even: float, cosine: float, half: float) -> float:
    """Return the strength of an echo of which `even` is scattered if nothing is mirrored."""
    share, retro = mirrored(faces, row, cosine), faces[row, _RETRO]
    strength = even * (1.0 - share)
    if share > 0.0 and 4.0 * (1.0 - cosine * cosine) < half * half:
        strength += share / (4.0 * half * half)
    if retro > 0.0 and cosine > 0.0:
        strength += _returned(retro, cosine)
    return strength


@compiled(counted=False)
def _returned(retro: float, cosine: float) -> float:
    """Return the strength of a retroreflector, to 1e-5."""
    place = _STEPS * min(cosine, 1.0)
    step = min(int(place), _STEPS - 1)
    part = place - step
    strength: float = retro * (
        _RETURNS[step] + part * (_RETURNS[step + 1] - _RETURNS[step])) / cosine
    return strength


@compiled(counted=False)
def strengths(target: Target, matter: Matter, block: Block, count: int, half: float,
              lit: NDArray[np.float64], pixels: NDArray[np.float64]) -> None:
    """
    Fill in the strengths of the hits of a block, as `strength_at` does; much faster.

    :param half: half divergence of the beams [rad].
    :param lit: shape (N,).
    :param pixels: scratch, shape (N,): textures are read in a loop of their own, in which a core
        waits for many pixels at a time.
    """
    rays, hits, found = block.rays, block.hits, block.found
    even_of, first_face = target.faces, target.first_face
    faces, sizes, light = matter
    for n in range(count):
        instance = found[n, ray.INSTANCE]
        pixels[n] = -1.0
        if instance < 0:
            continue
        row = first_face[instance] + found[n, ray.FACE]
        if faces[row, _TEXTURE] >= 0:
            pixels[n] = texel(faces, sizes, row, hits[n, ray.WEIGHT_1], hits[n, ray.WEIGHT_2])
    for n in range(count):
        lit[n] = light[int(pixels[n])] / _WHITE if pixels[n] >= 0.0 else 1.0
    for n in range(count):
        instance = found[n, ray.INSTANCE]
        if instance < 0:
            continue
        cosine = -(hits[n, ray.NX] * rays[n, ray.DX] + hits[n, ray.NY] * rays[n, ray.DY]
                   + hits[n, ray.NZ] * rays[n, ray.DZ])
        row = first_face[instance] + found[n, ray.FACE]
        lit[n] = _with_mirror(
            faces, row, lit[n] * cosine * even_of[row, REFLECTIVITY], cosine, half)
