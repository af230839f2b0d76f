# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Regions of the ground with their own friction, rolling resistance, surface or soil strength."""

import logging

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.state.example_arguments import TABLE
from mvsim_ros2.world.spec.elements.property_region import PropertyRegionSpec, SURFACES
from mvsim_ros2.world.spec.world import WorldSpec

Array = NDArray[np.float64]

_LOG = logging.getLogger(__name__)

PSI = 6894.757293168361  # Pa

# first column: which property
MU, C_RR, MU_SCALE, SURFACE, CONE_INDEX = range(5)
PROPERTIES = 5
_PROPERTIES = {'friction_mu': MU, 'friction_C_rr': C_RR, 'mu_scale': MU_SCALE,
               'surface_type': SURFACE, 'cone_index': CONE_INDEX, 'cone_index_psi': CONE_INDEX}
_IN_MVSIM = ('friction_mu', 'friction_C_rr')  # those that the original has
REGION = 8  # columns: property, value, smallest and largest x, y, z


def friction_regions(world: WorldSpec, physical: bool = False) -> Array:
    """
    Return the regions that act on wheels in the order of the file, shape (n, REGION).

    :param physical: for mode `physical`; mode `mvsim` knows friction and rolling resistance
        only.
    :raises PhysicsError: where a value is negative, or there is no such surface.
    """
    rows = []
    for region in world.elements:
        if (not isinstance(region, PropertyRegionSpec)
                or region.property_name not in _PROPERTIES):
            continue
        name = region.property_name
        if not physical and name not in _IN_MVSIM:
            _LOG.warning("%s: the region of %s acts in physics mode 'physical' only",
                         region.source, name)
            continue
        value = _surface_value(region) if name == 'surface_type' else region.value_double
        if value is None:
            _LOG.warning('%s: the region of %s has no value_double and no effect',
                         region.source, name)
            continue
        if not value >= 0.0:
            raise PhysicsError(f'{region.source}: {name} is {value} in this region: give a '
                               'number that is not negative')
        if name == 'cone_index_psi':
            value *= PSI
        rows.append((
            _PROPERTIES[name], value, region.x_min, region.x_max, region.y_min, region.y_max,
            region.z_min, region.z_max))
    return np.array(rows, float).reshape(-1, REGION)


def surfaces_of(regions: Array) -> tuple[str, ...]:
    """Return the surfaces that regions say, of those in `SURFACES`."""
    return tuple(name for number, name in enumerate(SURFACES)
                 if np.any((regions[:, 0] == SURFACE) & (regions[:, 1] == number)))


def _surface_value(region: PropertyRegionSpec) -> float:
    if region.value_string not in SURFACES:
        raise PhysicsError(f'{region.source}: the surface_type is {region.value_string!r} in '
                           f'this region: use {", ".join(SURFACES)}')
    return float(SURFACES.index(region.value_string))


@lazy_kernel(TABLE, 0.0, 0.0, 0.0, 0.0, 0.0)
def surface(regions: Array, x: float, y: float, z: float, mu: float, rolling: float,
            ) -> tuple[float, float]:
    """
    Return friction and rolling resistance coefficient at a point of the ground, mode `mvsim`.

    :param mu: of the tyre, where no region says otherwise; so rolling. For the others see
        `look_up`.
    """
    for k in range(len(regions) - 1, -1, -1):
        if holds(regions[k], x, y, z):
            if regions[k, 0] == MU:
                mu = regions[k, 1]
            else:
                rolling = regions[k, 1]
    return mu, rolling


@compiled(inner=True)
def look_up(regions: Array, x: float, y: float, z: float) -> Array:
    """
    Return what regions say of a point of the ground, mode `physical`: shape (PROPERTIES,).

    -1 where they say nothing; of several that hold the point the first in the file counts.

    :param regions: shape (n, REGION).
    :param x: place in the world [m]; so y, z.
    """
    found = np.full(PROPERTIES, -1.0)
    for k in range(len(regions) - 1, -1, -1):
        if holds(regions[k], x, y, z):
            found[int(regions[k, 0])] = regions[k, 1]
    return found


@compiled(inlined=True)
def holds(region: Array, x: float, y: float, z: float) -> bool:
    """Return whether a point is in a region, its border included."""
    return bool(region[2] <= x <= region[3] and region[4] <= y <= region[5]
                and region[6] <= z <= region[7])
