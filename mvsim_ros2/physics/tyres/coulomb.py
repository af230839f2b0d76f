# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Coulomb friction that stops a wheel from slipping within one step: three tyres.

`default`, the wheel-ground model of MVSim 1.2.0: a lateral force removes all side velocity, a
longitudinal force all slip, each within mu N.

`ellipse`, limits that depend on slip, by the curves of MVSim's physics page, which are from MAVS.
Each rises in proportion to its own slip up to saturation and shrinks with the other slip. MVSim
has signed limits and counts the steering angle twice, so vehicles run away. Here limits are
magnitudes and the slip angle is the wheel's.

`wardiagnemma`, a rolling resistance that grows with speed (C. C. Ward, K. Iagnemma, *A
dynamic-model-based wheel slip detector for mobile robots on outdoor terrain*, IEEE Transactions on
Robotics 24, 2008): the ground holds the wheel back by ``N (R1 (1 - exp(-A v)) + R2 v)``.
"""

import math

from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.elementary_functions import arc_sine_ratio, clamp
from mvsim_ros2.physics.modes import MVSIM
from mvsim_ros2.physics.tyres.law import Friction, Mounting, TyreLaw
from mvsim_ros2.world.spec.tyres import DefaultTyre, EllipseTyre, WardIagnemmaTyre

SLOWEST = 1e-3  # m/s; a wheel slower than this in both directions has no slip angle
SLOWEST_RIM = 1e-5  # m/s

ELLIPSE = ('C_s', 'slip_ratio_saturation', 'C_s_alpha', 'C_alpha', 'slip_angle_saturation',
           'C_alpha_s')  # columns
C_S, RATIO_SATURATION, C_S_ALPHA, C_ALPHA, ANGLE_SATURATION, C_ALPHA_S = range(6)
A_ROLL, R1, R2 = range(3)


@compiled(inlined=True)
def stop_slip(
        limit_along: float, limit_across: float, drag: float, damping: float, rolling: float,
        mass: float, gravity: float, radius: float, inertia: float, omega: float, torque: float,
        vx: float, vy: float, slope_x: float, slope_y: float, dt: float,
        ) -> tuple[float, float, float]:
    """
    Return force on the wheel, along and across it [N], and its new spin [rad/s].

    :param limit_along: of the force along the wheel [N]; limit_across, across it.
    :param drag: force along the wheel without the motor's [N]; it changes the spin only through
        the force on the ground.
    :param damping: of the axle [N m s/rad]; rolling, rolling resistance coefficient.
    :param mass: carried by this wheel, its own included [kg]; gravity in m/s^2.
    :param radius: of the wheel [m]; inertia about its axle [kg m^2]; omega, its spin [rad/s].
    :param torque: of the motor, forward positive [N m].
    :param vx: velocity of its centre along the wheel [m/s]; vy, across it, to the left.
    :param slope_x: force of gravity along the wheel on a slope [N]; slope_y, across it.
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


@compiled(counted=False)
def default_step(
        values: Array, mu: float, damping: float, rolling: float, mass: float, gravity: float,
        radius: float, inertia: float, omega: float, torque: float, vx: float, vy: float,
        slope_x: float, slope_y: float, dt: float) -> tuple[float, float, float]:
    """Return force along and across [N] and new spin [rad/s]; see `law.wheel_step`."""
    limit = mu * (mass * gravity)
    return stop_slip(
        limit, limit, 0.0, damping, rolling, mass, gravity, radius, inertia, omega, torque, vx,
        vy, slope_x, slope_y, dt)


def ellipse_friction(tyre: EllipseTyre, mounting: Mounting) -> Friction:
    """Return the friction: the larger peak is mu, and others scale both curves."""
    peak = max(tyre.C_s * tyre.slip_ratio_saturation, tyre.C_alpha * tyre.slip_angle_saturation)
    return Friction(peak, 1.0 / peak if peak > 0.0 else 0.0)


@compiled
def slip(vx: float, vy: float, rim: float) -> tuple[float, float]:
    """
    Return slip ratio, limited to [-1, 1], and slip angle [rad] of a wheel.

    :param vx: velocity of its centre along the wheel [m/s]; vy, across it.
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

    :param values: in the order of `ELLIPSE`; load, of the wheel on the ground [N].
    :param ratio: slip ratio; angle, slip angle [rad].
    """
    ratio, angle = clamp(ratio, values[RATIO_SATURATION]), clamp(angle, values[ANGLE_SATURATION])
    share_ratio, share_angle = ratio / values[RATIO_SATURATION], angle / values[ANGLE_SATURATION]
    return (load * values[C_S] * abs(ratio) * weakened(values[C_S_ALPHA], share_angle),
            load * values[C_ALPHA] * abs(angle) * weakened(values[C_ALPHA_S], share_ratio))


