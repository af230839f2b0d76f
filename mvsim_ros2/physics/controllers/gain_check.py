# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Warnings of gains with which a vehicle cannot follow its commands, mode `physical`."""

from collections.abc import Iterator
import logging
import math
from typing import Any

import numpy as np

from mvsim_ros2.physics.state.record_layout import LEFT, RIGHT
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec

_LOG = logging.getLogger(__name__)

LEAST_DAMPING = 0.2  # ratio; less swings more than three times, with an overshoot of half a step
MOST_LACKING = 0.1  # m/s; what a controller may lack for want of an integral
SLOWEST_TURN = 0.5  # rad/s; a command for which a vehicle should turn on the spot


def warn_of_gains(vehicle: VehicleSpec, record: Any, wheels: Any, driven: float, gravity: float,
                  ) -> None:
    """
    Log a warning for everything that keeps a vehicle with PIDs from following its commands.

    :param record: its record, complete; wheels: the same.
    :param driven: wheels with all of the torque of a motor.
    :param gravity: m/s^2.
    """
    for problem in _problems(record, wheels, driven, gravity):
        _LOG.warning('%s: vehicle %r %s: `mvsim_ros2 tune WORLD %s` proposes gains',
                     vehicle.dynamics.controller.source, vehicle.name, problem, vehicle.name)


def _problems(record: Any, wheels: Any, driven: float, gravity: float) -> Iterator[str]:
    kp, ki, kd = (float(record[name]) for name in ('kp', 'ki', 'kd'))
    if min(kp, ki, kd) < 0.0:
        yield 'is driven away from its commands by a gain below 0'
        return
    if kp == ki == 0.0:
        yield 'never moves with KP and KI of 0'
        return
    radius = float(np.mean(wheels['radius']))
    inertia = radius * record['mass'] / driven + kd  # torque of a motor over acceleration
    damping = 0.5 * kp / math.sqrt(ki * inertia) if ki > 0.0 else math.inf
    if damping < LEAST_DAMPING:
        yield (f'swings about its commands, with a damping ratio of {damping:.2g}: KP is too '
               f'small for KI, at least {2.0 * math.sqrt(ki * inertia):.2g} makes it critical')
    if ki > 0.0:
        return
    weight = record['mass'] * gravity
    lacking = float(np.mean(wheels['rolling'])) * weight * radius / driven / kp
    if lacking > MOST_LACKING:
        yield (f'stays {lacking:.2g} m/s below its commands, which its rolling resistance takes '
               'and no KI makes up for')
    sides = wheels[(wheels['side'] == LEFT) | (wheels['side'] == RIGHT)]
    fixed = wheels[wheels['free'] == 0.0]
    if record['steered'] or len(fixed) < 3:
        return
    arms = np.abs(fixed['x'] - np.mean(fixed['x']))
    moment = float(np.sum(fixed['mu'] * fixed['load_share'] * arms)) * weight
    torque = moment * radius / record['track'] / (0.5 * float(np.sum(sides['drive'])))
    turn = 2.0 * torque / kp / record['track']
    if turn > SLOWEST_TURN:
        yield (f'turns on the spot only where it is told more than {turn:.2g} rad/s, since its '
               'wheels have to slip sideways and no KI makes up for that')
