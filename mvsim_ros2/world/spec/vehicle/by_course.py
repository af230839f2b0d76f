# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Vehicles whose steered wheels each take the course of their place: four wheels, and three."""

from collections.abc import Iterator
from dataclasses import dataclass
import math

from mvsim_ros2.world.spec.fields import tag
from mvsim_ros2.world.spec.vehicle.dynamics import (
    ChassisSpec, left_of_right, STEEPEST, SteeredSpec)
from mvsim_ros2.world.spec.vehicle.wheel import wheel_at, WheelSpec

_ROBOT = ((-0.9, -0.6), (-0.9, 0.6), (0.9, 0.6), (0.9, -0.6))
_TRUCK = ((-1.4, -0.5), (-1.4, 0.5), (0.4, 0.5), (0.4, -0.5))


@dataclass(frozen=True)
class FourWheelSteeringSpec(SteeredSpec):
    """Four wheels, all steered and all driven, as on robots for fields and orchards."""

    XML_CLASS = 'four_wheel_steering'
    steered_wheels = 0, 1, 2, 3

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
        """Return the ratio of the tangents of the rear and front steering angles."""
        return self.rear_steer_ratio if self.max_rear_steer_ang > 0.0 else 0.0

    @property
    def pivot_x(self) -> float:
        """Return where along x the point is that never moves sideways as the wheels roll [m]."""
        return self.rear_x - self.rear_ratio / (1.0 - self.rear_ratio) * self.wheelbase

    def problems(self) -> Iterator[str]:
        """Yield a sentence for each rule that the values break together."""
        yield from super().problems()
        yield from left_of_right(self.wheels)
        if not self.max_rear_steer_ang < STEEPEST:
            yield (f'max_rear_steer_ang_deg is {math.degrees(self.max_rear_steer_ang):g}: give an '
                   'angle below 89.4 degrees')
        if self.wheelbase <= 0.0:
            yield (f'the front axle stands {-self.wheelbase:g} m behind the rear one: exchange '
                   'them')


@dataclass(frozen=True)
class TricycleSpec(SteeredSpec):
    """Two wheels on a fixed axle, and a third one before or behind it that steers and drives."""

    XML_CLASS = 'tricycle'
    max_rear_steer_ang = 0.0  # the rear axle is fixed
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
        """Return the tangent of the steering angle over the curvature of the path [m]."""
        return self.wheelbase

    def problems(self) -> Iterator[str]:
        """Yield a sentence for each rule that the values break together."""
        yield from super().problems()
        yield from left_of_right(self.wheels[:2])
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
        """Return where along x the point is that never moves sideways as the wheels roll [m]."""
        front, rear = self.f_wheel.pos[0], self.r_wheel.pos[0]
        ratio = self.rear_steer_ratio if self.max_rear_steer_ang > 0.0 else 0.0
        return rear - ratio / (1.0 - ratio) * (front - rear)

    @property
    def rear_ratio(self) -> float:
        """Return the ratio of the tangents of the rear and front steering angles."""
        return self.rear_steer_ratio

    @property
    def tyres_per_wheel(self) -> int:
        """Return how many tyres one wheel represents."""
        return self.tyres_per_axle

    def problems(self) -> Iterator[str]:
        """Yield a sentence for each rule that the values break together."""
        yield from super().problems()
        if not self.max_rear_steer_ang < STEEPEST:
            yield (f'max_rear_steer_ang_deg is {math.degrees(self.max_rear_steer_ang):g}: give an '
                   'angle below 89.4 degrees')
        if self.f_wheel.pos[0] <= self.r_wheel.pos[0]:
            yield (f'the front axle stands at x = {self.f_wheel.pos[0]:g}, the rear one at x = '
                   f'{self.r_wheel.pos[0]:g}: the front one must have the larger x, exchange them')
