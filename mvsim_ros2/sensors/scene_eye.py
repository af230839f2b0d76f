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
"""The scene in three dimensions, as all sensors of a world share it."""

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.scene.build import build_scene
from mvsim_ros2.scene.scene import Scene
from mvsim_ros2.sensors.eyes import Eye


class SceneEye(Eye):
    """
    The scene, brought up to date once for each instant of measurement.

    `scene` is another object after each change of the things in the world; at a new instant it
    is the same one with new transforms.
    """

    scene: Scene
    moved: NDArray[np.int64]  # instances whose transform is another one at this instant

    def rebuild(self) -> None:
        """Build the scene from what is there now."""
        eyes = self.eyes
        self.scene = build_scene(eyes.world, eyes.footprints, eyes.things.vehicles,
                                 eyes.things.blocks, eyes.instant.movers)

    def look(self) -> None:
        """Put everything where it is now."""
        self.moved = self.scene.update(self.eyes.instant.movers)
