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
