# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Classes of vehicles (`<dynamics class="...">`) by their wheels, and the list of all."""

from dataclasses import dataclass, replace
import math

from mvsim_ros2.world.spec.fields import Problems, tag
from mvsim_ros2.world.spec.vehicle.dynamics import (
    AckermannDrivetrainSpec, AckermannSpec, ChassisSpec, Differential3Spec, Differential4Spec,
    DifferentialSpec, DynamicsSpec, SteeredSpec)
from mvsim_ros2.world.spec.vehicle.parts import wheel_at, WheelSpec

_ROBOT = ((-0.9, -0.6), (-0.9, 0.6), (0.9, 0.6), (0.9, -0.6))
_TRUCK = ((-1.4, -0.5), (-1.4, 0.5), (0.4, 0.5), (0.4, -0.5))


@dataclass(frozen=True)
class FourWheelSteeringSpec(SteeredSpec):
    """Four wheels, all steered and all driven, as on robots for fields and orchards."""

    XML_CLASS = 'four_wheel_steering'
    steered_wheels = 0, 1, 2, 3
    paired = 4

    chassis: ChassisSpec = tag('spec', ChassisSpec(mass=440.0, zmin=0.3, zmax=1.2, shape=_ROBOT),
                               spec=ChassisSpec, doc='the body')
    rl_wheel: WheelSpec = wheel_at(-0.65, 0.6, 'rear left wheel', mass=15.0, diameter=0.8)
    rr_wheel: WheelSpec = wheel_at(-0.65, -0.6, 'rear right wheel', mass=15.0, diameter=0.8)
    fl_wheel: WheelSpec = wheel_at(0.65, 0.6, 'front left wheel', mass=15.0, diameter=0.8)
    fr_wheel: WheelSpec = wheel_at(0.65, -0.6, 'front right wheel', mass=15.0, diameter=0.8)
    max_rear_steer_ang: float = tag(
        'angle', 0.5235987755982988, unit='deg', name='max_rear_steer_ang_deg', minimum=0,
        doc='largest steering angle in the middle of the rear axle')
    rear_steer_ratio: float = tag(
        'float', -1.0, maximum=0.9, doc='ratio of the tangents of the rear and front steering '
        'angles without a command for the rear: -1 steers both axles into the curve')

    @property
    def rear_x(self) -> float:
        """Place of the rear axle along x [m]."""
        return 0.5 * (self.rl_wheel.pos[0] + self.rr_wheel.pos[0])

    @property
    def wheelbase(self) -> float:
        """Distance of the axles [m]."""
        return 0.5 * (self.fl_wheel.pos[0] + self.fr_wheel.pos[0]) - self.rear_x

    @property
    def rear_ratio(self) -> float:
        return self.rear_steer_ratio if self.max_rear_steer_ang > 0.0 else 0.0

    @property
    def pivot_x(self) -> float:
        return self.rear_x - self.rear_ratio / (1.0 - self.rear_ratio) * self.wheelbase

    def problems(self) -> Problems:
        yield from super().problems()
        if self.wheelbase <= 0.0:
            yield (f'the front axle stands {-self.wheelbase:g} m behind the rear one: exchange '
                   'them')


@dataclass(frozen=True)
class TricycleSpec(SteeredSpec):
    """Two wheels on a fixed axle, and a third one before or behind it that steers and drives."""

    XML_CLASS = 'tricycle'
    paired = 2
    driven_wheels = (2,)
    steered_wheels = (2,)

    chassis: ChassisSpec = tag('spec', ChassisSpec(mass=2500.0, zmin=0.1, zmax=2.0, shape=_TRUCK),
                               spec=ChassisSpec, doc='the body')
    l_wheel: WheelSpec = wheel_at(
        0.0, 0.45, 'left wheel of the fixed axle', mass=30.0, diameter=0.45)
    r_wheel: WheelSpec = wheel_at(
        0.0, -0.45, 'right wheel of the fixed axle', mass=30.0, diameter=0.45)
    steered_wheel: WheelSpec = wheel_at(
        -1.2, 0.0, 'the wheel that steers and drives', mass=30.0, diameter=0.4)

    @property
    def rear_x(self) -> float:
        """Place of the fixed axle along x [m]."""
        return 0.5 * (self.l_wheel.pos[0] + self.r_wheel.pos[0])

    @property
    def wheelbase(self) -> float:
        """Place of the steered wheel before the fixed axle [m], negative behind it."""
        return self.steered_wheel.pos[0] - self.rear_x

    @property
    def reach(self) -> float:
        return self.wheelbase

    def problems(self) -> Problems:
        yield from super().problems()
        if self.wheelbase == 0.0:
            yield 'the steered wheel stands on the fixed axle: put it before or behind that'
        if self.steered_wheel.pos[1] != 0.0:
            yield (f'the steered wheel stands at y = {self.steered_wheel.pos[1]:g}: put it in the '
                   'middle, at 0')


