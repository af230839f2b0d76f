# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What the surfaces of things are made of."""

from dataclasses import dataclass, field

from mvsim_ros2.world.spec.common import Colour
from mvsim_ros2.world.spec.fields import Source, Spec, tag


@dataclass(frozen=True)
class MaterialSpec(Spec):
    """
    Surface properties of an object (`<material>`), in addition to colour and `reflectivity`.

    Objects with equal values share a material.
    """

    specular: float = tag(
        'float', 0.0, attribute=True, minimum=0, maximum=1,
        doc='strength of the highlights of lights, of the model of Blinn and Phong')
    shininess: float = tag('float', 32.0, attribute=True, minimum=1, maximum=1000,
                           doc='how small highlights are: the exponent of that model')
    emissive: Colour | None = tag(
        'colour', None, attribute=True, doc='light that it emits; default: none')
    temperature: float | None = tag(
        'float', None, unit='K', attribute=True, minimum=0, maximum=10_000,
        doc='temperature for thermal cameras; default: that of the air')
    emissivity: float = tag('float', 0.95, attribute=True, minimum=0, maximum=1,
                            doc='share of the heat radiation of a black body, for thermal cameras')
    mirror: float = tag(
        'float', 0.0, attribute=True, minimum=0, maximum=1, doc='share of a LiDAR beam that is '
        'mirrored at normal incidence; more at grazing incidence')
    retroreflection: float = tag(
        'float', 0.0, unit='cd/(lx m^2)', attribute=True, minimum=0, maximum=10_000,
        doc='coefficient of retroreflection, as of road signs; a white wall has 0.3')
    radar_section: float | None = tag(
        'float', None, unit='dBsm', attribute=True, minimum=-60, maximum=60,
        doc='radar cross-section of the whole object from all sides, as of a corner reflector; '
            'default: that of its surfaces')
    textured: bool = tag('bool', False, attribute=True, doc='multiply the reflectivity for LiDARs '
                         'by the brightness of the texture')
    source: Source = field(default=Source(), compare=False, kw_only=True)


PLAIN = MaterialSpec()


def made_of() -> MaterialSpec:
    """Return the field `material` of a thing."""
    made: MaterialSpec = tag('spec', PLAIN, spec=MaterialSpec, doc='matter of its surfaces')
    return made
