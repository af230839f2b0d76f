# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
PIDs that make wheels follow commanded speeds, and the controller `twist_pid`.

That has a PID for each side, or for each wheel with rollers. All controllers with PIDs use these.
The PID of MVSim 1.2.0 with all its options, in the sign convention of this project: a
positive torque drives forward.
"""

from collections.abc import Iterator
import logging
import math
from typing import Any

import numpy as np

from mvsim_ros2.frames import Records
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.controllers.record import Command, Controller, Setting
from mvsim_ros2.physics.state.record_layout import LEFT, RIGHT
from mvsim_ros2.physics.vehicle.forms import Form, ROLLERS, SIDES, wheel_odometry
from mvsim_ros2.world.spec.vehicle.controller import TwistPidController
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec

_LOG = logging.getLogger(__name__)

ZERO_COMMAND = 0.001  # m/s; a smaller command means stop
STOPPED = 0.05  # m/s; a stopping vehicle slower than this gets no torque
LEAST_DAMPING = 0.2  # ratio; less swings more than three times, with an overshoot of half a step
MOST_LACKING = 0.1  # m/s; what a controller may lack for want of an integral
SLOWEST_TURN = 0.5  # rad/s; a command for which a vehicle should turn on the spot


def pid_parameters(spec: Any, limit: float, physical: bool) -> dict[str, float]:
    """
    Return the values of the record of a vehicle for a PID with KP, KI, KD and I_MAX.

    :param limit: of the torque [N m].
    :param physical: mode `physical`; the other one, as the original, has no I_MAX.
    """
    return {'kp': spec.KP, 'ki': spec.KI, 'kd': spec.KD, 'max_torque': limit,
            'most_integral': spec.I_MAX if physical else 0.0,
            'zero_command': ZERO_COMMAND, 'stopped': STOPPED}


def tuned_pid(kp: float, ki: float, max_torque: float) -> dict[str, Any]:
    """Return the tags of a PID with these gains."""
    return {'KP': kp, 'KI': ki, 'KD': 0.0, 'max_torque': max_torque}


@compiled(counted=False)
def pid_step(
        kp: float, ki: float, kd: float, derivative_filter: float, limit: float,
        antiwindup: float, most_integral: float, command: float, measured: float,
        feedforward: float, dt: float, state: np.void) -> float:
    """
    Return the output of a PID and move its state on.

    With `derivative_filter` N > 0 the derivative term is ``d += dt N (KD e - d)``, as in the
    original: a low-pass of KD e.

    :param limit: of the output, none where it is 0 or less.
    :param antiwindup: not 0: correct the integrator by what the limit cut off.
    :param most_integral: largest magnitude of the integral term; 0 or less for no limit.
    """
    error = command - measured
    integral = state['integral'] + ki * error * dt
    if most_integral > 0.0:
        integral = min(max(integral, -most_integral), most_integral)
    derivative = 0.0
    if derivative_filter > 0.0:
        state['derivative'] += dt * derivative_filter * (kd * error - state['derivative'])
        derivative = state['derivative']
    elif kd != 0.0 and state['running'] != 0.0:
        derivative = kd * (error - state['last_error']) / dt
    state['last_error'], state['measured'] = error, measured
    state['running'] = 1.0
    output = kp * error + integral + derivative + feedforward
    if limit > 0.0:
        limited = min(max(output, -limit), limit)
        if antiwindup != 0.0 and kp > 1e-12:
            integral += ki / kp * (limited - output) * dt
            limited = min(max(kp * error + integral + derivative + feedforward, -limit), limit)
        output = limited
    state['integral'] = integral
    return output  # type: ignore[no-any-return]


@compiled(inlined=True)
def reset(state: np.void, measured: float) -> None:
    """
    Let a PID rest, as at the start.

    :param measured: speed that it sees [m/s].
    """
    state['integral'], state['derivative'], state['last_error'] = 0.0, 0.0, 0.0
    state['running'], state['filter_1'], state['filter_2'] = 0.0, 0.0, 0.0
    state['measured'], state['torque'] = measured, 0.0


@compiled(counted=False)
def filtered_reference(keep: float, order: float, command: float, state: np.void) -> float:
    """
    Return `command` after a low-pass filter and move its state on.

    :param keep: share of the old value kept in a step, exp(-dt / tau); 0 is no filter.
    :param order: 1, or 2 for two such filters in a row.
    """
    state['filter_1'] = keep * state['filter_1'] + (1.0 - keep) * command
    if order < 2.0:
        return state['filter_1']  # type: ignore[no-any-return]
    state['filter_2'] = keep * state['filter_2'] + (1.0 - keep) * state['filter_1']
    return state['filter_2']  # type: ignore[no-any-return]


@compiled
def braking_only(torque: float, speed: float) -> float:
    """Return `torque` without what would drive a wheel on in the direction it moves."""
    if speed > 0.0:
        return min(torque, 0.0)
    return max(torque, 0.0) if speed < 0.0 else torque


@compiled(inlined=True)
def hardly_moves(vehicle: np.void, left: float, right: float) -> bool:
    """Return whether speeds of the odometer, left and right, mean a stop [m/s]."""
    return max(abs(left), abs(right)) < float(vehicle['stopped'])


@compiled(inlined=True)
def tracking_torques(
        vehicle: np.void, command_left: float, command_right: float, speed_left: float,
        speed_right: float, still: bool, pitch: float, pid: Records, dt: float,
        ) -> tuple[float, float]:
    """
    Return the torques that make the left and the right wheels follow their commands [N m].

    :param command_left: velocity [m/s].
    :param speed_left: as measured [m/s].
    :param still: whether the vehicle hardly moves, by its odometer.
    :param pitch: of the body, nose down positive [rad].
    :param pid: states of the two PIDs, changed in place.
    :param dt: step [s].
    """
    keep, order = vehicle['filter_keep'], vehicle['filter_order']
    command_left = filtered_reference(keep, order, command_left, pid[0])
    command_right = filtered_reference(keep, order, command_right, pid[1])
    zero = vehicle['zero_command']
    stopping = abs(command_left) < zero and abs(command_right) < zero
    if stopping and still:
        reset(pid[0], speed_left)
        reset(pid[1], speed_right)
        return 0.0, 0.0
    feedforward = vehicle['slope_torque']
    if feedforward != 0.0:
        feedforward *= math.sin(pitch)
    return (following_torque(vehicle, command_left, speed_left, stopping, feedforward, pid[0], dt),
            following_torque(
                vehicle, command_right, speed_right, stopping, feedforward, pid[1], dt))


@compiled(inlined=True)
def following_torque(
        vehicle: np.void, command: float, speed: float, stopping: bool, feedforward: float,
        state: np.void, dt: float) -> float:
    """
    Return the torque that makes wheels follow their command [N m].

    :param command: velocity, filtered [m/s].
    :param speed: as measured [m/s].
    :param stopping: whether all commands mean stop: nothing drives on then.
    :param state: of the PID, moved on.
    """
    torque = pid_step(
        vehicle['kp'], vehicle['ki'], vehicle['kd'], vehicle['derivative_filter'],
        vehicle['max_torque'], vehicle['antiwindup'], vehicle['most_integral'], command, speed,
        feedforward, dt, state)
    return braking_only(torque, speed) if stopping else torque


def warn_of_gains(vehicle: VehicleSpec, record: Any, wheels: Any, driven: float, gravity: float,
                  ) -> None:
    """
    Log a warning for each reason why a vehicle with PIDs cannot follow its commands.

    Mode `physical`. For the records of the vehicle and its wheels see `record_layout`.

    :param driven: wheels with all of the torque of a motor.
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
        yield (f'turns on the spot only at commands above {turn:.2g} rad/s, since its '
               'wheels have to slip sideways and no KI makes up for that')


