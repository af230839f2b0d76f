# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""From the spec of a vehicle to the numbers that the kernels work with."""

from typing import Any

import numpy as np

from mvsim_ros2.physics.controllers.record import Command, Setting
from mvsim_ros2.physics.engine.bodies import Body
from mvsim_ros2.physics.state.record_layout import (
    FIRST, FROM_MOTION, FROM_WHEELS, NUMBER, OWN, VEHICLE, WHEEL)
from mvsim_ros2.physics.tyres.law import LAWS, Mounting
from mvsim_ros2.physics.vehicle.brakes import brake_torques
from mvsim_ros2.physics.vehicle.vehicle_kinds import class_of, controller_of, kernel_numbers
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec


def wheel_records(vehicle: VehicleSpec, gravity: float) -> Any:
    """
    Return the records of the wheels of a vehicle, at rest.

    :raises PhysicsError: where wheels with rollers cannot make every motion.
    """
    dynamics = vehicle.dynamics
    kind = class_of(dynamics)
    wheels = np.zeros(len(dynamics.wheels), WHEEL)
    share = dynamics.chassis.mass / len(wheels)
    for record, wheel, (side, part) in zip(
            wheels, dynamics.wheels, kind.drives(dynamics), strict=True):
        record['x'], record['y'], record['toe'] = wheel.pos
        record['side'], record['drive'] = side, part
        record['mass'], record['radius'], record['inertia'] = (
            wheel.mass, wheel.radius, wheel.spin_inertia)
        record['carried'] = share + wheel.mass
        record['normal_load'] = record['carried'] * gravity
    if not kind.form.torques and controller_of(dynamics).command == Command.TORQUES:
        wheels['side'] = OWN
    kind.complete(vehicle, wheels)
    for record, wheel, tyre in zip(wheels, dynamics.wheels, vehicle.tyres, strict=True):
        law, number = LAWS[type(tyre)], LAWS.number(type(tyre))
        record['mu'] = getattr(tyre, 'mu', 0.0)  # the ellipse has none
        record['damping'], record['rolling'] = tyre.C_damping, tyre.C_rr
        record['contacts'][0, NUMBER] = number
        record['contacts'][0, FIRST:] = law.values(tyre, Mounting(
            float(record['radius']), wheel.width, float(record['normal_load'])))
    if dynamics.brakes is not None:
        wheels['brake'] = brake_torques(dynamics, 0.0, dynamics.brakes.parked)
    return wheels


def vehicle_record(vehicle: VehicleSpec, body: Body, dt: float, gravity: float) -> Any:
    """
    Return parameters of a vehicle, without a command.

    :param body: what the engine made of it.
    """
    dynamics, odometry, constants = vehicle.dynamics, vehicle.odometry, body.constants
    kind, controller = class_of(dynamics), controller_of(dynamics)
    left, right = dynamics.wheels[:2]
    record = np.zeros(1, VEHICLE)[0]
    values: dict[str, float] = {
        **kernel_numbers(dynamics), 'tied': dynamics.tied,
        'is_ideal': controller.is_ideal, 'has_pid': controller.has_pid,
        'by_speed': kind.form in controller.by_speed,
        'own_torques': kind.form.torques == 0 or controller.each_wheel,
        'parked': dynamics.brakes is not None and dynamics.brakes.parked,
        'odometry': FROM_WHEELS if odometry.source_kind == 'wheels' else FROM_MOTION,
        'com_x': constants.com_x, 'com_y': constants.com_y,
        # in mode mvsim the reference point of an ideal vehicle is that, as in the original
        'pivot_x': 0.0 if controller.is_ideal else dynamics.pivot_x,
        'track': left.pos[1] - right.pos[1], 'x_factor': odometry.x_multiplier,
        'y_factor': odometry.y_multiplier, 'yaw_factor': odometry.yaw_multiplier,
        'walk_distance': odometry.linear_std_noise, 'walk_turn': odometry.yaw_std_noise,
        'walk_drift': odometry.yaw_drift_std_noise, **kind.parameters(dynamics, dt)}
    if dynamics.motor is not None:
        motor = dynamics.motor
        values |= {'motor_torque': motor.max_torque, 'motor_speed': motor.no_load_speed or 0.0,
                   'motor_power': motor.max_power or 0.0, 'steps_a_second': 1.0 / dt}
    for name, value in values.items():
        record[name] = value
    controller.set_up(record, dynamics.controller, Setting(
        dynamics, kind.form, dt, gravity, dynamics.chassis.mass,
        sum(wheel.radius for wheel in dynamics.wheels) / len(dynamics.wheels),
        1.0 if kind.form.torques == 1 else 2.0, False))
    return record
