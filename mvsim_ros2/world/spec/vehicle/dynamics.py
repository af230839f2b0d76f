# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Chassis, wheels and steering of a vehicle (`<dynamics class="...">`)."""

from dataclasses import dataclass, fields
from functools import cached_property
import math

from mvsim_ros2.world.spec.common import (
    Colour, colour, made_of, MaterialSpec, Polygon, reflects, transmits)
from mvsim_ros2.world.spec.fields import Problems, Spec, tag, Unused
from mvsim_ros2.world.spec.vehicle.controller import (
    CONTROLLERS, ControllerSpec, RawController, TrajectoryController, TwistIdealController)
from mvsim_ros2.world.spec.vehicle.parts import (
    AerodynamicsSpec, BrakesSpec, DraughtSpec, DrivetrainSpec, EngineSpec, MotorSpec, wheel_at,
    WheelSpec)

_DIFFERENTIAL_OUTLINE = (
    (-0.4, -0.5), (-0.4, 0.5), (0.4, 0.5), (0.6, 0.3), (0.6, -0.3), (0.4, -0.5))
_ACKERMANN_OUTLINE = ((-0.8, -1.0), (-0.8, 1.0), (1.5, 0.9), (1.8, 0.8), (1.8, -0.8), (1.5, -0.9))

_LOWEST = 0.01  # m; centres of mass farther below the ground are hardly meant
STEEPEST = 0.5 * math.pi - 0.01  # rad; steering angles stay below


@dataclass(frozen=True)
class ChassisSpec(Spec):
    """Body of a vehicle; its mass is spread evenly over the outline."""

    mass: float = tag('float', 15.0, unit='kg', attribute=True, above=0, doc='mass')
    yaw_inertia: float | None = tag(
        'float', None, unit='kg m^2', attribute=True, above=0, doc='inertia of the whole vehicle '
        'about the vertical axis through its centre of mass; default: from the outlines')
    centre_of_mass: tuple[float, float, float] | None = tag(
        'point3', None, unit='m', attribute=True, doc='centre of mass of the body without wheels; '
        'default: the middle of its outline, at half height')
    zmin: float = tag('float', 0.05, unit='m', attribute=True, doc='lower side')
    zmax: float = tag('float', 0.6, unit='m', attribute=True, over='zmin', doc='upper side')
    color: Colour = tag('colour', (1.0, 0.0, 0.0, 1.0), attribute=True, doc='colour')
    reflectivity: float = reflects(attribute=True)
    transmittance: float | None = transmits(attribute=True)
    material: MaterialSpec = made_of()
    linear_damping: float | None = tag(
        'float', None, unit='1/s', attribute=True, minimum=0,
        doc='damping of the velocity; default: 0.1 in mode `mvsim`, 0 in mode `physical`')
    angular_damping: float | None = tag(
        'float', None, unit='1/s', attribute=True, minimum=0,
        doc='damping of the yaw rate; default: 0.1 in mode `mvsim`, 0 in mode `physical`')
    shape: Polygon = tag('polygon', _DIFFERENTIAL_OUTLINE, unit='m', doc='outline, made convex')
    shape_from_visual: bool = tag('flag', False, doc='compute outline and height from the meshes')
    load_transfer_lag: float = tag(
        'float', 0.15, unit='s', attribute=True, minimum=0, doc='time constant of the load '
        'transfer between wheels; 0: instant; physics mode `physical` only')


