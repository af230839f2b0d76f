# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Tyres that give a force for a slip: what a step of mode `physical` asks of them.

`values` are the parameters of one wheel as `choice.KINDS` lays them out, or those of the ground
that it is on. `friction` is mu of `linear`, the peak D of `magic_formula`, and for the others a
factor of their forces. Firm and soft ground are compiled when a wheel first rolls on them.
"""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.state.record_layout import TYRE_VALUES
from mvsim_ros2.physics.tyres import bakker
from mvsim_ros2.physics.tyres import clay
from mvsim_ros2.physics.tyres import crolla
from mvsim_ros2.physics.tyres import ellipse
from mvsim_ros2.physics.tyres import linear
from mvsim_ros2.physics.tyres import magic_formula
from mvsim_ros2.physics.tyres import sand
from mvsim_ros2.physics.tyres.bakker import Bakker
from mvsim_ros2.physics.tyres.choice import BAKKER
from mvsim_ros2.physics.tyres.choice import CLAY
from mvsim_ros2.physics.tyres.choice import ELLIPSE
from mvsim_ros2.physics.tyres.choice import LINEAR
from mvsim_ros2.physics.tyres.choice import MAGIC_FORMULA
from mvsim_ros2.physics.tyres.clay import Clay
from mvsim_ros2.physics.tyres.combined_slip import project
from mvsim_ros2.physics.tyres.linear import Linear
from mvsim_ros2.physics.tyres.magic_formula import MagicFormula
from mvsim_ros2.physics.tyres.sand import Sand
from mvsim_ros2.physics.tyres.soil import Carcass

Array = NDArray[np.float64]

_VALUES = np.zeros(TYRE_VALUES)  # an example of `values`
LEAST_SLIP = 1e-9  # a smaller one counts as that: the secant is the slope then


@compiled(inner=True)
def _bakker_tyre(values: Array, friction: float) -> Bakker:
    return Bakker(
        values[0], values[1], values[2], values[3], values[4], values[5], values[6], values[7],
        values[8], values[11], values[9] != 0.0, friction)


@compiled(inner=True)
def _on_soil(kind: float, values: Array, load: float, slip: float) -> tuple[float, float, float]:
    """Return the coefficients of traction, of traction at slip 1, and of the resistance."""
    carcass = Carcass(values[0], values[1], values[2])
    deflection = load / values[5]
    if kind == CLAY:
        return clay.coefficients(
            Clay(carcass, values[3], values[6] != 0.0), values[4], load, deflection, slip)
    return sand.coefficients(
        Sand(carcass, values[3], int(values[6])), values[4], load, deflection, slip)


@lazy_kernel(0.0, _VALUES, 0.0, 0.0)
def firm_limits(kind: float, values: Array, friction: float, load: float) -> tuple[float, float]:
    """
    Return the largest forces along and across a wheel [N].

    :param load: of the wheel on the ground, above 0 [N].
    """
    along = across = friction * load
    if kind == BAKKER:
        tyre = _bakker_tyre(values, friction)
        along = bakker.curve(tyre, load)[2]
        if tyre.literal:  # without a peak
            along = abs(bakker.across(tyre, load, 0.5 * math.pi))
        across = along
    elif kind == ELLIPSE:
        along *= values[0] * values[1]
        across *= values[3] * values[4]
    return along, across


@lazy_kernel(0.0, _VALUES, 0.0, 0.0, 0.0)
def soft_limits(kind: float, values: Array, friction: float, load: float, slip: float,
                ) -> tuple[float, float]:
    """
    Return the largest force of a wheel, and the resistance of its soil [N].

    :param load: of the wheel on the ground, above 0 [N].
    :param slip: along the wheel, for soils whose resistance grows with it.
    """
    _, peak, resistance = _on_soil(kind, values, load, slip)
    return min(peak, 1.0) * friction * load, min(resistance, 1.0) * load


@lazy_kernel(0.0, _VALUES, 0.0, 0.0, 0.0, 0.0)
def firm_secants(kind: float, values: Array, friction: float, load: float, slip_along: float,
                 slip_across: float) -> tuple[float, float]:
    """
    Return the steady forces of a rolling wheel over its slips, along and across [N].

    :param load: of the wheel on the ground, above 0 [N].
    :param slip_along: rim against ground, over the speed of the wheel; so slip_across, which
        is the sine of the slip angle of a wheel that rolls freely.
    """
    x, y = max(abs(slip_along), LEAST_SLIP), max(abs(slip_across), LEAST_SLIP)
    angle = math.asin(min(y, 1.0))
    along, across = 0.0, 0.0
    if kind == LINEAR:
        along, across = linear.forces(Linear(values[0], values[1], friction), load, x, -angle)
    elif kind == MAGIC_FORMULA:
        curve = MagicFormula(values[0], values[1], friction, values[2])
        if values[3] != 0.0:
            along, across = magic_formula.with_crolla(curve, values[4], load, x, -angle)
        else:
            along, across = magic_formula.isotropic(curve, load, x, y)
    elif kind == BAKKER:
        along, across = bakker.isotropic(_bakker_tyre(values, friction), load, x, y)
    elif kind == ELLIPSE:
        along, across = ellipse.limits(values, friction * load, x, angle)
    return along / x, across / y


@lazy_kernel(0.0, _VALUES, 0.0, 0.0, 0.0, 0.0, 0.0)
def soft_secants(kind: float, values: Array, friction: float, load: float, slip_along: float,
                 slip_across: float, limit: float) -> tuple[float, float]:
    """
    Return the same as `firm_secants`, on soil.

    :param limit: largest force [N].
    """
    x, y = max(abs(slip_along), LEAST_SLIP), max(abs(slip_across), LEAST_SLIP)
    traction, _, _ = _on_soil(kind, values, load, x)
    along, across = project(
        min(traction, 1.0) * friction * load,
        crolla.across(values[3], limit, -math.asin(min(y, 1.0))), limit, limit)
    return along / x, across / y
