# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The panel of a window in which a simulation runs."""

import viser

from mvsim_ros2.simulation import Simulation
from mvsim_ros2.window.choices import Choices
from mvsim_ros2.window.drawing.measured import Budget, Measured
from mvsim_ros2.window.frame import Frame
from mvsim_ros2.window.pace import Control, Mailbox
from mvsim_ros2.window.panels.keys import DrivePanel, Driver
from mvsim_ros2.window.panels.plots import PlotsPanel
from mvsim_ros2.window.panels.record import RecordPanel
from mvsim_ros2.window.panels.run import RunPanel
from mvsim_ros2.window.panels.selection import Selection
from mvsim_ros2.window.panels.sensors import PicturesPanel, SensorsPanel
from mvsim_ros2.window.panels.show import ShowPanel, theme
from mvsim_ros2.window.panels.world import WorldPanel


class Panel:
    """Time and speed, and tabs for the rest."""

    def __init__(self, server: viser.ViserServer, simulation: Simulation, control: Control,
                 choices: Choices, mailbox: Mailbox, driver: Driver, measured: Measured,
                 budget: Budget, dark: bool) -> None:
        theme(server, dark)
        run = RunPanel(server, control, simulation.seed)
        tabs = server.gui.add_tab_group()
        with tabs.add_tab('Drive'):
            drive = DrivePanel(server, choices, driver)
            selection = Selection(server, choices, mailbox, simulation)
        with tabs.add_tab('Show'):
            show = ShowPanel(server, choices, dark)
        seen = tabs.add_tab('Sensors')
        pictures = PicturesPanel(server, seen, measured, choices, budget)
        sensors = SensorsPanel(server, seen, choices, control, simulation)
        plots = PlotsPanel(server, tabs.add_tab('Plots'), choices)
        with tabs.add_tab('World'):
            WorldPanel(server, choices, mailbox, control, simulation)
            record = RecordPanel(server, control.recorders, mailbox)
        self._parts = run, drive, selection, show, pictures, sensors, plots, record

    def draw(self, frame: Frame) -> None:
        """Show a frame."""
        for part in self._parts:
            part.draw(frame)