@dataclass(frozen=True)
class DynamicsSpec(Spec):
    """The common tags of all vehicle classes."""

    XML_CLASS = ''
    paired = 0  # wheels at the front of their list that stand in pairs, left before right

    chassis: ChassisSpec = tag('spec', ChassisSpec(), spec=ChassisSpec, doc='the body')
    controller: ControllerSpec = tag(
        'spec', RawController(), spec=CONTROLLERS, plugins='mvsim_ros2.controllers', mixed=True,
        doc='controller that turns commands into torques')
    motor: MotorSpec | None = tag(
        'spec', None, spec=MotorSpec, doc='limits of the torque; default: none')
    engine: EngineSpec | None = tag(
        'spec', None, spec=EngineSpec, doc='torque by speed and gears; default: none')
    aerodynamics: AerodynamicsSpec | None = tag(
        'spec', None, spec=AerodynamicsSpec, doc='aerodynamic forces; default: none')
    draught: DraughtSpec | None = tag(
        'spec', None, spec=DraughtSpec, doc='forces of the soil on an implement; default: none')
    brakes: BrakesSpec | None = tag('spec', None, spec=BrakesSpec, doc='brakes; default: none')

    @property
    def wheels(self) -> tuple[WheelSpec, ...]:
        """Wheels in the order of their index, which is the order of their tags."""
        return tuple(self._own_wheels.values())

    @cached_property
    def _own_wheels(self) -> dict[str, WheelSpec]:
        """Wheels by the names of their fields."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return {name: value for name, value in values.items() if isinstance(value, WheelSpec)}

    @property
    def wheel_names(self) -> tuple[str, ...]:
        """
        Return the names of the wheels: their tags, or ``wheel_1`` ... where they share one.

        The links of robot descriptions have these names, the joints these with an ending.
        """
        tags = tuple(self._own_wheels)
        count = len(self.wheels)
        return tags if len(tags) == count else tuple(f'wheel_{k}' for k in range(1, count + 1))

    @property
    def wheel_joints(self) -> tuple[str, ...]:
        """Return the names of the joints about which the wheels roll."""
        return tuple(wheel.joint or f'{name}_joint'
                     for name, wheel in zip(self.wheel_names, self.wheels, strict=True))

    @property
    def steering_joints(self) -> tuple[str, ...]:
        """Return the names of the joints about which the wheels are steered, fixed ones too."""
        return tuple(wheel.steering_joint or f'{name}_steering_joint'
                     for name, wheel in zip(self.wheel_names, self.wheels, strict=True))

    @property
    def in_front(self) -> tuple[bool, ...]:
        """Return for each wheel whether it stands before the middle of all."""
        x = [wheel.pos[0] for wheel in self.wheels]
        return tuple(each > 0.5 * (min(x) + max(x)) for each in x)

    @property
    def steered_wheels(self) -> tuple[int, ...]:
        """Return the indices of the wheels that a command steers."""
        return ()

    @property
    def swivelling_wheels(self) -> tuple[int, ...]:
        """Return the indices of the wheels that turn as they are pushed."""
        return ()

    @property
    def turning_wheels(self) -> tuple[int, ...]:
        """Return the indices of the wheels that are steered or swivel."""
        return tuple(sorted({*self.steered_wheels, *self.swivelling_wheels}))

    @property
    def driven_wheels(self) -> tuple[int, ...]:
        """Return the indices of the wheels that have a motor."""
        return tuple(range(len(self.wheels)))

    @property
    def largest_steering(self) -> float:
        """Return the largest angle of the equivalent central front wheel [rad], 0 for none."""
        return 0.0

    @property
    def rear_ratio(self) -> float:
        """Return the ratio of the tangents of the rear and front steering angles."""
        return 0.0

    @property
    def pivot_x(self) -> float:
        """
        Return where along x the point is that never moves sideways as the wheels roll [m].

        The middle of the wheels that neither steer nor swivel; the vehicle turns about it.
        """
        fixed = [wheel.pos[0] for k, wheel in enumerate(self.wheels)
                 if k not in self.turning_wheels]
        return math.fsum(fixed) / len(fixed) if fixed else 0.0

    @property
    def reach(self) -> float:
        """Return the tangent of the steering angle over the curvature of the path [m]."""
        along = [wheel.pos[0] for wheel in self.wheels]
        return (max(along) - min(along)) / (1.0 - self.rear_ratio)

    @property
    def tied(self) -> bool:
        """Return whether the wheels of a side turn at one speed."""
        return False

    @property
    def tyres_per_wheel(self) -> int:
        """Return how many tyres one wheel represents."""
        return 1

    def problems(self) -> Problems:
        for left, right in zip(
                self.wheels[:self.paired:2], self.wheels[1:self.paired:2], strict=True):
            if not left.pos[1] > right.pos[1]:
                yield (f'the left wheel stands at y = {left.pos[1]:g}, the right one at y = '
                       f'{right.pos[1]:g}: the left one must have the larger y, exchange them')

    def without_effect(self) -> Unused:
        """Yield forces, where the controller gives the body its velocity whatever they are."""
        if isinstance(self.controller, TwistIdealController | TrajectoryController):
            why = (f'the controller {self.controller.XML_CLASS!r} gives the body its velocity, '
                   'whatever the forces')
            for field in ('motor', 'engine', 'aerodynamics', 'draught'):
                yield self, field, why
            for wheel in self.wheels:
                for field in ('tyre_stiffness', 'tyre_damping', 'suspension_stiffness',
                              'suspension_damping', 'suspension_travel', 'anti_roll_stiffness'):
                    yield wheel, field, why

    def doubts(self) -> Problems:
        if self.chassis.centre_of_mass is None:
            return
        parts = ((self.chassis.mass, self.chassis.centre_of_mass), *(
            (wheel.mass, (*wheel.pos[:2], wheel.radius)) for wheel in self.wheels))
        mass = math.fsum(each for each, _ in parts)
        centre = [math.fsum(each * place[axis] for each, place in parts) / mass
                  for axis in range(3)]
        if centre[2] < -_LOWEST:
            yield (f'with this centre_of_mass that of the vehicle is {-centre[2]:.3g} m below the '
                   'ground, on which the wheels stand at z = 0: give a height above it')
        for axis, name in enumerate('xy'):
            places = [wheel.pos[axis] for wheel in self.wheels]
            low, high = min(places, default=0.0), max(places, default=0.0)
            if len(places) > 2 and low < high and not low < centre[axis] < high:
                yield (f'with this centre_of_mass that of the vehicle is at {name} = '
                       f'{centre[axis]:.3g}, and its wheels stand from {name} = {low:g} to '
                       f'{high:g}: it falls over; the place is in m, in the body frame')


@dataclass(frozen=True)
class SteeredSpec(DynamicsSpec):
    """The common tags of steered vehicles."""

    max_rear_steer_ang = 0.0  # of those whose rear wheels are steered too

    max_steer_ang: float = tag(
        'angle', 0.5235987755982988, unit='deg', name='max_steer_ang_deg', above=0,
        doc='largest steering angle of the equivalent central wheel')
    steer_rate: float | None = tag('rate', None, unit='deg/s', name='steer_rate_deg', above=0,
                                   doc='largest rate of steering angles; default: unlimited')
    steer_lag: float = tag('float', 0.0, unit='s', minimum=0,
                           doc='time constant with which steering angles follow their command')

    @property
    def largest_steering(self) -> float:
        return self.max_steer_ang

    def problems(self) -> Problems:
        yield from super().problems()
        if not 0.0 < abs(self.max_steer_ang) < STEEPEST:
            yield (f'max_steer_ang_deg is {math.degrees(self.max_steer_ang):g}: give an angle '
                   'above 0 and below 89.4 degrees')
        if not self.max_rear_steer_ang < STEEPEST:
            yield (f'max_rear_steer_ang_deg is {math.degrees(self.max_rear_steer_ang):g}: give an '
                   'angle below 89.4 degrees')


@dataclass(frozen=True)
class DifferentialSpec(DynamicsSpec):
    """Two driven wheels."""

    XML_CLASS = 'differential'
    driven_wheels = 0, 1
    paired = 2

    l_wheel: WheelSpec = wheel_at(0.0, 0.5, 'left wheel')
    r_wheel: WheelSpec = wheel_at(0.0, -0.5, 'right wheel')


@dataclass(frozen=True)
class Differential3Spec(DifferentialSpec):
    """Two driven wheels and a third one that is not driven."""

    XML_CLASS = 'differential_3_wheels'
    swivelling_wheels = (2,)  # the caster

    caster_wheel: WheelSpec = wheel_at(0.5, 0.0, 'third wheel')


@dataclass(frozen=True)
class Differential4Spec(DynamicsSpec):
    """Four driven wheels, the two of a side with one torque (skid steering)."""

    XML_CLASS = 'differential_4_wheels'
    paired = 4

    lr_wheel: WheelSpec = wheel_at(0.0, 0.5, 'left rear wheel')
    rr_wheel: WheelSpec = wheel_at(0.0, -0.5, 'right rear wheel')
    lf_wheel: WheelSpec = wheel_at(0.5, 0.5, 'left front wheel')
    rf_wheel: WheelSpec = wheel_at(0.5, -0.5, 'right front wheel')


@dataclass(frozen=True)
class AckermannSpec(SteeredSpec):
    """Four wheels, the front ones steered."""

    XML_CLASS = 'ackermann'
    steered_wheels = 2, 3

    chassis: ChassisSpec = tag(
        'spec', ChassisSpec(mass=500.0, zmin=0.2, zmax=1.4, color=colour('#e83000'),
                            shape=_ACKERMANN_OUTLINE), spec=ChassisSpec, doc='the body')
    rl_wheel: WheelSpec = wheel_at(0.0, 0.9, 'rear left wheel')
    rr_wheel: WheelSpec = wheel_at(0.0, -0.9, 'rear right wheel')
    fl_wheel: WheelSpec = wheel_at(1.3, 0.9, 'front left wheel')
    fr_wheel: WheelSpec = wheel_at(1.3, -0.9, 'front right wheel')
    f_wheels_x: float = tag(
        'float', 1.3, unit='m', doc='x of the front wheels, overrides their own')
    f_wheels_d: float = tag(
        'float', 2.0, unit='m', above=0, doc='distance between the front wheels')
    ackermann: float = tag(
        'float', 1.0, minimum=0, maximum=1, doc='share of the Ackermann geometry: 1: the axes of '
        'all wheels meet, 0: both front wheels have the same angle')

    @cached_property
    def wheels(self) -> tuple[WheelSpec, ...]:
        """Return rear left, rear right, front left, front right."""
        return (self.rl_wheel, self.rr_wheel,
                self.fl_wheel.at(self.f_wheels_x, 0.5 * self.f_wheels_d),
                self.fr_wheel.at(self.f_wheels_x, -0.5 * self.f_wheels_d))

    @property
    def driven_wheels(self) -> tuple[int, ...]:
        """Return those in front."""
        return 2, 3

    def problems(self) -> Problems:
        yield from super().problems()
        if self.rl_wheel.pos[1] == self.rr_wheel.pos[1]:  # exchanged ones do no harm
            yield (f'both rear wheels stand at y = {self.rl_wheel.pos[1]:g}: put them on both '
                   'sides')
        if self.f_wheels_x <= self.rl_wheel.pos[0]:
            yield (f'the front wheels stand at x = {self.f_wheels_x:g}, not before the rear left '
                   f'wheel at x = {self.rl_wheel.pos[0]:g}: make f_wheels_x larger')


@dataclass(frozen=True)
class AckermannDrivetrainSpec(AckermannSpec):
    """Ackermann vehicle whose wheels share one drive torque."""

    XML_CLASS = 'ackermann_drivetrain'

    drivetrain: DrivetrainSpec = tag(
        'spec', DrivetrainSpec(), spec=DrivetrainSpec, doc='differentials')

    @property
    def driven_wheels(self) -> tuple[int, ...]:
        """Return the wheels of the driven axles."""
        axles = self.drivetrain.kind.rpartition('_')[2]
        return {'front': (2, 3), 'rear': (0, 1)}.get(axles, (0, 1, 2, 3))
