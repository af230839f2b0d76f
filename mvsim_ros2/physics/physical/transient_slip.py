# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Transient slip: what lets a tyre hold at rest, and slip smoothly from there.

A tyre is a spring between rim and ground that is laid down anew as it rolls:
``sigma dz/dt + V z = v_s`` with the slip z, the sliding velocity v_s of the rim, the speed V and
the relaxation length sigma (H. B. Pacejka, *Tire and Vehicle Dynamics*, ch. 7). At speed z is
the steady slip v_s / V; at rest it is the deflection over sigma, and nothing is divided by V.
"""

from mvsim_ros2.jit.kernel import compiled

LENGTH = 0.2  # relaxation length over the radius of the wheel, where a tyre says nothing else
STIFFNESS = 20.0  # force over load and slip where slip is small; 18.4 for MF on a dry road
SHORTEST = 0.01  # share of the relaxation length that a sliding tyre keeps at least
LEAST = 1e-12  # N; a smaller friction limit is none
TINY = 1e-300  # divisors of what is not taken are no smaller
STANDS = 0.3  # m/s; a wheel slower than that has begun to be a brush, whatever its tyre
THIRD = 1.0 / 3.0
DAMPED = 1.0  # m/s; at this speed the damping of the standing tyre has faded
DAMPING = 0.7  # of the standing tyre, over critical


@compiled
def secant(limit: float, stiffness: float, slip: float) -> float:
    """
    Return the force over the slip of a brush with parabolic pressure [N].

    ``F = limit (1 - (1 - s / s_full)^3)`` up to the slip ``s_full = 3 limit / stiffness``, from
    where all of the patch slides and F stays at the limit (Pacejka, ch. 3).

    :param limit: largest force, mu times load [N].
    :param stiffness: force over small slips [N], above 0 where the limit is.
    :param slip: length of the slip vector, at least 0.
    """
    if limit < LEAST:
        return 0.0
    part = slip * (stiffness / (3.0 * limit))
    force = stiffness * (1.0 - part + part * part * THIRD)
    if part >= 1.0:
        force = limit / max(slip, TINY)
    return force


@compiled
def unslipped(limit: float, stiffness: float, slip: float) -> float:
    """
    Return the share of a slip that the brush keeps as deflection: all until all of it slides.

    More than that does not deflect it further; else a vehicle that has slid to a stop would be
    thrown back. A tyre with its own curve keeps the slip, and has that share of its relaxation
    length: it is laid down anew the sooner, the more of it slides.
    """
    if limit < LEAST:
        return 0.0
    full = 3.0 * limit / max(stiffness, TINY)
    return 1.0 if slip <= full else full / slip


@compiled
def remembered(limit: float, stiffness: float, slip: float, speed: float) -> float:
    """
    Return the share of a slip that a tyre with its own curve keeps.

    All as long as it rolls; once it stands, what deflects the brush that it then is.

    :param speed: V [m/s].
    """
    if speed >= STANDS:
        return 1.0
    full = 3.0 * limit / max(stiffness, TINY) if limit > LEAST else 0.0
    part = speed / STANDS
    most = full + max(2.0 - full, 0.0) * part * part
    return 1.0 if slip <= most else most / slip


@compiled
def standing_damping(load: float, root: float, speed: float) -> float:
    """
    Return the damping of a tyre that hardly moves [N s/m].

    A share of the critical one of the mass on the wheel, ``2 sqrt(stiffness / length mass)``;
    it fades to 0 at the speed `DAMPED`, from where rolling itself damps.

    :param load: of the wheel [N].
    :param root: that of stiffness over load over gravity, per length [s/m].
    :param speed: V [m/s].
    """
    if speed >= DAMPED:
        return 0.0
    return 2.0 * DAMPING * load * root * (1.0 - speed / DAMPED)
