# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What the tyres on clay and sand share: the carcass, and how traction becomes force."""

from dataclasses import fields
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.elementary_functions import arc_sine
from mvsim_ros2.physics.physical.transient_slip import STIFFNESS
from mvsim_ros2.physics.tyres.combined_slip import crolla, project
from mvsim_ros2.physics.tyres.law import Friction, Mounting
from mvsim_ros2.world.spec.tyres.base import TyreSpec
from mvsim_ros2.world.spec.tyres.slip import MagicFormulaTyre
from mvsim_ros2.world.spec.tyres.soil import ClayTyre, SandTyre, SoilTyre

Array = NDArray[np.float64]

# the first columns of clay and sand; one of their own follows
COLUMNS = (
    'width', 'diameter', 'section_height', 'gamma', 'cone_index', 'vertical_stiffness')
WIDTH, DIAMETER, SECTION_HEIGHT, GAMMA, STRENGTH, VERTICAL_STIFFNESS, OWN = range(7)

_SOILS: dict[str, type[SoilTyre]] = {kind.XML_CLASS: kind for kind in (ClayTyre, SandTyre)}


class Carcass(NamedTuple):
    """Size of a tyre."""

    width: float  # m
    diameter: float  # m
    section_height: float  # m, of the tyre above the rim


@compiled
def squeeze(carcass: Carcass, deflection: float) -> float:
    """Return deflection over section height, in [0, 0.99]: the numerics are singular at 1."""
    return min(max(deflection / carcass.section_height, 0.0), 0.99)


@compiled
def carcass(values: Array) -> Carcass:
    """Return the size of the tyre in `values`."""
    return Carcass(values[WIDTH], values[DIAMETER], values[SECTION_HEIGHT])


@compiled
def deflection(values: Array, load: float) -> float:
    """Return how far the tyre in `values` is pressed in [m]."""
    return load / values[VERTICAL_STIFFNESS]  # type: ignore[no-any-return]


@compiled
def limits(peak: float, resistance: float, friction: float, load: float,
           ) -> tuple[float, float, float]:
    """
    Return the largest force, twice, and the resistance of the soil to the hub [N].

    Neither exceeds the load: a hub gets no more than that, and a rim that got more than its hub
    would be turned by a force that nothing bears.

    :param peak: coefficient of the traction at slip 1.
    :param resistance: motion resistance coefficient.
    :param friction: factor of the traction.
    """
    limit = min(peak * friction, 1.0) * load
    return limit, limit, min(resistance, 1.0) * load


@compiled
def secants(values: Array, traction: float, friction: float, load: float, slip_along: float,
            slip_across: float, limit: float) -> tuple[float, float]:
    """
    Return the forces over the slips, within the friction circle [N]; see `law.secants`.

    A tyre itself is softer than hard soil.

    :param traction: its coefficient at that slip.
    """
    along, across = project(
        min(traction * friction, 1.0) * load,
        crolla(values[GAMMA], limit, -arc_sine(min(slip_across, 1.0))), limit, limit)
    return (min(along / slip_along, STIFFNESS * load),
            min(across / slip_across, STIFFNESS * load))


def numbers(tyre: SoilTyre, mounting: Mounting) -> dict[str, float]:
    """Return the numbers of a tyre that clay and sand have in common."""
    return {'width': mounting.width, 'diameter': 2.0 * mounting.radius} | {
        name: getattr(tyre, name) for name in COLUMNS[2:]}


def friction(tyre: SoilTyre, mounting: Mounting) -> Friction:
    """Return the friction: the soil alone says it."""
    return Friction(0.0, None)


def below(surface: str, mounting: Mounting) -> SoilTyre:
    """Return the tyre that a firm one is on a soil, `clay` or `sand`."""
    height = min(SoilTyre.section_height, 0.5 * mounting.radius)
    return _SOILS[surface](section_height=height)


def on_surface(tyre: SoilTyre, surface: str, mounting: Mounting) -> tuple[TyreSpec, float]:
    """Return what a tyre for soil is on a surface: on a road the Magic Formula has it."""
    if surface == tyre.XML_CLASS:
        return tyre, 1.0
    if surface not in _SOILS:
        return MagicFormulaTyre(surface=surface), 1.0
    return _SOILS[surface](**{
        field.name: getattr(tyre, field.name) for field in fields(SoilTyre)}), 1.0
