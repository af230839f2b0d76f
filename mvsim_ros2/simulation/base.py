# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What all parts of a simulation use: its clock, its things by name, its sensors."""

from mvsim_ros2.base.arguments import truth
from mvsim_ros2.base.random_streams import RandomStreams
from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.sensors.observations import Observation
from mvsim_ros2.sensors.scheduler import SensorScheduler
from mvsim_ros2.simulation.handles import (
    ActorHandle, BlockHandle, Handles, SensorHandle, VehicleHandle)
from mvsim_ros2.world.spec.common import Footprint
from mvsim_ros2.world.spec.world import WorldSpec


class SimulationBase:
    """Part of a `Simulation`: tells what there is, and lets sensors measure."""

    __slots__ = ('_world', '_streams', '_footprints', '_physics', '_step_ns', '_suite',
                 '_vehicles', '_blocks', '_actors', '_sensors', '__weakref__', '_ran')
    _world: WorldSpec
    _streams: RandomStreams
    _footprints: dict[str, Footprint]
    _physics: PhysicsWorld
    _suite: SensorScheduler
    _step_ns: int
    _vehicles: Handles[VehicleHandle]
    _blocks: Handles[BlockHandle]
    _ran: tuple[int, float]  # steps at the end of the last run, and when it should have ended [s]

    @property
    def world(self) -> WorldSpec:
        """Return the world as it was loaded."""
        return self._world

    @property
    def seed(self) -> int:
        """Return the seed of all random streams of this run."""
        return self._streams.seed

    @property
    def mode(self) -> str:
        """Return the physics mode."""
        return self._physics.mode

    @property
    def dt(self) -> float:
        """Return the physics step [s]."""
        return self._physics.dt

    @property
    def steps(self) -> int:
        """Return the physics steps since the start."""
        return self._physics.steps

    @property
    def time_ns(self) -> int:
        """Return the simulated time [ns]."""
        return self._physics.steps * self._step_ns

    @property
    def time(self) -> float:
        """Return the simulated time [s]."""
        return self.time_ns * 1e-9

    @property
    def vehicles(self) -> Handles[VehicleHandle]:
        """Return the vehicles by name."""
        return self._vehicles

    @property
    def blocks(self) -> Handles[BlockHandle]:
        """Return the blocks by name."""
        return self._blocks

    @property
    def actors(self) -> Handles[ActorHandle]:
        """Return the human actors by name."""
        return self._actors

    @property
    def sensors(self) -> Handles[SensorHandle]:
        """Return the sensors by name, ``'vehicle/sensor'``."""
        return self._sensors

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

    def _things_changed(self) -> None:
        """Bring sensors up to date after things came, went or were moved."""
        self._suite.update(self.time_ns, self._footprints)
        self._sensors_changed()

    def _went(self, name: str) -> None:
        """Bring handles and sensors up to date after a vehicle or block went."""
        if name in self._vehicles:
            self._vehicles = self._vehicles.without(name)
        else:
            self._blocks = self._blocks.without(name)
        self._things_changed()

    def _others_now(self) -> None:
        """Bring handles and sensors up to date after all vehicles and blocks are others."""
        self._suite.update(self.time_ns, self._footprints)
        self._make_handles()

    def _make_handles(self) -> None:
        physics = self._physics
        self._vehicles = Handles('vehicle', {
            name: VehicleHandle(physics, name) for name in physics.vehicles.names})
        self._blocks = Handles('block', {
            name: BlockHandle(physics, name) for name in physics.blocks.names})
        self._actors = Handles('actor', {
            actor.name: ActorHandle(physics, actor.name) for actor in self.world.actors})
        self._sensors_changed()

    def _sensors_changed(self) -> None:
        self._sensors = Handles('sensor', {
            name: SensorHandle(self, sensor) for name, sensor in self._suite.sensors.items()})
