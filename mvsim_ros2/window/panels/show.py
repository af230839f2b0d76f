# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Switches for everything that can be shown."""

from functools import partial
from typing import Any

import viser

from mvsim_ros2.window.cameras import MODES
from mvsim_ros2.window.choices import Choices, CLOUD_COLOURS
from mvsim_ros2.window.drawing.nodes import change
from mvsim_ros2.window.drawing.sky import add_sky
from mvsim_ros2.window.frame import Frame

_SWITCHES = (
    ('Measurements', (
        ('LiDAR points', 'scans'), ('LiDAR areas', 'scan_areas'), ('Point clouds', 'clouds'),
        ('Range cones', 'cones'), ('Camera images', 'images'), ('Fields of view', 'views'))),
    ('Marks', (
        ('Names', 'labels'), ('Frames', 'frames'), ('True paths', 'true_paths'),
        ('Odometry', 'believed_paths'), ('Planned paths', 'planned'), ('GNSS fixes', 'gnss'),
        ('Wheel forces', 'forces'),
        ('Contacts', 'contacts'), ('Friction regions', 'regions'))))


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
                for label, name in switches:
                    gui.add_checkbox(label, getattr(choices, name)).on_update(
                        partial(self._set, name))
                if title == 'Measurements':
                    self._add_cloud_options(gui)
        night = gui.add_checkbox('Dark', dark)
        night.on_update(lambda _: theme(server, night.value))
        night.on_update(lambda _: add_sky(server, night.value))
        shadows = gui.add_checkbox('Shadows', True)
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


def theme(server: viser.ViserServer, dark: bool) -> None:
    """Set the colours of the panel and of the page."""
    server.gui.configure_theme(dark_mode=dark, show_logo=False, show_share_button=False,
                               brand_color=(29, 95, 209), control_width='medium')
