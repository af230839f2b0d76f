# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
"""Sky and lights as a world says."""

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.scene.scene import Lighting
from mvsim_ros2.scene.textures import texture_of
from mvsim_ros2.world.spec.elements.skybox import SkyboxSpec
from mvsim_ros2.world.spec.world import WorldSpec

_DIRECT, _AMBIENT = (0.75, 0.75, 0.72), (0.70, 0.70, 0.76)  # linear, of white light at 1


def _sky(world: WorldSpec) -> NDArray[np.uint8] | None:
    """Return the faces of the first sky box that has all of them, as `Lighting.sky`."""
    for element in world.elements:
        if not isinstance(element, SkyboxSpec):
            continue
        textures = [texture_of(face) for face in element.faces]
        faces = [texture.pixels[..., :3] for texture in textures if texture]
        if len(faces) < 6:
            continue  # what is missing has been warned of
        size = max(max(face.shape[:2]) for face in faces)
        steps = np.arange(size)
        return np.stack([face[steps[:, np.newaxis] * face.shape[0] // size,
                              steps * face.shape[1] // size] for face in faces])
    return None


def lighting_of(world: WorldSpec) -> Lighting:
    """Return the light of a world: it comes from its azimuth and elevation."""
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
