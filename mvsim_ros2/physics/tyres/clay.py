# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Traction on fine-grained soil: the tyre `clay`.

The vehicle-terrain interface of MAVS (Dettwiller et al. 2018), by the mobility number
`Nc = CI b d / (N (1 - delta/h)^1.5 (1 + b/d)^0.75)`, with the cone index CI in pascal.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.elementary_functions import exponential, logarithm
from mvsim_ros2.physics.tyres.clay import Carcass
from mvsim_ros2.physics.tyres.law import Mounting, TyreLaw
from mvsim_ros2.physics.tyres.parts import soil
from mvsim_ros2.world.spec.tyres.soil import ClayTyre

Array = NDArray[np.float64]

COLUMNS = (*soil.COLUMNS, 'vti')
LOG_TEN = math.log(10.0)


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
    left, root = 1.0 - soil.squeeze(carcass, deflection), math.sqrt(1.0 + ratio)
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
    return Clay(soil.carcass(values), values[soil.GAMMA], values[soil.OWN] != 0.0)


@compiled
def at_slip(values: Array, load: float, slip: float) -> tuple[float, float, float]:
    """Return the `coefficients` of the tyre in `values`."""
    return coefficients(
        unpacked(values), values[soil.STRENGTH], load, soil.deflection(values, load), slip)


@compiled
def limits(values: Array, friction: float, load: float, slip: float,
           ) -> tuple[float, float, float]:
    """Return the largest force, twice, and the drag of the soil [N]; see `law.limits`."""
    _, peak, resisting = at_slip(values, load, slip)
    return soil.limits(peak, resisting, friction, load)


@compiled
def secants(values: Array, friction: float, load: float, slip_along: float, slip_across: float,
            limit: float) -> tuple[float, float]:
    """Return the forces over the slips [N]; see `law.secants`."""
    tyre = unpacked(values)
    number = mobility(
        tyre.carcass, values[soil.STRENGTH], load, soil.deflection(values, load))
    traction = gross(tyre, number, min(slip_along, 1.0))
    return soil.secants(values, traction, friction, load, slip_along, slip_across, limit)


def numbers(tyre: ClayTyre, mounting: Mounting) -> dict[str, float]:
    """Return the numbers of a tyre."""
    return soil.numbers(tyre, mounting) | {'vti': tyre.mode == 'vti'}


LAW = TyreLaw(
    ClayTyre, COLUMNS, numbers, soil.friction, secants=secants, limits=limits,
    on_surface=soil.on_surface)
