# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Colours of marks, the same on all pages."""

RGB = tuple[int, int, int]

TRUE: RGB = (29, 95, 209)
BELIEVED: RGB = (214, 51, 108)
PLANNED: RGB = (46, 160, 67)
GNSS: RGB = (245, 124, 0)
LOAD: RGB = (250, 176, 5)
GRIP: RGB = (250, 82, 82)
CONTACT: RGB = (224, 49, 49)
REGION: RGB = (51, 154, 240)
# of ghosts, in turn
_GHOSTS: tuple[RGB, ...] = (
    (230, 126, 34), (142, 68, 173), (22, 160, 133), (192, 57, 43), (127, 140, 141))


def path_colour(ghost: int) -> RGB:
    """
    Return the colour of the path of a vehicle.

    :param ghost: number of the recording that it is a ghost of, 0 for what is none.
    """
    return _GHOSTS[(ghost - 1) % len(_GHOSTS)] if ghost else TRUE
