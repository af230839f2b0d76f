# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of motors, contacts and the ground below, and of tag readers."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.sensors.observations.base import entry, Observation


@dataclass(frozen=True, eq=False)
class WrenchSample(Observation):
    """
    Force and torque of what touches the vehicle.

    >>> from mvsim_ros2 import Simulation, world_path
    >>> simulation = Simulation.from_file(world_path('sensors'), seed=1)
    >>> simulation.set_noise(False)
    >>> simulation.measure('robot/skin').force.tolist()
    [0.0, 0.0, 0.0]
    """

    force: NDArray[np.float64] = entry('on the vehicle', '(3,)', 'N', 'sensor')
    torque: NDArray[np.float64] = entry('about the origin of a sensor', '(3,)', 'N m', 'sensor')


@dataclass(frozen=True, eq=False)
class JointSample(Observation):
    """
    Torques at the joints of wheels, or currents of their motors.

    >>> from mvsim_ros2 import Simulation, world_path
    >>> simulation = Simulation.from_file(world_path('sensors'), seed=1)
    >>> simulation.set_noise(False)
    >>> simulation.measure('robot/torques').values.tolist()
    [0.0, 0.0]
    """

    names: tuple[str, ...] = entry('of the joints, in the order of the wheels')
    values: NDArray[np.float64] = entry(
        'positive forward; currents of driven wheels', '(n,)', 'N m or A')


@dataclass(frozen=True, eq=False)
class BatterySample(Observation):
    """
    State of a battery.

    >>> from mvsim_ros2 import Simulation, world_path
    >>> simulation = Simulation.from_file(world_path('sensors'), seed=1)
    >>> sample = simulation.measure('robot/battery')
    >>> round(sample.voltage), round(sample.charge, 3)
    (25, 10.0)
    """

    voltage: float = entry('between its terminals', unit='V')
    current: float = entry('out of the battery', unit='A')
    charge: float = entry('that is left', unit='A h')
    capacity: float = entry('charge of the full battery', unit='A h')


@dataclass(frozen=True, eq=False)
class RfidReadings(Observation):
    """
    Radio tags that are heard.

    >>> from mvsim_ros2 import Simulation
    >>> from mvsim_ros2.world.spec import RfidSpec, RfidTagSpec, WorldSpec
    >>> reader = RfidSpec(name='reader', tags=(RfidTagSpec(7, (10.0, 0.0, 0.0)),),
    ...                   shadowing_std_noise=0.0)
    >>> readings = Simulation(WorldSpec(sensors=(reader,))).measure('reader')
    >>> readings.tags.tolist(), readings.signal.tolist()
    ([7], [-65.0])
    """

    tags: NDArray[np.int64] = entry('numbers of tags', '(n,)')
    signal: NDArray[np.float64] = entry('received strength', '(n,)', 'dBm')


@dataclass(frozen=True, eq=False)
class LineSample(Observation):
    """
    Reflectivity of the ground below the detectors of a row.

    >>> from mvsim_ros2 import Simulation, world_path
    >>> simulation = Simulation.from_file(world_path('sensors'), seed=1)
    >>> simulation.measure('robot/line').values.shape
    (8,)
    """

    values: NDArray[np.float32] = entry(
        '0 black, 1 white; the first is on the left', '(detectors,)')
