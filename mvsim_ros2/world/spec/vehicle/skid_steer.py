# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Vehicles of any number of wheels on each side, and with tracks."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from mvsim_ros2.world.spec.fields import tag
from mvsim_ros2.world.spec.vehicle.dynamics import DynamicsSpec, left_of_right
from mvsim_ros2.world.spec.vehicle.wheel import WheelSpec


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
        'its torque; false: each wheel has all of it, as with `differential_4_wheels`')

    @property
    def wheels(self) -> tuple[WheelSpec, ...]:
        """Return left, right, left, right ... and what one side has more."""
        left, right = self.l_wheels, self.r_wheels
        both = min(len(left), len(right))
        return (*(wheel for pair in zip(left, right, strict=False) for wheel in pair),
                *left[both:], *right[both:])

    @property
    def tied(self) -> bool:
        """Whether the wheels of a side turn at one speed."""
        return self.common_speed

    def problems(self) -> Iterator[str]:
        """Yield a sentence for each rule that the values break together."""
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

    def problems(self) -> Iterator[str]:
        """Yield a sentence for each rule that the values break together."""
        yield from left_of_right(self.wheels[:2])
