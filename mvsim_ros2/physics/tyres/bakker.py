# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Magic Formula of 1987 with coefficients a0 to a8 that follow the load: the tyre `bakker`.

E. Bakker, L. Nyborg, H. B. Pacejka, *Tyre Modelling for Use in Vehicle Dynamics Studies*, SAE
870421 (1987). The published set takes the load in kN and the slip angle in degrees. The page of
the agricultural robot uses a similar set with newtons. Here the interface is newton and radian,
and each tyre says in which unit its coefficients take the load.
"""

import math
from typing import NamedTuple

from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.elementary_functions import arc_sine_ratio, arc_tangent, sine
from mvsim_ros2.physics.tyres.law import Friction, Mounting, TyreLaw
from mvsim_ros2.world.spec.tyres import BakkerTyre

COLUMNS = ('a0', 'a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'a8', 'unit', 'literal')
A0, A1, A2, A3, A4, A5, A6, A7, A8, UNIT, LITERAL = range(11)
STEEPNESS = len(COLUMNS)  # where `limits` leaves B for `secants`
DEGREES = 180.0 / math.pi  # of a radian


class Bakker(NamedTuple):
    """Coefficients of a tyre."""

    a0: float
    a1: float
    a2: float
    a3: float
    a4: float
    a5: float
    a6: float
    a7: float
    a8: float
    unit: float = 1e-3  # of load per newton: 1e-3 for coefficients in kN
    literal: bool = False  # no limits on E and D, as printed
    road: float = 1.0  # scale of the largest force


PUBLISHED = (1.3, -22.1, 1011.0, 1078.0, 1.82, 0.208, 0.0, -0.354, 0.707)
DOCUMENT = (1.3, -8.0, 100.0, 200.0, 1.82, 0.208, 0.0, 0.354, 5.0)
PRESETS = {
    'bakker87': Bakker(*PUBLISHED),
    'document': Bakker(*DOCUMENT, unit=1.0, literal=True),
    'document_kN': Bakker(*DOCUMENT),
}


def parameters(spec: BakkerTyre) -> Bakker:
    """Return the coefficients of the preset of `spec`, replaced by those that it gives."""
    preset = PRESETS[spec.preset]
    own = {name: getattr(spec, name) for name in preset._fields[:9]}
    own = {name: value for name, value in own.items() if value is not None}
    return preset._replace(**own, road=spec.road_factor)


@compiled(inlined=True)
def peak(tyre: Bakker, load: float) -> float:
    """
    Return D [N] at a load [N].

    Beyond the load of the largest one the parabola is held at that, unless the tyre is literal.
    """
    load = max(load, 0.0) * tyre.unit
    if not tyre.literal and tyre.a1 < 0.0:
        load = min(load, -0.5 * tyre.a2 / tyre.a1)
    return tyre.road * (tyre.a1 * load * load + tyre.a2 * load)


@compiled(inlined=True)
def curve(tyre: Bakker, load: float) -> tuple[float, float, float, float]:
    """Return B [1/deg], C, D [N] and E at a load [N]."""
    D = peak(tyre, load)
    stiffness = tyre.a3 * sine(tyre.a4 * arc_tangent(tyre.a5 * (max(load, 0.0) * tyre.unit)))
    return stiffness / (tyre.a0 * D + 1e-6), tyre.a0, D, curvature(tyre, load)


@compiled(inlined=True)
def curvature(tyre: Bakker, load: float) -> float:
    """
    Return E at a load [N].

    Unless the tyre is literal at most 1: above, the force would turn round with growing slip.
    """
    load = max(load, 0.0) * tyre.unit
    E = tyre.a6 * load * load + tyre.a7 * load + tyre.a8
    return E if tyre.literal else min(E, 1.0)


@compiled(inlined=True)
def bend(C: float, E: float, x: float) -> float:
    """Return the force over D, of the slip angle times B."""
    return sine(C * arc_tangent(x - E * (x - arc_tangent(x))))


@compiled
def across(tyre: Bakker, load: float, slip_angle: float) -> float:
    """
    Return the force across one wheel [N], against the slip angle.

    :param load: normal force on the wheel [N].
    :param slip_angle: rad, positive where the wheel moves to the left.
    """
    B, C, D, E = curve(tyre, load)
    return -D * bend(C, E, B * (DEGREES * slip_angle))


@compiled(inlined=True)
def unpacked(values: Array, friction: float) -> Bakker:
    """Return the coefficients in `values`, with `friction` as scale of the largest force."""
    return Bakker(
        values[A0], values[A1], values[A2], values[A3], values[A4], values[A5], values[A6],
        values[A7], values[A8], values[UNIT], values[LITERAL] != 0.0, friction)


@compiled(counted=False)
def largest(values: Array, friction: float, load: float, slip: float,
            ) -> tuple[float, float, float]:
    """Return the peak, twice, and no drag [N]; see `law.limits`."""
    tyre = unpacked(values, friction)
    values[STEEPNESS], C, limit, E = curve(tyre, load)
    if tyre.literal:  # without a peak
        limit = abs(limit * bend(C, E, values[STEEPNESS] * 90.0))
    return limit, limit, 0.0


@compiled(counted=False)
def secants(values: Array, friction: float, load: float, slip_along: float, slip_across: float,
            limit: float) -> tuple[float, float]:
    """
    Return the forces over the slips [N], in the direction of the slip; see `law.secants`.

    The curve is for side forces. Along the wheel it is the same curve, at the slip angle whose
    sine is the length of the slip vector.
    """
    tyre = unpacked(values, friction)
    most = peak(tyre, load) if tyre.literal else limit
    size = math.sqrt(slip_along * slip_along + slip_across * slip_across)
    x = values[STEEPNESS] * (DEGREES * size * arc_sine_ratio(size))
    stiff = most * bend(tyre.a0, curvature(tyre, load), x) / size
    return stiff, stiff


def numbers(tyre: BakkerTyre, mounting: Mounting) -> dict[str, float]:
    """Return the numbers of a tyre."""
    return parameters(tyre)._asdict()


def friction(tyre: BakkerTyre, mounting: Mounting) -> Friction:
    """Return the friction at the peak for the load of the wheel; others scale the curve."""
    coefficients = parameters(tyre)
    most = abs(peak(coefficients._replace(road=1.0), mounting.load))
    return Friction(coefficients.road * most / mounting.load, mounting.load / most)


LAW = TyreLaw(BakkerTyre, COLUMNS, numbers, friction, secants=secants, limits=largest)
