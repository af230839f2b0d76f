# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Forces of a wheel on soil at a given slip, and clay as it is printed.

The steps of mode `physical` take the same coefficients apart: traction as a secant of the slip,
resistance as a drag of the hub.
"""

import math

from mvsim_ros2.physics.physical.wheels import project
from mvsim_ros2.physics.tyres import clay, sand


def crolla(gamma: float, limit: float, slip_angle: float) -> float:
    """Return the force across the wheel [N], against the slip angle, as printed."""
    force = limit * math.expm1(-abs(slip_angle) / gamma)
    return -force if slip_angle < 0.0 else force


def self_propelled_slip(number: float) -> float:
    """Return the slip S_sp at which a wheel of this mobility number just drives itself."""
    return 21.0 / (number * number * math.sqrt(number))


def on_clay(tyre: clay.Clay, cone_index: float, load: float, deflection: float, slip: float,
            ) -> tuple[float, float, float]:
    """
    Return the coefficients of traction, of traction at slip 1, and of the motion resistance.

    :param cone_index: of the soil [Pa].
    :param load: normal force [N].
    :param deflection: of the tyre [m].
    :param slip: slip ratio, positive drives; beyond +-1 as at +-1.
    """
    number = clay.mobility(tyre.carcass, cone_index, load, deflection)
    curve = clay.traction_curve(tyre, number)
    far = 1e-9  # so that no coefficient is limited
    return (math.copysign(clay.traction(curve, far, min(abs(slip), 1.0)) / far, slip),
            clay.traction(curve, far, 1.0) / far, clay.resistance(number))


def on_sand(tyre: sand.Sand, cone_index: float, load: float, deflection: float, slip: float,
            ) -> tuple[float, float, float]:
    """Return the same on sand."""
    number = sand.numeric(tyre, cone_index, load, deflection)
    slip = min(max(slip, -1.0), 1.0)
    return (slip * sand.traction_secant(tyre.reading, number, abs(slip)),
            sand.traction_secant(tyre.reading, number, 1.0),
            sand.resistance(tyre, cone_index, load, deflection, slip))


def net(gross: float, resistance: float, direction: float) -> float:
    """
    Return the net traction coefficient, limited to [-1, 1].

    :param gross: traction coefficient, positive drives forward.
    :param resistance: motion resistance coefficient, at least 0.
    :param direction: smooth sign of the speed, which the resistance opposes.
    """
    return min(max(gross - resistance * direction, -1.0), 1.0)


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
        crolla(gamma, limit, slip_angle), load * peak, limit)
    return traction - load * resisting, across, traction


def printed(tyre: clay.Clay, number: float, slip: float) -> float:
    """
    Return the net traction coefficient as MAVS computes it, without the tangent.

    At slip 0 and below the logarithm does not exist: MAVS then brakes with the whole load.
    """
    if slip <= 0.0:
        return -1.0
    traction = 0.5 * math.log10(slip / self_propelled_slip(number))
    if tyre.vti:
        return net(traction, 0.0, 1.0)
    return net(traction * clay.wider(tyre.carcass), clay.resistance(number), 1.0)
