# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Which friction and which law a wheel has on the ground below it.

Regions of the ground have their own friction, rolling resistance, surface or soil strength. For
each surface of a world, a row of `contacts` in the record of a wheel has the law of its tyre with
numbers. The first row is for ground outside of regions with a surface.
"""

from collections.abc import Iterable
import logging
from typing import Any

import numpy as np

from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.modes import PHYSICAL
from mvsim_ros2.physics.physical.transient_slip import LENGTH
from mvsim_ros2.physics.state.record_layout import (
    CONE, CONTACT, CURVE, FIRST, FRICTION, NUMBER, PER_MU, SCALE, SOME_WHEELS, TABLE, TYRE_VALUES)
from mvsim_ros2.physics.tyres import clay
from mvsim_ros2.physics.tyres.law import law_of, LAWS, Mounting, provide, rolling
from mvsim_ros2.physics.tyres.magic_formula import SURFACES as ROADS
from mvsim_ros2.world.spec.elements.property_region import PropertyRegionSpec, SURFACES
from mvsim_ros2.world.spec.tyres import TyreSpec
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec
from mvsim_ros2.world.spec.world import WorldSpec

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
        if not isinstance(region, PropertyRegionSpec) or region.property_name not in _PROPERTIES:
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


@compiled
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


def firm(tyre: TyreSpec, surface: str, mounting: Mounting) -> tuple[TyreSpec, float]:
    """
    Return the tyre that a firm tyre is on a surface, and a factor of its friction.

    A road scales its friction as in the Magic Formula, relative to a dry road; soil has its law.
    """
    if surface in ROADS:
        return tyre, ROADS[surface].D
    return clay.below(surface, mounting), 1.0


def contact(tyre: TyreSpec, mounting: Mounting, vehicle: VehicleSpec) -> Array:
    """
    Return the row of `contacts` of a tyre in mode `physical`, shape (CONTACT,).

    :raises PhysicsError: where the mode has not got its law.
    """
    law = law_of(tyre, PHYSICAL, vehicle)
    friction = law.friction(tyre, mounting)
    row = np.zeros(CONTACT)
    row[NUMBER], row[SCALE] = provide(law, PHYSICAL), 1.0
    if law.secants is not None:
        row[CURVE] = 1.0
    if friction.per_mu is None:
        row[FRICTION], row[PER_MU] = 1.0, -1.0
    else:
        row[FRICTION], row[PER_MU] = friction.mu * friction.per_mu, friction.per_mu
    row[CONE] = law.columns.index('cone_index') if 'cone_index' in law.columns else -1
    row[FIRST:] = law.values(tyre, mounting)
    return row


def write_contacts(vehicle: VehicleSpec, wheels: Any, load: float, surfaces: Iterable[str],
                   ) -> None:
    """
    Write laws and friction of the tyres of a vehicle into its wheels, for mode `physical`.

    :param wheels: records of its wheels, with radius and width.
    :param load: of a tyre at rest, the mean [N].
    :param surfaces: those that the world has.
    """
    for wheel, tyre in zip(wheels, vehicle.tyres, strict=True):
        law = LAWS[type(tyre)]
        mounting = Mounting(float(wheel['radius']), float(wheel['width']), load)
        wheel['mu'] = law.friction(tyre, mounting).mu
        wheel['resists'] = law.rolling is not None
        along = tyre.relaxation_length or LENGTH * mounting.radius
        wheel['relaxation'] = along
        wheel['side_relaxation'] = tyre.lateral_relaxation_length or along
        wheel['contacts'][0] = contact(tyre, mounting, vehicle)
        for surface in surfaces:
            there, scale = (law.on_surface or firm)(tyre, surface, mounting)
            row = contact(there, mounting, vehicle)
            row[SCALE] = scale
            wheel['contacts'][1 + SURFACES.index(surface)] = row


@lazy_kernel(SOME_WHEELS[0], np.zeros((1, REGION)), 0.0, 0.0, 0.0, np.zeros(TYRE_VALUES))
def on_ground(wheel: np.void, regions: Array, x: float, y: float, z: float, values: Array,
              ) -> tuple[float, float, float, float]:
    """
    Return law, friction, value of `CURVE` and rolling resistance where there are regions.

    :param values: numbers of the law, written.
    :param regions: shape (n, REGION), at least one.
    :param x: place of the wheel in the world [m]; so y, z.
    """
    found = look_up(regions, x, y, z)
    row = wheel['contacts'][1 + int(found[SURFACE])]  # -1 where no region says it
    for k in range(TYRE_VALUES):
        values[k] = row[FIRST + k]
    friction = row[FRICTION]
    if found[MU] >= 0.0 and row[PER_MU] >= 0.0:
        friction = found[MU] * row[PER_MU]
    if found[CONE_INDEX] >= 0.0 and row[CONE] >= 0.0:
        values[int(row[CONE])] = found[CONE_INDEX]
    scale = row[SCALE]
    if found[MU_SCALE] >= 0.0:
        scale *= found[MU_SCALE]
    resistance = found[C_RR] if found[C_RR] >= 0.0 else wheel['rolling']
    return row[NUMBER], friction * scale, row[CURVE], resistance


@compiled(inlined=True)
def own_rolling(wheel: np.void, speed: float) -> float:
    """Return the rolling resistance coefficient of the own law of a wheel beyond C_rr."""
    row = wheel['contacts'][0]
    return rolling(row[NUMBER], row[FIRST:], speed)
