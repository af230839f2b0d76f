# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Export of meshes and solids as visuals of a robot description."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement

from mvsim_ros2.frames import Pose
from mvsim_ros2.world.file.urdf_import.visuals import collada_axes
from mvsim_ros2.world.spec.common import GeometrySpec, Resource, VisualSpec
from mvsim_ros2.world.spec.shapes.geometry_shapes import shape_of
from mvsim_ros2.world.spec.vehicle.wheel import WheelSpec


def text(numbers: Iterable[float]) -> str:
    """Return numbers as the words of an attribute."""
    return ' '.join(f'{number:.9g}' for number in numbers)


def add_origin(parent: Element, pose: Pose) -> None:
    """Add an `<origin>`."""
    SubElement(parent, 'origin', xyz=text((pose.x, pose.y, pose.z)),
               rpy=text((pose.roll, pose.pitch, pose.yaw)))


def add_colour(visual: Element, name: str, colour: Iterable[float]) -> None:
    """
    Add the material of a `<visual>`.

    :param name: of the material.
    """
    material = SubElement(visual, 'material', name=name)
    SubElement(material, 'color', rgba=text(colour))


def add_visuals(link: Element, visuals: Iterable[VisualSpec], frame: Pose | None = None) -> bool:
    """
    Add meshes and solids to a link; return whether any was added.

    Unavailable meshes, and solids that URDF does not have, are left out. Meshes of a package
    keep their `package://` URI, for displays on another machine.

    :param frame: pose of the frame of the visuals in the link.
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


def add_steered_visuals(link: Element, visuals: Iterable[VisualSpec], wheel: WheelSpec,
                        mount: Pose) -> None:
    """
    Add to a link the visuals of a vehicle that steer with a wheel (`linked_yaw`).

    :param mount: of the link in the frame of the vehicle.
    """
    for visual in visuals:
        if wheel.linked_yaw and visual.name == wheel.linked_yaw:
            place = Pose(visual.model_offset_x, visual.model_offset_y, visual.model_offset_z,
                         wheel.linked_yaw_offset)
            centred = replace(visual, model_offset_x=0.0, model_offset_y=0.0, model_offset_z=0.0,
                              model_yaw=0.0)
            add_visuals(link, [centred], mount.inverse().compose(place))


def _mesh(uri: Resource | None, scale: float) -> tuple[Pose, str, dict[str, str]] | None:
    """Return pose of a mesh in the frame of its visual, tag and attributes; None if missing."""
    if uri is None or uri.path is None:
        return None
    place = Pose()
    if Path(uri.path).suffix.lower() == '.dae':  # URDF does not convert the axes of the file
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
