# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Rules of the format on several values of one object, in addition to its own methods."""

from collections.abc import Callable
from typing import Any

from mvsim_ros2.world.file.report import did_you_mean
from mvsim_ros2.world.spec import (
    BlockSpec, ElementSpec, GeometrySpec, PropertyRegionSpec, Spec, VehicleSpec, WallsSpec)
from mvsim_ros2.world.spec.elements import ELEMENTS
from mvsim_ros2.world.spec.elements.property_region import PROPERTIES
from mvsim_ros2.world.spec.fields import Problems
from mvsim_ros2.world.spec.outlines import geometry_footprint
from mvsim_ros2.world.spec.solids import block_footprint, vehicle_footprint
from mvsim_ros2.world.spec.walls import wall_outlines

# what computes the outline of a spec, and raises a WorldFileError where it is not possible
_OUTLINES: dict[type, Callable[[Any], object]] = {
    BlockSpec: block_footprint, GeometrySpec: geometry_footprint,
    VehicleSpec: vehicle_footprint, WallsSpec: wall_outlines}


def doubts(spec: Spec) -> Problems:
    """Yield a sentence for what is possible but hardly meant."""
    yield from spec.doubts()
    if isinstance(spec, PropertyRegionSpec) and spec.property_name not in PROPERTIES:
        yield (f'nothing reads the property {spec.property_name!r}: there are '
               f'{", ".join(PROPERTIES)}{did_you_mean(spec.property_name, PROPERTIES)}')


def problems(spec: Spec) -> Problems:
    """Yield a sentence for every violated rule of a spec."""
    yield from spec.problems()
    if isinstance(spec, ElementSpec):
        record = ELEMENTS[type(spec)]
        yield from record.check(spec)
        record.outlines(spec)
    if type(spec) in _OUTLINES:
        _OUTLINES[type(spec)](spec)
