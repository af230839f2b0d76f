# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Brakes at the wheels, and when a stopped vehicle sets them."""

import numpy as np

from mvsim_ros2.frames import Array, Records
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.elementary_functions import clamp
from mvsim_ros2.world.spec.vehicle.dynamics import DynamicsSpec
from mvsim_ros2.world.spec.vehicle.parts import BrakesSpec


def brake_torques(dynamics: DynamicsSpec, pressed: float, parked: float) -> Array:
    """
    Return the torque of the brakes of each wheel [N m].

    :param pressed: how far the service brake is pressed, from 0 to 1.
    :param parked: how far the parking brake is set, from 0 to 1.
    """
    brakes = dynamics.brakes or BrakesSpec()
    front, rear = (_on(dynamics, which) for which in ('front', 'rear'))
    ahead = brakes.torque if brakes.front_torque is None else brakes.front_torque
    behind = brakes.torque if brakes.rear_torque is None else brakes.rear_torque
    if brakes.balance is not None and front.any():
        total = brakes.torque * len(front)
        ahead = brakes.balance * total / front.sum()
        behind = (1.0 - brakes.balance) * total / rear.sum()
    return (pressed * ((ahead * front + behind * rear) * _on(dynamics, brakes.wheels))
            + parked * brakes.parking_torque * _on(dynamics, brakes.parking_wheels))


def _on(dynamics: DynamicsSpec, which: str) -> Array:
    """Return 1 for the wheels that are meant, else 0: those before or behind the middle."""
    front = np.asarray(dynamics.in_front)
    if which == 'all':
        return np.ones(len(front))
    return np.asarray(front if which == 'front' else ~front, float)


@lazy_kernel(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
def lasting_torque(
        torque: float, brake: float, omega: float, speed: float, mass: float, radius: float,
        inertia: float, dt: float) -> float:
    """
    Return what is left of the torque of a wheel with its brake, in mode `mvsim` [N m].

    The brake opposes the spin, or the motion of a standing wheel. It at most stops the wheel and
    its share of the vehicle.

    :param torque: of the motor [N m].
    :param brake: N m.
    :param omega: spin [rad/s].
    :param speed: of the hub along the wheel [m/s].
    :param mass: on the ground below the wheel [kg].
    """
    moving = omega if omega != 0.0 else speed
    momentum = (mass * radius * abs(speed) + inertia * abs(omega)) / dt
    if moving > 0.0:
        return torque - min(brake, momentum + max(torque, 0.0))
    if moving < 0.0:
        return torque + min(brake, momentum + max(-torque, 0.0))
    return torque - clamp(torque, brake)


@compiled
def not_reversed(omega: float, before: float, speed: float, brake: float, torque: float) -> float:
    """
    Return the spin of a braked wheel after a step, 0 where a brake would have turned it round.

    :param omega: after the step [rad/s], `before` it; for the others see `lasting_torque`.
    """
    moving = before if before != 0.0 else speed
    if abs(torque) <= brake and omega * moving < 0.0:
        return 0.0
    return omega


@compiled(counted=False)
def holds(has_pid: float, pid: Records) -> bool:
    """
    Return whether a vehicle has stopped as commanded, so that its PIDs are at rest.

    :param has_pid: not 0 where PIDs follow the command; `tracking_torques` resets them.
    :param pid: their states after this step.
    """
    return has_pid != 0.0 and pid[0]['running'] == 0.0
