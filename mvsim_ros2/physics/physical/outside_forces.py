# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Forces on a vehicle from outside: contacts, joints, damping of its body, and the air.

The engine finds what contacts and joints do after the forces of the wheels are known, from them.
So a step takes their last values: the change of velocity by the engine in the last step, without
the given forces. Only lasting effects count: the smaller one of the last two steps if both have
one direction. An impact is over before the wheels could react. Without it wheels would be told of
a motion that does not come, `F dt / m` for a force F, and slip by as much.

The air: ``F = -rho / 2 A |u| u`` with u the velocity against it (S. F. Hoerner, *Fluid-Dynamic
Drag*, 1965), along and across with an area A of their own. Over a step that is the mean for which
a body that nothing else pushes slows down exactly, ``u' = u / (1 + k |u| h / m)``; it never turns
the motion round.
"""

import math

import numpy as np

from mvsim_ros2.frames import Array, Records
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.state.record_layout import A_VEHICLE, OMEGA, SOME_WHEELS, VX, VY

ROUNDING = 1e-6  # change of a velocity of 1 m/s or rad/s, and of one at rest, that is none


@compiled(counted=False)
def notice(dt: float, vehicles: Records, motion: Array, wrench: Array) -> None:
    """
    Note the change of the velocities of vehicles in a step, without the given forces.

    :param motion: after it, shape (V, MOTION).
    :param wrench: force [N], world frame, and torque [N m] that each was given in it.
    """
    for i in range(len(vehicles)):
        vehicle = vehicles[i]
        # hitches with a height tell their forces themselves
        if vehicle['is_ideal'] != 0.0 or vehicle['mass'] == 0.0 or vehicle['tows'] != 0.0:
            continue
        vx, vy, w = motion[i, VX], motion[i, VY], motion[i, OMEGA]
        ease = dt / vehicle['mass']
        x = vx - (vehicle['was_vx'] + ease * wrench[i, 0])
        y = vy - (vehicle['was_vy'] + ease * wrench[i, 1])
        turn = w - (vehicle['was_turning'] + dt / vehicle['turn_inertia'] * wrench[i, 2])
        vehicle['was_vx'], vehicle['was_vy'], vehicle['was_turning'] = vx, vy, w
        if abs(x) + abs(y) <= ROUNDING * (1.0 + abs(vx) + abs(vy)):
            x, y = 0.0, 0.0
        if abs(turn) <= ROUNDING * (1.0 + abs(w)):
            turn = 0.0
        if x != 0.0 or y != 0.0 or turn != 0.0 or vehicle['shoved'] != 0.0:
            vehicle['shoved'] = 1.0
            vehicle['jolt_x'], vehicle['jolt_y'], vehicle['jolt_turn'] = x, y, turn


@lazy_kernel(0.0, A_VEHICLE, 0.0, 0.0)
def lasting_forces(dt: float, vehicle: np.void, heading_x: float, heading_y: float) -> None:
    """
    Find what stays of the forces from outside of a vehicle, before a step.

    :param heading_x: cosine of its yaw; heading_y: sine.
    """
    x, y, turn = vehicle['jolt_x'], vehicle['jolt_y'], vehicle['jolt_turn']
    rate = vehicle['mass'] / dt
    along = rate * (heading_x * x + heading_y * y)
    across = rate * (heading_x * y - heading_y * x)
    torque = vehicle['turn_inertia'] / dt * turn
    vehicle['shove_x'] = what_stays(along, vehicle['shoved_x'])
    vehicle['shove_y'] = what_stays(across, vehicle['shoved_y'])
    vehicle['shove_turn'] = what_stays(torque, vehicle['shoved_turn'])
    vehicle['shoved_x'], vehicle['shoved_y'], vehicle['shoved_turn'] = along, across, torque
    if x == 0.0 and y == 0.0 and turn == 0.0:
        vehicle['shoved'] = 0.0


@compiled(inlined=True)
def what_stays(now: float, before: float) -> float:
    """Return the smaller one of two numbers of one sign, else 0 (minmod)."""
    if now * before <= 0.0:
        return 0.0
    return now if abs(now) < abs(before) else before


@lazy_kernel(0.0, A_VEHICLE, SOME_WHEELS, 0.0, 0.0, 0.0, 0.0, False)
def air_forces(
        dt: float, vehicle: np.void, wheels: Records, vx: float, vy: float, heading_x: float,
        heading_y: float, stands: bool) -> tuple[float, float, float]:
    """
    Return the force of the air along and across a vehicle [N], and its torque [N m].

    :param wheels: their loads follow lift and moments of these forces, where it stands.
    :param vx: velocity of the centre of mass in the body frame [m/s]; so vy.
    :param heading_x: cosine of the heading in the world; so heading_y, its sine.
    """
    wind_x, wind_y = vehicle['wind_x'], vehicle['wind_y']
    along = vx - (heading_x * wind_x + heading_y * wind_y)
    across = vy - (heading_x * wind_y - heading_y * wind_x)
    speed = math.sqrt(along * along + across * across)
    step = speed * dt / vehicle['mass']
    ahead, aside = vehicle['air_along'], vehicle['air_across']
    force_x = -ahead * speed * along / (1.0 + ahead * step)
    force_y = -aside * speed * across / (1.0 + aside * step)
    if stands:
        lift, height = vehicle['air_lift'] * speed * speed, vehicle['air_z']
        for k in range(len(wheels)):
            wheel = wheels[k]
            wheel['normal_load'] = max(
                wheel['normal_load'] - lift * wheel['load_share']
                + (height * force_x - lift * vehicle['air_x']) * wheel['load_along']
                + height * force_y * wheel['load_across'], 0.0)
    return force_x, force_y, vehicle['air_x'] * force_y
