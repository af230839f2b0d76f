# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Slip of a wheel: how its rolling speed differs from the speed over the ground.

Speeds are those of the wheel frame: `along` the wheel (forward), `across` it (left), and
`roll`, the spin times the rolling radius. Positive slip drives forward. Every definition is
finite at standstill.
"""

import math

from mvsim_ros2.physics.tyres.magic_formula import MagicFormula, secant

STILL = 1e-150  # m/s; the square of a lesser speed is lost


def symmetric(roll: float, along: float, floor: float) -> float:
    """
    Return the slip ratio over the larger of both speeds, in [-2, 2] and odd.

    It is 1 for a wheel that spins at rest and -1 for a locked one; only a wheel that turns
    against its motion goes beyond.

    :param roll: rolling speed of the rim [m/s].
    :param along: speed over the ground [m/s].
    :param floor: speed below which the slip fades [m/s]; 0 for none.
    """
    scale = max(abs(roll), abs(along), floor)
    return (roll - along) / scale if scale > 0.0 else 0.0


def iso(roll: float, along: float, floor: float) -> float:
    """Return the slip ratio kappa of ISO 8855, over the speed over the ground [m/s]."""
    return (roll - along) / max(abs(along), floor)


def angle(along: float, across: float, floor: float) -> float:
    """
    Return the slip angle [rad]: of the velocity against the wheel, positive to the left.

    The same forward and backward. The steering angle is in the speeds already, since they are
    those of the wheel frame: it must not be subtracted again.

    :param floor: speed below which the angle fades [m/s]; 0 for none.
    """
    return math.atan2(across, max(abs(along), floor))


def vector(roll: float, along: float, across: float, floor: float) -> tuple[float, float]:
    """
    Return the slips along and across, the sliding velocity of the rim over a common speed.

    That speed is the largest of the rolling speed, the speed over the ground and the floor.
    The vector points where the ground pushes the wheel.

    :param floor: speed below which the slips fade [m/s]; 0 for none.
    """
    scale = max(math.sqrt(along * along + across * across), abs(roll), floor)
    if scale > STILL:
        return (roll - along) / scale, -across / scale
    return 0.0, 0.0


def direction(speed: float, width: float) -> float:
    """
    Return the smooth sign of a speed, in [-1, 1]: what resistances are multiplied by.

    :param width: speed at which it is 0.71 [m/s], above 0.
    """
    return speed / math.sqrt(speed * speed + width * width)


def magic_formula(B: float, C: float, D: float, E: float, slip: float) -> float:
    """Return the friction coefficient of Pacejka's Magic Formula at a slip."""
    return D * math.sin(C * math.atan(B * slip - E * (B * slip - math.atan(B * slip))))


def isotropic(curve: MagicFormula, load: float, slip_along: float, slip_across: float,
              ) -> tuple[float, float]:
    """Return the forces along and across [N]: one curve for the length of the slip vector."""
    stiff = max(load, 0.0) * secant(curve, math.hypot(slip_along, slip_across))
    return stiff * slip_along, stiff * slip_across
