# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Wheels of a side that turn at one speed: below a track, or on one chain."""

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.state.example_arguments import SOME_WHEELS
from mvsim_ros2.physics.state.record_layout import LEFT, RIGHT

Records = NDArray[np.void]


@lazy_kernel(SOME_WHEELS)
def turn_together(wheels: Records) -> None:
    """Give the wheels of each side their common spin, which has the same angular momentum."""
    for side in (LEFT, RIGHT):
        momentum, inertia = 0.0, 0.0
        for k in range(len(wheels)):
            if wheels[k]['side'] == side:
                momentum += wheels[k]['inertia'] * wheels[k]['omega']
                inertia += wheels[k]['inertia']
        for k in range(len(wheels)):
            if wheels[k]['side'] == side:
                wheels[k]['omega'] = momentum / inertia
