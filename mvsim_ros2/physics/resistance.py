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
What slows a rolling wheel down, as a damping of its spin that never turns it round.

Each resistance opposes the motion by ``T v / sqrt(v^2 + EDGE^2)`` with v the speed of the rim;
over the spin that is a factor that is never negative, taken at the end of the step.
"""

import math

from mvsim_ros2.compiled import compiled

EDGE = 1e-3  # m/s; below it resistance fades


@compiled
def spin_damping(
        damping: float, rolling: float, load: float, radius: float, omega: float) -> float:
    """
    Return the torque that resists the spin, over the spin [N m s/rad].

    :param damping: of the axle [N m s/rad].
    :param rolling: rolling resistance coefficient: the torque is that times N R. The resistance
        of Ward and Iagnemma counts so too, as in eq. 2 of their paper.
    :param load: of the wheel [N].
    :param radius: m.
    :param omega: spin [rad/s].
    """
    speed = abs(omega) * radius
    return damping + rolling * load * radius * radius / math.sqrt(
        speed * speed + EDGE * EDGE)
