# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Records of a vehicle in mode `physical`: masses, loads, air, engine, springs and their rest."""

from collections.abc import Sequence
import math
from typing import Any

import numpy as np

from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.physics.controllers.pid import warn_of_gains
from mvsim_ros2.physics.controllers.record import Setting
from mvsim_ros2.physics.engine.bodies import Body
from mvsim_ros2.physics.ground.terrain import Terrain
from mvsim_ros2.physics.physical.rest_on_springs import sink
from mvsim_ros2.physics.physical.transient_slip import STIFFNESS
from mvsim_ros2.physics.physical.wheel_loads import load_shares
from mvsim_ros2.physics.state.record_layout import COM_X, COM_Y, MOTION, write
from mvsim_ros2.physics.state.vehicles import Vehicles
from mvsim_ros2.physics.tyres.on_ground import write_contacts
from mvsim_ros2.physics.vehicle.vehicle_kinds import class_of, controller_of
from mvsim_ros2.world.spec.vehicle.dynamics import ChassisSpec
from mvsim_ros2.world.spec.vehicle.parts import WheelSpec
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec
from mvsim_ros2.world.spec.weather import AirSpec

STILL = AirSpec()


def complete(vehicles: Vehicles, body: Body, dt: float, gravity: float,
             surfaces: tuple[str, ...] = (), air: AirSpec = STILL) -> None:
    """
    Write mass, inertia, pivot, loads, tyres and what the controller needs into the newest records.

    The wheels of that vehicle roll along with its initial twist.

    :param vehicles: the last one is completed.
    :param body: what the engine made of it, chassis and wheels.
    :param dt: step [s].
    :param gravity: m/s^2.
    :param surfaces: of the ground, see `on_ground.surfaces_of`.
    :param air: that it moves through.
    :raises PhysicsError: where there is no gravity, or only some tyres are springs.
    """
    vehicle, record = vehicles.specs[-1], vehicles.arrays.records[-1]
    wheels = vehicles.wheels_of(len(vehicles) - 1)
    vehicles.start_rolling(len(vehicles) - 1, vehicle.init_twist)
    dynamics = vehicle.dynamics
    if gravity <= 0.0:
        raise PhysicsError(
            f"gravity is {gravity} m/s^2: physics mode 'physical' needs more than 0; use mode "
            "'mvsim'")
    chassis, constants = dynamics.chassis, body.constants
    mass = constants.mass
    record['mass'], record['pivot_x'] = mass, dynamics.pivot_x
    record['turn_inertia'] = constants.inertia - mass * (
        constants.com_x ** 2 + constants.com_y ** 2)
    if chassis.load_transfer_lag > 0.0:
        record['load_keep'] = math.exp(-dt / chassis.load_transfer_lag)
    record['rolls'] = 1.0
    record['turn_part'] = 0.0 if record['is_ideal'] else 1.0
    height = (0.5 * (chassis.zmin + chassis.zmax) if chassis.centre_of_mass is None
              else chassis.centre_of_mass[2])
    moment = chassis.mass * height + sum(wheel.mass * wheel.radius for wheel in dynamics.wheels)
    record['com_height'] = max(
        moment / (chassis.mass + sum(wheel.mass for wheel in dynamics.wheels)), 0.0)
    _put_box(dynamics.chassis, body, record, wheels)
    x, y = wheels['x'] - constants.com_x, wheels['y'] - constants.com_y
    wheels['load_share'], wheels['load_along'], wheels['load_across'] = load_shares(x, y)
    wheels['rest_share'] = wheels['load_share']
    for k in dynamics.swivelling_wheels:
        wheels['swivels'][k] = wheels['free'][k] = 1.0
    wheels['tyres'] = tyres = dynamics.tyres_per_wheel
    wheels['width'] = [wheel.width for wheel in dynamics.wheels]
    write_contacts(vehicle, wheels, mass * gravity / len(wheels) / tyres, surfaces)
    wheels['standing_root'] = np.sqrt(STIFFNESS / (gravity * wheels['relaxation']))
    put_springs(vehicle, record, wheels, gravity)
    _put_air(vehicle, record, air)
    _put_engine(vehicle, record)
    _put_draught(vehicle, record)
    form = class_of(dynamics).form
    driven = 1.0 if form.torques == 1 else float(wheels['drive'].sum())
    controller_of(dynamics).set_up(record, dynamics.controller, Setting(
        dynamics, form, dt, gravity, mass,
        math.fsum(wheel.radius for wheel in dynamics.wheels[:2]) / 2.0, driven, True))
    if record['has_pid'] and record['mass'] > 0.0:  # else it is moved as it is told
        warn_of_gains(vehicle, record, wheels, driven, gravity)


