# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Traction on coarse-grained soil: the tyre `sand`.

The vehicle-terrain interface of MAVS for sand (Mason et al. 2018 traction, Williams et al. 2019
resistance) has a unit and a sign error in print; four readings can be chosen. `BRIXIUS` is the
independent prediction of W. W. Brixius (1987), *Traction Prediction Equations for Bias Ply
Tires*, ASAE paper 87-1622.
"""

import math
from typing import NamedTuple

from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.elementary_functions import exponential_growth, exponential_less_one
from mvsim_ros2.physics.tyres import clay
from mvsim_ros2.physics.tyres.clay import Carcass
from mvsim_ros2.physics.tyres.law import Mounting, TyreLaw
from mvsim_ros2.world.spec.tyres import SandTyre

COLUMNS = (*clay.SOIL, 'reading')
NUMBER = len(COLUMNS)  # where `limits` leaves the numeric of the traction for `secants`

RESOLVED, PRINTED, ORIGINAL, BRIXIUS = 0.0, 1.0, 2.0, 3.0
READINGS = {'resolved': RESOLVED, 'printed': PRINTED, 'original': ORIGINAL, 'brixius': BRIXIUS}
TINY = 1e-300  # divisors of what is not taken are no smaller
LARGEST = 1e9  # of the numerics, as the load goes to 0


class Sand(NamedTuple):
    """Numbers of a tyre on sand."""

    carcass: Carcass
    gamma: float  # slip angle scale of the side force [rad]
    reading: float  # one of `READINGS`


@compiled(inlined=True)
def in_inches(reading: float) -> bool:
    """Return whether a reading takes gradient and load as they are in print."""
    return reading in (PRINTED, ORIGINAL)


@compiled(inlined=True)
def gradient(cone_index: float, reading: float) -> float:
    """
    Return the gradient G of the cone index over depth [Pa/m].

    CI [psi] is 3.47 times G [psi/in]: the 3.47 carry inches, which print and code leave out.
    """
    return cone_index * (1.0 / 3.47 if in_inches(reading) else 1.0 / (3.47 * 0.0254))


@compiled(inlined=True)
def traction_numeric(sand: Sand, cone_index: float, load: float, deflection: float) -> float:
    """Return the numeric Ns of the traction: G (b d)^1.5 delta / (N h)."""
    area = sand.carcass.width * sand.carcass.diameter
    number = (gradient(cone_index, sand.reading) * (area * math.sqrt(area))
              * clay.squeeze(sand.carcass, deflection) / max(load, 1e-9))
    return min(number, LARGEST)


@compiled(inlined=True)
def towed_numeric(sand: Sand, cone_index: float, load: float, deflection: float) -> float:
    """
    Return the argument n of the resistance.

    Resolved, the numeric of a towed wheel, G (b d)^1.5 / (N (1 - delta/h)^3 (1 + b/d)); print
    and code have the load itself [N], without any soil.
    """
    if in_inches(sand.reading):
        return max(load, 0.0)
    carcass = sand.carcass
    left = 1.0 - clay.squeeze(carcass, deflection)
    carried = max(load, 1e-9) * left * left * left * (1.0 + carcass.width / carcass.diameter)
    area = carcass.width * carcass.diameter
    number = gradient(cone_index, sand.reading) * (area * math.sqrt(area)) / carried
    return min(number, LARGEST)


@compiled(inlined=True)
def brixius_number(sand: Sand, cone_index: float, load: float, deflection: float) -> float:
    """Return the mobility number Bn of Brixius, at least 1e-6."""
    carcass = sand.carcass
    number = (cone_index * carcass.width * carcass.diameter / max(load, 1e-9)
              * (1.0 + 5.0 * clay.squeeze(carcass, deflection))
              / (1.0 + 3.0 * carcass.width / carcass.diameter))
    return min(max(number, 1e-6), LARGEST)


@compiled(inlined=True)
def towed(n: float, sign: float) -> float:
    """
    Return the hyperbola of the resistance, without the part of the deflection.

    `X + sqrt(X^2 + 0.0000457 n + 0.08)` with `X = 0.44 + sign 0.002287 n`. Only with sign -1
    does it fall with n, to 0.00999 on hard ground.
    """
    x = 0.44 + sign * 0.002287 * n
    rest = 0.0000457 * n + 0.08
    root = math.sqrt(x * x + rest)
    return x + root if x > 0.0 else rest / (root - x)


@compiled(inlined=True)
def numeric(sand: Sand, cone_index: float, load: float, deflection: float) -> float:
    """Return the numeric of the traction, Mason's or Brixius'; see `clay.mobility`."""
    if sand.reading == BRIXIUS:
        return brixius_number(sand, cone_index, load, deflection)
    return traction_numeric(sand, cone_index, load, deflection)


@compiled(inlined=True)
def traction_secant(reading: float, number: float, slip: float) -> float:
    """
    Return the traction coefficient under the rim over the slip, which is above 0.

    Mason's `X - X Y / (Ns + 10 + Y)`, `X = 0.66`, `Y = 4.71 + 1.72 / s`, over s.

    :param number: its `numeric`.
    """
    if reading == BRIXIUS:
        return -7.5 * 0.88 * exponential_less_one(-0.1 * number) * exponential_growth(-7.5 * slip)
    return 0.66 * (number + 10.0) / ((number + 14.71) * slip + 1.72)


@compiled(inlined=True)
def resistance(
        sand: Sand, cone_index: float, load: float, deflection: float, slip: float) -> float:
    """
    Return the motion resistance coefficient, at least 0.

    :param slip: ratio; only Brixius has a part that grows with it. For others see `clay.mobility`.
    """
    if sand.reading == BRIXIUS:
        number = brixius_number(sand, cone_index, load, deflection)
        return 1.0 / number + 0.04 + 0.5 * abs(slip) / math.sqrt(number)
    n = towed_numeric(sand, cone_index, load, deflection)
    sign = 1.0 if sand.reading == PRINTED else -1.0
    return towed(n, sign) + 0.05 * clay.squeeze(sand.carcass, deflection)


@compiled(inlined=True)
def unpacked(values: Array) -> Sand:
    """Return the tyre in `values`."""
    return Sand(clay.carcass(values), values[clay.GAMMA], values[clay.OWN])


@compiled(counted=False)
def limits(values: Array, friction: float, load: float, slip: float) -> tuple[float, float, float]:
    """Return the largest force, twice, and the drag of the soil [N]; see `law.limits`."""
    tyre, cone_index, deflection = (
        unpacked(values), values[clay.STRENGTH], clay.deflection(values, load))
    values[NUMBER] = numeric(tyre, cone_index, load, deflection)
    return clay.soil_limits(
        friction * traction_secant(tyre.reading, values[NUMBER], 1.0),
        resistance(tyre, cone_index, load, deflection, min(max(slip, -1.0), 1.0)), load)


@compiled(counted=False)
def secants(values: Array, friction: float, load: float, slip_along: float, slip_across: float,
            limit: float) -> tuple[float, float]:
    """Return the forces over the slips [N]; see `law.secants`."""
    stiff = friction * traction_secant(values[clay.OWN], values[NUMBER], min(slip_along, 1.0))
    if slip_along > 1.0:
        stiff /= slip_along
    return clay.soil_secants(values, stiff, load, slip_along, slip_across, limit)


def numbers(tyre: SandTyre, mounting: Mounting) -> dict[str, float]:
    """Return the numbers of a tyre."""
    return clay.soil_numbers(tyre, mounting) | {'reading': READINGS[tyre.reading]}


LAW = TyreLaw(
    SandTyre, COLUMNS, numbers, clay.friction, secants=secants, limits=limits,
    on_surface=clay.on_surface)
