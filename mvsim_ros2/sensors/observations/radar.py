# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What radars measure."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.sensors.observations.base import Observation

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RadarDetections(Observation):
    """
    Detections of a radar.

    In messages `distance` is called `range`, `velocity` `doppler_velocity`; `snr` is `amplitude`
    there, and in dB as `rcs` is (dBsm).

    =========  =====  =======  ====  ======  ==================================================
    field      shape  dtype    unit  frame   meaning
    =========  =====  =======  ====  ======  ==================================================
    distance   (n,)   float64  m     sensor  of what was met
    azimuth    (n,)   float64  rad   sensor  from x towards y
    elevation  (n,)   float64  rad   sensor  from the xy plane upwards
    velocity   (n,)   float64  m/s   sensor  along the ray, positive away from the sensor
    rcs        (n,)   float64  m^2           radar cross-section
    snr        (n,)   float64                signal to noise ratio
    ghost      (n,)   bool                   whether it came over a wall, which is the truth
    =========  =====  =======  ====  ======  ==================================================

    >>> from mvsim_ros2 import Simulation
    >>> from mvsim_ros2.world.spec import RadarSpec, WorldSpec
    >>> seen = Simulation(WorldSpec(sensors=(RadarSpec(name='front'),))).measure('front')
    >>> len(seen.distance)  # nothing stands there
    0
    """

    distance: Array
    azimuth: Array
    elevation: Array
    velocity: Array
    rcs: Array
    snr: Array
    ghost: NDArray[np.bool_]