@dataclass(frozen=True)
class SingleTrackSpec(SteeredSpec):
    """
    Two wheels in line, each for an axle with all its tyres (bicycle model).

    Mass, spin inertia and torques of a wheel are for its whole axle.
    """

    XML_CLASS = 'single_track'
    steered_wheels = 0, 1

    chassis: ChassisSpec = tag('spec', ChassisSpec(mass=440.0, zmin=0.3, zmax=1.2, shape=_ROBOT),
                               spec=ChassisSpec, doc='the body')
    f_wheel: WheelSpec = wheel_at(0.6, 0.0, 'front axle', mass=30.0, diameter=0.8)
    r_wheel: WheelSpec = wheel_at(-0.7, 0.0, 'rear axle', mass=30.0, diameter=0.8)
    axle_width: float = tag('float', 1.2, unit='m', above=0,
                            doc='distance of the tyres of an axle, where it touches the ground')
    tyres_per_axle: int = tag('int', 2, minimum=1, maximum=4, doc='tyres of the friction model '
                              'that share the load of an axle and add their forces')
    driven: str = tag('text', 'rear', choices=('rear', 'front', 'all'),
                      doc='driven axles; `all` gives each half of the torque')
    max_rear_steer_ang: float = tag(
        'angle', 0.0, unit='deg', name='max_rear_steer_ang_deg', minimum=0,
        doc='largest steering angle of the rear axle, 0: not steered')
    rear_steer_ratio: float = tag(
        'float', 0.0, maximum=0.9, doc='ratio of the tangents of the rear and front steering '
        'angles without a command for the rear: -1 steers both axles into the curve')

    @property
    def pivot_x(self) -> float:
        front, rear = self.f_wheel.pos[0], self.r_wheel.pos[0]
        ratio = self.rear_steer_ratio if self.max_rear_steer_ang > 0.0 else 0.0
        return rear - ratio / (1.0 - ratio) * (front - rear)

    @property
    def rear_ratio(self) -> float:
        return self.rear_steer_ratio

    @property
    def tyres_per_wheel(self) -> int:
        return self.tyres_per_axle

    def problems(self) -> Problems:
        yield from super().problems()
        if self.f_wheel.pos[0] <= self.r_wheel.pos[0]:
            yield (f'the front axle stands at x = {self.f_wheel.pos[0]:g}, the rear one at x = '
                   f'{self.r_wheel.pos[0]:g}: the front one must have the larger x, exchange them')


_OUTLINE = ((-0.35, -0.2), (-0.35, 0.2), (0.35, 0.2), (0.35, -0.2))
_CHASSIS = ChassisSpec(shape=_OUTLINE)


@dataclass(frozen=True)
class RollerWheelSpec(WheelSpec):
    """
    One wheel with rollers around its rim.

    It pushes along the axis of the roller on the ground, and slides freely across it.
    """

    roller_angle: float = tag(
        'angle', 0.0, unit='deg', name='roller_angle_deg', attribute=True, minimum=-80, maximum=80,
        doc='angle from the rolling direction to the axis of the roller on the ground, '
        'to the left positive: 0 for omni wheels, 45 or -45 for mecanum wheels')


@dataclass(frozen=True)
class OmniSpec(DynamicsSpec):
    """Three or four wheels with rollers, anywhere."""

    XML_CLASS = 'omni'
    pivot_x = 0.0  # it can turn about any point

    chassis: ChassisSpec = tag('spec', _CHASSIS, spec=ChassisSpec, doc='the body')
    roller_wheels: tuple[RollerWheelSpec, ...] = tag(
        'specs', (), name='wheel', spec=RollerWheelSpec,
        doc='a wheel; `pos` is its position and rolling direction')

    @property
    def wheels(self) -> tuple[RollerWheelSpec, ...]:
        """Return the wheels in the order of the file."""
        return self.roller_wheels

    def problems(self) -> Problems:
        if not 3 <= len(self.wheels) <= 4:
            yield f'it has {len(self.wheels)} wheels: give it 3 or 4 <wheel> tags'


def _mecanum(x: float, y: float, angle_deg: float) -> RollerWheelSpec:
    return RollerWheelSpec(
        pos=(x, y, 0.0), diameter=0.2, width=0.08, roller_angle=math.radians(angle_deg))


