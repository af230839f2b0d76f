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
    velocity = turn.T @ motion.velocity
    rate = float(np.linalg.norm(motion.rate))
    x, y, z = motion.rate / rate if rate > 1e-12 else np.zeros(3)
    axis = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    squared = axis @ axis
    arm, per_rate = mount.position, 1.0 / rate if rate > 1e-12 else 0.0
    place = np.stack([
        state.pose[:3] - origin + turn @ arm, turn @ (velocity + squared @ velocity),
        turn @ (squared @ velocity * per_rate - axis @ arm),
        turn @ (squared @ arm + axis @ velocity * per_rate)])
    rotation = np.stack([turn, turn @ axis, turn @ squared]) @ mount.rotation
    return SweepPath(rotation, place, rate)
