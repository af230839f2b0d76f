# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The common fields of all observations."""

from dataclasses import dataclass

from mvsim_ros2.base.short_repr import ShortRepr


@dataclass(frozen=True, eq=False)
class Observation(ShortRepr):
    """
    The common fields of all observations.

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
