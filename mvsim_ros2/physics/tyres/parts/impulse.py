# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Force that stops a wheel from slipping within one step, as far as its limits allow.

What the wheel-ground models of MVSim 1.2.0 share: they differ in the limits, and in what
else slows the wheel down.
"""

import math

from mvsim_ros2.jit.kernel import compiled


@compiled
def clamp(value: float, limit: float) -> float:
    """Return `value` limited to [-limit, limit]."""
    return min(max(value, -limit), limit)


@compiled(inlined=True)
def stop_slip(
        limit_along: float, limit_across: float, drag: float, damping: float, rolling: float,
        mass: float, gravity: float, radius: float, inertia: float, omega: float, torque: float,
        vx: float, vy: float, slope_x: float, slope_y: float, dt: float,
        ) -> tuple[float, float, float]:
    """
    Return force on the wheel, along and across it [N], and its new spin [rad/s].

    :param limit_along: of the force along the wheel [N].
    :param limit_across: of the force across it [N].
    :param drag: force along the wheel besides that of the motor [N]; the spin does not
        notice it, other than by the force on the ground.
    :param damping: of the axle [N m s/rad].
    :param rolling: rolling resistance coefficient.
    :param mass: carried by this wheel, its own included [kg].
    :param gravity: m/s^2.
    :param radius: of the wheel [m].
    :param inertia: of the wheel about its axle [kg m^2].
    :param omega: its spin [rad/s].
    :param torque: of the motor, forward positive [N m].
    :param vx: velocity of its centre along the wheel [m/s].
    :param vy: the same across it, to the left [m/s].
    :param slope_x: force of gravity along the wheel on a slope [N].
    :param slope_y: the same across it [N].
    :param dt: step [s].
    """
    across = clamp(-vy * mass / dt - slope_y, limit_across)
    resistance = 0.0
    if rolling > 0.0 and abs(omega) > 1e-4:
        resistance = rolling * (mass * gravity) * radius * math.tanh(100.0 * omega)
    effective = torque - damping * omega - resistance
    acceleration_rolling = (vx / radius - omega) / dt
    along = clamp((effective - inertia * acceleration_rolling) / radius + drag, limit_along)
    omega += dt * (effective - radius * along) / inertia
    along -= clamp(slope_x, limit_along - abs(along))
    return along, across, omega
