# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
One step of all vehicles: forces on their bodies before it, their state after it.

The equations of MVSim 1.2.0: every wheel sees the velocities after the previous step, and
all wheels see the same state.
"""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array, Records
from mvsim_ros2.jit.dispatch import by_number
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.state.record_layout import (
    ANGLE, COS, FIRST, FROM_WHEELS, NUMBER, OMEGA, SIN, SOME_PIDS, SOME_VEHICLES, SOME_WHEELS,
    STARTS, TABLE, TORQUES_LIKE, VX, VY, X, Y)
from mvsim_ros2.physics.tyres.law import wheel_step
from mvsim_ros2.physics.tyres.on_ground import surface
from mvsim_ros2.physics.vehicle.drivetrain import (
    give_torques, lasting_torque, not_reversed, turn_together)
from mvsim_ros2.physics.vehicle.forms import measured_motion
from mvsim_ros2.physics.vehicle.odometry import displacement, odometer_step
from mvsim_ros2.physics.vehicle.steering import steer_wheels

FARTHEST = 1e7  # m; a body beyond it, or without a finite position, has gone wrong
STRONGEST = 1e30  # N, N m; what single precision can still hold


@by_number(0.0, *TORQUES_LIKE)
def motor_torques(
        kernel: float, vehicle: np.void, wheels: Records, pitch: float, pid: Records, dt: float,
        ) -> tuple[float, float]:
    """
    Return the torques of the left and of the right wheels [N m]; a drivetrain takes the first.

    :param kernel: number of the controller's kernel: see `Controller.torques`.
    :param vehicle: its record.
    :param wheels: records of its wheels.
    :param pitch: of the body, nose down positive [rad].
    :param pid: states of its PIDs, shape (PIDS,).
    """
    raise NotImplementedError


@lazy_kernel(*TORQUES_LIKE, counted=False)
def run_controller(
        vehicle: np.void, wheels: Records, pitch: float, pid: Records, dt: float) -> None:
    """
    Write torques and steering angles of a step into `wheels`, as the controller wants them.

    For the parameters see `motor_torques`.
    """
    left, right = motor_torques(vehicle['controller'], vehicle, wheels, pitch, pid, dt)
    give_torques(vehicle, wheels, left, right)
    if vehicle['steered'] != 0.0:
        steer_wheels(vehicle, wheels)


@lazy_kernel(
    0.0, 0.0, SOME_VEHICLES, STARTS, SOME_WHEELS, SOME_PIDS, TABLE, TABLE, TABLE, TABLE, TABLE,
    counted=False)
def drive(
        dt: float, gravity: float, vehicles: Records, wheel_start: NDArray[np.int64],
        wheels: Records, pids: Records, pose: Array, twist: Array, motion: Array, wrench: Array,
        regions: Array) -> int:
    """
    Write into `wrench` the force [N] (world frame) and torque [N m] on every body.

    Returns the first vehicle whose forces are not finite numbers, or -1.

    :param wheel_start: first wheel of each vehicle, and the end, shape (V + 1,).
    :param pids: shape (V, PIDS).
    :param pose: shape (V, 6), x y z yaw pitch roll.
    :param twist: of the reference point in the body frame, shape (V, 3).
    :param motion: of the bodies, shape (V, MOTION).
    :param wrench: about the centre of mass, shape (V, 3).
    :param regions: of the ground: see `regions`.
    """
    wrong = -1
    for i in range(len(vehicles)):
        vehicle = vehicles[i]
        own = wheels[wheel_start[i]:wheel_start[i + 1]]
        run_controller(vehicle, own, pose[i, 4], pids[i], dt)
        heading_x, heading_y = motion[i, COS], motion[i, SIN]
        vx, vy, w = twist[i, 0], twist[i, 1], twist[i, 2]
        total_x, total_y, total_turn = 0.0, 0.0, 0.0
        for k in range(len(own)):
            wheel = own[k]
            velocity_x = vx - w * wheel['y']
            velocity_y = vy + w * wheel['x']
            cosine, sine = 1.0, 0.0
            direction = wheel['toe'] + wheel['steer'] + wheel['roller']
            if direction != 0.0:
                cosine, sine = math.cos(direction), math.sin(direction)
            slope_x = vehicle['down_x'] * wheel['carried'] * gravity
            slope_y = vehicle['down_y'] * wheel['carried'] * gravity
            mu, rolling = wheel['mu'], wheel['rolling']
            if len(regions) > 0:
                height = pose[i, 2] + (math.cos(pose[i, 4]) * math.sin(pose[i, 5]) * wheel['y']
                                       - math.sin(pose[i, 4]) * wheel['x'])
                mu, rolling = surface(
                    regions, pose[i, 0] + heading_x * wheel['x'] - heading_y * wheel['y'],
                    pose[i, 1] + heading_y * wheel['x'] + heading_x * wheel['y'],
                    height, mu, rolling)
            speed = cosine * velocity_x + sine * velocity_y
            torque, brake = wheel['torque'], wheel['brake']
            if brake > 0.0:
                torque = lasting_torque(
                    torque, brake, wheel['omega'], speed, wheel['carried'], wheel['radius'],
                    wheel['inertia'], dt)
            contact = wheel['contacts'][0]
            along, across, omega = wheel_step(
                contact[NUMBER], contact[FIRST:], mu, wheel['damping'], rolling,
                wheel['carried'], gravity, wheel['radius'], wheel['inertia'], wheel['omega'],
                torque, speed, cosine * velocity_y - sine * velocity_x,
                cosine * slope_x + sine * slope_y, cosine * slope_y - sine * slope_x, dt)
            if brake > 0.0:
                omega = not_reversed(omega, wheel['omega'], speed, brake, wheel['torque'])
            if wheel['free'] != 0.0:
                across = 0.0
            force_x = cosine * along - sine * across
            force_y = sine * along + cosine * across
            pull_x, pull_y = force_x + slope_x, force_y + slope_y
            total_x += pull_x
            total_y += pull_y
            total_turn += ((wheel['x'] - vehicle['com_x']) * pull_y
                           - (wheel['y'] - vehicle['com_y']) * pull_x)
            if vehicle['motor_torque'] > 0.0:
                wheel['taken'] = wheel['torque'] - (
                    wheel['inertia'] * vehicle['steps_a_second'] * (omega - wheel['omega']))
            wheel['omega'] = omega
            wheel['normal_load'] = wheel['carried'] * gravity
            wheel['force_long'] = along
            wheel['force_lat'] = across
            wheel['force_x'] = force_x
            wheel['force_y'] = force_y
            wheel['velocity_x'] = velocity_x
            wheel['velocity_y'] = velocity_y
        if vehicle['tied'] != 0.0:
            turn_together(own)
        wrench[i, 0] = heading_x * total_x - heading_y * total_y
        wrench[i, 1] = heading_y * total_x + heading_x * total_y
        wrench[i, 2] = total_turn
        if wrong < 0 and not abs(total_x) + abs(total_y) + abs(total_turn) < STRONGEST:
            wrong = i
    return wrong


@lazy_kernel(SOME_VEHICLES, TABLE, TABLE)
def impose(vehicles: Records, pose: Array, motion: Array) -> None:
    """
    Set the velocities in `motion` of the vehicles whose controller is ideal to the commands.

    In mode `physical` before a step. In mode `mvsim` this happens after the step, with the heading
    before it, as in MVSim, so the vehicle drifts sideways by v w dt.

    :param pose: before the step, shape (V, 6).
    :param motion: shape (V, MOTION).
    """
    for i in range(len(vehicles)):
        vehicle = vehicles[i]
        if vehicle['is_ideal'] != 0.0:
            w = vehicle['command_w']
            vx = vehicle['command_v'] - w * vehicle['com_y']
            vy = vehicle['ideal_vy'] + w * vehicle['com_x']
            cosine, sine = math.cos(pose[i, 3]), math.sin(pose[i, 3])
            # Box2D holds single precision
            motion[i, VX] = np.float32(cosine * vx - sine * vy)
            motion[i, VY] = np.float32(sine * vx + cosine * vy)
            motion[i, OMEGA] = np.float32(w)


@lazy_kernel(SOME_VEHICLES, TABLE, TABLE)
def turn_along(vehicles: Records, pose: Array, motion: Array) -> None:
    """
    Let the velocities that ideal controllers imposed turn with the vehicles, after a step.

    Changes by contacts during the step stay.

    :param pose: before the step, shape (V, 6).
    :param motion: after the step, shape (V, MOTION).
    """
    for i in range(len(vehicles)):
        if vehicles[i]['is_ideal'] != 0.0:
            before_c, before_s = math.cos(pose[i, 3]), math.sin(pose[i, 3])
            cosine = motion[i, COS] * before_c + motion[i, SIN] * before_s
            sine = motion[i, SIN] * before_c - motion[i, COS] * before_s
            vx, vy = motion[i, VX], motion[i, VY]
            motion[i, VX] = np.float32(cosine * vx - sine * vy)
            motion[i, VY] = np.float32(sine * vx + cosine * vy)


@compiled(counted=False)
def observe(
        dt: float, vehicles: Records, pose: Array, twist: Array, velocity: Array,
        acceleration: Array, motion: Array) -> int:
    """
    Take over the motion of the bodies; return the first one without a finite position, or -1.

    :param dt: since the last time [s]; 0 leaves out the acceleration.
    :param velocity: of the reference point in the world frame, and yaw rate, shape (V, 3).
    :param acceleration: its change over the step, in body axes, shape (V, 3).
    """
    wrong = -1
    for i in range(len(vehicles)):
        vehicle = vehicles[i]
        if dt > 0.0 and vehicle['spatial'] != 0.0:
            continue
        cosine, sine, w = motion[i, COS], motion[i, SIN], motion[i, OMEGA]
        com_x = cosine * vehicle['com_x'] - sine * vehicle['com_y']
        com_y = sine * vehicle['com_x'] + cosine * vehicle['com_y']
        vx = motion[i, VX] + w * com_y
        vy = motion[i, VY] - w * com_x
        if dt > 0.0:
            ax, ay = (vx - velocity[i, 0]) / dt, (vy - velocity[i, 1]) / dt
            acceleration[i, 0] = cosine * ax + sine * ay
            acceleration[i, 1] = cosine * ay - sine * ax
            acceleration[i, 2] = (w - velocity[i, 2]) / dt
        velocity[i, 0], velocity[i, 1], velocity[i, 2] = vx, vy, w
        twist[i, 0] = cosine * vx + sine * vy
        twist[i, 1] = cosine * vy - sine * vx
        twist[i, 2] = w
        pose[i, 0], pose[i, 1], pose[i, 3] = motion[i, X], motion[i, Y], motion[i, ANGLE]
        if wrong < 0 and not abs(motion[i, X]) + abs(motion[i, Y]) + abs(vx) + abs(w) < FARTHEST:
            wrong = i
    return wrong


@compiled(counted=False)
def roll(
        dt: float, vehicles: Records, wheel_start: NDArray[np.int64], wheels: Records,
        pose: Array, odometers: Records, before: Array, noise: Array, column: int) -> None:
    """
    Turn the wheels and move the odometers on, after a step.

    :param odometers: shape (V,).
    :param before: x y yaw of the vehicles before the step, shape (V, 3); set to those now.
    :param noise: standard normal numbers, shape (V, 2, NOISE_STEPS).
    :param column: which of them to take.
    """
    for i in range(len(vehicles)):
        vehicle = vehicles[i]
        for k in range(wheel_start[i], wheel_start[i + 1]):
            wheels[k]['angle'] += wheels[k]['omega'] * dt
        if vehicle['odometry'] == FROM_WHEELS:
            vx, vy, w = measured_motion(vehicle, wheels[wheel_start[i]:wheel_start[i + 1]])
            turn = w * dt
            ahead, aside = displacement(
                vx, vy, turn, vehicle['turn_part'], vehicle['com_x'], vehicle['com_y'], dt)
        else:
            dx, dy = pose[i, 0] - before[i, 0], pose[i, 1] - before[i, 1]
            turn = pose[i, 3] - before[i, 2]
            middle = before[i, 2] + 0.5 * turn
            cosine, sine = math.cos(middle), math.sin(middle)
            ahead, aside = cosine * dx + sine * dy, cosine * dy - sine * dx
            vx, vy = ahead / dt, aside / dt
        odometer_step(
            vehicle['x_factor'] * ahead, vehicle['y_factor'] * aside,
            vehicle['yaw_factor'] * turn, vehicle['walk_distance'], vehicle['walk_turn'],
            vehicle['walk_drift'], noise[i, 0, column], noise[i, 1, column], odometers[i],
            vehicle['rolls'] != 0.0)
        odometers[i]['vx'] = vehicle['x_factor'] * vx
        odometers[i]['vy'] = vehicle['y_factor'] * vy
        odometers[i]['wz'] = vehicle['yaw_factor'] * turn / dt
        before[i, 0], before[i, 1], before[i, 2] = pose[i, 0], pose[i, 1], pose[i, 3]
