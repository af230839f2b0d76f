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
"""How bodies that move in the horizontal plane keep their speed along ground that bends."""

import math

from mvsim_ros2.compiled import compiled


@compiled
def slope_of(pitch: float, roll: float, heading_x: float, heading_y: float,
             ) -> tuple[float, float]:
    """
    Return the rise of the plane that a vehicle stands on, a metre along x and y of the world.

    :param pitch: of the vehicle, nose down positive [rad]; so roll.
    :param heading_x: cosine of its yaw; heading_y: the sine.
    """
    cosine = max(math.cos(pitch), 0.1)
    ahead, aside = -math.sin(pitch) / cosine, math.sin(roll) / (
        max(math.cos(roll), 0.1) * cosine)
    return heading_x * ahead - heading_y * aside, heading_y * ahead + heading_x * aside


@compiled
def bent(vx: float, vy: float, before_x: float, before_y: float, slope_x: float, slope_y: float,
         ) -> tuple[float, float]:
    """
    Return the horizontal velocity [m/s] of what comes from one slope onto another.

    The ground pushes at right angles to the motion and does no work: the speed along it stays.
    The velocity along the old slope loses its part at right angles to the new one, and takes the
    old length. With the horizontal velocity kept instead, who climbs where it is steep and comes
    down where it is gentle would gain energy.

    :param vx: horizontal velocity on the old slope [m/s]; so vy.
    :param before_x: old slope, see `slope_of`; so before_y.
    :param slope_x: new slope; so slope_y.
    """
    climb = before_x * vx + before_y * vy
    off = (climb - slope_x * vx - slope_y * vy) / (1.0 + slope_x * slope_x + slope_y * slope_y)
    x, y, z = vx + off * slope_x, vy + off * slope_y, climb - off
    left = x * x + y * y + z * z
    if left <= 0.0:
        return vx, vy
    stretch = math.sqrt((vx * vx + vy * vy + climb * climb) / left)
    return stretch * x, stretch * y
