# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of motors, contacts and the ground below, and of tag readers."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.sensors.observations.base import Observation


@dataclass(frozen=True, eq=False)
class WrenchSample(Observation):
    """
    Force and torque of what touches the vehicle.

    ======  =====  =======  ====  ======  ===========================
    field   shape  dtype    unit  frame   meaning
    ======  =====  =======  ====  ======  ===========================
    force   (3,)   float64  N     sensor  on the vehicle
    torque  (3,)   float64  N m   sensor  about the origin of a sensor
    ======  =====  =======  ====  ======  ===========================

    >>> from mvsim_ros2 import Simulation, world_path
    >>> simulation = Simulation.from_file(world_path('sensors'), seed=1)
    >>> simulation.set_noise(False)
    >>> simulation.measure('robot/skin').force.tolist()
    [0.0, 0.0, 0.0]
    """

    force: NDArray[np.float64]
    torque: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class JointSample(Observation):
    """
    Torques at the joints of wheels, or currents of their motors.

    ======  ========  =======  ========  =====  =============================================
    field   shape     dtype    unit      frame  meaning
    ======  ========  =======  ========  =====  =============================================
    names             tuple                     of the joints, in the order of the wheels
    values  (n,)      float64  N m or A         positive forward; currents of driven wheels
    ======  ========  =======  ========  =====  =============================================

    >>> from mvsim_ros2 import Simulation, world_path
    >>> simulation = Simulation.from_file(world_path('sensors'), seed=1)
    >>> simulation.set_noise(False)
    >>> simulation.measure('robot/torques').values.tolist()
    [0.0, 0.0]
    """

    names: tuple[str, ...]
    values: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class BatterySample(Observation):
    """
    State of a battery.

    ========  =====  =====  ====  =====  ==========================
    field     shape  dtype  unit  frame  meaning
    ========  =====  =====  ====  =====  ==========================
    voltage          float  V            between its terminals
    current          float  A            out of the battery
    charge           float  A h          that is left
    capacity         float  A h          charge of the full battery
    ========  =====  =====  ====  =====  ==========================

    >>> from mvsim_ros2 import Simulation, world_path
    >>> simulation = Simulation.from_file(world_path('sensors'), seed=1)
    >>> sample = simulation.measure('robot/battery')
    >>> round(sample.voltage), round(sample.charge, 3)
    (25, 10.0)
    """

    voltage: float
    current: float
    charge: float
    capacity: float


@dataclass(frozen=True, eq=False)
class RfidReadings(Observation):
    """
    Radio tags that are heard.

    ======  =====  =======  ====  =====  =================
    field   shape  dtype    unit  frame  meaning
    ======  =====  =======  ====  =====  =================
    tags    (n,)   int64                 numbers of tags
    signal  (n,)   float64  dBm          received strength
    ======  =====  =======  ====  =====  =================

    >>> from mvsim_ros2 import Simulation
    >>> from mvsim_ros2.world.spec import RfidSpec, RfidTagSpec, WorldSpec
    >>> reader = RfidSpec(name='reader', tags=(RfidTagSpec(7, (10.0, 0.0, 0.0)),),
    ...                   shadowing_std_noise=0.0)
    >>> readings = Simulation(WorldSpec(sensors=(reader,))).measure('reader')
    >>> readings.tags.tolist(), readings.signal.tolist()
    ([7], [-65.0])
    """

    tags: NDArray[np.int64]
    signal: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LineSample(Observation):
    """
    Reflectivity of the ground below the detectors of a row.

    ======  ============  =======  ====  =====  ==============================
    field   shape         dtype    unit  frame  meaning
    ======  ============  =======  ====  =====  ==============================
    values  (detectors,)  float32               0 black, 1 white; the first is
                                                on the left
    ======  ============  =======  ====  =====  ==============================

    >>> from mvsim_ros2 import Simulation, world_path
    >>> simulation = Simulation.from_file(world_path('sensors'), seed=1)
    >>> simulation.measure('robot/line').values.shape
    (8,)
    """

    values: NDArray[np.float32]
