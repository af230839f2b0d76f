# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What the tyres on clay and sand share: the carcass, and how traction becomes force."""

from typing import NamedTuple

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.tyres import crolla
from mvsim_ros2.physics.tyres.combined_slip import project


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
def net(gross: float, resistance: float, direction: float) -> float:
    """
    Return the net traction coefficient, limited to [-1, 1].

    :param gross: traction coefficient, positive drives forward.
    :param resistance: motion resistance coefficient, at least 0.
    :param direction: smooth sign of the speed, which the resistance opposes.
    """
    return min(max(gross - resistance * direction, -1.0), 1.0)


@compiled
def forces(coefficients: tuple[float, float, float], gamma: float, load: float,
           slip_angle: float, direction: float) -> tuple[float, float, float]:
    """
    Return the forces on the hub along and across, and the traction under the rim [N].

    The traction is what turns against the spin (times radius); it and the side force share the
    friction ellipse. The soil resists the hub: net force = traction - resistance. To let the
    net force act on the spin as well, as MAVS does, would drive a wheel by its resistance.

    :param coefficients: of clay or sand: traction, traction at slip 1 (the largest), resistance.
    :param gamma: slip angle scale of the side force [rad].
    :param load: normal force [N]; below 0 counts as 0.
    :param slip_angle: rad, positive where the wheel moves to the left.
    :param direction: smooth sign of the speed along the wheel.
    """
    gross, peak, resistance = coefficients
    load = max(load, 0.0)
    resisting = -net(0.0, resistance, direction)
    limit = min(peak, 1.0) * load
    traction, across = project(
        load * (net(gross, resistance, direction) + resisting),
        crolla.across(gamma, limit, slip_angle), load * peak, limit)
    return traction - load * resisting, across, traction
