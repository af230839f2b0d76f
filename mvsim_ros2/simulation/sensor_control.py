# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Switches of the sensors of a simulation."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from mvsim_ros2.base.arguments import truth
from mvsim_ros2.sensors.observations import Observation

if TYPE_CHECKING:
    from mvsim_ros2.sensors.scheduler import SensorScheduler


class SensorControl(ABC):
    """Part of a `Simulation`: turns sensors on and off, and lets them measure."""

    __slots__ = ()

    _suite: 'SensorScheduler'

    @property
    @abstractmethod
    def time_ns(self) -> int:
        """Return the simulated time [ns]."""

    @abstractmethod
    def _make_handles(self) -> None:
        """Make the handles of everything anew."""

    def set_enabled(self, sensor: str, enabled: bool) -> None:
        """
        Let `step` measure with a sensor or not; a sensor that is off costs nothing.

        :raises SensorError: where there is none of this name.

        >>> from mvsim_ros2 import Simulation, world_path
        >>> simulation = Simulation.from_file(world_path('demo'))
        >>> simulation.set_enabled('robot/imu', False)
        >>> {observation.sensor for observation in simulation.step(200)}
        {'robot/scan'}
        """
        self._suite.check(sensor)
        self._suite.enable(sensor, truth('enabled', enabled))

    def set_noise(self, on: bool) -> None:
        """
        Let all sensors measure with their random errors or, from now on, without these.

        >>> from mvsim_ros2 import Simulation, world_path
        >>> simulation = Simulation.from_file(world_path('demo'))
        >>> simulation.set_noise(False)
        >>> simulation.measure('robot/imu').angular_velocity.tolist()
        [0.0, 0.0, 0.0]
        """
        self._suite.set_noise(truth('on', on), self.time_ns)
        self._make_handles()

    def measure(self, sensor: str) -> Observation:
        """
        Measure the present state with one sensor, whether it is due or not.

        :param sensor: full name, ``'vehicle/sensor'``.
        :returns: an observation of the class that the sensor makes, see `mvsim_ros2.sensors`.
        :raises SensorError: where there is none of this name.

        >>> from mvsim_ros2 import Simulation, world_path
        >>> simulation = Simulation.from_file(world_path('sensors'))
        >>> simulation.measure('robot/camera').pixels.shape
        (120, 160, 3)
        """
        self._suite.check(sensor)
        return self._suite.measure([sensor], self.time_ns)[0]

    def trigger(self, sensor: str) -> None:
        """
        Let a sensor with `<trigger>external</trigger>` measure once, at the end of the next step.

        One that takes time, as a camera with an exposure, begins then. `step` returns what it
        measures.

        :param sensor: full name, ``'vehicle/sensor'``.
        :raises SensorError: where there is none of this name, it measures by itself, or is off.

        >>> from mvsim_ros2 import Simulation
        >>> from mvsim_ros2.world.spec import LaserSpec, WorldSpec
        >>> simulation = Simulation(WorldSpec(sensors=(LaserSpec('eye', trigger='external'),)))
        >>> simulation.trigger('eye')
        >>> [(o.sensor, o.stamp_ns) for o in simulation.step(200)]
        [('eye', 5000000)]
        """
        self._suite.trigger(sensor, self.time_ns)
