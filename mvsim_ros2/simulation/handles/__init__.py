# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Handles for scripts: vehicles, blocks, actors and sensors of a running simulation."""

from mvsim_ros2.simulation.handles.bodies import ActorHandle, BlockHandle, BodyHandle
from mvsim_ros2.simulation.handles.mapping import Fleet, Handles, Report
from mvsim_ros2.simulation.handles.sensor import SensorHandle
from mvsim_ros2.simulation.handles.vehicle import Contact, VehicleHandle

__all__ = ['ActorHandle', 'BlockHandle', 'BodyHandle', 'Contact', 'Fleet', 'Handles', 'Report',
           'SensorHandle', 'VehicleHandle']
