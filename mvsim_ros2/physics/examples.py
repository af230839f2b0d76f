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
Examples of what kernels take, for those that are compiled `separate`.

Any sizes do: what counts are the kinds and numbers of dimensions.
"""

import numpy as np

from mvsim_ros2.physics.layout import VEHICLE
from mvsim_ros2.physics.layout import WHEEL

SOME_VEHICLES, SOME_WHEELS, STARTS = np.zeros(1, VEHICLE), np.zeros(1, WHEEL), np.zeros(1, int)
A_VEHICLE = SOME_VEHICLES[0]
ROW, TABLE, TABLES = np.zeros(1), np.zeros((1, 1)), np.zeros((1, 1, 1))
TORQUES_LIKE = (A_VEHICLE, SOME_WHEELS, 0.0, TABLE, 0.0)  # of the torque kernels of controllers
MOTION_LIKE = (A_VEHICLE, SOME_WHEELS)  # of the kernels by which wheels tell their motion
