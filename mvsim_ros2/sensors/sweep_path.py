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
"""Where a sensor is during a sweep."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Pose
from mvsim_ros2.frames import rotation_matrix
from mvsim_ros2.sensors.state import BodyState

Array = NDArray[np.float64]


class SweepPath(NamedTuple):
    """
    Pose of a sensor as a function of the time until the end of its sweep.

    The carrier keeps its velocity and rate in its own axes: the pose is the exponential of the
    twist, and its matrix is linear in 1, sine and cosine of the angle. Kernels compute it.
    """

    rotation: Array  # (3, 3, 3): factors of 1, -sin and 1 - cos
    place: Array  # (4, 3): factors of 1, -time, sin and 1 - cos [m]
    rate: float  # rad/s


def sweep_path(mount: Pose, state: BodyState, origin: Array) -> SweepPath:
    """
    Return the path of a sensor.

    :param mount: pose of the sensor on its carrier.
    :param state: state of the carrier at the end of the sweep.
    :param origin: of the frame of the result, in the world [m].
    """
    turn = rotation_matrix(*state.pose[3:])
    motion = state.motion
    rate = float(np.sqrt(motion.rate @ motion.rate))
    x, y, z = motion.rate / rate if rate > 1e-12 else np.zeros(3)
    per_rate = 1.0 / rate if rate > 1e-12 else 0.0
    axis = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    factors = np.empty((3, 3, 3))
    factors[0] = turn
    np.matmul(turn, axis, out=factors[1])
    np.matmul(factors[1], axis, out=factors[2])
    arm, velocity = factors @ mount.position, factors @ (motion.velocity @ turn)
    place = np.empty((4, 3))
    place[0] = state.pose[:3] - origin + arm[0]
    place[1] = velocity[0] + velocity[2]
    place[2] = per_rate * velocity[2] - arm[1]
    place[3] = arm[2] + per_rate * velocity[1]
    return SweepPath(factors @ _rotation(mount), place, rate)


@lru_cache(maxsize=256)
def _rotation(mount: Pose) -> Array:
    """Return the rotation of a sensor on its carrier, which is the same in all its scans."""
    return mount.rotation
