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
"""All that is drawn in the world."""

import viser

from mvsim_ros2.live.budget import Budget
from mvsim_ros2.live.carriers import Carriers
from mvsim_ros2.live.choices import Choices
from mvsim_ros2.live.frame import Frame
from mvsim_ros2.live.marks import Marks
from mvsim_ros2.live.measured import Measured
from mvsim_ros2.live.measured import PoseOf
from mvsim_ros2.live.shapes import Shapes
from mvsim_ros2.live.surroundings import add_surroundings
from mvsim_ros2.world.spec.world import WorldSpec


class Layers:
    """Draws a frame, one kind of thing after the other."""

    def __init__(self, server: viser.ViserServer, world: WorldSpec, choices: Choices,
                 pose_of: PoseOf, budget: Budget, dark: bool) -> None:
        """
        Draw ground and sky.

        :param pose_of: of the frame of a measurement, see `Measured`.
        :param budget: of what sensors measured.
        """
        add_surroundings(server, world, dark)
        self.measured = Measured(server, choices, pose_of, budget)
        self.carriers = Carriers(server, choices)
        self._layers = (Shapes(server, world), self.measured, self.carriers,
                        Marks(server, world, choices))

    def draw(self, frame: Frame) -> None:
        """Show a frame."""
        for layer in self._layers:
            layer.draw(frame)