@compiled(inlined=True)
def weakened(factor: float, share: float) -> float:
    """
    Return what is left of a force when the other slip takes its part.

    :param factor: of that, a column of `ELLIPSE`; share, of the other slip over its saturation.
    """
    return math.sqrt(max(0.0, 1.0 - factor * share * share))


@compiled(inlined=True)
def saturated(slip: float, saturation: float) -> tuple[float, float]:
    """Return a slip above 0, cut off at its saturation, over the slip and over the saturation."""
    if slip < saturation:
        return 1.0, slip / saturation
    return saturation / slip, 1.0


@compiled(counted=False)
def ellipse_step(
        values: Array, mu: float, damping: float, rolling: float, mass: float, gravity: float,
        radius: float, inertia: float, omega: float, torque: float, vx: float, vy: float,
        slope_x: float, slope_y: float, dt: float) -> tuple[float, float, float]:
    """
    Return force along and across [N] and new spin [rad/s]; see `law.wheel_step`.

    A wheel that stands has no slip angle and nothing that holds it sideways.
    """
    ratio, angle = slip(vx, vy, omega * radius)
    along, across = limits(values, mass * gravity, ratio, angle)
    return stop_slip(
        along, across, 0.0, damping, rolling, mass, gravity, radius, inertia, omega, torque, vx,
        vy, slope_x, slope_y, dt)


@compiled(counted=False)
def largest(values: Array, friction: float, load: float, slip: float,
            ) -> tuple[float, float, float]:
    """Return the peaks along and across, and no drag [N]; see `law.limits`."""
    held = friction * load
    return (held * (values[C_S] * values[RATIO_SATURATION]),
            held * (values[C_ALPHA] * values[ANGLE_SATURATION]), 0.0)


@compiled(counted=False)
def secants(values: Array, friction: float, load: float, slip_along: float, slip_across: float,
            limit: float) -> tuple[float, float]:
    """Return the forces over the slips [N]; see `law.secants`."""
    angle_ratio, held = arc_sine_ratio(slip_across), friction * load
    angle = slip_across * angle_ratio
    stiff, share_ratio = saturated(slip_along, values[RATIO_SATURATION])
    side_stiff, share_angle = saturated(angle, values[ANGLE_SATURATION])
    return (held * values[C_S] * stiff * weakened(values[C_S_ALPHA], share_angle),
            held * values[C_ALPHA] * side_stiff * angle_ratio
            * weakened(values[C_ALPHA_S], share_ratio))


@compiled(counted=False)
def rolling_coefficient(values: Array, speed: float) -> float:
    """Return the rolling resistance over the load; see `law.rolling`."""
    return float(values[R1] * (1.0 - math.exp(-values[A_ROLL] * speed)) + values[R2] * speed)


@compiled
def rolling_resistance(values: Array, load: float, vx: float) -> float:
    """
    Return the force of the ground against the motion of a wheel [N].

    :param values: A_roll [s/m], R1, R2 [s/m]; load, of the wheel on the ground [N].
    :param vx: velocity of its centre along the wheel [m/s].
    """
    force = load * rolling_coefficient(values, abs(vx))
    return float(-force if vx > 0.0 else force)


@compiled(counted=False)
def wardiagnemma_step(
        values: Array, mu: float, damping: float, rolling: float, mass: float, gravity: float,
        radius: float, inertia: float, omega: float, torque: float, vx: float, vy: float,
        slope_x: float, slope_y: float, dt: float) -> tuple[float, float, float]:
    """
    Return force along and across [N] and new spin [rad/s]; see `law.wheel_step`.

    As in MVSim 1.2.0 the resistance counts in the force but not in the balance of torques
    that gives the spin, which by eq. 2 of its paper it should. So a free wheel spins faster
    than it rolls, and in the next step pushes the vehicle by what the resistance takes away.
    """
    load = mass * gravity
    limit = mu * load
    return stop_slip(
        limit, limit, rolling_resistance(values, load, vx), damping, rolling, mass, gravity,
        radius, inertia, omega, torque, vx, vy, slope_x, slope_y, dt)


LAW = (
    TyreLaw(DefaultTyre, wheel_step=default_step, brush=True),
    TyreLaw(EllipseTyre, ELLIPSE, friction=ellipse_friction, wheel_step=ellipse_step,
            secants=secants, limits=largest, creeps=(MVSIM,)),
    TyreLaw(WardIagnemmaTyre, ('A_roll', 'R1', 'R2'), wheel_step=wardiagnemma_step, brush=True,
            rolling=rolling_coefficient),
)
