# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Which law a wheel has on the ground below it.

For each surface that a world has, a row of `contacts` in the record of a wheel holds the law of
its tyre there and the numbers of that; the first row is for ground of which nothing is said.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.modes import PHYSICAL
from mvsim_ros2.physics.physical.transient_slip import LENGTH
from mvsim_ros2.physics.state.example_arguments import SOME_WHEELS
from mvsim_ros2.physics.state.record_layout import (
    CONE, CONTACT, CURVE, FIRST, FRICTION, NUMBER, PER_MU, SCALE, TYRE_VALUES)
from mvsim_ros2.physics.tyres.law import law_of, LAWS, Mounting, provide, rolling
from mvsim_ros2.physics.tyres.magic_formula import SURFACES as ROADS
from mvsim_ros2.physics.tyres.on_ground import (
    C_RR, CONE_INDEX, look_up, MU, MU_SCALE, REGION, SURFACE)
from mvsim_ros2.physics.tyres.parts import soil
from mvsim_ros2.world.spec.elements.property_region import SURFACES
from mvsim_ros2.world.spec.tyres.base import TyreSpec
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec

Array = NDArray[np.float64]


def firm(tyre: TyreSpec, surface: str, mounting: Mounting) -> tuple[TyreSpec, float]:
    """
    Return the tyre that a firm tyre is on a surface, and a factor of its friction.

    A road scales its friction by that of the Magic Formula against a dry one; soil has its law.
    """
    if surface in ROADS:
        return tyre, ROADS[surface].D
    return soil.below(surface, mounting), 1.0


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


@compiled(inlined=True)
def as_built(wheel: np.void, values: Array) -> tuple[float, float, float]:
    """
    Return law, friction, and the value of `CURVE`, where nothing is said of the ground.

    :param wheel: its record.
    :param values: numbers of its law, written where it is a curve.
    """
    row = wheel['contacts'][0]
    if row[CURVE] != 0.0:
        for k in range(TYRE_VALUES):
            values[k] = row[FIRST + k]
    return row[NUMBER], row[FRICTION], row[CURVE]


@lazy_kernel(SOME_WHEELS[0], np.zeros((1, REGION)), 0.0, 0.0, 0.0, np.zeros(TYRE_VALUES))
def on_ground(wheel: np.void, regions: Array, x: float, y: float, z: float, values: Array,
              ) -> tuple[float, float, float, float]:
    """
    Return the same as `as_built`, and the rolling resistance, where there are regions.

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
