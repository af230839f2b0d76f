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
"""A wheel that swivels about a vertical pin ahead of its contact, and carries but never guides."""

import math

from mvsim_ros2.separate import separate

TRAIL = 0.5  # distance from pin to contact over the radius of the wheel


@separate(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
def swivelled(angle: float, vx: float, vy: float, turn: float, trail: float, dt: float) -> float:
    """
    Return the angle of a caster in the body frame after a step [rad], in [-pi, pi].

    Its contact does not move sideways: ``d angle/dt = -U / trail sin(angle - course) - turn``
    with U and course of the pin. The swing is solved exactly, so that no step is too long.

    :param angle: before the step [rad].
    :param vx: velocity of the pin in the body frame [m/s]; so vy.
    :param turn: yaw rate of the body [rad/s].
    :param trail: m.
    :param dt: s.
    """
    speed = math.sqrt(vx * vx + vy * vy)
    if speed > 1e-9:
        course = math.atan2(vy, vx)
        off = angle - course
        if abs(math.sin(off)) > 1e-12 or math.cos(off) > 0.0:  # else it stands upright, reversed
            angle = course + 2.0 * math.atan(
                math.tan(0.5 * off) * math.exp(-speed * dt / trail))
    angle -= turn * dt
    return math.atan2(math.sin(angle), math.cos(angle))
