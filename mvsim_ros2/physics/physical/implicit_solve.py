# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The motion of a vehicle at the end of a step that its wheels resist in proportion."""

import numpy as np

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.state.step_columns import WW, WX, WY, XW, XX, XY, YW, YX, YY

PASSES = 8  # of the iteration for the stiffness of the tyres, at most
CLOSE_SLIP = 1e-7  # change of slip that is still to come, at which it ends


@compiled
def mobility(
        mass: float, turn_inertia: float, cosine: float, sine: float, xx: float, xy: float,
        yy: float, xw: float, yw: float, ww: float,
        ) -> tuple[float, float, float, float, float, float, float, float, float]:
    """
    Return the inverse of ``H + D``, row by row: motion at the end of a step over momentum.

    H is the mass, turned by half the angle of the step, and D the symmetric resistance times the
    step, no eigenvalue negative. Since H + D is positive definite the inverse always exists. By
    minors it takes one division; what resists in a step is not so much more than the mass that
    they lost digits.

    :param mass: kg, above 0.
    :param turn_inertia: about the centre of mass [kg m^2], above 0.
    :param cosine: of half the angle that the body turns by, above 0; sine: the same.
    :param xx: entries of D.
    """
    a, b, c = mass * cosine + xx, xy - mass * sine, xw
    d, e, f = mass * sine + xy, mass * cosine + yy, yw
    i = turn_inertia + ww
    x, y, w = e * i - f * f, c * f - d * i, d * f - c * e
    part = 1.0 / (a * x + b * y + c * w)
    return (part * x, part * (c * f - b * i), part * (b * f - c * e),
            part * y, part * (a * i - c * c), part * (c * d - a * f),
            part * w, part * (b * c - a * f), part * (a * e - b * d))


@compiled(inlined=True)
def planar_velocity(room: np.void, px: float, py: float, pw: float) -> tuple[float, float, float]:
    """
    Return velocity [m/s] and yaw rate [rad/s] in the axes of the body at the end of a step.

    :param room: with the `mobility`.
    :param px: momentum that is there without the resistance; so py, and pw.
    """
    return (room[XX] * px + room[XY] * py + room[XW] * pw,
            room[YX] * px + room[YY] * py + room[YW] * pw,
            room[WX] * px + room[WY] * py + room[WW] * pw)
