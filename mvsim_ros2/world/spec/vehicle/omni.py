# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Vehicles on wheels with rollers, which push along one direction only."""

from collections.abc import Iterator
from dataclasses import dataclass
import math

from mvsim_ros2.world.spec.fields import tag
from mvsim_ros2.world.spec.vehicle.dynamics import ChassisSpec, DynamicsSpec
from mvsim_ros2.world.spec.vehicle.wheel import WheelSpec

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
        doc='from the direction in which the wheel rolls to the axis of the roller on the ground, '
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

    def problems(self) -> Iterator[str]:
        """Yield a sentence for each rule that the values break together."""
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
