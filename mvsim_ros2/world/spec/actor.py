# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Human actors."""

from dataclasses import dataclass
from typing import Any

from mvsim_ros2.frames import Pose
from mvsim_ros2.world.spec.common import AnimationSpec, publishes, PublishSpec, VisualSpec
from mvsim_ros2.world.spec.fields import Problems, Spec, tag, Unused

# why nothing acts on a tag, see `Tag.idle`
CLIPS = 'meshes are moved as a whole; people without meshes move their limbs'


def stride_length(speed: Any) -> Any:
    """
    Return the length of a stride, two steps, of somebody who walks, in heights of a person.

    Strides a minute are 64.8 times the speed to the power of 0.57: D. W. Grieve and R. J. Gear,
    Ergonomics 9, 379 (1966).

    :param speed: heights per second, above 0; a number or an array.
    """
    return speed ** 0.43 * 60.0 / 64.8


@dataclass(frozen=True)
class WaypointSpec(Spec):
    """Place on the path of an actor."""

    pose: Pose = tag('pose', Pose(), content=True, required=True, unit='m, deg',
                     doc='place: x y yaw or x y z yaw pitch roll')
    pause: float = tag('float', 0.0, unit='s', attribute=True, minimum=0, doc='time to wait')
    animation: str = tag('text', '', attribute=True, choices=('', 'walk', 'run', 'idle'),
                         doc='way of moving toward it')


@dataclass(frozen=True)
class PathSpec(Spec):
    """Path of an actor."""

    loop: bool = tag('bool', True, attribute=True, doc='start again after the last waypoint')
    waypoints: tuple[WaypointSpec, ...] = tag(
        'specs', (), name='waypoint', spec=WaypointSpec, doc='poses in order')

    def problems(self) -> Problems:
        if not self.waypoints:
            yield 'give a path at least one <waypoint>'


@dataclass(frozen=True)
class ActorSpec(Spec):
    """A person that walks a path (`<actor>`), or a class of them (`<actor:class>`)."""

    name: str = tag('name', '', attribute=True, doc='unique name; default: actor001 ...')
    class_name: str = tag(
        'name', '', name='class', attribute=True, doc='class from which it inherits tags')
    init_pose: Pose = tag('pose', Pose(), aliases=('init_pose3d',), required=True, unit='m, deg',
                          doc='initial pose in the world')
    skip_elevation_adjust: bool = tag('flag', False, doc='keep z as given')
    walking_speed: float = tag('float', 1.4, unit='m/s', minimum=0, doc='speed of walking')
    running_speed: float = tag('float', 3.5, unit='m/s', minimum=0, doc='speed of running')
    height: float = tag('float', 1.75, unit='m', above=0, doc='height of the person')
    collision_radius: float = tag('float', 0.3, unit='m', above=0, doc='radius of the body')
    collision_height: float = tag(
        'float', 1.7, unit='m', above=0, doc='height of the body, in mode `physical`')
    posture: str = tag(
        'text', 'stand', choices=('stand', 'sit'), doc='posture while it waits')
    look: int | None = tag(
        'int', None, minimum=0, doc='number that selects clothes and hair; default: from its name')
    animation_idle: str = tag('text', 'idle', idle=CLIPS, doc='clip of the mesh, standing')
    animation_walk: str = tag('text', 'walk', idle=CLIPS, doc='clip of the mesh, walking')
    animation_run: str = tag('text', 'run', idle=CLIPS, doc='clip of the mesh, running')
    path: PathSpec | None = tag(
        'spec', None, spec=PathSpec, doc='path to walk; goals of an actor that reacts')
    model: str = tag(
        'text', 'path', choices=('path', 'social_force', 'orca'),
        doc='walk straight on its path, or around others by a pedestrian model')
    robots: str = tag(
        'text', 'avoid', choices=('ignore', 'avoid', 'stop', 'give_way'),
        doc='reaction to vehicles: none, walk around them, also stop in front of one, or wait '
        'while one passes')
    group: str = tag('text', '', doc='name of a group whose members stay together')
    visuals: tuple[VisualSpec, ...] = tag(
        'specs', (), name='visual', spec=VisualSpec, doc='meshes')
    animation: AnimationSpec | None = tag(
        'spec', None, spec=AnimationSpec, doc='motion by keyframes')
    publish: PublishSpec | None = publishes()

    def without_effect(self) -> Unused:
        """Yield what only those have that react to others."""
        if self.model == 'path' or self.animation is not None:
            for field in ('robots', 'group'):
                yield self, field, 'it needs a <model> that reacts, and no <animation>'


@dataclass(frozen=True)
class CrowdSpec(Spec):
    """People between random places of an area (`<crowd>`), drawn by the seed of a simulation."""

    name: str = tag('name', 'crowd', attribute=True, doc='people are NAME_0, NAME_1 ...')
    count: int = tag('int', 0, minimum=0, maximum=1000, doc='number of people')
    density: float = tag(
        'float', 0.0, minimum=0, maximum=5, unit='1/m^2',
        doc='people per free square metre; 0: `count` people')
    x_min: float = tag('float', -10.0, unit='m', doc='area')
    x_max: float = tag('float', 10.0, unit='m', over='x_min', doc='area')
    y_min: float = tag('float', -10.0, unit='m', doc='area')
    y_max: float = tag('float', 10.0, unit='m', over='y_min', doc='area')
    model: str = tag(
        'text', 'social_force', choices=('social_force', 'orca'), doc='pedestrian model')
    robots: str = tag(
        'text', 'avoid', choices=('ignore', 'avoid', 'stop', 'give_way'),
        doc='reaction to vehicles, see `<actor>`')
    goals: int = tag(
        'int', 6, minimum=2, maximum=100, doc='places between which they walk; each has three')
    groups: float = tag(
        'float', 0.0, minimum=0, maximum=1, doc='share of people who walk in pairs')
    speed: float = tag('float', 1.34, unit='m/s', above=0, doc='mean speed of walking')
    speed_deviation: float = tag(
        'float', 0.26, unit='m/s', minimum=0, doc='standard deviation of it')
    radius: float = tag('float', 0.3, unit='m', above=0, maximum=1, doc='radius of a body')

    def without_effect(self) -> Unused:
        """Yield the number that a density makes useless."""
        if self.density > 0.0:
            yield self, 'count', '<density> is in its place'
