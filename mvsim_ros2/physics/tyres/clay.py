# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Traction on fine-grained soil: the tyre `clay`.

The vehicle-terrain interface of MAVS (Dettwiller et al. 2018), by the mobility number
`Nc = CI b d / (N (1 - delta/h)^1.5 (1 + b/d)^0.75)`, with the cone index CI in pascal.
"""

import math
from typing import NamedTuple

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.tyres import soil
from mvsim_ros2.physics.tyres.soil import Carcass
from mvsim_ros2.spec.tyres.soil import ClayTyre


class Clay(NamedTuple):
    """Numbers of a tyre on clay."""

    carcass: Carcass
    gamma: float  # slip angle scale of the side force [rad]
    vti: bool  # mode `vti` instead of `mavs`


def parameters(spec: ClayTyre, width: float, diameter: float) -> Clay:
    """Return the numbers of the tyre that `spec` describes, of this width and diameter [m]."""
    return Clay(Carcass(width, diameter, spec.section_height), spec.gamma, spec.mode == 'vti')


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
    size = abs(slip)
    if size == 0.0:
        return 0.0
    factor, constant = 0.5, resistance(number)
    if not tyre.vti:
        factor = 0.5 * wider(tyre.carcass)
        constant = 0.0
    propelled = self_propelled_slip(number)
    tangent = propelled * math.exp(1.0 - constant * math.log(10.0) / factor)
    if size <= tangent:
        traction = factor / math.log(10.0) * (size / tangent)
    else:
        traction = factor * math.log10(size / propelled) + constant
    return math.copysign(traction, slip)


@compiled
def printed(tyre: Clay, number: float, slip: float) -> float:
    """
    Return the net traction coefficient as MAVS computes it, without the tangent.

    At slip 0 and below the logarithm does not exist: MAVS then brakes with the whole load.
    """
    if slip <= 0.0:
        return -1.0
    traction = 0.5 * math.log10(slip / self_propelled_slip(number))
    if tyre.vti:
        return soil.net(traction, 0.0, 1.0)
    return soil.net(traction * wider(tyre.carcass), resistance(number), 1.0)


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
