# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Regions of a world with properties of their own."""

from dataclasses import dataclass

from mvsim_ros2.world.spec.element import Element, ElementSpec, not_solid, UNSEEN
from mvsim_ros2.world.spec.fields import Problems, tag
from mvsim_ros2.world.spec.tyres import weak

SURFACES = ('dry', 'wet', 'snow', 'ice', 'clay', 'sand')
_NUMBERS = ('friction_mu', 'friction_C_rr', 'mu_scale', 'cone_index', 'cone_index_psi')
PROPERTIES = (*_NUMBERS, 'surface_type', 'gps_no_coverage')  # that something reads
_HARDEST = 3000.0  # psi; a larger cone index is hardly meant in psi


@dataclass(frozen=True)
class PropertyRegionSpec(ElementSpec):
    """
    Box in which a property has a value.

    The first region in file order that contains the point counts. The properties are
    `friction_mu`, `friction_C_rr` (double) and `gps_no_coverage` (bool). Physics mode `physical`
    adds `mu_scale` (double), `surface_type` (string: dry, wet, snow, ice, clay or sand),
    `cone_index` (double, Pa) and `cone_index_psi` (double, psi).
    """

    XML_CLASS = 'property_region'

    property_name: str = tag('text', '', required=True, doc='name of the property')
    value_double: float | None = tag('float', None, doc='value, a number')
    value_bool: bool | None = tag('bool', None, doc='value, true or false')
    value_string: str | None = tag('text', None, doc='value, a text')
    x_min: float = tag('float', -1.0, unit='m', doc='extent')
    x_max: float = tag('float', 1.0, unit='m', over='x_min', doc='extent')
    y_min: float = tag('float', -1.0, unit='m', doc='extent')
    y_max: float = tag('float', 1.0, unit='m', over='y_min', doc='extent')
    z_min: float = tag('float', -1000.0, unit='m', doc='extent')
    z_max: float = tag('float', 1000.0, unit='m', over='z_min', doc='extent')

    def doubts(self) -> Problems:
        if self.property_name == 'cone_index':
            yield from weak(self.value_double or 0.0)
        number = self.value_double or 0.0
        if self.property_name == 'cone_index_psi' and number > _HARDEST:
            yield (f'a cone_index_psi of {number:g} is more than that of soil, some 20 to 300 '
                   'psi: the property cone_index is in Pa')


def _check(spec: PropertyRegionSpec) -> Problems:
    if spec.value_double is None and spec.value_bool is None and spec.value_string is None:
        yield 'give <value_double>, <value_bool> or <value_string>'
    if spec.property_name in _NUMBERS and spec.value_double is None:
        yield f'{spec.property_name} needs a <value_double>'
    if spec.property_name == 'surface_type' and spec.value_string not in SURFACES:
        yield f'surface_type needs a <value_string>: {", ".join(SURFACES)}'
    if spec.property_name == 'gps_no_coverage' and spec.value_bool is None:
        yield 'gps_no_coverage needs a <value_bool>'


ELEMENT = Element(PropertyRegionSpec, not_solid, _check, looks=UNSEEN)