def _put_air(vehicle: VehicleSpec, record: np.void, air: AirSpec) -> None:
    """Write what the air does to a vehicle into its record."""
    shape = vehicle.dynamics.aerodynamics
    if shape is None:
        return
    if shape.lift_area and record['sprung']:
        raise PhysicsError(
            f'{shape.source}: vehicle {vehicle.name!r} has a lift_area and springs: '
            'lift acts on hard tyres only, leave out one of both')
    half = 0.5 * air.density
    write(record, airy=1.0, air_along=half * shape.drag_area, air_across=half * shape.side_area,
          air_lift=half * shape.lift_area, wind_x=air.wind[0], wind_y=air.wind[1],
          air_x=0.0 if shape.x is None else shape.x - record['com_x'],
          air_z=0.0 if shape.z is None else shape.z - record['com_height'])


def _put_draught(vehicle: VehicleSpec, record: np.void) -> None:
    """Write what the soil does to an implement into the record of a vehicle."""
    soil = vehicle.dynamics.draught
    if soil is None:
        return
    if record['com_height'] <= 0.0:
        raise PhysicsError(f'{soil.source}: vehicle {vehicle.name!r} has a <draught>, but its '
                           'centre of mass is not above the ground: raise its zmax')
    write(record, ploughs=1.0, soil_constant=soil.constant, soil_linear=soil.linear,
          soil_square=soil.quadratic,
          soil_arm=0.0 if soil.x is None else soil.x - record['com_x'],
          soil_lever=1.0 - soil.z / record['com_height'])


def _put_engine(vehicle: VehicleSpec, record: np.void) -> None:
    """Write the curve of an engine and its gears into the record of a vehicle."""
    dynamics, engine = vehicle.dynamics, vehicle.dynamics.engine
    if engine is None:
        return
    if class_of(dynamics).form.torques != 1 or dynamics.motor is not None:
        raise PhysicsError(
            f'{engine.source}: vehicle {vehicle.name!r} of class {dynamics.XML_CLASS!r} cannot '
            'have an <engine>: that needs a class with one torque, such as ackermann_drivetrain, '
            'and no <motor>')
    count, gears = len(engine.speeds), len(engine.gears)
    record['gears'], record['curve_points'] = gears, count
    record['curve_speeds'][:count] = np.array(engine.speeds) * (math.pi / 30.0)
    record['curve_torques'][:count] = engine.torques
    record['ratios'][:gears] = np.array(engine.gears) * engine.final_drive
    record['gains'][:gears] = record['ratios'][:gears] * engine.efficiency
    largest = max(engine.torques) * float(record['gains'].max())
    record['engine_braking'] = (
        largest if engine.braking_torque is None else engine.braking_torque)


def _put_box(chassis: ChassisSpec, body: Body, record: np.void, wheels: Any) -> None:
    """
    Write the box around a chassis, and the inertia about the axes ahead and to the left.

    That of a box, with the wheels as points at their hubs.

    :param body: what the engine made of the vehicle, chassis and wheels.
    """
    outline = np.concatenate([
        fixture.corners for fixture in body.fixtures if fixture.wheel is None])
    low, high = outline.min(axis=0), outline.max(axis=0)
    for k, axis in enumerate('xy'):
        record[f'box_{axis}'] = 0.5 * (low[k] + high[k])
        record[f'box_half_{axis}'] = 0.5 * (high[k] - low[k])
    record['box_low'], record['box_high'] = chassis.zmin, chassis.zmax
    height = record['com_height']
    tall = (chassis.zmax - chassis.zmin) ** 2 / 12.0 + (
        0.5 * (chassis.zmin + chassis.zmax) - height) ** 2
    axles = (wheels['radius'] - height) ** 2
    for name, k, axis in (('roll_inertia', 1, 'y'), ('pitch_inertia', 0, 'x')):
        middle = 0.5 * (low[k] + high[k]) - record[f'com_{axis}']
        arms = wheels[axis] - record[f'com_{axis}']
        record[name] = chassis.mass * ((high[k] - low[k]) ** 2 / 12.0 + middle ** 2 + tall) + (
            float(np.sum(wheels['mass'] * (arms ** 2 + axles))))


