# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What cameras for heat and for events measure."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.sensors.observations.base import Observation
from mvsim_ros2.sensors.observations.camera import CameraInfo

EVENT = np.dtype([('x', np.uint16), ('y', np.uint16), ('t', np.uint32), ('polarity', np.uint8)])


@dataclass(frozen=True, eq=False)
class ThermalImage(Observation):
    """
    Temperatures that black bodies of the same radiation would have.

    ===========  ===============  ==========  ====  =======  ======================================
    field        shape            dtype       unit  frame    meaning
    ===========  ===============  ==========  ====  =======  ======================================
    temperature  (height, width)  float32     K     optical
    info                          CameraInfo                 calibration
    unit                          float       K              of the whole numbers in messages
    ===========  ===============  ==========  ====  =======  ======================================

    >>> from mvsim_ros2 import Simulation
    >>> from mvsim_ros2.world.spec import ThermalCameraSpec, WorldSpec
    >>> camera = ThermalCameraSpec(name='heat', netd=0.0)
    >>> image = Simulation(WorldSpec(sensors=(camera,))).measure('heat')
    >>> image.temperature.shape, round(float(image.temperature[0, 0]), 2)  # the sky
    ((240, 320), 250.0)
    """

    temperature: NDArray[np.float32]
    info: CameraInfo
    unit: float


@dataclass(frozen=True, eq=False)
class Events(Observation):
    """
    Changes of the light since the measurement before, in the order of time.

    ======  =====  ==========  ====  =======  =====================================================
    field   shape  dtype       unit  frame    meaning
    ======  =====  ==========  ====  =======  =====================================================
    events  (n,)   struct      px    optical  fields x, y (column and row); t, nanoseconds after
                                              the stamp; polarity, 1 brighter, 0 darker
    info           CameraInfo                 calibration
    ======  =====  ==========  ====  =======  =====================================================

    >>> from mvsim_ros2 import Simulation
    >>> from mvsim_ros2.world.spec import EventCameraSpec, WorldSpec
    >>> camera = EventCameraSpec(name='dvs', leak_rate=0.0)
    >>> events = Simulation(WorldSpec(sensors=(camera,))).measure('dvs').events
    >>> len(events), events.dtype.names  # nothing moves
    (0, ('x', 'y', 't', 'polarity'))
    """

    events: NDArray[np.void]
    info: CameraInfo
