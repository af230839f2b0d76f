# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The motion of a vehicle at the end of a step that its wheels resist in proportion."""

from mvsim_ros2.jit.kernel import compiled

PASSES = 8  # of the iteration for the stiffness of the tyres, at most
CLOSE_SLIP = 1e-7  # change of slip that is still to come, at which it ends


@compiled
def planar_velocity(
        mass: float, turn_inertia: float, cosine: float, sine: float, xx: float, xy: float,
        yy: float, xw: float, yw: float, ww: float, px: float, py: float, pw: float,
        ) -> tuple[float, float, float]:
    """
    Return velocity [m/s] and yaw rate [rad/s] in the axes of the body at the end of a step.

    Solves ``(H + D) u = p`` with the momentum p that is there without the resistance, H the
    mass turned by half the angle of the step and D the symmetric resistance times the step,
    no eigenvalue negative. Since H + D is positive definite the solution always exists.

    :param mass: kg, above 0.
    :param turn_inertia: about the centre of mass [kg m^2], above 0.
    :param cosine: of half the angle that the body turns by, above 0; sine: the same.
    :param xx: entries of D.
    :param px: entries of p.
    """
    a, b, c = mass * cosine + xx, -mass * sine + xy, xw
    d, e, f = mass * sine + xy, mass * cosine + yy, yw
    g, h, i = xw, yw, turn_inertia + ww
    # elimination without pivots: the matrix is positive definite
    factor = d / a
    e -= factor * b
    f -= factor * c
    py -= factor * px
    factor = g / a
    h -= factor * b
    i -= factor * c
    pw -= factor * px
    factor = h / e
    w = (pw - factor * py) / (i - factor * f)
    y = (py - f * w) / e
    return (px - b * y - c * w) / a, y, w