def springs(vehicle: VehicleSpec) -> bool:
    """
    Return whether the tyres of a vehicle are springs.

    :raises PhysicsError: where only some of them are, or one has damping alone.
    """
    stiff = [wheel.tyre_stiffness > 0.0 for wheel in vehicle.dynamics.wheels]
    for wheel, sprung in zip(vehicle.dynamics.wheels, stiff, strict=True):
        if not sprung and (any(stiff) or wheel.tyre_damping > 0.0):
            raise PhysicsError(
                f'{wheel.source}: a wheel of vehicle {vehicle.name!r} has no tyre_stiffness, but '
                'it or another one is a spring or damper. Set it on all wheels, or on none '
                'without tyre_damping')
    return any(stiff)


def suspensions(vehicle: VehicleSpec) -> bool:
    """
    Return whether the wheels of a vehicle are suspended.

    :raises PhysicsError: if only some are, one has a hard tyre, all are in one line, or an
        anti-roll bar lacks its second wheel.
    """
    wheels = vehicle.dynamics.wheels
    for wheel in wheels:
        if wheel.suspension_stiffness > 0.0:
            continue
        if any(each.suspension_stiffness > 0.0 for each in wheels) or (
                wheel.suspension_damping + wheel.suspension_travel + wheel.anti_roll_stiffness):
            raise PhysicsError(
                f'{wheel.source}: a wheel of vehicle {vehicle.name!r} has no '
                'suspension_stiffness, but it or another one is suspended. Set it on all wheels, '
                'or on none without other parts of a suspension')
    if not any(wheel.suspension_stiffness for wheel in wheels):
        return False
    for k, wheel in enumerate(wheels):
        if not wheel.tyre_stiffness > 0.0:
            raise PhysicsError(
                f'{wheel.source}: a wheel of vehicle {vehicle.name!r} has a suspension_stiffness '
                'but no tyre_stiffness: give its tyre one, some ten times as large')
        if wheel.anti_roll_stiffness and _partner(wheels, k) < 0:
            raise PhysicsError(
                f'{wheel.source}: a wheel of vehicle {vehicle.name!r} has an anti_roll_stiffness '
                f'of {wheel.anti_roll_stiffness:g} N/m, but no wheel on the other side of its '
                'axle has the same. Set the same value on both wheels of an axle')
    places = np.array([wheel.pos[:2] for wheel in wheels])
    if np.linalg.matrix_rank(places - places.mean(axis=0), tol=1e-6) < 2:
        raise PhysicsError(
            f'{wheels[0].source}: all wheels of vehicle {vehicle.name!r} are in one line: '
            'suspensions need wheels on two axles; give a tyre_stiffness only')
    return True


def _partner(wheels: Sequence[WheelSpec], k: int) -> int:
    """Return the number of the wheel at the other end of an anti-roll bar, -1 for none."""
    wheel = wheels[k]
    for other, each in enumerate(wheels):
        if (each.anti_roll_stiffness == wheel.anti_roll_stiffness > 0.0
                and each.pos[0] == wheel.pos[0] and each.pos[1] * wheel.pos[1] < 0.0):
            return other
    return -1


def put_springs(vehicle: VehicleSpec, record: np.void, wheels: Any, gravity: float) -> None:
    """
    Write inertia and springs into the records of a vehicle, where its tyres are springs.

    A vehicle with ideal motion has no springs.

    :param record: of it, with its inertia.
    :param gravity: m/s^2.
    :raises PhysicsError: see `springs` and `suspensions`.
    """
    dynamics = vehicle.dynamics
    suspended = suspensions(vehicle)
    if not springs(vehicle) or vehicle.animation is not None or record['is_ideal']:
        return
    record['sprung'] = 1.0
    if suspended:
        record['suspended'], record['load_keep'] = 1.0, 0.0
        for name in ('suspension_stiffness', 'suspension_damping', 'suspension_travel',
                     'anti_roll_stiffness'):
            wheels[name] = [getattr(wheel, name) for wheel in dynamics.wheels]
        wheels['partner'] = [_partner(dynamics.wheels, k) for k in range(len(wheels))]
        wheels['preload'] = gravity * (record['mass'] * wheels['load_share'] - wheels['mass'])
    for name in ('tyre_stiffness', 'tyre_damping'):
        wheels[name] = wheels['tyres'] * [getattr(wheel, name) for wheel in dynamics.wheels]


def rest(terrain: Terrain, vehicles: Vehicles, i: int, gravity: float) -> None:
    """
    Let a vehicle that was put on the ground sink into its springs until it rests.

    :param gravity: m/s^2.
    """
    if vehicles.arrays.records['sprung'][i] == 0.0:
        return
    motion = np.zeros(MOTION)
    motion[COM_X], motion[COM_Y] = vehicles.pose[i, :2]
    sink(gravity, terrain.everything, vehicles.arrays.records[i], vehicles.wheels_of(i),
         vehicles.pose[i], motion)
