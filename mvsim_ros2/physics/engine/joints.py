# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Joints between two bodies: in the engine, and as records for kernels.

Box2D 2.3 has pins, ropes, bars and springs. The original's distance joint (Box2D 2.4) keeps the
distance between `min_length` and `max_length`; with a stiffness it is also a spring whose rest
length is `max_length`. Here

* a rope is `b2RopeJoint` at `max_length`,
* a bar, where both lengths are equal, is a rigid `b2DistanceJoint`,
* a spring is a soft `b2DistanceJoint` together with the rope. Its frequency and damping ratio are
  those of stiffness and damping for the reduced mass of both bodies, as Box2D 2.4 converts them.

A tie is a joint between vehicles that `far_places` keeps together. A hitch is one with a height,
through which vehicles load each other's axles.
"""

from collections.abc import Iterator, Mapping, Sequence
import logging
import math
from typing import Any

import numpy as np

from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.physics.engine import bridge
from mvsim_ros2.physics.engine.bodies import Body, square, Standing, World
from mvsim_ros2.physics.engine.far_places import NO_TIES, SLOP
from mvsim_ros2.physics.state.record_layout import (
    BAR, CARRIED, FOLLOWS, GROUP, HITCH, HITCHED, LEANS, PIN, ROPE, TIE)
from mvsim_ros2.physics.state.vehicles import Vehicles
from mvsim_ros2.world.spec.block import JointSpec
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec

_LOG = logging.getLogger(__name__)
NO_HITCHES = np.zeros(0, HITCH)
_FORCES = ('tow_x', 'tow_y', 'tow_turn', 'tow_pull_x', 'tow_pull_y', 'tow_down', 'tow_along',
           'tow_across')
_ONE_LINE = 1e-6  # m; wheels that are no farther apart along x stand on one axle
_NEAR = 0.05  # m; a hitch nearer to the axle of what rests on it does not hold it level


def connect(world: World, joint: JointSpec, bodies: Mapping[str, Body | Standing | None]) -> float:
    """
    Make a joint between bodies that stand where they do at load.

    :param bodies: of vehicles and blocks by name, None for one that has none.
    :returns: the angle from the first to the second body, from which limits count [rad].
    :raises PhysicsError: where one of them has no body.
    """
    a, b = (_body_of(name, joint, bodies) for name in (joint.body_a, joint.body_b))
    ends = world.address, a.address, b.address, *joint.anchor_a, *joint.anchor_b
    angle = b.place[2] - a.place[2]
    if joint.kind in ('revolute', 'pin'):
        bridge.revolute_joint_new(
            *ends, angle, joint.enable_limit, joint.lower_angle, joint.upper_angle)
        return angle
    longest = max(joint.max_length, SLOP)
    if joint.min_length >= longest:
        bridge.distance_joint_new(*ends, longest, 0.0, 0.0)
        return angle
    if joint.min_length > SLOP:
        _LOG.warning(
            '%s: min_length has an effect only if it is equal to max_length: this joint only '
            'limits the distance to %g m', joint.source, longest)
    bridge.rope_joint_new(*ends, longest)
    if joint.stiffness > 0.0:
        frequency, ratio = spring(joint.stiffness, joint.damping, *(
            1.0 / mass if mass > 0.0 else 0.0 for mass in (
                a.constants.mass, b.constants.mass)))
        bridge.distance_joint_new(*ends, longest, frequency, ratio)
    return angle


def _body_of(name: str, joint: JointSpec, bodies: Mapping[str, Body | Standing | None]) -> Body:
    body = bodies.get(name)
    if body is None:
        raise PhysicsError(
            f'{joint.source}: the joint names {name!r}, which is no vehicle and no block that '
            'is solid: give the name of another, or take the joint out')
    assert isinstance(body, Body), 'what is joined has a body of its own'
    return body


def _ends(joint: JointSpec) -> tuple[tuple[str, str, Sequence[float]], ...]:
    """Return of both bodies the letter in records, the name and the anchor."""
    return ('a', joint.body_a, joint.anchor_a), ('b', joint.body_b, joint.anchor_b)


def spring(stiffness: float, damping: float, inverse_a: float,
           inverse_b: float) -> tuple[float, float]:
    """
    Return frequency [Hz] and damping ratio of a spring between two masses.

    :param stiffness: N/m.
    :param damping: N s/m.
    :param inverse_a: 1 / mass of the first body [1/kg], 0 for one that does not give way.
    """
    if inverse_a + inverse_b <= 0.0:
        return 0.0, 0.0
    mass = 1.0 / (inverse_a + inverse_b)
    omega = math.sqrt(stiffness / mass)
    return omega / (2.0 * math.pi), damping / (2.0 * mass * omega)


def find_hitches(vehicles: Sequence[VehicleSpec], joints: Sequence[JointSpec],
                 records: Any) -> None:
    """
    Write into the records of vehicles what puts them on the ground, and their hitches.

    Those that lean on ends of their chassis go on with it, where they have no hitch.
    """
    for vehicle, record in zip(vehicles, records, strict=True):
        if vehicle.animation is not None:
            record['ground'] = CARRIED
        elif record['ground'] != LEANS:
            record['ground'] = FOLLOWS
        for joint in joints:
            if vehicle.name in (joint.body_a, joint.body_b) and vehicle.animation is None:
                record['ground'] = HITCHED
                record['hitch_x'], record['hitch_y'] = (
                    joint.anchor_a if vehicle.name == joint.body_a else joint.anchor_b)


def ties_between(vehicles: Vehicles, joints: Sequence[JointSpec],
                 references: Mapping[JointSpec, float]) -> Any:
    """
    Return the joints of vehicles that are joined to each other only, group by group.

    The rows of the vehicles have their group, 0 for none and for joints to blocks or kinematic
    bodies, whose places the engine knows best.

    :param references: angle from the first to the second body at load [rad].
    """
    vehicles.arrays.places[:, GROUP] = 0.0
    groups: list[list[JointSpec]] = []
    for joint in joints:
        ends = {joint.body_a, joint.body_b}
        near = [group for group in groups
                if any(ends & {other.body_a, other.body_b} for other in group)]
        groups = [group for group in groups if group not in near]
        groups.append([*(other for group in near for other in group), joint])
    rows = []
    for number, group in enumerate(groups, 1):
        names = {name for joint in group for name in (joint.body_a, joint.body_b)}
        if all(name in vehicles and vehicles.specs[vehicles.index(name)].animation is None
               for name in names):
            for name in names:
                vehicles.arrays.places[vehicles.index(name), GROUP] = number
            rows += [_tie(number, vehicles, joint, references[joint]) for joint in group]
    return np.concatenate(rows) if rows else NO_TIES


def _tie(group: int, vehicles: Vehicles, joint: JointSpec, reference: float) -> Any:
    rows = np.zeros(1, TIE)
    tie, longest = rows[0], max(joint.max_length, SLOP)
    pinned = joint.kind in ('revolute', 'pin')
    tie['group'], tie['length'], tie['reference'] = group, longest, reference
    tie['kind'] = PIN if pinned else BAR if joint.min_length >= longest else ROPE
    tie['limited'] = pinned and joint.enable_limit
    tie['lower'], tie['upper'] = joint.lower_angle, joint.upper_angle
    for side, name, anchor in _ends(joint):
        tie[side] = row = vehicles.index(name)
        mass, inertia, *com = vehicles.bodies[row].constants[:4]
        tie[f'{side}_x'], tie[f'{side}_y'] = anchor[0] - com[0], anchor[1] - com[1]
        tie[f'{side}_ease'] = 1.0 / mass
        tie[f'{side}_turn'] = 1.0 / (inertia - mass * square(com))
    return rows


def hitch_records(vehicles: Vehicles, joints: Sequence[JointSpec], physical: bool) -> Any:
    """
    Return the hitches between vehicles, in the order in which their vertical loads are known.

    The records of vehicles say who has some. One with wheels on a single axle rests on the hitch
    to one that has several, or that rests on such a one itself.

    :raises PhysicsError: where a joint has a height that cannot act.
    """
    hitches = [joint for joint in joints if joint.height is not None]
    records = vehicles.arrays.records
    records['tows'] = 0.0
    joined = {name for joint in joints for name in (joint.body_a, joint.body_b)}
    records['joined'] = [name in joined for name in vehicles.names]
    found = np.zeros(len(hitches), HITCH)
    for record, joint in zip(found, hitches, strict=True):
        for problem in _problems(vehicles, joint, physical):
            raise _refusal(joint, problem)
        _write(record, vehicles, joint)
    for name in _FORCES:
        records[name][records['tows'] == 0.0] = 0.0
    return found[_who_rests(found, vehicles, hitches)] if hitches else found


def _refusal(joint: JointSpec, problem: str) -> PhysicsError:
    return PhysicsError(f'{joint.source}: the joint of {joint.body_a!r} and {joint.body_b!r} has '
                        f'a height, {problem}')


def _who_rests(found: Any, vehicles: Vehicles, hitches: Sequence[JointSpec]) -> list[int]:
    """Write who rests on whom into records; return their order, the last of trains first."""
    axles = [_axle(vehicles, name) for name in vehicles.names]
    upright = [axle is None for axle in axles]
    left, order = list(range(len(found))), []
    while left:
        ready = [k for k in left if upright[found[k]['a']] or upright[found[k]['b']]]
        if not ready:
            raise _refusal(hitches[left[0]], 'but both stand on one axle each, and nothing holds '
                           'the hitch up: leave the height out')
        for k in ready:
            for side, sign in (('a', -1), ('b', 1)):
                row = int(found[k][side])
                axle = axles[row]
                if not upright[row] and axle is not None:
                    found[k]['rests'] = sign
                    found[k]['axle'] = axle - vehicles.arrays.records['com_x'][row]
                    upright[row] = True
        order += ready
        left = [k for k in left if k not in ready]
    return order[::-1]


def _problems(vehicles: Vehicles, joint: JointSpec, physical: bool) -> Iterator[str]:
    """Yield why the height of a joint cannot act."""
    if not physical:
        yield "which physics mode 'mvsim' does not have: use mode 'physical', or leave it out"
    for name in (joint.body_a, joint.body_b):
        if name not in vehicles.names:
            yield f'but {name!r} is no vehicle: leave the height out'
        row = vehicles.index(name)
        record = vehicles.arrays.records[row]
        if vehicles.specs[row].animation is not None:
            yield f'but {name!r} moves by an <animation>: leave the height out'
        if record['sprung'] != 0.0:
            yield (f'but {name!r} has springs: loads of hitches act on hard tyres only, leave out '
                   'one of both')
        if record['com_height'] <= 0.0:
            yield f'but the centre of mass of {name!r} is not above the ground: raise its zmax'
    for _, name, anchor in _ends(joint):
        axle = _axle(vehicles, name)
        if axle is not None and abs(anchor[0] - axle) < _NEAR:
            yield (f'but it is above the only axle of {name!r}, which it cannot hold level: move '
                   'its anchor')


def _axle(vehicles: Vehicles, name: str) -> float | None:
    """Return where along x all wheels of a vehicle stand, None where they do on several axles."""
    x = vehicles.wheels_of(vehicles.index(name))['x']
    return float(x.mean()) if np.ptp(x) < _ONE_LINE else None


def _write(record: Any, vehicles: Vehicles, joint: JointSpec) -> None:
    for side, name, anchor in _ends(joint):
        row = vehicles.index(name)
        vehicle, constants = vehicles.arrays.records[row], vehicles.bodies[row].constants
        vehicle['tows'] = 1.0
        record[side] = row
        record[f'{side}_x'] = anchor[0] - vehicle['com_x']
        record[f'{side}_y'] = anchor[1] - vehicle['com_y']
        record[f'{side}_lever'] = 1.0 - float(joint.height or 0.0) / vehicle['com_height']
        record[f'{side}_damping'] = constants.linear_damping
        record[f'{side}_turn_damping'] = constants.angular_damping
