# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A sensor of a running simulation."""

from typing import Any, TYPE_CHECKING

from mvsim_ros2.base.arguments import real
from mvsim_ros2.frames import Pose
from mvsim_ros2.sensors.base import Sensor, SensorFrame
from mvsim_ros2.sensors.observations import Observation
from mvsim_ros2.world.spec.sensors.base import SensorSpec

if TYPE_CHECKING:
    from mvsim_ros2.simulation.base import SimulationBase


class SensorHandle:
    """
    A sensor of a running simulation; its name is ``'vehicle/sensor'``.

    >>> from mvsim_ros2 import Simulation, world_path
    >>> simulation = Simulation.from_file(world_path('demo'))
    >>> simulation.sensors['robot/scan']
    <sensor 'robot/scan' (laser, 10 Hz) in the frame 'scan'>
    >>> simulation.sensors['robot/scan'].pose.z  # on the vehicle [m]
    0.45
    """

    __slots__ = ('_simulation', '_sensor')

    def __init__(self, simulation: 'SimulationBase', sensor: Sensor) -> None:
        """Hold a sensor; `Simulation` makes the handles."""
        self._simulation = simulation
        self._sensor = sensor

    def __repr__(self) -> str:
        """Return its name, class, rate and frame."""
        return (f'<sensor {self.name!r} ({self.spec.XML_CLASS}, {1 / self.spec.sensor_period:g} '
                f'Hz) in the frame {self.frame_id!r}>')

    @property
    def name(self) -> str:
        """Return the full name, ``'vehicle/sensor'``."""
        return self._sensor.name

    @property
    def vehicle(self) -> str:
        """Return the name of the vehicle that carries it, '' if none does."""
        return self.name.rpartition('/')[0]

    @property
    def spec(self) -> SensorSpec:
        """Return what the world file says of it."""
        return self._sensor.spec

    @property
    def frame_id(self) -> str:
        """Return the name of its frame."""
        return self._sensor.frame_id

    @property
    def pose(self) -> Pose:
        """Return the pose on the vehicle, or in the world."""
        return self._sensor.pose

    @property
    def frames(self) -> tuple[SensorFrame, ...]:
        """Return the frames that its observations are in."""
        return self._sensor.frames

    @property
    def memory(self) -> dict[str, Any]:
        """Return what it remembers of its measurements, such as the `bias` of an IMU."""
        return self._sensor.state()

    def set_rate(self, rate: float) -> None:
        """
        Measure at another rate from now on [Hz]; the simulation has another handle then.

        :raises SensorError: where that is more than once a step, or not above 0.

        >>> from mvsim_ros2 import Simulation, world_path
        >>> simulation = Simulation.from_file(world_path('demo'))
        >>> simulation.sensors['robot/scan'].set_rate(20.0)
        >>> simulation.sensors['robot/scan']
        <sensor 'robot/scan' (laser, 20 Hz) in the frame 'scan'>
        """
        simulation = self._simulation
        simulation._suite.set_rate(self.name, real('rate', rate), simulation.time_ns)
        simulation._make_handles()

    def measure(self) -> Observation:
        """
        Measure the present state, whether it is due or not.

        :returns: an observation of the class that the sensor makes, see `mvsim_ros2.sensors`.

        >>> from mvsim_ros2 import Simulation, world_path
        >>> simulation = Simulation.from_file(world_path('demo'))
        >>> simulation.sensors['robot/scan'].measure().ranges.shape
        (720,)
        """
        return self._simulation.measure(self.name)
