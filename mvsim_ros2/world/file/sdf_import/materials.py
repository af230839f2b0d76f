# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Solids and colours of SDF as those of robot descriptions."""

from collections.abc import Mapping

from mvsim_ros2.world.file.document.tree import Node
from mvsim_ros2.world.file.urdf_import.description.xml_values import (
    numbers_of, text_of, value, written)

# materials that come with Gazebo classic: name, red, green, blue in hundredths
_SCRIPTS = {name: tuple(0.01 * int(part) for part in parts) for name, *parts in map(str.split, (
    'Grey 70 70 70', 'Gray 70 70 70', 'DarkGrey 18 18 18', 'White 100 100 100', 'Black 0 0 0',
    'FlatBlack 10 10 10', 'Red 100 0 0', 'RedBright 87 26 7', 'Green 0 100 0', 'Blue 0 0 100',
    'SkyBlue 13 44 70', 'Yellow 100 100 0', 'Orange 100 51 12', 'Purple 100 0 100',
    'Turquoise 0 100 100', 'Indigo 33 0 50', 'Gold 80 65 23', 'Wood 52 37 26',
    'WoodFloor 52 37 26', 'WoodPallet 60 45 30', 'Bricks 60 35 30', 'CeilingTiled 85 85 85',
    'Residential 70 60 50', 'Tiles 60 60 60', 'Road 30 30 30'))}


def colour_of(shape: Node) -> str:
    """Return the colour of a `<visual>` as red, green, blue and alpha, '' where it has none."""
    material = shape.child('material')
    if material is None:
        return ''
    for tag in ('diffuse', 'ambient'):
        parts = text_of(material, tag).split()
        if tag == 'ambient' and (script := text_of(material, 'script', 'name')):
            known = _SCRIPTS.get(script.removeprefix('Gazebo/'))
            parts = parts if known is None else [f'{part:g}' for part in known]
        if len(parts) in (3, 4):
            opacity = 1.0 - value(shape, 'transparency', default=0.0)
            alpha = opacity * float((*parts, '1')[3])
            return ' '.join([*parts[:3], written(alpha)])
    return ''


def solid_of(solid: Node) -> tuple[str, Mapping[str, str]] | None:
    """
    Return a solid as a tag of robot descriptions and its attributes, None for others.

    Capsules, cones and ellipsoids are those that enclose them: cylinders and boxes.
    """
    radius, length = text_of(solid, 'radius'), text_of(solid, 'length')
    if solid.tag == 'capsule':
        whole = value(solid, 'length', default=1.0) + 2.0 * value(solid, 'radius', default=0.5)
        return 'cylinder', {'radius': radius or '0.5', 'length': written(whole)}
    if solid.tag == 'ellipsoid':
        return 'box', {'size': written(*(2.0 * each for each in numbers_of(
            solid, 'radii', 3, (1.0, 1.0, 1.0))))}
    return {
        'box': ('box', {'size': text_of(solid, 'size') or '1 1 1'}),
        'cylinder': ('cylinder', {'radius': radius or '1', 'length': length or '1'}),
        'cone': ('cylinder', {'radius': radius or '0.5', 'length': length or '1'}),
        'sphere': ('sphere', {'radius': radius or '1'}),
        'mesh': ('mesh', {'filename': text_of(solid, 'uri'), 'scale': text_of(solid, 'scale')}),
    }.get(solid.tag)