@dataclass(frozen=True)
class MecanumSpec(DynamicsSpec):
    """Four mecanum wheels; the axes of the rollers on the ground lie as in a diamond."""

    XML_CLASS = 'mecanum'
    pivot_x = 0.0  # it can turn about any point

    chassis: ChassisSpec = tag('spec', _CHASSIS, spec=ChassisSpec, doc='the body')
    lr_wheel: RollerWheelSpec = tag(
        'spec', _mecanum(-0.25, 0.25, 45.0), spec=RollerWheelSpec, doc='left rear wheel')
    rr_wheel: RollerWheelSpec = tag(
        'spec', _mecanum(-0.25, -0.25, -45.0), spec=RollerWheelSpec, doc='right rear wheel')
    lf_wheel: RollerWheelSpec = tag(
        'spec', _mecanum(0.25, 0.25, -45.0), spec=RollerWheelSpec, doc='left front wheel')
    rf_wheel: RollerWheelSpec = tag(
        'spec', _mecanum(0.25, -0.25, 45.0), spec=RollerWheelSpec, doc='right front wheel')


@dataclass(frozen=True)
class SkidSteerSpec(DynamicsSpec):
    """Any number of driven wheels on each side, steered by the speeds of both sides."""

    XML_CLASS = 'skid_steer'

    l_wheels: tuple[WheelSpec, ...] = tag(
        'specs', (), name='l_wheel', spec=WheelSpec, doc='a wheel of the left side')
    r_wheels: tuple[WheelSpec, ...] = tag(
        'specs', (), name='r_wheel', spec=WheelSpec, doc='a wheel of the right side')
    common_speed: bool = tag(
        'bool', False, doc='true: a chain turns the wheels of a side at one speed, and they share '
        'its torque. false: each wheel has the whole torque, as with `differential_4_wheels`')

    @property
    def wheels(self) -> tuple[WheelSpec, ...]:
        """Return left, right, left, right ... and what one side has more."""
        left, right = self.l_wheels, self.r_wheels
        both = min(len(left), len(right))
        return (*(wheel for pair in zip(left, right, strict=False) for wheel in pair),
                *left[both:], *right[both:])

    @property
    def tied(self) -> bool:
        return self.common_speed

    def problems(self) -> Problems:
        if not (self.l_wheels and self.r_wheels):
            yield ('it needs wheels on both sides: give it at least one <l_wheel> and one '
                   '<r_wheel>')
        for name, side, wheels in (('l', 1.0, self.l_wheels), ('r', -1.0, self.r_wheels)):
            for wheel in wheels:
                if wheel.pos[1] * side <= 0.0:
                    yield (f'an <{name}_wheel> stands at y = {wheel.pos[1]:g}, on the wrong side: '
                           'each <l_wheel> must have a y above 0, each <r_wheel> one below')
            if self.tied and len({(wheel.diameter, *wheel.pos[1:]) for wheel in wheels}) > 1:
                yield (f'the <{name}_wheel>s turn at one speed: give them one diameter, one y and '
                       'one yaw')


@dataclass(frozen=True)
class TrackedSpec(DynamicsSpec):
    """Two tracks, each on a row of road wheels that turn at one speed."""

    XML_CLASS = 'tracked'
    tied = True
    paired = 2

    wheel: WheelSpec = tag('spec', WheelSpec(), spec=WheelSpec, doc='a road wheel, with its part '
                           'of the track; its position has no effect')
    wheels_per_side: int = tag('int', 5, minimum=2, maximum=20, doc='road wheels below each track')
    track_length: float = tag(
        'float', 0.8, unit='m', above=0, doc='from the first road wheel to the last')
    tracks_x: float = tag('float', 0.0, unit='m', doc='x of the middle of the tracks')
    tracks_d: float = tag(
        'float', 0.9, unit='m', above=0, doc='distance of the middle lines of both tracks')

    @property
    def wheels(self) -> tuple[WheelSpec, ...]:
        """Return left, right, left, right ... from the front."""
        count = self.wheels_per_side
        return tuple(
            replace(self.wheel, pos=(
                self.tracks_x + self.track_length * (0.5 - i / (count - 1)), side, 0.0))
            for i in range(count) for side in (0.5 * self.tracks_d, -0.5 * self.tracks_d))


DYNAMICS = (DifferentialSpec, Differential3Spec, Differential4Spec,
            AckermannSpec, AckermannDrivetrainSpec, SingleTrackSpec, SkidSteerSpec, TrackedSpec,
            OmniSpec, MecanumSpec, FourWheelSteeringSpec, TricycleSpec)
