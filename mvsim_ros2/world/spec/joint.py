# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Joints between two bodies."""

from dataclasses import dataclass
import math

from mvsim_ros2.world.spec.common import Point
from mvsim_ros2.world.spec.fields import Problems, Spec, tag, Unused


@dataclass(frozen=True)
class JointSpec(Spec):
    """Connection of two bodies in the plane (`<joint>`)."""

    kind: str = tag('text', name='type', attribute=True,
                    choices=('distance', 'rope', 'revolute', 'pin'), doc='kind of joint')
    body_a: str = tag('text', attribute=True, doc='name of the first body')
    body_b: str = tag('text', attribute=True, doc='name of the second body')
    anchor_a: Point = tag('point2', unit='m', attribute=True, doc='anchor in its body frame')
    anchor_b: Point = tag('point2', unit='m', attribute=True, doc='anchor in its body frame')
    max_length: float = tag('float', 5.0, unit='m', attribute=True, above=0,
                            doc='largest distance, also the rest length of the spring')
    min_length: float = tag('float', 0.0, unit='m', attribute=True, minimum=0,
                            doc='smallest distance; acts only if equal to max_length')
    stiffness: float = tag(
        'float', 0.0, unit='N/m', attribute=True, minimum=0, doc='stiffness, 0 is a rope')
    damping: float = tag('float', 0.0, unit='N s/m', attribute=True, minimum=0, doc='damping')
    enable_limit: bool = tag('bool', False, attribute=True, doc='limit the angle')
    lower_angle: float = tag(
        'angle', 0.0, name='lower_angle_deg', unit='deg', attribute=True, needs='enable_limit',
        doc='smallest angle, relative to that at loading')
    upper_angle: float = tag(
        'angle', 0.0, name='upper_angle_deg', unit='deg', attribute=True, needs='enable_limit',
        doc='largest angle, relative to that at loading')
    height: float | None = tag(
        'float', None, unit='m', attribute=True, minimum=0, doc='height of a revolute joint '
        'between two vehicles, for the load on their axles; default: its force acts at the height '
        'of their centres of mass and carries no weight; physics mode `physical` only')

    @property
    def turns(self) -> bool:
        """Return whether it holds both anchors together."""
        return self.kind in ('revolute', 'pin')

    def without_effect(self) -> Unused:
        """Yield what is of joints of other kinds."""
        for field in (('max_length', 'min_length', 'stiffness', 'damping') if self.turns
                      else ('enable_limit',)):
            yield self, field, f'it is not of a joint of type {self.kind!r}'

    def doubts(self) -> Problems:
        """Yield a sentence for what is possible but hardly meant."""
        if self.turns and self.enable_limit and not self.lower_angle <= 0.0 <= self.upper_angle:
            yield (f'its angle at load is 0 and its limits are {math.degrees(self.lower_angle):g} '
                   f'and {math.degrees(self.upper_angle):g} deg: the bodies are turned in the '
                   'first step; the limits count from the angle at load')

    def problems(self) -> Problems:
        """Yield a sentence for each rule that its values break."""
        if self.body_a == self.body_b:
            yield 'body_a and body_b must be two bodies'
        if self.max_length < self.min_length:
            yield 'max_length must not be below min_length'
        if self.enable_limit and self.upper_angle < self.lower_angle:
            yield 'upper_angle_deg must not be below lower_angle_deg'
        if self.height is not None and self.kind not in ('revolute', 'pin'):
            yield f'height belongs to a revolute joint, not to {self.kind!r}'
