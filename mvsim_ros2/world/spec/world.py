# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The world as a whole."""

from collections.abc import Mapping
from dataclasses import dataclass, field
import re

from mvsim_ros2.world.spec.actor import ActorSpec, CrowdSpec
from mvsim_ros2.world.spec.block import BlockSpec, JointSpec
from mvsim_ros2.world.spec.common import ReadOnlyMapping
from mvsim_ros2.world.spec.element import ElementSpec
from mvsim_ros2.world.spec.fields import Problems, Source, Spec, tag
from mvsim_ros2.world.spec.lights import LightsSpec
from mvsim_ros2.world.spec.sensors.base import SensorSpec
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec
from mvsim_ros2.world.spec.view import GeoreferenceSpec, GuiSpec, MarkerSpec, NamedPoseSpec
from mvsim_ros2.world.spec.walls import WallsSpec
from mvsim_ros2.world.spec.weather import AirSpec, WeatherSpec

# why nothing acts on a tag, see `Tag.idle`
RECORDING = '`mvsim_ros2 record WORLD -o FOLDER` writes a bag of all topics'
TRUTH = '`mvsim_ros2 record` writes ground_truth/base_link.tum with every step next to the bag'
UNUSED = 'the original does not use it either; in mode `physical` steep ground stops vehicles'


@dataclass(frozen=True)
class WorldWarning:
    """Something in a world file that is read but not as its author may expect."""

    source: Source
    message: str

    def __str__(self) -> str:
        return f'{self.source}: {self.message}'


@dataclass(frozen=True)
class PhysicsSpec(Spec):
    """Physics mode (`<physics>`), an addition to the format of MVSim."""

    mode: str = tag(
        'text', 'physical', attribute=True, choices=('mvsim', 'physical'),
        doc='`mvsim`: the equations of MVSim; `physical`: true loads, slips and slopes')


@dataclass(frozen=True)
class WorldSpec(Spec):
    """A whole world (`<mvsim_world>`)."""

    path: str = ''
    seed: int = 0  # of the random numbers in the file's formulas
    version: str = tag('text', '1.0', attribute=True, doc='version of the format')
    simul_timestep: float = tag(
        'float', 0.0, unit='s', minimum=0, maximum=1,
        doc='physics step, 1e-6 or more; 0: the smaller of 5 ms and the shortest sensor period')
    gravity: float = tag('float', 9.81, unit='m/s^2', minimum=0, doc='gravity')
    b2d_vel_iters: int = tag('int', 8, minimum=1, maximum=1000, doc='velocity iterations of Box2D')
    b2d_pos_iters: int = tag('int', 3, minimum=1, maximum=1000, doc='position iterations of Box2D')
    collision_threshold: float = tag(
        'float', 0.03, unit='m', minimum=0, doc='bodies nearer than this count as colliding')
    joystick_enabled: bool = tag(
        'bool', False, idle='a joystick drives in the window, `mvsim_ros2 view`, or by '
        'teleop_twist_joy with config/teleop_joy.yaml', doc='read a joystick')
    server_address: str = tag(
        'text', 'localhost', idle='ROS 2 replaces it: see docs/from-mvsim.md',
        doc="address of MVSim's own messaging")
    save_to_rawlog: str = tag('text', '', idle=RECORDING, doc='MRPT rawlog to write')
    rawlog_odometry_rate: float = tag(
        'float', 10.0, unit='Hz', above=0, idle=RECORDING, doc='odometry rate of the rawlog')
    save_ground_truth_trajectory: str = tag(
        'text', '', idle=TRUTH, doc='TUM file for the true trajectory')
    ground_truth_rate: float = tag(
        'float', 50.0, unit='Hz', above=0, idle=TRUTH, doc='rate of that file')
    max_slope_to_collide: float = tag('float', 0.3, idle=UNUSED, doc='not used, as in MVSim')
    min_slope_to_collide: float = tag('float', -0.5, idle=UNUSED, doc='not used, as in MVSim')
    physics: PhysicsSpec = tag('spec', PhysicsSpec(), spec=PhysicsSpec, doc='physics mode')
    gui: GuiSpec = tag('spec', GuiSpec(), spec=GuiSpec, doc='user interface')
    lights: LightsSpec = tag('spec', LightsSpec(), spec=LightsSpec, doc='sun, sky and lamps')
    air: AirSpec = tag('spec', AirSpec(), spec=AirSpec, doc='density of the air, and wind')
    weather: WeatherSpec = tag(
        'spec', WeatherSpec(), spec=WeatherSpec, doc='rain, snow, fog, dust')
    georeference: GeoreferenceSpec | None = tag(
        'spec', None, spec=GeoreferenceSpec, doc='place on Earth')
    vehicles: tuple[VehicleSpec, ...] = ()
    blocks: tuple[BlockSpec, ...] = ()
    elements: tuple[ElementSpec, ...] = ()
    walls: tuple[WallsSpec, ...] = ()
    sensors: tuple[SensorSpec, ...] = ()  # standing in the world, not on a vehicle
    actors: tuple[ActorSpec, ...] = ()
    crowds: tuple[CrowdSpec, ...] = ()
    joints: tuple[JointSpec, ...] = ()
    markers: tuple[MarkerSpec, ...] = ()
    named_poses: tuple[NamedPoseSpec, ...] = ()
    vehicle_classes: Mapping[str, VehicleSpec] = field(default_factory=lambda: ReadOnlyMapping({}))
    block_classes: Mapping[str, BlockSpec] = field(default_factory=lambda: ReadOnlyMapping({}))
    variables: Mapping[str, str] = field(default_factory=lambda: ReadOnlyMapping({}))
    warnings: tuple[WorldWarning, ...] = ()

    @property
    def timestep(self) -> float:
        """Physics step [s], chosen as `simul_timestep` says."""
        if self.simul_timestep > 0:
            return self.simul_timestep
        periods = [sensor.sensor_period for vehicle in self.vehicles for sensor in vehicle.sensors]
        return min([0.005, *periods])

    def __repr__(self) -> str:
        parts = ', '.join(
            f'{count} {what if count > 1 else what[:-1]}' for what in (
                'vehicles', 'blocks', 'elements', 'walls', 'sensors', 'actors', 'crowds',
                'joints', 'markers', 'warnings')
            if (count := len(getattr(self, what))))
        return (f'<WorldSpec {self.path or "made by a script"}: mode {self.physics.mode}, '
                f'step {1e3 * self.timestep:g} ms; {parts or "empty"}>')

    def problems(self) -> Problems:
        if not re.fullmatch('[0-9]+[.][0-9]+', self.version):
            yield f'version is {self.version!r}: give two whole numbers with a dot, such as 1.0'
        if 0.0 < self.simul_timestep < 1e-6:
            yield (f'simul_timestep is {self.simul_timestep:g} s: it must be at least 1e-06 s, '
                   'or 0 for the default')
