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
"""What all observations share."""

from dataclasses import dataclass

from mvsim_ros2.short_repr import ShortRepr


@dataclass(frozen=True, eq=False)
class Observation(ShortRepr):
    """
    What all observations share.

    ========  =====  =====  ====  =====  ==========================================================
    field     shape  dtype  unit  frame  meaning
    ========  =====  =====  ====  =====  ==========================================================
    sensor           str                 ``'vehicle/sensor'``, or ``'sensor'`` where it stands in
                                         the world
    frame_id         str                 frame of the data, without any prefix of the vehicle
    stamp_ns         int    ns           simulated time of the measured state; of a LiDAR that of
                                         the first ray
    ========  =====  =====  ====  =====  ==========================================================

    >>> from mvsim_ros2 import Simulation, world_path
    >>> simulation = Simulation.from_file(world_path('sensors'), seed=1)
    >>> scan = simulation.measure('robot/scan')
    >>> scan.sensor, scan.frame_id, scan.stamp_ns
    ('robot/scan', 'scan', 0)
    """

    sensor: str
    frame_id: str
    stamp_ns: int
