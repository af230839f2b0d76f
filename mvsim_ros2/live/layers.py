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
"""All that a window draws, and its panel."""

import viser

from mvsim_ros2.live.budget import Budget
from mvsim_ros2.live.cameras import Cameras
from mvsim_ros2.live.carriers import Carriers
from mvsim_ros2.live.choices import Choices
from mvsim_ros2.live.drive import Driver
from mvsim_ros2.live.drive_panel import DrivePanel
from mvsim_ros2.live.frame import Frame
from mvsim_ros2.live.marks import Marks
from mvsim_ros2.live.measured import Measured
from mvsim_ros2.live.measured import PoseOf
from mvsim_ros2.live.pace import Control
from mvsim_ros2.live.pictures_panel import PicturesPanel
from mvsim_ros2.live.plots_panel import PlotsPanel
from mvsim_ros2.live.requests import Mailbox
from mvsim_ros2.live.run_panel import RunPanel
from mvsim_ros2.live.selection import Selection
from mvsim_ros2.live.sensors_panel import SensorsPanel
from mvsim_ros2.live.shapes import Shapes
from mvsim_ros2.live.show_panel import ShowPanel
from mvsim_ros2.live.show_panel import theme
from mvsim_ros2.live.surroundings import add_surroundings
from mvsim_ros2.live.world_panel import WorldPanel
from mvsim_ros2.simulation import Simulation


class Layers:
    """Draws a frame, one kind of thing after the other."""

    def __init__(self, server: viser.ViserServer, simulation: Simulation, control: Control,
                 choices: Choices, mailbox: Mailbox, driver: Driver, cameras: Cameras,
                 pose_of: PoseOf, dark: bool) -> None:
        theme(server, dark)
        add_surroundings(server, simulation.world, dark)
        budget = Budget()
        measured = Measured(server, choices, pose_of, budget)
        run = RunPanel(server, control, simulation.seed)
        tabs = server.gui.add_tab_group()
        with tabs.add_tab('Drive', icon=viser.Icon.STEERING_WHEEL):
            drive = DrivePanel(server, choices, driver)
            selection = Selection(server, choices, mailbox, simulation)
        with tabs.add_tab('Show', icon=viser.Icon.EYE):
            show = ShowPanel(server, choices)
        seen = tabs.add_tab('Sensors', icon=viser.Icon.CAMERA)
        pictures = PicturesPanel(server, seen, measured, choices, budget)
        sensors = SensorsPanel(server, seen, choices, mailbox, simulation)
        plots = PlotsPanel(server, tabs.add_tab('Plots', icon=viser.Icon.CHART_LINE), choices)
        with tabs.add_tab('World', icon=viser.Icon.WORLD):
            WorldPanel(server, choices, mailbox, simulation)
        self._layers = (Shapes(server, simulation.world), measured,
                        Carriers(server, choices), Marks(server, simulation.world, choices),
                        run, drive, selection, show, pictures, sensors, plots, cameras)

    def draw(self, frame: Frame) -> None:
        """Show a frame."""
        for layer in self._layers:
            layer.draw(frame)
