# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The bodies of people: solids of revolution, jointed as `scene.limbs` says.

Lengths are shares of the height of a person, as there. Clothes, skin and hair follow from a
number, by default one of the name.
"""

from dataclasses import replace
from functools import lru_cache
from zlib import crc32

import numpy as np

from mvsim_ros2.scene.limbs import (
    FOOT, FOREARM, HIPS_ASIDE, RIGHT, SHANK, SHANK_LENGTH, SHOULDERS_ASIDE, THIGH, THIGH_LENGTH,
    TRUNK, UPPER_ARM, UPPER_ARM_LENGTH)
from mvsim_ros2.scene.scene import Material, Mesh
from mvsim_ros2.scene.scene_builder import Limb, matrix, Parts, Thing
from mvsim_ros2.scene.shapes.geometry_meshes import joined, turned
from mvsim_ros2.world.spec import ActorSpec

Profile = tuple[tuple[float, float], ...]
Size = tuple[float, float]

_SIDES = 12
_SHIRTS = ('#b5483a', '#3a5f8f', '#e0ddd3', '#4c7a56', '#d9a441', '#6d4a7c', '#2f3640', '#8fb3c9')
_TROUSERS = '#2c3444', '#5b4a3a', '#3d3d3f', '#7a7566', '#46566e'
_SKINS = '#f0c8a8', '#d9a67e', '#a8744f', '#71482f'
_HAIRS = '#2a1f1a', '#5a3d28', '#8d6b3f', '#9b9b98', '#151515'
_SHOES = '#22201f', '#6a4a33', '#d8d8d4'

# radius and height along the axis, then how deep and how wide they are relative to the radius
_BODY: tuple[Profile, Size] = (
    ((0.0, 0.0), (0.09, 0.02), (0.094, 0.05), (0.088, 0.1), (0.102, 0.18), (0.116, 0.24),
     (0.118, 0.27), (0.1, 0.29), (0.06, 0.303), (0.03, 0.31), (0.0, 0.312)), (0.66, 1.0))
_PELVIS: tuple[Profile, Size] = (
    ((0.0, -0.055), (0.06, -0.05), (0.096, -0.02), (0.098, 0.01), (0.09, 0.05), (0.0, 0.06)),
    (0.7, 1.0))
_NECK: tuple[Profile, Size] = (((0.033, 0.29), (0.031, 0.36)), (1.0, 1.0))
_HEAD: tuple[Profile, Size] = (
    ((0.0, 0.332), (0.024, 0.336), (0.04, 0.36), (0.046, 0.395), (0.047, 0.425), (0.038, 0.454),
     (0.0, 0.468)), (1.12, 0.9))
_SHORT_HAIR: tuple[Profile, Size] = (
    ((0.045, 0.395), (0.052, 0.42), (0.045, 0.457), (0.02, 0.472), (0.0, 0.473)), (1.08, 0.93))
_LONG_HAIR: tuple[Profile, Size] = (
    ((0.045, 0.31), (0.055, 0.35), (0.054, 0.42), (0.045, 0.457), (0.02, 0.472), (0.0, 0.473)),
    (0.95, 0.98))
_ROUND: Size = (1.0, 1.0)


def add_person(parts: Parts, thing: Thing, actor: ActorSpec) -> None:
    """Add trunk, arms and legs of somebody who stands."""
    height = actor.height
    look = crc32(actor.name.encode()) if actor.look is None else actor.look
    scale = matrix(scale=(height, height, height))
    trunk, thigh, shank, foot, upper, fore = _body(look)
    parts.add(thing, trunk, scale, mount=Limb(TRUNK, height, 0.0))
    for side, sign in ((0, 1.0), (RIGHT, -1.0)):
        for part, mesh, aside in (
                (THIGH, thigh, HIPS_ASIDE), (SHANK, shank, HIPS_ASIDE), (FOOT, foot, HIPS_ASIDE),
                (UPPER_ARM, upper, SHOULDERS_ASIDE), (FOREARM, fore, SHOULDERS_ASIDE)):
            parts.add(thing, mesh, scale, mount=Limb(part + side, height, sign * aside * height))


@lru_cache(maxsize=64)
def _body(look: int) -> tuple[Mesh, ...]:
    """Return trunk, thigh, shank, foot, upper arm and forearm of a look, from their joints."""
    def one_of(colours: tuple[str, ...]) -> str:
        return colours[int(random.integers(len(colours)))]

    random = np.random.default_rng(look)
    shirt, trousers, skin, hair, shoe = map(
        one_of, (_SHIRTS, _TROUSERS, _SKINS, _HAIRS, _SHOES))
    long_hair, sleeves, shorts = (random.random(3) < (0.4, 0.6, 0.2)).tolist()
    stout = float(random.uniform(0.92, 1.1))
    shank = ((0.0, 0.035), (0.038, 0.02), (0.034, -0.05), (0.036, -0.09), (0.03, -0.2),
             (0.028, -SHANK_LENGTH - 0.02))
    fore = ((0.0, 0.015), (0.024, 0.01), (0.026, -0.04), (0.019, -0.146))
    hand = ((0.018, -0.14), (0.022, -0.18), (0.016, -0.225), (0.0, -0.235))
    return (
        joined(_solid(_BODY, shirt, stout), _solid(_PELVIS, trousers, stout),
               _solid(_NECK, skin), _solid(_HEAD, skin),
               _moved(_solid(_LONG_HAIR if long_hair else _SHORT_HAIR, hair), -0.014)),
        _solid((((0.0, 0.03), (0.05, 0.02), (0.056, -0.03), (0.052, -0.1), (0.042, -0.2),
                 (0.038, -THIGH_LENGTH), (0.0, -THIGH_LENGTH - 0.03)), _ROUND), trousers, stout),
        _solid((shank, _ROUND), skin if shorts else trousers),
        _shoe(shoe),
        _solid((((0.0, 0.022), (0.024, 0.015), (0.034, -0.01), (0.031, -0.08),
                 (0.026, -UPPER_ARM_LENGTH), (0.0, -UPPER_ARM_LENGTH - 0.02)), _ROUND), shirt),
        joined(_solid((fore, _ROUND), shirt if sleeves else skin),
               _solid((hand, (1.25, 0.7)), skin)))


def _solid(shape: tuple[Profile, Size], colour: str, stout: float = 1.0) -> Mesh:
    """Return a solid of revolution about z that is squeezed along x and y."""
    profile, (deep, wide) = shape
    if profile[-1][1] < profile[0][1]:
        profile = profile[::-1]
    mesh, size = turned(profile, _SIDES), np.array([deep * stout, wide * stout, 1.0])
    normals = mesh.normals / size
    return replace(
        mesh, vertices=mesh.vertices * size,
        normals=normals / np.linalg.norm(normals, axis=1, keepdims=True),
        materials=(_material(colour),) * len(mesh.materials))


def _shoe(colour: str) -> Mesh:
    """Return a shoe below its ankle, from the heel to the toes."""
    return _moved(_solid((((0.0, -0.039), (0.03, -0.039), (0.032, -0.025), (0.024, -0.005),
                           (0.0, 0.005)), (2.4, 0.85)), colour), 0.038)


def _moved(mesh: Mesh, ahead: float) -> Mesh:
    return replace(mesh, vertices=mesh.vertices + (ahead, 0.0, 0.0))


@lru_cache(maxsize=64)
def _material(colour: str) -> Material:
    red, green, blue = (int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5))
    return Material((red, green, blue, 1.0))
