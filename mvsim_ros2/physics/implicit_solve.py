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
"""The motion of a vehicle at the end of a step that its wheels resist in proportion."""

from mvsim_ros2.compiled import compiled


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
