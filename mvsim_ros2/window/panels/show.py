# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The panel of a window, and its switches for everything that it can show."""

from functools import partial
from typing import Any

import viser

from mvsim_ros2.simulation import Simulation
from mvsim_ros2.window.cameras import MODES
from mvsim_ros2.window.choices import Choices, CLOUD_COLOURS
from mvsim_ros2.window.drawing.measured import Budget, Measured
from mvsim_ros2.window.drawing.nodes import change
from mvsim_ros2.window.drawing.sky import add_sky
from mvsim_ros2.window.frame import Frame
from mvsim_ros2.window.pace import Control, Mailbox
from mvsim_ros2.window.page import Page, set_theme
from mvsim_ros2.window.panels.keys import DrivePanel, Driver
from mvsim_ros2.window.panels.plots import PlotsPanel
from mvsim_ros2.window.panels.record import RecordPanel
from mvsim_ros2.window.panels.run import RunPanel
from mvsim_ros2.window.panels.selection import Selection
from mvsim_ros2.window.panels.sensors import PicturesPanel, SensorsPanel
from mvsim_ros2.window.panels.world import WorldPanel

_SWITCHES = (  # label, name in `Choices`, and what it shows in which colour
    ('Measurements', (
        ('LiDAR points', 'scans', 'hits of planar LiDARs: teal'),
        ('LiDAR areas', 'scan_areas', 'what planar LiDARs swept: light teal'),
        ('Point clouds', 'clouds', 'of 3D LiDARs, radars and depth cameras'),
        ('Range cones', 'cones', 'of sonar and infrared; ranges of UWB: violet'),
        ('Camera images', 'images', 'in the tab Sensors'),
        ('Fields of view', 'views', 'of cameras, LiDARs, radars and range finders: orange'))),
    ('Marks', (
        ('Names', 'labels', 'of vehicles, with their speed, and of people'),
        ('Frames', 'frames', 'of vehicles and sensors: x red, y green, z blue'),
        ('True paths', 'true_paths', 'where vehicles were: blue'),
        ('Odometry', 'believed_paths', 'where their odometry says that they were: red'),
        ('Planned paths', 'planned', 'from show_path or topics of nav_msgs/Path: green'),
        ('GNSS fixes', 'gnss', 'and a ring of two standard deviations: orange'),
        ('Wheel forces', 'forces', 'load: yellow; driving and steering force: red'),
        ('Contacts', 'contacts', 'of vehicles: red'),
        ('Friction regions', 'regions', 'areas with other friction: light blue'))))


class ShowPanel:
    """A tab of switches."""

    def __init__(self, server: viser.ViserServer, choices: Choices, dark: bool) -> None:
        gui = server.gui
        self._choices = choices
        self._camera = gui.add_dropdown(
            'Camera', MODES, initial_value=choices.follow,
            hint='keys: F follow, B behind, T above, V ride along, Home first view')
        self._camera.on_update(partial(self._set, 'follow'))
        for title, switches in _SWITCHES:
            with gui.add_folder(title):
                for label, name, hint in switches:
                    gui.add_checkbox(label, getattr(choices, name), hint=hint).on_update(
                        partial(self._set, name))
                if title == 'Measurements':
                    self._add_cloud_options(gui)
        night = gui.add_checkbox('Dark', dark)
        night.on_update(lambda _: set_theme(server, night.value))
        night.on_update(lambda _: add_sky(server, night.value))
        shadows = gui.add_checkbox('Shadows', False, hint='slow without a graphics card')
        shadows.on_update(lambda _: server.scene.configure_default_lights(
            True, cast_shadow=shadows.value))

    def _add_cloud_options(self, gui: viser.GuiApi) -> None:
        gui.add_dropdown('Cloud colour', CLOUD_COLOURS,
                         initial_value=self._choices.cloud_colour).on_update(
            partial(self._set, 'cloud_colour'))
        gui.add_slider('Cloud points', 1000, 150000, 1000, self._choices.cloud_points,
                       hint='sent of all clouds together; fewer suit a slow line').on_update(
            partial(self._set, 'cloud_points'))

    def _set(self, name: str, event: viser.GuiEvent[Any]) -> None:
        setattr(self._choices, name, event.target.value)

    def draw(self, _: Frame) -> None:
        """Follow what keys have chosen."""
        change(self._camera, value=self._choices.follow)


class Panel:
    """Time and speed, and tabs for the rest."""

    def __init__(self, page: Page, simulation: Simulation, control: Control, choices: Choices,
                 mailbox: Mailbox, driver: Driver, measured: Measured, budget: Budget) -> None:
        server = page.server
        run = RunPanel(page, control, simulation.seed)
        tabs = server.gui.add_tab_group()
        with tabs.add_tab('Drive'):
            drive = DrivePanel(server, choices, driver)
            selection = Selection(server, choices, mailbox, simulation)
        with tabs.add_tab('Show'):
            show = ShowPanel(server, choices, page.dark)
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
