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
"""From where planes are not to be seen in pictures, as `<cull_face>` says."""

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.world.spec.elements.horizontal_plane import HorizontalPlaneSpec
from mvsim_ros2.world.spec.elements.plane import PlaneSpec
from mvsim_ros2.world.spec.elements.vertical_plane import VerticalPlaneSpec
from mvsim_ros2.world.spec.world import WorldSpec


def hidden_sides(world: WorldSpec) -> dict[str, NDArray[np.float64]]:
    """Return the sides from which planes are not seen, unit vectors by name in the scene."""
    sides = {}
    for element in world.elements:
        if not isinstance(element, PlaneSpec) or element.cull_face == 'NONE' or element.animation:
            continue
        front = np.array([0.0, 0.0, 1.0])
        if isinstance(element, VerticalPlaneSpec):  # on the right from start to end
            along = np.array([element.x1 - element.x0, element.y1 - element.y0])
            front = np.array([along[1], -along[0], 0.0]) / np.hypot(*along)
        elif not isinstance(element, HorizontalPlaneSpec):
            continue  # a plane of a plugin is seen from both sides
        side = front if element.cull_face == 'FRONT' else -front
        sides[f'element {element.name}'] = element.init_pose.rotation @ side
    return sides
