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
"""Casts of packets of rays, by Embree or by the trees of our own; for kernels."""

from mvsim_ros2.compiled import compiled
from mvsim_ros2.sensors.raycast.call import call4
from mvsim_ros2.sensors.raycast.packet import DISTANCE
from mvsim_ros2.sensors.raycast.packet import Reals
from mvsim_ros2.sensors.raycast.packet import VALID
from mvsim_ros2.sensors.raycast.packet import Words
from mvsim_ros2.sensors.raycast.target import Target


@compiled(inner=True)
def intersect8(target: Target, reals: Reals, words: Words) -> None:
    """
    Find what each ray of a packet meets first.

    :param reals: views of the packet, shape (WORDS,), see `packet`; as `words`.
    """
    address = words.ctypes.data
    call4(target.intersect, address + 4 * VALID, target.top, address, 0)


@compiled(inner=True)
def occluded8(target: Target, reals: Reals, words: Words) -> None:
    """
    Find whether each ray of a packet meets anything; faster than to find what.

    Where it does, its DISTANCE becomes -inf.

    :param reals: views of the packet, shape (WORDS,), see `packet`; as `words`.
    """
    address = words.ctypes.data
    call4(target.occluded, address + 4 * VALID, target.top, address, 0)


@compiled(inner=True)
def is_occluded(reals: Reals, lane: int) -> bool:
    """Return what `occluded8` found for a ray."""
    found: bool = reals[DISTANCE + lane] < 0.0
    return found
