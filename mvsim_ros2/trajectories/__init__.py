# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Controllers that drive vehicles: route following, patterns, exploration, replay of commands.

A controller is called with the simulation once each control period and commands a vehicle
through the public API. It is for one run. Runs with the same world, seed and controller are
identical to the last bit::

    route = read_route('worlds/paths/office.csv')
    drive(simulation, RouteFollower(route, speed=0.8), duration=300.0)
"""

from typing import TYPE_CHECKING

from mvsim_ros2.base.lazy import lazy_names

if TYPE_CHECKING:
    from mvsim_ros2.trajectories.controller import Controller, drive, RouteFollower
    from mvsim_ros2.trajectories.controllers_by_name import make_controller
    from mvsim_ros2.trajectories.explorer import Explorer
    from mvsim_ros2.trajectories.replay import CommandReplay
    from mvsim_ros2.trajectories.route import figure_of_eight, lawn_mower, Limits, Route
    from mvsim_ros2.trajectories.route_file import read_route
else:
    __getattr__, __dir__ = lazy_names(__name__)

__all__ = [
    'CommandReplay', 'Controller', 'drive', 'Explorer', 'figure_of_eight', 'lawn_mower', 'Limits',
    'make_controller', 'read_route', 'Route', 'RouteFollower',
]
