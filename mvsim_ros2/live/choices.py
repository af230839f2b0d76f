# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What the window shows, the same for all browsers."""

from dataclasses import dataclass

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
    believed_paths: bool = False
    forces: bool = False
    contacts: bool = False
    views: bool = False  # fields of view
    regions: bool = False
