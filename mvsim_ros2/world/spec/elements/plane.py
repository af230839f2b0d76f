# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Common tags of horizontal and vertical planes, and base of elements that keyframes can move."""

from dataclasses import dataclass

from mvsim_ros2.frames import Pose
from mvsim_ros2.world.spec.common import (
    AnimationSpec, Colour, colour, made_of, MaterialSpec, publishes, PublishSpec, reflects,
    Resource, transmits)
from mvsim_ros2.world.spec.element import ElementSpec
from mvsim_ros2.world.spec.fields import tag


@dataclass(frozen=True)
class PlaneSpec(ElementSpec):
    """The common tags of both planes."""

    init_pose: Pose = tag('pose', Pose(), aliases=('init_pose3d',), unit='m, deg',
                          doc='pose of the frame of the values below')
    z: float = tag('float', 0.0, unit='m', doc='height of the plane, or of the foot of a wall')
    color: Colour = tag('colour', colour('#a0a0a0ff'), doc='colour')
    reflectivity: float = reflects()
    transmittance: float | None = transmits()
    material: MaterialSpec = made_of()
    enable_shadows: bool = tag(
        'bool', True, idle='all surfaces cast shadows and receive them here',
        doc='casts and receives shadows')
    cull_face: str = tag('text', 'NONE', choices=('NONE', 'FRONT', 'BACK'),
                         doc='face that pictures of the world omit; sensors see both')
    texture: Resource | None = tag('uri', None, stand_in='the plain colour', doc='texture')
    normal_map: Resource | None = tag('uri', None, stand_in='a smooth surface',
                                      doc='normal map, in the convention of OpenGL: green is up')
    texture_size_x: float = tag('float', 1.0, unit='m', above=0, doc='length of a tile')
    texture_size_y: float = tag('float', 1.0, unit='m', above=0, doc='height of a tile')
    animation: AnimationSpec | None = tag(
        'spec', None, spec=AnimationSpec, doc='motion by keyframes')
    publish: PublishSpec | None = publishes()

    def is_in_front(self, x: float, y: float, z: float) -> bool:
        """Return whether a point in the frame of `init_pose` [m] is on the side of its front."""
        raise NotImplementedError(f'{type(self).__name__} does not say where its front is')
