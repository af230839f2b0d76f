# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Solids and colours of SDF as those of robot descriptions."""

from collections.abc import Mapping

from mvsim_ros2.world.file.document.tree import Node
from mvsim_ros2.world.file.urdf_import.description.xml_values import (
    numbers_of, text_of, value, written)

# colours of the materials that come with Gazebo classic, by their names: red, green, blue
_SCRIPTS = {
    'Grey': (0.7, 0.7, 0.7), 'Gray': (0.7, 0.7, 0.7), 'DarkGrey': (0.18, 0.18, 0.18),
    'White': (1, 1, 1), 'Black': (0, 0, 0), 'FlatBlack': (0.1, 0.1, 0.1), 'Red': (1, 0, 0),
    'RedBright': (0.87, 0.26, 0.07), 'Green': (0, 1, 0), 'Blue': (0, 0, 1), 'SkyBlue':
    (0.13, 0.44, 0.7), 'Yellow': (1, 1, 0), 'Orange': (1, 0.51, 0.12), 'Purple': (1, 0, 1),
    'Turquoise': (0, 1, 1), 'Indigo': (0.33, 0, 0.5), 'Gold': (0.8, 0.65, 0.23), 'Wood':
    (0.52, 0.37, 0.26), 'WoodFloor': (0.52, 0.37, 0.26), 'WoodPallet': (0.6, 0.45, 0.3),
    'Bricks': (0.6, 0.35, 0.3), 'CeilingTiled': (0.85, 0.85, 0.85), 'Residential':
    (0.7, 0.6, 0.5), 'Tiles': (0.6, 0.6, 0.6), 'Road': (0.3, 0.3, 0.3)}


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
