# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Switches of the window, the same for all browsers."""

from collections.abc import Iterable
from dataclasses import dataclass

from mvsim_ros2.world.spec.world import WorldSpec

NONE = ''

CLOUD_COLOURS = ('height', 'intensity', 'ring', 'label', 'distance', 'plain')


@dataclass
class Choices:
    """
    The switches of the window.

    Written by the threads of the browser's callbacks, read by the one that draws: each is a
    single value.
    """

    selected: str = NONE  # name of a vehicle, block or actor
    driven: str = NONE  # name of the vehicle that keys and joystick drive
    follow: str = 'free'  # what the camera does: see `cameras`
    scans: bool = True
    scan_areas: bool = True
    clouds: bool = True
    cloud_colour: str = CLOUD_COLOURS[0]
    cloud_points: int = 12000  # points of a cloud that are sent, of all that were measured
    cones: bool = True
    images: bool = True
    frames: bool = False
    labels: bool = True
    true_paths: bool = True
    believed_paths: bool = False  # and outlines, by odometry
    planned: bool = True  # paths that others hand in
    gnss: bool = True
    forces: bool = False
    contacts: bool = False
    views: bool = False  # fields of view
    regions: bool = False


def first_choices(world: WorldSpec, vehicles: Iterable[str]) -> Choices:
    """
    Return the initial switches of a window, from `<gui>` if there is one.

    :param vehicles: names of those there are; keys drive the first.
    """
    gui, names = world.gui, list(vehicles)
    choices = Choices(
        driven=next(iter(names), ''), scans=gui.show_sensor_points,
        clouds=gui.show_sensor_points, images=gui.show_sensor_previews, forces=gui.show_forces)
    if gui.follow_vehicle in names:
        choices.selected = choices.driven = gui.follow_vehicle
        choices.follow = 'follow'
    return choices
