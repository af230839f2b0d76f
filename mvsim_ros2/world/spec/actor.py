# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Human actors."""

from dataclasses import dataclass

from mvsim_ros2.frames import Pose
from mvsim_ros2.world.spec.common import AnimationSpec, publishes, PublishSpec, VisualSpec
from mvsim_ros2.world.spec.fields import Problems, Spec, tag

# why nothing acts on a tag, see `Tag.idle`
CLIPS = 'meshes are moved as a whole: a figure walks, but its limbs do not'


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
        """Yield a sentence for each rule that its values break."""
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
    animation_idle: str = tag('text', 'idle', idle=CLIPS, doc='clip of the mesh, standing')
    animation_walk: str = tag('text', 'walk', idle=CLIPS, doc='clip of the mesh, walking')
    animation_run: str = tag('text', 'run', idle=CLIPS, doc='clip of the mesh, running')
    path: PathSpec | None = tag('spec', None, spec=PathSpec, doc='path to walk')
    visuals: tuple[VisualSpec, ...] = tag(
        'specs', (), name='visual', spec=VisualSpec, doc='meshes')
    animation: AnimationSpec | None = tag(
        'spec', None, spec=AnimationSpec, doc='motion by keyframes')
    publish: PublishSpec | None = publishes()
