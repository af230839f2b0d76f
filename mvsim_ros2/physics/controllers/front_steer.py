# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The controllers `twist_front_steer_pid` and `front_steer_pid`, of vehicles that are steered."""

import math

import numpy as np

from mvsim_ros2.frames import Records
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.controllers.pid import (
    hardly_moves, initial_twist, pid_parameters, tracking_torques, tuned_pid, tuned_twist,
    twist_parameters, twist_problems)
from mvsim_ros2.physics.controllers.record import Command, Controller, Setting
from mvsim_ros2.physics.physical.wheels import directed
from mvsim_ros2.physics.state.record_layout import NO_DRIVETRAIN
from mvsim_ros2.physics.vehicle.drivetrain import open_shares
from mvsim_ros2.physics.vehicle.forms import (
    BY_COURSE, DRIVETRAIN, Form, FRONT_PAIR, IN_LINE, measured_motion)
from mvsim_ros2.world.spec.vehicle.controller import (
    FrontSteerPidController, TwistFrontSteerPidController)

MAX_TORQUE, MAX_TORQUE_DRIVETRAIN = 100.0, 400.0  # N m, of twist_front_steer_pid


@compiled(inlined=True)
def speed_along(x: float, y: float, v: float, w: float, direction: float) -> float:
    """Return the velocity along a direction [rad] at (x, y) of the body at v, w [m/s, rad/s]."""
    return math.cos(direction) * (v - w * y) + math.sin(direction) * (w * x)


@compiled(inlined=True)
def driven_speed(vehicle: np.void, wheels: Records) -> float:
    """Return the mean velocity of the driven rims along the vehicle, by their shares [m/s]."""
    speed, total = 0.0, 0.0
    shares = open_shares(vehicle)
    for k in range(len(wheels)):
        wheel = wheels[k]
        part = wheel['drive'] if vehicle['drivetrain'] == NO_DRIVETRAIN else shares[k]
        _, cosine = directed(wheel)
        speed += part * wheel['omega'] * wheel['radius'] * cosine
        total += part
    return speed / total


@compiled(inlined=True)
def one_torque(
        vehicle: np.void, wheels: Records, pitch: float, pid: Records, dt: float,
        ) -> tuple[float, float]:
    """
    Return the one torque of a vehicle, twice [N m]: a PID for its forward velocity.

    The odometer measures that in mode `mvsim`, the motor in mode `physical`.
    """
    v, still = 0.0, False
    if vehicle['stopped'] > 0.0 or vehicle['mass'] == 0.0:
        v, _, _ = measured_motion(vehicle, wheels)
        still = hardly_moves(vehicle, v, v)
    if vehicle['mass'] > 0.0:  # in mode physical
        v = driven_speed(vehicle, wheels)
    command_v = vehicle['command_v']
    return tracking_torques(vehicle, command_v, command_v, v, v, still, pitch, pid, dt)


@compiled(inlined=True)
def front_commands(vehicle: np.void, wheels: Records) -> tuple[float, float]:
    """
    Return the commanded velocities of the front wheels along their directions [m/s].

    Mode `physical`, where the yaw rate is the one that the steering makes. What they are for 1 m/s
    is kept in the record as long as nothing is steered.
    """
    angle_left, angle_right = vehicle['steer_left'], vehicle['steer_right']
    front = vehicle['command_front']
    if vehicle['steer_takes_time'] != 0.0:
        front = vehicle['steer_front']
    if (vehicle['gain_left'] == 0.0 or front != vehicle['gain_front']
            or angle_left != vehicle['gain_angle_left']
            or angle_right != vehicle['gain_angle_right']):
        left, right, w = wheels[2], wheels[3], math.tan(front) / vehicle['wheelbase']
        pivot = vehicle['pivot_x']  # whatever is there moves straight ahead
        vehicle['gain_left'] = speed_along(
            left['x'] - pivot, left['y'], 1.0, w, left['toe'] + angle_left)
        vehicle['gain_right'] = speed_along(
            right['x'] - pivot, right['y'], 1.0, w, right['toe'] + angle_right)
        vehicle['gain_front'] = front
        vehicle['gain_angle_left'], vehicle['gain_angle_right'] = angle_left, angle_right
    command_v = vehicle['command_v']
    return command_v * vehicle['gain_left'], command_v * vehicle['gain_right']


@compiled(inlined=True)
def front_wheel_torques(
        vehicle: np.void, wheels: Records, pitch: float, pid: Records, dt: float,
        ) -> tuple[float, float]:
    """
    Return the torques of the left and of the right front wheel [N m].

    Each has a PID for its velocity along its direction, commanded and measured. In mode `mvsim`
    the rear wheels measure that, and nothing keeps a front wheel from spinning; in mode `physical`
    its own rim does.

    Mode `mvsim` uses the commanded yaw rate, even if the steering cannot reach it and the vehicle
    is then too fast. Mode `physical` uses the yaw rate of the steering.
    """
    left, right, physical = wheels[2], wheels[3], vehicle['mass'] > 0.0
    speed_left, speed_right, still = 0.0, 0.0, False
    if vehicle['stopped'] > 0.0 or not physical:
        v, _, w = measured_motion(vehicle, wheels)
        speed_left = speed_along(left['x'], left['y'], v, w, left['toe'] + left['steer'])
        speed_right = speed_along(right['x'], right['y'], v, w, right['toe'] + right['steer'])
        still = hardly_moves(vehicle, speed_left, speed_right)
    if physical:
        command_left, command_right = front_commands(vehicle, wheels)
        speed_left = left['omega'] * left['radius']
        speed_right = right['omega'] * right['radius']
    else:
        command_v, command_w = vehicle['command_v'], vehicle['command_w']
        command_left = speed_along(
            left['x'], left['y'], command_v, command_w, left['toe'] + vehicle['steer_left'])
        command_right = speed_along(
            right['x'], right['y'], command_v, command_w, right['toe'] + vehicle['steer_right'])
    return tracking_torques(
        vehicle, command_left, command_right, speed_left, speed_right, still, pitch, pid, dt)


def _twist_parameters(spec: TwistFrontSteerPidController, setting: Setting) -> dict[str, float]:
    values = twist_parameters(spec, setting)
    if spec.max_torque is None:
        values['max_torque'] = MAX_TORQUE_DRIVETRAIN if setting.one_torque else MAX_TORQUE
    return values | {'zero_command': spec.zero_threshold, 'stopped': spec.stop_threshold}


def _parameters(spec: FrontSteerPidController, setting: Setting) -> dict[str, float]:
    return pid_parameters(spec, spec.max_torque, setting.physical)


def _initial(spec: FrontSteerPidController, form: Form) -> tuple[float, float]:
    return spec.V, spec.STEER_ANG


_TORQUES = {FRONT_PAIR: front_wheel_torques, DRIVETRAIN: one_torque, IN_LINE: one_torque,
            BY_COURSE: one_torque}
_BY_SPEED = DRIVETRAIN, IN_LINE, BY_COURSE
CONTROLLERS = (
    Controller(
        TwistFrontSteerPidController, Command.TWIST, _TORQUES, parameters=_twist_parameters,
        initial=initial_twist, problems=twist_problems, has_pid=True,
        by_speed=_BY_SPEED, tuned=tuned_twist),
    Controller(
        FrontSteerPidController, Command.STEERING, _TORQUES, parameters=_parameters,
        initial=_initial, has_pid=True, by_speed=_BY_SPEED, tuned=tuned_pid),
)
