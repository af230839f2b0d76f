# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
What contacts, joints and the damping of its body do to a vehicle, as its wheels need to know it.

The engine finds these after the forces of the wheels are known, from them. So a step takes them
for what they were: what the engine changed the velocity by in the last step, beyond the forces
that it was given. Only what stays counts, the smaller one of the last two steps where both have
one direction: an impact is over when the wheels could answer. Without it wheels would be told of
a motion that does not come, `F dt / m` for a force F, and slip by as much.
"""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.state.example_arguments import A_VEHICLE
from mvsim_ros2.physics.state.record_layout import OMEGA, VX, VY

Array = NDArray[np.float64]
Records = NDArray[np.void]

ROUNDING = 1e-6  # change of a velocity of 1 m/s or rad/s, and of one at rest, that is none


@compiled(counted=False)
def notice(dt: float, vehicles: Records, motion: Array, wrench: Array) -> None:
    """
    Note what changed the velocities of vehicles in a step beside the forces that they were given.

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


@lazy_kernel(0.0, A_VEHICLE, 0.0, 0.0, 0.0, 0.0)
def take_shove(dt: float, vehicle: np.void, heading_x: float, heading_y: float, pitch: float,
               roll: float) -> None:
    """
    Find what stays of the forces from outside of a vehicle, before a step.

    :param heading_x: cosine of its yaw; heading_y: sine.
    """
    x, y, turn = vehicle['jolt_x'], vehicle['jolt_y'], vehicle['jolt_turn']
    rate = vehicle['mass'] / dt
    along = rate * (heading_x * x + heading_y * y) / max(math.cos(pitch), 0.1)
    across = rate * (heading_x * y - heading_y * x) / max(math.cos(roll), 0.1)
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
