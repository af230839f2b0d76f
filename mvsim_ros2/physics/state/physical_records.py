# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What mode `physical` knows of a vehicle beyond the records of mode `mvsim`."""

import math
from typing import Any

import numpy as np

from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.physics.physical.wheel_loads import plane
from mvsim_ros2.physics.state.spring_records import put_springs
from mvsim_ros2.physics.state.vehicles import Vehicles
from mvsim_ros2.physics.tyres import bakker
from mvsim_ros2.physics.tyres import magic_formula
from mvsim_ros2.spec.tyres.coulomb import EllipseTyre
from mvsim_ros2.spec.tyres.slip import BakkerTyre
from mvsim_ros2.spec.tyres.slip import MagicFormulaTyre
from mvsim_ros2.spec.tyres.soil import SoilTyre
from mvsim_ros2.spec.vehicle.controllers import TwistPidController
from mvsim_ros2.spec.vehicle.dynamics import AckermannDrivetrainSpec
from mvsim_ros2.spec.vehicle.dynamics import Differential3Spec
from mvsim_ros2.spec.vehicle.vehicle import VehicleSpec


def complete(vehicles: Vehicles, body: Any, gravity: float) -> None:
    """
    Write mass, inertia, loads and the sign of the feed-forward into the newest records.

    The wheels of that vehicle roll along with its initial twist.

    :param vehicles: the last one is completed.
    :param body: what the engine made of it, chassis and wheels.
    :param gravity: m/s^2.
    :raises PhysicsError: where there is no gravity, or only some tyres are springs.
    """
    vehicle, record = vehicles.specs[-1], vehicles.arrays.records[-1]
    wheels = vehicles.wheels[vehicles.wheel_start[-2]:]
    vehicles.start_rolling(len(vehicles) - 1, vehicle.init_twist)
    dynamics = vehicle.dynamics
    if gravity <= 0.0:
        raise PhysicsError(
            f"gravity is {gravity} m/s^2: physics mode 'physical' needs more than 0; use mode "
            "'mvsim'")
    chassis, centre = dynamics.chassis, body.localCenter
    record['mass'] = body.mass
    record['turn_inertia'] = body.inertia - body.mass * (centre.x ** 2 + centre.y ** 2)
    height = (0.5 * (chassis.zmin + chassis.zmax) if chassis.centre_of_mass is None
              else chassis.centre_of_mass[2])
    moment = chassis.mass * height + sum(
        wheel.mass * wheel.radius for wheel in dynamics.wheels)
    record['com_height'] = max(
        moment / (chassis.mass + sum(wheel.mass for wheel in dynamics.wheels)), 0.0)
    x, y = wheels['x'] - centre.x, wheels['y'] - centre.y
    carrying = np.ones(len(wheels), np.bool_)
    for name, loads in (('load_share', (1.0, 0.0, 0.0)), ('load_along', (0.0, 1.0, 0.0)),
                        ('load_across', (0.0, 0.0, 1.0))):
        a, b, c, _ = plane(x, y, carrying, *loads)
        wheels[name] = a + b * x + c * y
    if isinstance(dynamics, Differential3Spec):
        wheels['swivels'][2] = wheels['free'][2] = 1.0
    _complete_tyres(vehicle, wheels, body.mass * gravity / len(wheels))
    put_springs(vehicle, body, record, wheels)
    controller = dynamics.controller
    if isinstance(controller, TwistPidController) and controller.enable_feedforward:
        driven = float(wheels['drive'].sum())
        if isinstance(dynamics, AckermannDrivetrainSpec):
            driven = 1.0  # one torque for all wheels
        radius = math.fsum(wheel.radius for wheel in dynamics.wheels[:2]) / 2.0
        record['slope_torque'] = -(
            controller.feedforward_gain * record['mass'] * gravity * radius / driven)


def _complete_tyres(vehicle: VehicleSpec, wheels: Any, load: float) -> None:
    """
    Write into the wheels what their tyres need of wheel and load.

    :param load: of a wheel at rest, on average [N].
    """
    tyre, values = vehicle.friction, wheels['tyre_values']
    wheels['tyres'] = tyres = getattr(vehicle.dynamics, 'tyres_per_axle', 1)
    load /= tyres
    wheels['width'] = [wheel.width for wheel in vehicle.dynamics.wheels]
    if isinstance(tyre, MagicFormulaTyre):
        wheels['mu'] = magic_formula.parameters(tyre).D
    elif isinstance(tyre, BakkerTyre):
        numbers = bakker.parameters(tyre)
        peak = bakker.curve(numbers._replace(road=1.0), load)[2]
        wheels['mu'] = numbers.road * abs(peak) / load
        values[:, 10] = load / abs(peak)  # from friction coefficient to scale of the curve
    elif isinstance(tyre, EllipseTyre):
        peak = max(tyre.C_s * tyre.slip_ratio_saturation,
                   tyre.C_alpha * tyre.slip_angle_saturation)
        wheels['mu'] = peak
        values[:, 6] = 1.0 / peak if peak > 0.0 else 0.0
    elif isinstance(tyre, SoilTyre):
        values[:, 0], values[:, 1] = wheels['width'], 2.0 * wheels['radius']
