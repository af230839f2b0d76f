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
"""Regions of a world with properties of their own."""

from dataclasses import dataclass

from mvsim_ros2.world.spec.checks import ordered
from mvsim_ros2.world.spec.checks import Problems
from mvsim_ros2.world.spec.checks import RECTANGLE
from mvsim_ros2.world.spec.element import Element
from mvsim_ros2.world.spec.element import ElementSpec
from mvsim_ros2.world.spec.element import not_solid
from mvsim_ros2.world.spec.element import UNSEEN
from mvsim_ros2.world.spec.fields import tag

SURFACES = ('dry', 'wet', 'snow', 'ice', 'clay', 'sand')
_NUMBERS = ('friction_mu', 'friction_C_rr', 'mu_scale', 'cone_index', 'cone_index_psi')


@dataclass(frozen=True)
class PropertyRegionSpec(ElementSpec):
    """
    Box in which a property has a value.

    The first region in file order that holds the point wins. Properties that act:
    `friction_mu`, `friction_C_rr` (double), `gps_no_coverage` (bool); in physics mode
    `physical` also `mu_scale` (double), `surface_type` (string: dry, wet, snow, ice, clay or
    sand), `cone_index` (double, Pa) and `cone_index_psi` (double, psi).
    """

    XML_CLASS = 'property_region'

    property_name: str = tag('text', '', required=True, doc='name of the property')
    value_double: float | None = tag('float', None, doc='value, a number')
    value_bool: bool | None = tag('bool', None, doc='value, true or false')
    value_string: str | None = tag('text', None, doc='value, a text')
    x_min: float = tag('float', -1.0, unit='m', doc='extent')
    x_max: float = tag('float', 1.0, unit='m', doc='extent')
    y_min: float = tag('float', -1.0, unit='m', doc='extent')
    y_max: float = tag('float', 1.0, unit='m', doc='extent')
    z_min: float = tag('float', -1000.0, unit='m', doc='extent')
    z_max: float = tag('float', 1000.0, unit='m', doc='extent')


def _check(spec: PropertyRegionSpec) -> Problems:
    if spec.value_double is None and spec.value_bool is None and spec.value_string is None:
        yield 'give <value_double>, <value_bool> or <value_string>'
    if spec.property_name in _NUMBERS and spec.value_double is None:
        yield f'{spec.property_name} needs a <value_double>'
    if spec.property_name == 'surface_type' and spec.value_string not in SURFACES:
        yield f'surface_type needs a <value_string>: {", ".join(SURFACES)}'
    if spec.property_name == 'gps_no_coverage' and spec.value_bool is None:
        yield 'gps_no_coverage needs a <value_bool>'
    yield from ordered(spec, *RECTANGLE, ('z_min', 'z_max'))


ELEMENT = Element(PropertyRegionSpec, not_solid, _check, looks=UNSEEN)
