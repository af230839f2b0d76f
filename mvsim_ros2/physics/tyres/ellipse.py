# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Friction limits that depend on slip, coupled by an ellipse, class `ellipse`.

The curves of the physics page of MVSim, which takes them from the MAVS: each limit rises in
proportion to its own slip up to saturation and shrinks with the other slip. The original
takes signed numbers for limits and counts the steering angle twice, which drives vehicles
away; here limits are magnitudes and the slip angle is that of the wheel.
"""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.elementary_functions import arc_sine
from mvsim_ros2.physics.modes import MVSIM
from mvsim_ros2.physics.tyres.law import Friction, Mounting, TyreLaw
from mvsim_ros2.physics.tyres.parts.impulse import clamp, stop_slip
from mvsim_ros2.world.spec.tyres.coulomb import EllipseTyre

Array = NDArray[np.float64]

SLOWEST = 1e-3  # m/s; a wheel slower than this in both directions has no slip angle
SLOWEST_RIM = 1e-5  # m/s

COLUMNS = ('C_s', 'slip_ratio_saturation', 'C_s_alpha', 'C_alpha', 'slip_angle_saturation',
           'C_alpha_s')
C_S, RATIO_SATURATION, C_S_ALPHA, C_ALPHA, ANGLE_SATURATION, C_ALPHA_S = range(6)


def friction(tyre: EllipseTyre, mounting: Mounting) -> Friction:
    """Return the friction: the larger peak is mu, and others scale both curves."""
    peak = max(tyre.C_s * tyre.slip_ratio_saturation, tyre.C_alpha * tyre.slip_angle_saturation)
    return Friction(peak, 1.0 / peak if peak > 0.0 else 0.0)


@compiled
def slip(vx: float, vy: float, rim: float) -> tuple[float, float]:
    """
    Return slip ratio, limited to [-1, 1], and slip angle [rad] of a wheel.

    :param vx: velocity of its centre along the wheel [m/s].
    :param vy: the same across it [m/s].
    :param rim: spin times radius [m/s].
    """
    angle = 0.0
    if abs(vx) >= SLOWEST or abs(vy) >= SLOWEST:
        angle = math.atan2(vy, abs(vx))
    if abs(rim) < SLOWEST_RIM:
        rim = math.copysign(SLOWEST_RIM, rim)
    return clamp((rim - vx) / abs(rim), 1.0), angle


@compiled
def limits(values: Array, load: float, ratio: float, angle: float) -> tuple[float, float]:
    """
    Return the largest forces along and across a wheel [N].

    :param values: in the order of `COLUMNS`.
    :param load: of the wheel on the ground [N].
    :param ratio: slip ratio.
    :param angle: slip angle [rad].
    """
    ratio, angle = clamp(ratio, values[RATIO_SATURATION]), clamp(angle, values[ANGLE_SATURATION])
    share_ratio, share_angle = ratio / values[RATIO_SATURATION], angle / values[ANGLE_SATURATION]
    return (load * values[C_S] * abs(ratio)
            * math.sqrt(max(0.0, 1.0 - values[C_S_ALPHA] * share_angle * share_angle)),
            load * values[C_ALPHA] * abs(angle)
            * math.sqrt(max(0.0, 1.0 - values[C_ALPHA_S] * share_ratio * share_ratio)))


@compiled
def wheel_step(
        values: Array, mu: float, damping: float, rolling: float, mass: float, gravity: float,
        radius: float, inertia: float, omega: float, torque: float, vx: float, vy: float,
        slope_x: float, slope_y: float, dt: float) -> tuple[float, float, float]:
    """
    Return force on the wheel, along and across it [N], and its new spin [rad/s].

    A wheel that stands has no slip angle and nothing that holds it sideways.

    :param values: see `limits`.
    :param mu: not used; for the others see `stop_slip`.
    """
    ratio, angle = slip(vx, vy, omega * radius)
    along, across = limits(values, mass * gravity, ratio, angle)
    return stop_slip(
        along, across, 0.0, damping, rolling, mass, gravity, radius, inertia, omega, torque, vx,
        vy, slope_x, slope_y, dt)


@compiled
def largest(values: Array, friction: float, load: float, slip: float,
            ) -> tuple[float, float, float]:
    """Return the peaks along and across, and no drag [N]; see `law.limits`."""
    held = friction * load
    return (held * (values[C_S] * values[RATIO_SATURATION]),
            held * (values[C_ALPHA] * values[ANGLE_SATURATION]), 0.0)


@compiled
def secants(values: Array, friction: float, load: float, slip_along: float, slip_across: float,
            limit: float) -> tuple[float, float]:
    """Return the forces over the slips [N]; see `law.secants`."""
    along, across = limits(
        values, friction * load, slip_along, arc_sine(min(slip_across, 1.0)))
    return along / slip_along, across / slip_across


LAW = TyreLaw(
    EllipseTyre, COLUMNS, friction=friction, wheel_step=wheel_step, secants=secants,
    limits=largest, creeps=(MVSIM,))