@compiled(inlined=True)
def differential_torques(
        vehicle: np.void, wheels: Records, pitch: float, pid: Records, dt: float,
        ) -> tuple[float, float]:
    """
    Return the torques of the left and of the right wheels [N m]; see `Controller.torques`.

    The first two wheels measure the motion.
    """
    left, right, half = wheels[0], wheels[1], 0.5 * vehicle['track']
    turn = half * vehicle['turn_gain'] * vehicle['command_w']
    v, w = wheel_odometry(
        left['y'], right['y'], left['omega'] * left['radius'], right['omega'] * right['radius'])
    speed_left, speed_right = v - half * w, v + half * w
    return tracking_torques(
        vehicle, vehicle['command_v'] - turn, vehicle['command_v'] + turn, speed_left,
        speed_right, hardly_moves(vehicle, speed_left, speed_right), pitch, pid, dt)


@compiled(inlined=True)
def roller_torques(
        vehicle: np.void, wheels: Records, pitch: float, pid: Records, dt: float,
        ) -> tuple[float, float]:
    """Write into `wheels` the torques of a PID for the speed of each rim [N m]."""
    keep, order = vehicle['filter_keep'], vehicle['filter_order']
    zero, stopped = vehicle['zero_command'], vehicle['stopped']
    stopping, still = True, True
    for k in range(len(wheels)):
        wheel = wheels[k]
        command = filtered_reference(keep, order, wheel['command'], pid[k])
        speed = wheel['omega'] * wheel['radius']
        stopping = stopping and abs(command) < zero
        still = still and abs(speed) < stopped
        wheel['torque'] = command  # for the loop below
    for k in range(len(wheels)):
        wheel = wheels[k]
        speed = wheel['omega'] * wheel['radius']
        if stopping and still:
            reset(pid[k], speed)
            wheel['torque'] = 0.0
            continue
        wheel['torque'] = following_torque(
            vehicle, wheel['torque'], speed, stopping, 0.0, pid[k], dt)
    return 0.0, 0.0


