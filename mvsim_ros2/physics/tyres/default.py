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
Coulomb friction that stops a wheel from slipping within one step, class `default`.

The wheel-ground model of MVSim 1.2.0: a lateral force that takes away all side velocity,
a longitudinal one that makes the wheel roll without slip, each limited by mu N on its own.
"""

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.compiled import compiled
from mvsim_ros2.physics.tyres.impulse import stop_slip
from mvsim_ros2.physics.tyres.law import TyreLaw
from mvsim_ros2.world.spec.tyre import DefaultTyre

Array = NDArray[np.float64]


@compiled
def wheel_step(
        values: Array, mu: float, damping: float, rolling: float, mass: float, gravity: float,
        radius: float, inertia: float, omega: float, torque: float, vx: float, vy: float,
        slope_x: float, slope_y: float, dt: float) -> tuple[float, float, float]:
    """
    Return force on the wheel, along and across it [N], and its new spin [rad/s].

    :param values: not used.
    :param mu: friction coefficient; for the others see `stop_slip`.
    """
    limit = mu * (mass * gravity)
    return stop_slip(
        limit, limit, 0.0, damping, rolling, mass, gravity, radius, inertia, omega, torque, vx,
        vy, slope_x, slope_y, dt)


LAW = TyreLaw(DefaultTyre, wheel_step=wheel_step, brush=True)
