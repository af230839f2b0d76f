# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Force in proportion to slip, up to the friction limit: the tyre `linear`.

The first contact model of the agricultural single-track model (`F = C alpha`), with the
friction limit that it lacks.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.elementary_functions import arc_sine
from mvsim_ros2.physics.tyres.combined_slip import project
from mvsim_ros2.physics.tyres.law import TyreLaw
from mvsim_ros2.world.spec.tyres.slip import LinearTyre

Array = NDArray[np.float64]

COLUMNS = ('C_s', 'C_alpha')
C_S, C_ALPHA = range(2)


class Linear(NamedTuple):
    """Numbers of a linear tyre."""

    stiffness_along: float  # N per unit slip ratio
    stiffness_across: float  # N/rad
    friction: float  # limit of the force over the load


@compiled
def forces(tyre: Linear, load: float, slip: float, slip_angle: float) -> tuple[float, float]:
    """
    Return the forces along and across the wheel [N], within the friction circle.

    :param load: normal force [N]; below 0 counts as 0.
    :param slip: slip ratio, positive drives.
    :param slip_angle: rad, positive where the wheel moves to the left.
    """
    limit = tyre.friction * max(load, 0.0)
    return project(tyre.stiffness_along * slip, -tyre.stiffness_across * slip_angle, limit, limit)


@compiled
def secants(values: Array, friction: float, load: float, slip_along: float, slip_across: float,
            limit: float) -> tuple[float, float]:
    """Return the forces over the slips [N]; see `law.secants`."""
    along, across = forces(
        Linear(values[C_S], values[C_ALPHA], friction), load, slip_along,
        -arc_sine(min(slip_across, 1.0)))
    return along / slip_along, across / slip_across


LAW = TyreLaw(LinearTyre, COLUMNS, secants=secants)
