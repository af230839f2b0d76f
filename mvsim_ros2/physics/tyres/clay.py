# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Traction on fine-grained soil: the tyre `clay`; and what it shares with `sand`.

The vehicle-terrain interface of MAVS (Dettwiller et al. 2018), by the mobility number
`Nc = CI b d / (N (1 - delta/h)^1.5 (1 + b/d)^0.75)`, with the cone index CI in pascal.
"""

from dataclasses import fields
import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.elementary_functions import arc_sine, exponential, logarithm
from mvsim_ros2.physics.physical.transient_slip import STIFFNESS
from mvsim_ros2.physics.tyres.combined_slip import crolla, project
from mvsim_ros2.physics.tyres.law import Friction, Mounting, TyreLaw
from mvsim_ros2.world.spec.tyres.base import TyreSpec
from mvsim_ros2.world.spec.tyres.slip import MagicFormulaTyre
from mvsim_ros2.world.spec.tyres.soil import ClayTyre, SandTyre, SoilTyre

Array = NDArray[np.float64]

# the first columns of clay and sand; one of their own follows
SOIL = ('width', 'diameter', 'section_height', 'gamma', 'cone_index', 'vertical_stiffness')
COLUMNS = (*SOIL, 'vti')
WIDTH, DIAMETER, SECTION_HEIGHT, GAMMA, STRENGTH, VERTICAL_STIFFNESS, OWN = range(7)
LOG_TEN = math.log(10.0)

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
def soil_limits(peak: float, resistance: float, friction: float, load: float,
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
def soil_secants(
        values: Array, traction: float, friction: float, load: float, slip_along: float,
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


def soil_numbers(tyre: SoilTyre, mounting: Mounting) -> dict[str, float]:
    """Return the numbers of a tyre that clay and sand have in common."""
    return {'width': mounting.width, 'diameter': 2.0 * mounting.radius} | {
        name: getattr(tyre, name) for name in SOIL[2:]}


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


class Clay(NamedTuple):
    """Numbers of a tyre on clay."""

    carcass: Carcass
    gamma: float  # slip angle scale of the side force [rad]
    vti: bool  # mode `vti` instead of `mavs`


@compiled
def mobility(carcass: Carcass, cone_index: float, load: float, deflection: float) -> float:
    """
    Return the mobility number Nc, held within 0.001 (nothing carries) and 10000 (hard).

    :param cone_index: of the soil [Pa].
    :param load: normal force [N].
    :param deflection: of the tyre [m].
    """
    ratio = carcass.width / carcass.diameter
    left, root = 1.0 - squeeze(carcass, deflection), math.sqrt(1.0 + ratio)
    # roots are several times faster than math.pow
    carried = max(load, 1e-9) * left * math.sqrt(left) * root * math.sqrt(root)
    return min(max(cone_index * carcass.width * carcass.diameter / carried, 1e-3), 1e4)


@compiled
def wider(carcass: Carcass) -> float:
    """Return the factor (1 + b/d)^0.25 of the traction for the width of a tyre."""
    return math.sqrt(math.sqrt(1.0 + carcass.width / carcass.diameter))


@compiled
def self_propelled_slip(number: float) -> float:
    """Return the slip S_sp at which a wheel of this mobility number just drives itself."""
    return 21.0 / (number * number * math.sqrt(number))


@compiled
def resistance(number: float) -> float:
    """Return the motion resistance coefficient R of a mobility number."""
    return 12.0 / (number * number) + 0.007


@compiled
def gross(tyre: Clay, number: float, slip: float) -> float:
    """
    Return the traction coefficient under the rim at a slip of any sign.

    `a log10(s / S_sp) + c` with `a = (1 + b/d)^0.25 / 2, c = 0` (`mavs`) or `a = 1/2, c = R`
    (`vti`), so that less R both are the equations of their source. The logarithm holds from
    the slip on at which its tangent passes through the origin; below, that tangent does. Odd.
    """
    size, propelled = abs(slip), self_propelled_slip(number)
    if tyre.vti:
        factor, constant = 0.5, resistance(number)
        tangent = propelled * exponential(1.0 - constant * LOG_TEN / factor)
    else:
        factor, constant = 0.5 * wider(tyre.carcass), 0.0
        tangent = propelled * math.e
    factor /= LOG_TEN
    traction = factor * (size / tangent)
    if size > tangent:
        traction = factor * logarithm(size / propelled) + constant
    return -traction if slip < 0.0 else traction


@compiled
def coefficients(tyre: Clay, cone_index: float, load: float, deflection: float, slip: float,
                 ) -> tuple[float, float, float]:
    """
    Return the coefficients of traction, of traction at slip 1, and of the motion resistance.

    :param cone_index: of the soil [Pa].
    :param load: normal force [N].
    :param deflection: of the tyre [m].
    :param slip: slip ratio, positive drives; beyond +-1 as at +-1.
    """
    number = mobility(tyre.carcass, cone_index, load, deflection)
    return (gross(tyre, number, min(max(slip, -1.0), 1.0)), gross(tyre, number, 1.0),
            resistance(number))


@compiled
def unpacked(values: Array) -> Clay:
    """Return the tyre in `values`."""
    return Clay(carcass(values), values[GAMMA], values[OWN] != 0.0)


@compiled
def limits(values: Array, friction: float, load: float, slip: float,
           ) -> tuple[float, float, float]:
    """Return the largest force, twice, and the drag of the soil [N]; see `law.limits`."""
    tyre = unpacked(values)
    number = mobility(tyre.carcass, values[STRENGTH], load, deflection(values, load))
    return soil_limits(gross(tyre, number, 1.0), resistance(number), friction, load)


@compiled
def secants(values: Array, friction: float, load: float, slip_along: float, slip_across: float,
            limit: float) -> tuple[float, float]:
    """Return the forces over the slips [N]; see `law.secants`."""
    tyre = unpacked(values)
    number = mobility(tyre.carcass, values[STRENGTH], load, deflection(values, load))
    traction = gross(tyre, number, min(slip_along, 1.0))
    return soil_secants(values, traction, friction, load, slip_along, slip_across, limit)


def numbers(tyre: ClayTyre, mounting: Mounting) -> dict[str, float]:
    """Return the numbers of a tyre."""
    return soil_numbers(tyre, mounting) | {'vti': tyre.mode == 'vti'}


LAW = TyreLaw(
    ClayTyre, COLUMNS, numbers, friction, secants=secants, limits=limits,
    on_surface=on_surface)
