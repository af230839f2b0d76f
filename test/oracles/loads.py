# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Normal loads of wheels in closed form: whether they balance."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def tips(x: Array, y: Array, loads: Array, height: float, down: float, along: float,
         across: float) -> bool:
    """
    Return whether the loads fail to balance the moments by more than 1e-6 of weight times height.

    Then the vehicle turns over, or is held by what is not modelled (two wheels: the ground
    under a body that balances). Parameters are those of `physics.physical.wheel_loads.balanced`.
    """
    total = np.sum(loads)
    scale = total / down if down > 0.0 else 0.0
    slack = 1e-6 * total * height
    return bool(abs(np.sum(loads * x) + scale * height * along) > slack
                or abs(np.sum(loads * y) + scale * height * across) > slack)
