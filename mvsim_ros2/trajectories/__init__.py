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
What drives vehicles: routes to follow, patterns, exploring, and replay of commands.

A controller is called with the simulation once each control period and commands a vehicle
through the public API, as a script does. It belongs to one run: make a new one for the next.
With the same world, seed and controller the run is the same to the last bit::

    route = read_route('worlds/paths/office.csv')
    drive(simulation, RouteFollower(route, speed=0.8), duration=300.0)
"""

from typing import TYPE_CHECKING

from mvsim_ros2.lazy import lazy_names

if TYPE_CHECKING:
    from mvsim_ros2.trajectories.choice import make_controller
    from mvsim_ros2.trajectories.controller import Controller
    from mvsim_ros2.trajectories.controller import drive
    from mvsim_ros2.trajectories.explorer import Explorer
    from mvsim_ros2.trajectories.follower import RouteFollower
    from mvsim_ros2.trajectories.patterns import figure_of_eight
    from mvsim_ros2.trajectories.patterns import lawn_mower
    from mvsim_ros2.trajectories.replay import CommandReplay
    from mvsim_ros2.trajectories.route import Route
    from mvsim_ros2.trajectories.route_file import read_route
    from mvsim_ros2.trajectories.speed_profile import Limits
else:
    __getattr__, __dir__ = lazy_names(__name__)

__all__ = [
    'CommandReplay', 'Controller', 'drive', 'Explorer', 'figure_of_eight', 'lawn_mower', 'Limits',
    'make_controller', 'read_route', 'Route', 'RouteFollower',
]
