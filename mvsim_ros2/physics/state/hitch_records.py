# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Records of hitches: joints with a height, through which vehicles load each other's axles."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.physics.state.record_layout import HITCH
from mvsim_ros2.physics.state.vehicles import Vehicles
from mvsim_ros2.world.spec.block import JointSpec

NO_HITCHES = np.zeros(0, HITCH)
_FORCES = ('tow_x', 'tow_y', 'tow_turn', 'tow_pull_x', 'tow_pull_y', 'tow_down', 'tow_along',
           'tow_across')
_ONE_LINE = 1e-6  # m; wheels that are no farther apart along x stand on one axle
_NEAR = 0.05  # m; a hitch nearer to the axle of what rests on it does not hold it level


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
    """
    Write into records which vehicle rests on which; return their order, the last of trains first.

    :raises PhysicsError: where nothing holds a vehicle up.
    """
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
    for name, anchor in ((joint.body_a, joint.anchor_a), (joint.body_b, joint.anchor_b)):
        axle = _axle(vehicles, name)
        if axle is not None and abs(anchor[0] - axle) < _NEAR:
            yield (f'but it is above the only axle of {name!r}, which it cannot hold level: move '
                   'its anchor')


def _axle(vehicles: Vehicles, name: str) -> float | None:
    """Return where along x all wheels of a vehicle stand, None where they do on several axles."""
    row = vehicles.index(name)
    x = vehicles.wheels['x'][vehicles.wheel_start[row]:vehicles.wheel_start[row + 1]]
    return float(x.mean()) if np.ptp(x) < _ONE_LINE else None


def _write(record: Any, vehicles: Vehicles, joint: JointSpec) -> None:
    for side, name, anchor in (
            ('a', joint.body_a, joint.anchor_a), ('b', joint.body_b, joint.anchor_b)):
        row = vehicles.index(name)
        vehicle, body = vehicles.arrays.records[row], vehicles.bodies[row]
        vehicle['tows'] = 1.0
        record[side] = row
        record[f'{side}_x'] = anchor[0] - vehicle['com_x']
        record[f'{side}_y'] = anchor[1] - vehicle['com_y']
        record[f'{side}_lever'] = 1.0 - float(joint.height or 0.0) / vehicle['com_height']
        constants = body.constants
        record[f'{side}_damping'] = constants.linear_damping
        record[f'{side}_turn_damping'] = constants.angular_damping
