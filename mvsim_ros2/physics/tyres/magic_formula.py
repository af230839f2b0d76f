# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Magic Formula with constant coefficients: the tyre `magic_formula`.

`mu(s) = D sin(C atan(B s - E (B s - atan(B s))))`, a coefficient that multiplies the load
(H. B. Pacejka, *Tire and Vehicle Dynamics*; M. Short et al. 2004 for the roads, as in MAVS).
"""

from dataclasses import replace
import math
from typing import NamedTuple

from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.elementary_functions import arc_tangent, sine
from mvsim_ros2.physics.tyres import clay
from mvsim_ros2.physics.tyres.combined_slip import crolla_secant, within_circle
from mvsim_ros2.physics.tyres.law import Friction, Mounting, TyreLaw
from mvsim_ros2.world.spec.tyres import MagicFormulaTyre, TyreSpec

COLUMNS = ('B', 'C', 'E', 'crolla', 'gamma', 'ellipse', 'B_y', 'C_y', 'D_ratio', 'E_y')
B, C, E, CROLLA, GAMMA, ELLIPSE, B_Y, C_Y, D_RATIO, E_Y = range(10)  # D_RATIO: D_y over D


class MagicFormula(NamedTuple):
    """Coefficients of a curve: stiffness B, shape C, peak D, curvature E."""

    B: float
    C: float
    D: float
    E: float


LEAST_SLIP = 1e-9  # a curve is as steep as at 0 below it

# The page of MAVS prints B 10 for ice; its source code, and the origin of the table, have 4.
SURFACES = {
    'dry': MagicFormula(10.0, 1.9, 1.0, 0.97),
    'wet': MagicFormula(12.0, 2.3, 0.82, 1.0),
    'snow': MagicFormula(5.0, 2.0, 0.3, 1.0),
    'ice': MagicFormula(4.0, 2.0, 0.1, 1.0),
}


def parameters(spec: MagicFormulaTyre) -> MagicFormula:
    """Return the coefficients of the surface of `spec`, replaced by those that it gives."""
    surface = SURFACES[spec.surface]
    own = {name: getattr(spec, name) for name in surface._fields}
    return surface._replace(**{name: value for name, value in own.items() if value is not None})


def across_parameters(spec: MagicFormulaTyre) -> MagicFormula:
    """Return the coefficients across the wheel: those along it but for `ellipse`."""
    along = parameters(spec)
    if spec.lateral != 'ellipse':
        return along
    own = {name: getattr(spec, f'{name}_y') for name in along._fields}
    return along._replace(**{name: value for name, value in own.items() if value is not None})


@compiled(inlined=True)
def coefficient(curve: MagicFormula, slip: float) -> float:
    """
    Return the force over the load at a slip of any sign and size.

    The angle of the sine is at most pi, so a shape factor above 2 can reduce the force to 0 but
    not reverse it.
    """
    x = curve.B * slip
    bent = arc_tangent(x - curve.E * (x - arc_tangent(x)))
    return curve.D * sine(min(max(curve.C * bent, -math.pi), math.pi))


@compiled(inlined=True)
def secant(curve: MagicFormula, slip: float) -> float:
    """Return the force over load and slip; at slip 0 its limit B C D."""
    size = abs(slip)
    if size < LEAST_SLIP:
        return curve.B * curve.C * curve.D
    return coefficient(curve, size) / size


@compiled(inlined=True)
def combined(curve: MagicFormula, side: MagicFormula, load: float, slip_along: float,
             slip_across: float) -> tuple[float, float]:
    """
    Return the forces over the slips [N]: a curve for each direction, weakened by both slips.

    Nondimensional tyre theory (R. T. Radt, D. A. Glemming, *Normalization of Tire Force and Moment
    Data*, Tire Science and Technology 21, 1993; W. F. and D. L. Milliken, *Race Car Vehicle
    Dynamics*, ch. 14): each slip over that at which a tyre without a limit reaches its D, so
    ``s_x = B C z_x``, ``s_y = B_y C_y z_y``, ``s = |(s_x, s_y)|`` and

        ``F_x = N mu(s / (B C)) s_x / s``,  ``F_y = N mu_y(s / (B_y C_y)) s_y / s``.

    With curves of the same shape (C, E) the forces lie on the ellipse of D and D_y.

    :param side: coefficients across.
    :param load: normal force [N]; below 0 counts as 0.
    """
    along, across = curve.B * curve.C, side.B * side.C
    s_x, s_y = along * slip_along, across * slip_across
    size = math.sqrt(s_x * s_x + s_y * s_y)
    load = max(load, 0.0)
    return load * secant(curve, size / along), load * secant(side, size / across)


@compiled(counted=False)
def limits(values: Array, friction: float, load: float, slip: float) -> tuple[float, float, float]:
    """Return the peaks along and across, and no drag [N]; see `law.limits`."""
    limit = friction * load
    return limit, limit * values[D_RATIO], 0.0


@compiled(counted=False)
def secants(values: Array, friction: float, load: float, slip_along: float, slip_across: float,
            limit: float) -> tuple[float, float]:
    """Return the forces over the slips [N]; see `law.secants`."""
    curve = MagicFormula(values[B], values[C], friction, values[E])
    if values[CROLLA] != 0.0:
        limit = friction * load
        return within_circle(
            load * secant(curve, slip_along), crolla_secant(values[GAMMA], limit, slip_across),
            slip_along, slip_across, limit)
    if values[ELLIPSE] == 0.0:
        stiff = load * secant(curve, math.sqrt(
            slip_along * slip_along + slip_across * slip_across))
        return stiff, stiff
    side = MagicFormula(values[B_Y], values[C_Y], friction * values[D_RATIO], values[E_Y])
    return combined(curve, side, load, slip_along, slip_across)


def numbers(tyre: MagicFormulaTyre, mounting: Mounting) -> dict[str, float]:
    """Return the numbers of a tyre."""
    curve, side = parameters(tyre), across_parameters(tyre)
    return {'B': curve.B, 'C': curve.C, 'E': curve.E, 'crolla': tyre.lateral == 'crolla',
            'gamma': tyre.gamma, 'ellipse': tyre.lateral == 'ellipse', 'B_y': side.B,
            'C_y': side.C, 'D_ratio': side.D / curve.D if curve.D else 1.0, 'E_y': side.E}


def friction(tyre: MagicFormulaTyre, mounting: Mounting) -> Friction:
    """Return the friction, the peak D."""
    return Friction(parameters(tyre).D)


def on_surface(tyre: MagicFormulaTyre, surface: str, mounting: Mounting) -> tuple[TyreSpec, float]:
    """Return the tyre on a surface: with the curve of the road or of soil."""
    if surface in SURFACES:
        return replace(tyre, surface=surface, B=None, C=None, D=None, E=None, B_y=None, C_y=None,
                       D_y=None, E_y=None), 1.0
    return clay.below(surface, mounting), 1.0


LAW = TyreLaw(MagicFormulaTyre, COLUMNS, numbers, friction, secants=secants, limits=limits,
              on_surface=on_surface)
