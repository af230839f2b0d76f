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

from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.elementary_functions import exponential, logarithm
from mvsim_ros2.physics.physical.transient_slip import STIFFNESS
from mvsim_ros2.physics.tyres.combined_slip import crolla_secant, within_circle
from mvsim_ros2.physics.tyres.law import Friction, Mounting, TyreLaw
from mvsim_ros2.world.spec.tyres import ClayTyre, MagicFormulaTyre, SandTyre, SoilTyre, TyreSpec

# the first columns of clay and sand; one of their own follows
SOIL = ('width', 'diameter', 'section_height', 'gamma', 'cone_index', 'vertical_stiffness')
COLUMNS = (*SOIL, 'vti')
WIDTH, DIAMETER, SECTION_HEIGHT, GAMMA, STRENGTH, VERTICAL_STIFFNESS, OWN = range(7)
# of `Traction`: what `limits` finds for the load of a step, and leaves there for `secants`
FACTOR, CONSTANT, DRIVEN, TANGENT, SLOPE = range(7, 12)
LOG_TEN = math.log(10.0)
LARGE = 1e3  # of a slip over S_sp
LOG_LARGE = math.log(LARGE)

_SOILS: dict[str, type[SoilTyre]] = {kind.XML_CLASS: kind for kind in (ClayTyre, SandTyre)}


class Carcass(NamedTuple):
    """Size of a tyre."""

    width: float  # m
    diameter: float  # m
    section_height: float  # m, of the tyre above the rim


@compiled(inlined=True)
def squeeze(carcass: Carcass, deflection: float) -> float:
    """Return deflection over section height, in [0, 0.99]: the numerics are singular at 1."""
    return min(max(deflection / carcass.section_height, 0.0), 0.99)


@compiled(inlined=True)
def carcass(values: Array) -> Carcass:
    """Return the size of the tyre in `values`."""
    return Carcass(values[WIDTH], values[DIAMETER], values[SECTION_HEIGHT])


@compiled(inlined=True)
def deflection(values: Array, load: float) -> float:
    """Return how far the tyre in `values` is pressed in [m]."""
    return load / values[VERTICAL_STIFFNESS]  # type: ignore[no-any-return]


@compiled(inlined=True)
def soil_limits(peak: float, resistance: float, load: float) -> tuple[float, float, float]:
    """
    Return the largest force, twice, and the resistance of the soil to the hub [N].

    Neither exceeds the load, the limit for a hub. A larger force would turn the rim without a
    support.

    :param peak: force over the load at slip 1.
    :param resistance: motion resistance coefficient.
    """
    limit = min(peak, 1.0) * load
    return limit, limit, min(resistance, 1.0) * load


@compiled(inlined=True)
def soil_secants(
        values: Array, stiff: float, load: float, slip_along: float, slip_across: float,
        limit: float) -> tuple[float, float]:
    """
    Return the forces over the slips, within the friction circle [N]; see `law.secants`.

    A tyre itself is softer than hard soil.

    :param stiff: force over load and slip along the wheel; the force is at most the load.
    """
    if stiff * slip_along > 1.0:
        stiff = 1.0 / slip_along
    along, across = within_circle(
        stiff * load, crolla_secant(values[GAMMA], limit, slip_across), slip_along, slip_across,
        limit)
    return min(along, STIFFNESS * load), min(across, STIFFNESS * load)


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
    """Return a tyre for soil on a surface: on a road the Magic Formula replaces it."""
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


@compiled(inlined=True)
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


@compiled(inlined=True)
def wider(carcass: Carcass) -> float:
    """Return the factor (1 + b/d)^0.25 of the traction for the width of a tyre."""
    return math.sqrt(math.sqrt(1.0 + carcass.width / carcass.diameter))


@compiled(inlined=True)
def resistance(number: float) -> float:
    """Return the motion resistance coefficient R of a mobility number."""
    return 12.0 / (number * number) + 0.007


class Traction(NamedTuple):
    """
    Coefficient of the traction under the rim over the slip s, for one load.

    `a log10(s / S_sp) + c` with `a = (1 + b/d)^0.25 / 2, c = 0` (`mavs`) or `a = 1/2, c = R`
    (`vti`), so that less R both are the equations of their source. The logarithm holds from
    the slip on at which its tangent passes through the origin; below, that tangent does.
    """

    factor: float  # of the natural logarithm
    constant: float
    driven: float  # 1 / S_sp, with S_sp the slip at which a wheel just drives itself
    tangent: float  # s / S_sp from which on the logarithm holds
    slope: float  # below that


@compiled(inlined=True)
def traction_curve(tyre: Clay, number: float) -> Traction:
    """Return the curve of a tyre with this mobility number."""
    driven = number * number * math.sqrt(number) * (1.0 / 21.0)
    if tyre.vti:
        factor, constant = 0.5, resistance(number)
        tangent = exponential(1.0 - constant * LOG_TEN / factor)
    else:
        factor, constant = 0.5 * wider(tyre.carcass), 0.0
        tangent = math.e
    factor *= 1.0 / LOG_TEN
    return Traction(factor, constant, driven, tangent, factor * driven / tangent)


@compiled(inlined=True)
def traction(curve: Traction, friction: float, slip: float) -> float:
    """
    Return the traction over the load, at most 1.

    :param friction: factor of it; slip, at least 0.
    """
    share = slip * curve.driven
    if share <= curve.tangent:
        return min(friction * (curve.slope * slip), 1.0)
    if share > LARGE and friction * (curve.factor * LOG_LARGE + curve.constant) > 1.0:
        return 1.0
    return min(friction * (curve.factor * logarithm(share) + curve.constant), 1.0)


@compiled(inlined=True)
def unpacked(values: Array) -> Clay:
    """Return the tyre in `values`."""
    return Clay(carcass(values), values[GAMMA], values[OWN] != 0.0)


@compiled(counted=False)
def limits(values: Array, friction: float, load: float, slip: float) -> tuple[float, float, float]:
    """Return the largest force, twice, and the drag of the soil [N]; see `law.limits`."""
    tyre = unpacked(values)
    number = mobility(tyre.carcass, values[STRENGTH], load, deflection(values, load))
    curve = traction_curve(tyre, number)
    values[FACTOR], values[CONSTANT], values[DRIVEN], values[TANGENT], values[SLOPE] = curve
    return soil_limits(traction(curve, friction, 1.0), resistance(number), load)


@compiled(counted=False)
def secants(values: Array, friction: float, load: float, slip_along: float, slip_across: float,
            limit: float) -> tuple[float, float]:
    """Return the forces over the slips [N]; see `law.secants`."""
    curve = Traction(values[FACTOR], values[CONSTANT], values[DRIVEN], values[TANGENT],
                     values[SLOPE])
    stiff = traction(curve, friction, min(slip_along, 1.0)) / slip_along
    return soil_secants(values, stiff, load, slip_along, slip_across, limit)


def numbers(tyre: ClayTyre, mounting: Mounting) -> dict[str, float]:
    """Return the numbers of a tyre."""
    return soil_numbers(tyre, mounting) | {'vti': tyre.mode == 'vti'}


LAW = TyreLaw(
    ClayTyre, COLUMNS, numbers, friction, secants=secants, limits=limits,
    on_surface=on_surface)
