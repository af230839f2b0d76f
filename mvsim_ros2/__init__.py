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
Light vehicle and sensor simulator for ROS 2.

The names below are loaded on first use, so that a part of the package can be imported
without what the other parts need.

>>> from mvsim_ros2 import Simulation, world_path
>>> simulation = Simulation.from_file(world_path('demo'), seed=1)
>>> simulation.vehicles['robot'].set_twist(0.5, 0.2)
>>> observations = simulation.step(200)  # a second
>>> sorted({observation.sensor for observation in observations})
['robot/imu', 'robot/scan']
"""

import logging
from typing import TYPE_CHECKING

from mvsim_ros2.lazy import lazy_names

if TYPE_CHECKING:
    from mvsim_ros2.errors import MvsimError
    from mvsim_ros2.frames import Pose
    from mvsim_ros2.share import world_path
    from mvsim_ros2.simulation import Simulation
    from mvsim_ros2.world.load import load_world
else:
    __getattr__, __dir__ = lazy_names(__name__)

__all__ = ['__version__', 'load_world', 'MvsimError', 'Pose', 'Simulation', 'world_path']

__version__ = '0.1.0'  # as in setup.py and package.xml

logging.getLogger(__name__).addHandler(logging.NullHandler())
