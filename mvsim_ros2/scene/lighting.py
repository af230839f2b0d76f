# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Sky and lights of a world."""

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.scene.scene import Lighting
from mvsim_ros2.scene.shapes.textures import texture_of
from mvsim_ros2.spec.elements.skybox import SkyboxSpec
from mvsim_ros2.spec.world import WorldSpec

_DIRECT, _AMBIENT = (0.75, 0.75, 0.72), (0.70, 0.70, 0.76)  # linear, relative to white light of 1


def _sky(world: WorldSpec) -> NDArray[np.uint8] | None:
    """Return the faces of the first complete sky box, as `Lighting.sky`."""
    for element in world.elements:
        if not isinstance(element, SkyboxSpec):
            continue
        textures = [texture_of(face) for face in element.faces]
        faces = [texture.pixels[..., :3] for texture in textures if texture]
        if len(faces) < 6:
            continue  # loading the world warns of missing files
        size = max(max(face.shape[:2]) for face in faces)
        steps = np.arange(size)
        return np.stack([face[steps[:, np.newaxis] * face.shape[0] // size,
                              steps * face.shape[1] // size] for face in faces])
    return None


def lighting_of(world: WorldSpec) -> Lighting:
    """Return the light of a world, from its azimuth and elevation."""
    lights = world.lights
    level = np.cos(lights.light_elevation)
    towards = (float(level * np.cos(lights.light_azimuth)),
               float(level * np.sin(lights.light_azimuth)),
               float(np.sin(lights.light_elevation)))
    red, green, blue = (share * part ** 2.2 for share, part in zip(
        _DIRECT, lights.light_color[:3], strict=True))
    ambient = tuple(lights.light_ambient * share for share in _AMBIENT)
    sky = _sky(world)
    plain = Lighting().sky_colour
    if sky is not None:
        mean = sky.mean(axis=(0, 1, 2)) / 255
        plain = float(mean[0]), float(mean[1]), float(mean[2])
    return Lighting(plain, sky, towards, light_colour=(red, green, blue),
                    ambient_colour=(ambient[0], ambient[1], ambient[2]),
                    shadows=lights.enable_shadows)