def twist_parameters(spec: TwistPidController, setting: Setting) -> dict[str, float]:
    """Return the values of the record of a vehicle that the PIDs read."""
    values = pid_parameters(spec, spec.max_torque, setting.physical)
    values |= {'derivative_filter': spec.N, 'antiwindup': spec.enable_antiwindup,
               'filter_order': spec.reference_filter_order,
               'turn_gain': spec.wheel_separation_multiplier}
    if spec.enable_feedforward:
        values['slope_torque'] = setting.slope_torque(spec.feedforward_gain)
    if spec.enable_reference_filter:
        values['filter_keep'] = math.exp(-setting.dt / spec.reference_filter_tau)
    return values


def initial_twist(spec: TwistPidController, form: Form) -> tuple[float, float]:
    """Return the twist of the world file [m/s, rad/s]."""
    return spec.V, spec.W


def tuned_twist(kp: float, ki: float, max_torque: float) -> dict[str, float | bool]:
    """Return the tags for these gains."""
    return tuned_pid(kp, ki, max_torque) | {'enable_antiwindup': True}


def twist_problems(spec: TwistPidController, form: Form) -> Iterator[str]:
    """Yield what is wrong with the parameters on a form of vehicles."""
    if form != SIDES and spec.wheel_separation_multiplier != 1.0:
        yield (f'wheel_separation_multiplier is {spec.wheel_separation_multiplier:g}: only '
               'vehicles with driven sides have it, leave it out')
    if form == ROLLERS and spec.enable_feedforward:
        yield 'it has no feed-forward on wheels with rollers: leave out enable_feedforward'


CONTROLLERS = (
    Controller(
        TwistPidController, Command.TWIST,
        {SIDES: differential_torques, ROLLERS: roller_torques},
        parameters=twist_parameters, initial=initial_twist, problems=twist_problems, has_pid=True,
        by_speed=(SIDES,), tuned=tuned_twist),
)
