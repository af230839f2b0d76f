# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Blocks: boxes, walls, furniture; movable or not; and joints between bodies."""

from dataclasses import dataclass, replace
import math

from mvsim_ros2.frames import Pose
from mvsim_ros2.world.spec.common import (
    AnimationSpec, Colour, GeometrySpec, made_of, MaterialSpec, Point, Polygon, publishes,
    PublishSpec, reflects, transmits, VisualSpec)
from mvsim_ros2.world.spec.fields import Problems, Spec, tag, Unused
from mvsim_ros2.world.spec.lights import LightGroupSpec, repeated_groups, switched_lamps

UNIT_SQUARE: Polygon = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))


@dataclass(frozen=True)
class BlockSpec(Spec):
    """A block (`<block>`), or a class of them (`<block:class>`)."""

    name: str = tag('name', '', attribute=True, doc='name; default: block001, block002 ...')
    class_name: str = tag(
        'name', '', name='class', attribute=True, doc='class from which it inherits tags')
    init_pose: Pose = tag('pose', Pose(), aliases=('init_pose3d',), required=True, unit='m, deg',
                          doc='initial pose in the world')
    init_twist: tuple[float, float, float] = tag(
        'twist2', (0.0, 0.0, 0.0), name='init_vel', unit='m/s, deg/s',
        doc='initial velocity of the reference point in the body frame')
    skip_elevation_adjust: bool = tag(
        'flag', False, doc='keep z as given instead of putting the block on the ground')
    mass: float = tag('float', 30.0, unit='kg', above=0, doc='mass')
    zmin: float | None = tag(
        'float', None, unit='m', doc='lower side; default: from the shape, else 0')
    zmax: float | None = tag(
        'float', None, unit='m', doc='upper side; default: from the shape, else 1')
    ground_friction: float = tag(
        'float', 0.5, minimum=0, doc='friction coefficient between block and ground')
    lateral_friction: float = tag(
        'float', 0.5, minimum=0, doc='friction coefficient of contacts with other bodies')
    restitution: float = tag('float', 0.01, minimum=0, maximum=1, doc='bounce of contacts')
    color: Colour = tag('colour', (0.0, 0.0, 1.0, 1.0), doc='colour')
    reflectivity: float = reflects()
    transmittance: float | None = transmits()
    material: MaterialSpec = made_of()
    static: bool = tag('bool', False, doc='true: it never moves')
    intangible: bool = tag(
        'bool', False, doc='true: no collisions, and planar LiDARs pass through')
    linear_damping: float = tag('float', 0.1, unit='1/s', minimum=0, doc='damping of the velocity')
    angular_damping: float = tag(
        'float', 0.1, unit='1/s', minimum=0, doc='damping of the yaw rate')
    visual_scale: float | None = tag(
        'float', None, above=0, doc='scale of the meshes, instead of `model_scale`')
    shape: Polygon | None = tag(
        'polygon', None, unit='m', doc='outline, made convex; default: a square of 1 m')
    geometry: GeometrySpec | None = tag(
        'spec', None, spec=GeometrySpec,
        doc='simple solid; sets the collision shape only with `shape_from_visual`')
    shape_from_visual: bool = tag(
        'flag', False, doc='compute outline and height from the geometry or the meshes')
    visuals: tuple[VisualSpec, ...] = tag(
        'specs', (), name='visual', spec=VisualSpec, doc='meshes')
    animation: AnimationSpec | None = tag(
        'spec', None, spec=AnimationSpec, doc='motion by keyframes')
    light_groups: tuple[LightGroupSpec, ...] = switched_lamps()
    publish: PublishSpec | None = publishes()

    @property
    def moves(self) -> bool:
        """Whether it is solid and may be elsewhere later: pushed, or by its keyframes."""
        return not self.intangible and (not self.static or self.animation is not None)

    @property
    def scaled_visuals(self) -> tuple[VisualSpec, ...]:
        """Its visuals, with `visual_scale` where it has one."""
        return self.visuals if self.visual_scale is None else tuple(
            replace(visual, model_scale=self.visual_scale) for visual in self.visuals)

    def problems(self) -> Problems:
        yield from repeated_groups(self.light_groups)


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
        'between two vehicles, for the loads of their axles in mode `physical`. By default its '
        'force acts at the height of their centres of mass and carries no weight')

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
        if self.turns and self.enable_limit and not self.lower_angle <= 0.0 <= self.upper_angle:
            yield (f'its angle at load is 0 and its limits are {math.degrees(self.lower_angle):g} '
                   f'and {math.degrees(self.upper_angle):g} deg: the bodies are turned in the '
                   'first step; the limits count from the angle at load')

    def problems(self) -> Problems:
        if self.body_a == self.body_b:
            yield 'body_a and body_b must be two bodies'
        if self.max_length < self.min_length:
            yield 'max_length must not be below min_length'
        if self.enable_limit and self.upper_angle < self.lower_angle:
            yield 'upper_angle_deg must not be below lower_angle_deg'
        if self.height is not None and self.kind not in ('revolute', 'pin'):
            yield f'height belongs to a revolute joint, not to {self.kind!r}'
