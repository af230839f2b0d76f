# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Sky, sun and air of a world."""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.scene.scene import Lighting
from mvsim_ros2.scene.shapes.textures import texture_of
from mvsim_ros2.world.spec import SkyboxSpec, WorldSpec
from mvsim_ros2.world.spec.common import Colour
from mvsim_ros2.world.spec.weather import dust_extinction

_DIRECT = (0.9375, 0.9375, 0.9)  # linear, of a sun of strength 1, relative to white light of 1
_GAMMA = 2.2
_LEAN = 0.4  # of the ambient light towards the sun, whose side of the sky is brighter
_DUST = (0.76, 0.66, 0.50)  # sRGB, of light that dust has scattered
Triple = tuple[float, float, float]


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
    """
    Return sky, sun, ambient light and air of a world.

    The ambient light is blended from the colour of the ground to that of the sky along an axis
    that leans from the vertical towards the sun.
    """
    lights, weather = world.lights, world.weather
    level = np.cos(lights.light_elevation)
    east, north = np.cos(lights.light_azimuth), np.sin(lights.light_azimuth)
    towards = (float(level * east), float(level * north), float(np.sin(lights.light_elevation)))
    above = _linear(lights.ambient_sky_color)
    below = _linear(lights.ambient_ground_color)
    axis = np.array([_LEAN * east, _LEAN * north, 1.0])
    sky = _sky(world)
    plain = Lighting().sky_colour
    if sky is not None:
        mean = sky.mean(axis=(0, 1, 2)) / 255
        plain = float(mean[0]), float(mean[1]), float(mean[2])
    extinction = weather.extinction()
    dusty = dust_extinction(weather.dust_visibility) / extinction if extinction else 0.0
    air = _triple(np.array(plain) + dusty * (np.array(_DUST) - plain))
    if extinction:
        sky, plain = None, air
    return Lighting(
        plain, sky, towards,
        light_colour=_triple(lights.light_diffuse * np.array(_DIRECT) * _linear(
            lights.light_color)),
        light_specular=_triple(lights.light_specular * _linear(lights.light_color)),
        ambient_colour=_triple(0.5 * lights.light_ambient * (above + below)),
        ambient_lean=_triple(0.5 * lights.light_ambient * (above - below)),
        ambient_axis=_triple(axis / math.hypot(*axis)),
        shadows=lights.enable_shadows, air_colour=air, extinction=extinction)


def _linear(colour: Colour) -> NDArray[np.float64]:
    return np.array(colour[:3]) ** _GAMMA


def _triple(values: NDArray[np.float64]) -> Triple:
    red, green, blue = values.tolist()
    return red, green, blue
