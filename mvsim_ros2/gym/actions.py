# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""How an agent acts: numbers from -1 to 1 as commands of a vehicle."""

from collections.abc import Callable
from dataclasses import dataclass
import math

from gymnasium.spaces import Box
import numpy as np

from mvsim_ros2.errors import LearningError
from mvsim_ros2.frames import Array
from mvsim_ros2.gym.checks import number, refused
from mvsim_ros2.simulation.handles import VehicleHandle

KINDS = ('twist', 'steering', 'torques')


@dataclass(frozen=True)
class Limits:
    """
    Physical values at the ends of the range of an action; none of them is negative.

    :raises LearningError: where one is no number, negative or very large.

    :ivar forward: speed for 1 [m/s].
    :ivar backward: speed for -1 [m/s], 0 for a vehicle that does not reverse.
    :ivar turn: yaw rate for 1 [rad/s], of `twist`.
    :ivar angle: steering angle for 1 [rad], of `steering`.
    :ivar torque: of a wheel for 1 [N m], of `torques`.
    """

    forward: float = 1.0
    backward: float = 0.2
    turn: float = 1.5
    angle: float = math.radians(30.0)
    torque: float = 5.0

    def __post_init__(self) -> None:
        for name, most in (('forward', 1e3), ('backward', 1e3), ('turn', 1e3),
                           ('angle', math.pi / 2.0), ('torque', 1e6)):
            value = number(f'limits.{name}', getattr(self, name), 0.0, most)
            object.__setattr__(self, name, value)


def checked_actions(name: str, actions: object, shape: tuple[int, ...]) -> Array:
    """Return actions, cut to -1 to 1; raise `LearningError` for a row of no finite numbers."""
    try:
        given = np.asarray(actions)
    except (TypeError, ValueError):  # rows of different lengths
        given = np.array(None)
    if given.dtype.kind not in 'fiu':
        raise refused(name, actions, f'give numbers from -1 to 1, shape {shape}')
    if given.shape != shape:
        raise LearningError(f'{name} has the shape {given.shape}: give numbers of shape {shape}')
    finite = np.isfinite(given)
    if not finite.all():
        row = np.argwhere(~finite)[0, :-1].tolist()
        raise refused(''.join([name, *(f'[{i}]' for i in row)]), given[(*row,)].tolist(),
                      'give finite numbers, from -1 to 1')
    cut: Array = np.minimum(np.maximum(given, -1.0, dtype=float), 1.0)
    return cut


@dataclass(frozen=True, eq=False)
class Actuation:
    """One kind of action."""

    space: Box
    apply: Callable[[VehicleHandle, list[float]], None]
    # all actions, shape (n, 2), as v [m/s] and w [rad/s]; None where they are no twists
    twists: Callable[[Array], Array] | None = None


def actuation(kind: str, vehicle: VehicleHandle, limits: Limits) -> Actuation:
    """
    Return how actions of a kind command a vehicle.

    :param kind: `twist`: speed and yaw rate; `steering`: speed and steering angle;
        `torques`: one for each motor, positive drives forward, of vehicles without steering.
    :raises LearningError: where the vehicle does not take it.
    """
    command, steered = f'set_{kind}', bool(vehicle.spec.dynamics.steered_wheels)
    known = [each for each in KINDS if f'set_{each}' in vehicle.commands
             and not (each == 'torques' and steered)]  # which do not steer
    if kind not in known:
        why = ', and torques alone do not steer it' if kind == 'torques' and steered else ''
        if known:
            remedy = f', but {" and ".join(known)}{why}: take action={known[0]!r}, or another'
        else:
            remedy = f'{why}: give it another'
        raise LearningError(f'the controller of {vehicle.name} takes no {kind} as actions{remedy} '
                            'controller in the world file')
    count = vehicle.torques_taken if kind == 'torques' else 2
    space = Box(-1.0, 1.0, (count,), np.float32)
    if kind == 'torques':
        return Actuation(space, lambda handle, action: handle.set_torques(
            *(limits.torque * each for each in action)))
    largest = limits.turn if kind == 'twist' else limits.angle

    def apply(handle: VehicleHandle, action: list[float]) -> None:
        ahead, aside = action
        speed = ahead * (limits.forward if ahead > 0.0 else limits.backward)
        getattr(handle, command)(speed, largest * aside)

    def twists(actions: Array) -> Array:
        ahead, found = actions[:, 0], np.empty(actions.shape)
        found[:, 0] = ahead * np.where(ahead > 0.0, limits.forward, limits.backward)
        found[:, 1] = largest * actions[:, 1]
        return found

    return Actuation(space, apply, twists if kind == 'twist' else None)
