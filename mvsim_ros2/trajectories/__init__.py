# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
What drives vehicles: routes to follow, patterns, exploring, and replay of commands.

A controller is called with the simulation once each control period and commands a vehicle
through the public API, as a script does. It belongs to one run: make a new one for the next.
With the same world, seed and controller the run is the same to the last bit::

    route = read_route('worlds/paths/office.csv')
    drive(simulation, RouteFollower(route, speed=0.8), duration=300.0)
"""
