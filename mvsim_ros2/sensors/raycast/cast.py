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
"""Casts of rays that are given one by one."""

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.compiled import compiled
from mvsim_ros2.sensors.raycast import packet
from mvsim_ros2.sensors.raycast.packet import LANES
from mvsim_ros2.sensors.raycast.packet import put_ray
from mvsim_ros2.sensors.raycast.target import surface
from mvsim_ros2.sensors.raycast.target import Target
from mvsim_ros2.sensors.raycast.trace import intersect8
from mvsim_ros2.sensors.raycast.trace import is_occluded
from mvsim_ros2.sensors.raycast.trace import occluded8

Array = NDArray[np.float64]
Scratch = tuple[packet.Reals, packet.Words, Array]

COLUMNS = 7  # of an array of rays: origin, direction, time


def new_scratch() -> Scratch:
    """Return a packet, both views, and room for `surface`."""
    reals, words = packet.new_packets(1)
    return reals[0], words[0], np.zeros((2, 3, 4))


@compiled(inner=True)
def _put_rays(rays: Array, begin: int, nearest: float, farthest: float, mask: int,
              reals: packet.Reals, words: packet.Words) -> int:
    """Put up to eight rays into a packet and return how many."""
    count: int = min(LANES, rays.shape[0] - begin)
    for lane in range(LANES):
        ray = rays[begin + min(lane, count - 1)]
        put_ray(reals, words, lane, ray[0], ray[1], ray[2], ray[3], ray[4], ray[5],
                nearest, farthest if lane < count else -1.0, ray[6], mask)
    return count


@compiled
def cast_rays(
        target: Target, rays: Array, nearest: float, farthest: float, mask: int,
        reals: packet.Reals, words: packet.Words, place: Array, distance: Array,
        instance: NDArray[np.int32], face: NDArray[np.int32], weights: NDArray[np.float32],
        normal: Array) -> None:
    """
    Fill in what rays meet first, see `ray_scene.Hits`; what meets nothing is left alone.

    :param rays: origin in the target, direction, time: shape (N, COLUMNS).
    :param reals: scratch of `new_scratch`, as `words` and `place`.
    """
    for begin in range(0, rays.shape[0], LANES):
        count = _put_rays(rays, begin, nearest, farthest, mask, reals, words)
        intersect8(target, reals, words)
        for lane in range(count):
            found = words[packet.INSTANCE + lane]
            if found == packet.MISS:
                continue
            n = begin + lane
            instance[n] = found
            face[n] = words[packet.FACE + lane]
            weights[n, 0] = reals[packet.WEIGHT_1 + lane]
            weights[n, 1] = reals[packet.WEIGHT_2 + lane]
            distance[n], normal[n, 0], normal[n, 1], normal[n, 2] = surface(
                target, instance[n], face[n], rays[n, 6], rays[n, 0], rays[n, 1], rays[n, 2],
                rays[n, 3], rays[n, 4], rays[n, 5], reals[packet.DISTANCE + lane], place)


@compiled
def find_occlusion(
        target: Target, rays: Array, nearest: float, farthest: float, mask: int,
        reals: packet.Reals, words: packet.Words, found: NDArray[np.bool_]) -> None:
    """Fill in whether rays meet anything; parameters as of `cast_rays`."""
    for begin in range(0, rays.shape[0], LANES):
        count = _put_rays(rays, begin, nearest, farthest, mask, reals, words)
        occluded8(target, reals, words)
        for lane in range(count):
            found[begin + lane] = is_occluded(reals, lane)
