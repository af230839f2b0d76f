# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The controller `twist_pid`: a PID for each side, or for each wheel with rollers."""

from collections.abc import Iterator
import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.controllers.pid import (
    braking_only, filtered_reference, hardly_moves, pid_parameters, pid_step, reset,
    tracking_torques, tuned_pid)
from mvsim_ros2.physics.controllers.record import Command, Controller, Setting
from mvsim_ros2.physics.vehicle.forms import Form, ROLLERS, SIDES, wheel_odometry
from mvsim_ros2.world.spec.vehicle.controller import TwistPidController

Records = NDArray[np.void]


@compiled(inlined=True)
def differential_torques(
        vehicle: np.void, wheels: Records, pitch: float, pid: Records, dt: float,
        ) -> tuple[float, float]:
    """
    Return the torques of the left and of the right wheels [N m]; see `Controller.torques`.

    The first two wheels measure the motion.
    """
    command_left, command_right = side_commands(vehicle)
    speed_left, speed_right = side_speeds(vehicle, wheels[0], wheels[1])
    return tracking_torques(
        vehicle, command_left, command_right, speed_left, speed_right,
        hardly_moves(vehicle, speed_left, speed_right), pitch, pid, dt)


@compiled(inlined=True)
def side_commands(vehicle: np.void) -> tuple[float, float]:
    """Return the commanded velocities of the left and of the right side [m/s]."""
    turn = 0.5 * vehicle['track'] * vehicle['turn_gain'] * vehicle['command_w']
    return vehicle['command_v'] - turn, vehicle['command_v'] + turn


@compiled(inlined=True)
def side_speeds(vehicle: np.void, left: np.void, right: np.void) -> tuple[float, float]:
    """Return the velocities of the left and of the right side by two wheels [m/s]."""
    v, w = wheel_odometry(
        left['y'], right['y'], left['omega'] * left['radius'], right['omega'] * right['radius'])
    half = 0.5 * vehicle['track']
    return v - half * w, v + half * w


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
        torque = pid_step(
            vehicle['kp'], vehicle['ki'], vehicle['kd'], vehicle['derivative_filter'],
            vehicle['max_torque'], vehicle['antiwindup'], vehicle['most_integral'],
            wheel['torque'], speed, 0.0, dt, pid[k])
        if stopping:
            torque = braking_only(torque, wheel['omega'])
        wheel['torque'] = torque
    return 0.0, 0.0


def parameters(spec: TwistPidController, setting: Setting) -> dict[str, float]:
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


def initial(spec: TwistPidController, form: Form) -> tuple[float, float]:
    """Return the twist of the world file [m/s, rad/s]."""
    return spec.V, spec.W


def tuned(kp: float, ki: float, max_torque: float) -> dict[str, float | bool]:
    """Return the tags for these gains."""
    return tuned_pid(kp, ki, max_torque) | {'enable_antiwindup': True}


def problems(spec: TwistPidController, form: Form) -> Iterator[str]:
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
        parameters=parameters, initial=initial, problems=problems, has_pid=True,
        by_speed=(SIDES,), tuned=tuned),
)
