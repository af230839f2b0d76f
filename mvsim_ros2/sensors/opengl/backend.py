# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Choice of the renderer of a sensor, by its world file or the environment."""

import os

from mvsim_ros2.errors import RenderContextError

_VARIABLE = 'MVSIM_ROS2_RENDERER'


def renderer_choice(choice: str) -> str:
    """
    Return 'auto', 'gl' or 'cpu'.

    :param choice: of the world file; for 'auto' the environment variable MVSIM_ROS2_RENDERER
        decides.
    :raises RenderContextError: where the variable has another value.
    """
    chosen = os.environ.get(_VARIABLE, 'auto') if choice == 'auto' else choice
    if chosen not in ('auto', 'gl', 'cpu'):
        raise RenderContextError(f'{_VARIABLE} is {chosen!r}: it must be auto, gl or cpu')
    return chosen
