# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The layers of a drawn world."""

import viser

from mvsim_ros2.window.choices import Choices
from mvsim_ros2.window.drawing.carriers import Carriers
from mvsim_ros2.window.drawing.marks import Curves, Marks, Navigation
from mvsim_ros2.window.drawing.measured import Budget, Measured, PoseOf
from mvsim_ros2.window.drawing.shapes import Shapes
from mvsim_ros2.window.drawing.sky import add_surroundings
from mvsim_ros2.window.frame import Frame
from mvsim_ros2.world.spec.world import WorldSpec


class Layers:
    """Draws a frame, one kind of thing after the other."""

    def __init__(self, server: viser.ViserServer, world: WorldSpec, choices: Choices,
                 pose_of: PoseOf, budget: Budget) -> None:
        """Draw the surroundings; for poses and budget see `Measured`."""
        add_surroundings(server, world)
        self.measured = Measured(server, choices, pose_of, budget)
        self.carriers = Carriers(server, choices)
        self.curves = Curves(server, choices)
        self._layers = (Shapes(server, world), self.measured, self.carriers,
                        Marks(server, world, choices), Navigation(server, world, choices),
                        self.curves)

    def draw(self, frame: Frame) -> None:
        """Show a frame."""
        for layer in self._layers:
            layer.draw(frame)
