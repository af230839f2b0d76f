# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
"""
Force in proportion to slip, up to the friction limit: the tyre `linear`.

The first contact model of the agricultural single-track model (`F = C alpha`), with the
friction limit that it lacks.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.compiled import compiled
from mvsim_ros2.physics.tyres.combined_slip import project
from mvsim_ros2.physics.tyres.law import TyreLaw
from mvsim_ros2.world.spec.slip_tyre import LinearTyre

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
        -math.asin(min(slip_across, 1.0)))
    return along / slip_along, across / slip_across


LAW = TyreLaw(LinearTyre, COLUMNS, secants=secants)
