# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Elements of a world (`<element class="...">`), the record of a kind of element, planes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mvsim_ros2.errors import PluginError
from mvsim_ros2.frames import Pose
from mvsim_ros2.world.spec.common import (
    AnimationSpec, Colour, colour, made_of, MaterialSpec, publishes, PublishSpec, reflects,
    Resource, transmits)
from mvsim_ros2.world.spec.fields import no_problems, Problems, Source, Spec, tag
from mvsim_ros2.world.spec.grid import OccupancyMap
from mvsim_ros2.world.spec.outlines import StaticOutline

# from address, place in the world file, label and stand-in (for messages) to the file
FindFile = Callable[[str, Source, str, str], Resource]

# values of `Element.looks`
EXTRUDED = 'mvsim_ros2.scene.shapes.walls:add_extruded'  # its outlines, from zmin to zmax
UNSEEN = 'mvsim_ros2.scene.shapes.walls:add_nothing'


@dataclass(frozen=True)
class ElementSpec(Spec):
    """The common tags of all elements."""

    XML_CLASS = ''

    name: str = tag('name', '', attribute=True, doc='name; default: the class and a number')


def not_solid(element: Any) -> tuple[StaticOutline, ...]:
    """Return no outline: bodies pass through it, and LiDARs see at most its surface."""
    return ()


@dataclass(frozen=True)
class Element:
    """
    A kind of element: everything that the simulator reads of it.

    Bodies, planar LiDARs, floor plans and pictures read the outlines. 3D LiDARs and cameras read
    the looks, by default the extruded outlines. Functions of rooms that a spec does not import are
    named ``'module:function'`` and imported when they are first called.
    """

    spec: type[ElementSpec]
    # from a spec to its solid pieces in the world frame, or `not_solid`
    outlines: Callable[[Any], tuple[StaticOutline, ...]]
    check: Callable[[Any], Problems] = no_problems  # yields a sentence for each broken rule
    # Name of what adds it to a scene: function(parts, spec, body). `body` is its row among all
    # bodies where keyframes move it, or -1.
    looks: str = EXTRUDED
    # Name of what completes a spec once its tags are read, such as from a file that they name:
    # function(spec, find), where `find` is a `FindFile`; empty where there is nothing to read.
    read: str = ''
    # the map that its solid cells are from, where it has one; sensors tell these from bodies
    cells: Callable[[Any], OccupancyMap | None] | None = None
    is_ground: bool = False  # it says how high the ground is

    def __post_init__(self) -> None:
        """
        Refuse a record of something that is there for nothing.

        :raises PluginError: where it is neither solid nor says how it looks.
        """
        if not self.is_solid and self.looks == EXTRUDED:
            raise PluginError(
                f'the record of the element {self.spec.XML_CLASS!r} says neither that it is '
                "solid nor how it looks: give it `outlines`, or `looks='module:function'`, or "
                '`looks=UNSEEN`')

    @property
    def is_solid(self) -> bool:
        """Return whether bodies collide with it."""
        return self.outlines is not not_solid


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
