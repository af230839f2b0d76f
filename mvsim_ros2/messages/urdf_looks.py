# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
"""What meshes and solids of a world file look like in a robot description."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from xml.etree.ElementTree import Element
from xml.etree.ElementTree import SubElement

from mvsim_ros2.frames import Pose
from mvsim_ros2.world.spec.common import GeometrySpec
from mvsim_ros2.world.spec.common import Resource
from mvsim_ros2.world.spec.common import VisualSpec
from mvsim_ros2.world.spec.geometry_shapes import shape_of
from mvsim_ros2.world.spec.wheel import WheelSpec
from mvsim_ros2.world.urdf.visuals import collada_axes


def text(numbers: Iterable[float]) -> str:
    """Return numbers as the words of an attribute."""
    return ' '.join(f'{number:.9g}' for number in numbers)


def add_origin(parent: Element, pose: Pose) -> None:
    """Say where something is."""
    SubElement(parent, 'origin', xyz=text((pose.x, pose.y, pose.z)),
               rpy=text((pose.roll, pose.pitch, pose.yaw)))


def add_colour(visual: Element, name: str, colour: Iterable[float]) -> None:
    """
    Give a `<visual>` its colour.

    :param name: of the material.
    """
    material = SubElement(visual, 'material', name=name)
    SubElement(material, 'color', rgba=text(colour))


def add_looks(link: Element, visuals: Iterable[VisualSpec], frame: Pose | None = None) -> bool:
    """
    Show meshes and solids in a link; return whether there were any.

    Left out are meshes that cannot be had, and solids that URDF does not have. Meshes in the
    folders of a package stay below `package://`, for who looks from another machine.

    :param frame: pose in the link of the frame that the visuals are in.
    """
    shown = False
    for number, visual in enumerate(visuals, start=1):
        if not visual.enabled:
            continue
        pose = Pose(visual.model_offset_x, visual.model_offset_y, visual.model_offset_z,
                    visual.model_yaw, visual.model_pitch, visual.model_roll)
        if visual.geometry is not None:
            found = _solid(visual.geometry, visual.model_scale)
        else:
            found = _mesh(visual.model_uri, visual.model_scale)
        if found is None:
            continue
        place, kind, attributes = found
        part = SubElement(link, 'visual')
        placed = pose.compose(place)
        add_origin(part, placed if frame is None else frame.compose(placed))
        SubElement(SubElement(part, 'geometry'), kind, attributes)
        if visual.model_color is not None:
            add_colour(part, f'{link.get("name")}_colour_{number}', visual.model_color)
        shown = True
    return shown


def add_steered_looks(link: Element, visuals: Iterable[VisualSpec], wheel: WheelSpec,
                      mount: Pose) -> None:
    """
    Show in a link those visuals of a vehicle that steer with a wheel (`linked_yaw`).

    :param mount: of the link in the frame of the vehicle.
    """
    for visual in visuals:
        if wheel.linked_yaw and visual.name == wheel.linked_yaw:
            place = Pose(visual.model_offset_x, visual.model_offset_y, visual.model_offset_z,
                         wheel.linked_yaw_offset)
            centred = replace(visual, model_offset_x=0.0, model_offset_y=0.0, model_offset_z=0.0,
                              model_yaw=0.0)
            add_looks(link, [centred], mount.inverse().compose(place))


def _mesh(uri: Resource | None, scale: float) -> tuple[Pose, str, dict[str, str]] | None:
    """Return where a mesh is in the frame of its visual, and its tag; None where it is missing."""
    if uri is None or uri.path is None:
        return None
    place = Pose()
    if Path(uri.path).suffix.lower() == '.dae':  # URDF takes its axes as they are in the file
        place = Pose.from_matrix(collada_axes(uri.path)).inverse()
    is_shared = uri.uri.startswith('package://')
    name = uri.uri if is_shared else Path(uri.path).absolute().as_uri()
    return place, 'mesh', {'filename': name, 'scale': text([scale] * 3)}


def _solid(solid: GeometrySpec, scale: float) -> tuple[Pose, str, dict[str, str]] | None:
    """
    Return the same of a solid, None of one that URDF does not have.

    In URDF the origin of each is in its middle.

    :raises WorldFileError: where there is no such kind of solid.
    """
    shape_of(solid)
    size = scale * solid.lx, scale * solid.ly, scale * solid.lz
    radius, length = scale * solid.radius, scale * solid.length
    return {
        'box': (Pose(*(0.5 * side for side in size)), 'box', {'size': text(size)}),
        'cylinder': (Pose(z=0.5 * length), 'cylinder', {
            'radius': text([radius]), 'length': text([length])}),
        'sphere': (Pose(), 'sphere', {'radius': text([radius])}),
        'ramp': None,
        'semi_cylinder_bump': None,
    }[solid.kind]
