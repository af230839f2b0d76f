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
"""Height of the ground below a point: floors, as far as they are built."""

import numpy as np

from mvsim_ros2.frames import Pose
from mvsim_ros2.world.spec.element import HorizontalPlaneSpec
from mvsim_ros2.world.spec.world import WorldSpec


def floor_height(world: WorldSpec, x: float, y: float, below: float) -> float:
    """
    Return the height of the highest floor at (x, y) that is not above `below` [m].

    0 where there is none, as in the original.
    """
    heights = [
        height for plane in world.elements if isinstance(plane, HorizontalPlaneSpec)
        if (height := _height(plane, x, y)) is not None and height <= below]
    return max(heights, default=0.0)


def _height(plane: HorizontalPlaneSpec, x: float, y: float) -> float | None:
    """Return the height of a floor where (x, y) is on it; tilt does not count."""
    at = plane.init_pose
    cosine, sine = np.cos(at.yaw), np.sin(at.yaw)
    along = cosine * (x - at.x) + sine * (y - at.y)
    across = cosine * (y - at.y) - sine * (x - at.x)
    if plane.x_min <= along <= plane.x_max and plane.y_min <= across <= plane.y_max:
        return at.z + plane.z * float(np.cos(at.pitch) * np.cos(at.roll))
    return None


def on_ground(world: WorldSpec, pose: Pose, top: float) -> Pose:
    """
    Return `pose` moved up or down onto the floor below half the height of its body.

    :param top: of the body above its origin [m].
    """
    z = floor_height(world, pose.x, pose.y, pose.z + 0.5 * top)
    return Pose(pose.x, pose.y, z, pose.yaw, pose.pitch, pose.roll)
