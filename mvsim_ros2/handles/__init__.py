# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What a script drives and reads: vehicles, blocks, actors and sensors of a running simulation."""

from mvsim_ros2.handles.bodies import ActorHandle
from mvsim_ros2.handles.bodies import BlockHandle
from mvsim_ros2.handles.bodies import BodyHandle
from mvsim_ros2.handles.fleet import Fleet
from mvsim_ros2.handles.fleet import Report
from mvsim_ros2.handles.mapping import Handles
from mvsim_ros2.handles.sensor import SensorHandle
from mvsim_ros2.handles.vehicle import Contact
from mvsim_ros2.handles.vehicle import VehicleHandle

__all__ = ['ActorHandle', 'BlockHandle', 'BodyHandle', 'Contact', 'Fleet', 'Handles', 'Report',
           'SensorHandle', 'VehicleHandle']
