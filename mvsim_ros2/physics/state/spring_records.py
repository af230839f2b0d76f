# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Springs of tyres and suspensions: their records, and where they come to rest."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.physics.ground.terrain import Terrain
from mvsim_ros2.physics.physical.rest_on_springs import sink
from mvsim_ros2.physics.state.record_layout import COM_X, COM_Y, MOTION
from mvsim_ros2.physics.state.vehicles import Vehicles
from mvsim_ros2.world.spec.vehicle.parts import WheelSpec
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec


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

    :raises PhysicsError: where only some are, one has no tyre that is a spring, all stand on one
        line, or an anti-roll bar has no or another wheel at its other end.
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


def refuse_springs(vehicle: VehicleSpec) -> None:
    """
    Make sure that no tyre of a vehicle is a spring, for mode `mvsim`.

    :raises PhysicsError: where one is.
    """
    for wheel in vehicle.dynamics.wheels:
        if wheel.tyre_stiffness > 0.0:
            raise PhysicsError(
                f'{wheel.source}: a wheel of vehicle {vehicle.name!r} has a tyre_stiffness, which '
                "physics mode 'mvsim' does not have: use mode 'physical', or leave it out")


def put_springs(vehicle: VehicleSpec, record: np.void, wheels: Any, gravity: float) -> None:
    """
    Write inertia and springs into the records of a vehicle, where its tyres are springs.

    A vehicle with ideal motion has no springs.

    :param record: of it, with its inertia.
    :param wheels: records of its wheels.
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

    :param i: its number.
    :param gravity: m/s^2.
    """
    if vehicles.arrays.records['sprung'][i] == 0.0:
        return
    first, last = vehicles.wheel_start[i:i + 2]
    motion = np.zeros(MOTION)
    motion[COM_X], motion[COM_Y] = vehicles.pose[i, :2]
    sink(gravity, terrain.everything, vehicles.arrays.records[i], vehicles.wheels[first:last],
         vehicles.pose[i], motion)
