# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Joints between vehicles far from the origin, finer than the single precision of the engine.

After each step the engine moves joined bodies together if their anchors are apart. This is some
micrometres, and far from the origin its rounding error: millimetres at 10 km, which also turn
vehicles. If one of joined vehicles is far (see `far_places`), this module moves them by their
velocities and then together, in double precision. It follows the rules of Box2D 2.3
(`b2RevoluteJoint`, `b2RopeJoint` and `b2DistanceJoint`, `SolvePositionConstraints`). Where the
engine has moved one elsewhere, because it pushes bodies apart, its word counts for that one.
"""

from collections.abc import Mapping, Sequence
import math
from typing import Any

import numpy as np

from mvsim_ros2.frames import Array, Records
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.engine.bodies import square
from mvsim_ros2.physics.engine.far_places import (
    centre_at, FAR, GROUP, HELD_ANGLE, HELD_X, HELD_Y, KEPT, refine, TRUE_X, TRUE_Y)
from mvsim_ros2.physics.engine.joints import SHORTEST
from mvsim_ros2.physics.state.record_layout import (
    ANGLE, BAR, COM_X, COM_Y, COS, OMEGA, PIN, ROPE, SIN, SOME_TIES, SOME_VEHICLES, TABLE, TIE, VX,
    VY, X, Y)
from mvsim_ros2.physics.state.vehicles import Vehicles
from mvsim_ros2.world.spec.block import JointSpec

NO_TIES = np.zeros(0, TIE)
# b2_linearSlop, b2_maxLinearCorrection; b2_angularSlop, b2_maxAngularCorrection
SLOP, MOST, ANGLE_SLOP, MOST_ANGLE = 0.005, 0.2, math.radians(2.0), math.radians(8.0)
# m, and of a coordinate: the engine rounds by less where it moves bodies together, half of 1.2e-7
# for each of two places, their two changes, and the distance of the anchors
NEAR, ROUNDED = 2e-5, 6e-7
AT_X, AT_Y, TURNED = range(3)  # columns of where bodies are


@lazy_kernel(0.0, 0, SOME_TIES, SOME_VEHICLES, TABLE, TABLE)
def carry_joined(dt: float, iterations: int, ties: Records, vehicles: Records, motion: Array,
                 places: Array) -> None:
    """
    Carry on the places of joined vehicles after a step, and write them into their motions.

    The bodies of those whose places are kept must be put at `motion`, angles too.

    :param iterations: with which the engine moves joined bodies together.
    :param ties: the joints, group by group.
    :param motion: as read from the engine; changed.
    :param places: rows of the vehicles; changed.
    """
    at = np.zeros((len(vehicles), 3))
    first = 0
    while first < len(ties):
        group, last = ties[first]['group'], first
        while last < len(ties) and ties[last]['group'] == group:
            last += 1
        far, known = False, True
        for i in range(len(vehicles)):
            if places[i, GROUP] == group:
                far = far or abs(motion[i, COM_X]) >= FAR or abs(motion[i, COM_Y]) >= FAR
                known = known and places[i, KEPT] != 0.0
                at[i, AT_X] = places[i, TRUE_X] + dt * motion[i, VX]
                at[i, AT_Y] = places[i, TRUE_Y] + dt * motion[i, VY]
                at[i, TURNED] = places[i, HELD_ANGLE] + dt * motion[i, OMEGA]
        if far and known:
            for _ in range(iterations):
                together = True
                for k in range(first, last):
                    together = _pull(ties[k], at) and together
                if together:
                    break
        for i in range(len(vehicles)):
            if places[i, GROUP] == group:
                slack = NEAR + ROUNDED * max(abs(motion[i, COM_X]), abs(motion[i, COM_Y]))
                _take(far, known and abs(at[i, AT_X] - motion[i, COM_X]) <= slack
                      and abs(at[i, AT_Y] - motion[i, COM_Y]) <= slack,
                      at[i], vehicles[i], motion[i], places[i])
        first = last


@compiled(inlined=True)
def _take(far: bool, known: bool, at: Array, vehicle: np.void, motion: Array, place: Array,
          ) -> None:
    """Take over where a vehicle is: as the engine says, or where `known` as is said here."""
    place[KEPT] = 1.0 if far else 0.0
    if not far:
        return
    if known:
        place[TRUE_X], place[TRUE_Y] = at[AT_X], at[AT_Y]
        angle = np.float32(at[TURNED])
        motion[ANGLE] = angle
        motion[SIN], motion[COS] = np.float32(math.sin(angle)), np.float32(math.cos(angle))
    else:
        place[TRUE_X], place[TRUE_Y] = motion[COM_X], motion[COM_Y]
    refine(motion, place, vehicle['com_x'], vehicle['com_y'])
    place[HELD_ANGLE] = motion[ANGLE]
    place[HELD_X], place[HELD_Y] = centre_at(
        motion[X], motion[Y], motion[SIN], motion[COS], vehicle['com_x'], vehicle['com_y'])


@compiled
def _pull(tie: np.void, at: Array) -> bool:
    """Move two bodies towards where their joint lets them be; return whether they were near."""
    a, b = at[tie['a']], at[tie['b']]
    a_ease, b_ease, a_turn, b_turn = tie['a_ease'], tie['b_ease'], tie['a_turn'], tie['b_turn']
    turn_error = 0.0
    if tie['limited'] != 0.0:
        turn_error, turn = _beyond(tie, b[TURNED] - a[TURNED] - tie['reference'])
        a[TURNED] += a_turn / (a_turn + b_turn) * turn
        b[TURNED] -= b_turn / (a_turn + b_turn) * turn
    cosine, sine = math.cos(a[TURNED]), math.sin(a[TURNED])
    ax, ay = cosine * tie['a_x'] - sine * tie['a_y'], sine * tie['a_x'] + cosine * tie['a_y']
    cosine, sine = math.cos(b[TURNED]), math.sin(b[TURNED])
    bx, by = cosine * tie['b_x'] - sine * tie['b_y'], sine * tie['b_x'] + cosine * tie['b_y']
    gap_x, gap_y = b[AT_X] - a[AT_X] + bx - ax, b[AT_Y] - a[AT_Y] + by - ay
    distance = math.sqrt(gap_x * gap_x + gap_y * gap_y)
    if tie['kind'] == PIN:
        xx = a_ease + b_ease + a_turn * ay * ay + b_turn * by * by
        xy = -a_turn * ax * ay - b_turn * bx * by
        yy = a_ease + b_ease + a_turn * ax * ax + b_turn * bx * bx
        determinant = xx * yy - xy * xy
        push_x = (xy * gap_y - yy * gap_x) / determinant
        push_y = (xy * gap_x - xx * gap_y) / determinant
        error = distance
    else:
        error = distance - tie['length']
        least = 0.0 if tie['kind'] == ROPE else -MOST
        along_x, along_y = gap_x / max(distance, SHORTEST), gap_y / max(distance, SHORTEST)
        arm, other = ax * along_y - ay * along_x, bx * along_y - by * along_x
        push = -min(MOST, max(least, error)) / (
            a_ease + b_ease + a_turn * arm * arm + b_turn * other * other)
        push_x, push_y = push * along_x, push * along_y
        error = abs(error) if tie['kind'] == BAR else error
    a[AT_X] -= a_ease * push_x
    a[AT_Y] -= a_ease * push_y
    a[TURNED] -= a_turn * (ax * push_y - ay * push_x)
    b[AT_X] += b_ease * push_x
    b[AT_Y] += b_ease * push_y
    b[TURNED] += b_turn * (bx * push_y - by * push_x)
    return bool(error <= SLOP and turn_error <= ANGLE_SLOP)


@compiled(inlined=True)
def _beyond(tie: np.void, angle: float) -> tuple[float, float]:
    """Return how far an angle is beyond its limits, and by how much to turn it back [rad]."""
    low, high = tie['lower'], tie['upper']
    if abs(high - low) < 2.0 * ANGLE_SLOP:
        return abs(angle - low), min(MOST_ANGLE, max(-MOST_ANGLE, angle - low))
    if angle <= low:
        return low - angle, min(0.0, max(-MOST_ANGLE, angle - low + ANGLE_SLOP))
    if angle >= high:
        return angle - high, max(0.0, min(MOST_ANGLE, angle - high - ANGLE_SLOP))
    return 0.0, 0.0


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
    tie, longest = rows[0], max(joint.max_length, SHORTEST)
    pinned = joint.kind in ('revolute', 'pin')
    tie['group'], tie['length'], tie['reference'] = group, longest, reference
    tie['kind'] = PIN if pinned else BAR if joint.min_length >= longest else ROPE
    tie['limited'] = pinned and joint.enable_limit
    tie['lower'], tie['upper'] = joint.lower_angle, joint.upper_angle
    for side, name, anchor in (
            ('a', joint.body_a, joint.anchor_a), ('b', joint.body_b, joint.anchor_b)):
        row = vehicles.index(name)
        body = vehicles.bodies[row]
        mass, inertia, *com = body.constants[:4]
        tie[side] = row
        tie[f'{side}_x'], tie[f'{side}_y'] = anchor[0] - com[0], anchor[1] - com[1]
        tie[f'{side}_ease'] = 1.0 / mass
        tie[f'{side}_turn'] = 1.0 / (inertia - mass * square(com))
    return rows
