# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Springs of tyres: their records, where they come to rest; how fast height and lean change."""

from collections.abc import Sequence
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.physics.ground.terrain import Terrain
from mvsim_ros2.physics.physical.suspension import ride
from mvsim_ros2.physics.physical.tyre_springs import bounce, put_on_springs
from mvsim_ros2.physics.physical.wheel_loads import plane
from mvsim_ros2.physics.state.vehicles import Vehicles
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec
from mvsim_ros2.world.spec.vehicle.wheel import WheelSpec

Array = NDArray[np.float64]

_LONG = 1e4  # s; an implicit step of that length ends at rest


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
                'it or another one is a spring or damper: give it to all wheels, or to none '
                'and no tyre_damping either')
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
                'suspension_stiffness, but it or another one is suspended: give it to all wheels, '
                'or to none, and no other part of a suspension either')
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
                'axle has the same: give both wheels of an axle the same one')
    places = np.array([wheel.pos[:2] for wheel in wheels])
    if plane(places[:, 0], places[:, 1], np.ones(len(wheels), np.bool_), 1.0, 0.0, 0.0)[3]:
        raise PhysicsError(
            f'{wheels[0].source}: all wheels of vehicle {vehicle.name!r} stand on one line: '
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

    Wheels on one line leave the body free to lean along that line only. A vehicle that moves as
    it is told has no springs.

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
    x, y = wheels['x'] - record['com_x'], wheels['y'] - record['com_y']
    along, across = float(record['pitch_inertia']), float(record['roll_inertia'])
    record['line_x'], record['line_y'] = 1.0, 0.0
    record['inertia_along'], record['inertia_across'] = along, across
    if plane(x, y, np.ones(len(x), np.bool_), 1.0, 0.0, 0.0)[3]:
        far = int(np.argmax(np.hypot(x - x[0], y - y[0])))
        angle = math.atan2(y[far] - y[0], x[far] - x[0])
        cosine, sine = math.cos(angle), math.sin(angle)
        record['line_x'], record['line_y'] = cosine, sine
        record['inertia_along'] = cosine ** 2 * along + sine ** 2 * across
        record['inertia_across'] = 0.0


def rates(record: np.void, turning: float) -> tuple[Array, Array]:
    """
    Return how fast z, pitch and roll of a vehicle on springs change, and how that changes.

    :param turning: its yaw rate [rad/s]: the slope below it turns in its axes.
    """
    x, y = float(record['slant_x']), float(record['slant_y'])
    pitch = -math.asin(min(max(x, -0.99), 0.99))
    flat = math.cos(pitch)
    upright = math.sqrt(max(flat ** 2 - y ** 2, 0.01))
    slope_x = -math.sin(record['stand_pitch'])
    slope_y = math.cos(record['stand_pitch']) * math.sin(record['stand_roll'])

    def row(kind: str, turned_x: float, turned_y: float) -> Array:
        rise, along, across = (
            float(record[f'{name}_{kind}']) for name in ('rise', 'slant_x', 'slant_y'))
        return np.array((
            rise - along * record['com_x'] - across * record['com_y'],
            -(along + turned_x) / flat, (across + turned_y) / upright))
    return row('rate', turning * slope_y, -turning * slope_x), row('change', 0.0, 0.0)


def rest(terrain: Terrain, vehicles: Vehicles, i: int, gravity: float) -> None:
    """
    Let a vehicle that was put on the ground sink into its springs until it rests.

    :param i: its number.
    :param gravity: m/s^2.
    """
    record, place = vehicles.arrays.records[i], vehicles.pose[i]
    if record['sprung'] == 0.0:
        return
    wheels = vehicles.wheels[vehicles.wheel_start[i]:vehicles.wheel_start[i + 1]]
    slope_x, slope_y = -math.sin(place[4]), math.cos(place[4]) * math.sin(place[5])
    cosine, sine = math.cos(place[3]), math.sin(place[3])
    flat = math.cos(place[4])
    lean = math.sin(place[4]) * math.sin(place[5])
    for wheel in wheels:
        ahead, aside = flat * wheel['x'] + lean * wheel['y'], math.cos(place[5]) * wheel['y']
        wheel['under'] = wheel['ground'] = terrain.ground_below(
            place[0] + cosine * ahead - sine * aside, place[1] + sine * ahead + cosine * aside,
            place[2] + slope_x * wheel['x'] + slope_y * wheel['y'] + wheel['radius'])
    for name, value in (
            ('stand_z', place[2]), ('stand_yaw', place[3]), ('stand_pitch', place[4]),
            ('stand_roll', place[5]), ('slant_x', slope_x), ('slant_y', slope_y),
            ('rise', place[2] + slope_x * record['com_x'] + slope_y * record['com_y']),
            ('pull_along', gravity * slope_x), ('pull_across', gravity * slope_y),
            ('rise_rate', 0.0), ('slant_x_rate', 0.0), ('slant_y_rate', 0.0)):
        record[name] = value
    sink = gravity * record['mass'] / wheels['tyre_stiffness'].sum()
    for wheel in wheels:  # pressed in, so that all carry unless one is found not to
        wheel['hub'] = record['rise'] - sink + slope_x * (
            wheel['x'] - record['com_x']) + slope_y * (wheel['y'] - record['com_y'])
    (ride if record['suspended'] else bounce)(
        _LONG, gravity, record, wheels, place.copy(), 0.0)
    wheels['hub_rate'] = 0.0
    for name in ('rise', 'slant_x', 'slant_y'):
        record[f'{name}_rate'] = record[f'{name}_change'] = 0.0
    put_on_springs(vehicles.arrays.records[i:i + 1], vehicles.pose[i:i + 1])
