# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Places of vehicles far from the origin, finer than the single precision of the engine.

At 10 km positions of the engine are 1 mm apart, and a slow body does not move: rounding removes
each of its steps. Its velocities are as fine as anywhere. So from `FAR` on, a second position in
double precision moves by the velocity; the body is put where that is, to the nearest number. Where
the engine moves a body by anything else than its velocity, because it pushes bodies apart, its
word counts.

After each step the engine moves joined bodies together if their anchors are apart. This is some
micrometres, and far from the origin its rounding error: millimetres at 10 km, which also turn
vehicles. If one of joined vehicles is far, `carry_joined` moves them by their velocities and then
together, in double precision. It follows the rules of Box2D 2.3 (`b2RevoluteJoint`, `b2RopeJoint`
and `b2DistanceJoint`, `SolvePositionConstraints`).
"""

import math

import numpy as np

from mvsim_ros2.frames import Array, Pose, Records
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.state.record_layout import (
    ANGLE, BAR, COM_X, COM_Y, COS, GROUP, HELD_ANGLE, HELD_X, HELD_Y, KEPT, OMEGA, PIN, ROPE, ROW,
    SIN, SOME_TIES, SOME_VEHICLES, TABLE, TIE, TRUE_X, TRUE_Y, VX, VY, X, Y)

FAR = 64.0  # m; nearer to the origin the places of the engine are fine enough
ROUNDED = 1.25e-7  # of a coordinate; the engine rounds a place by less
NO_TIES = np.zeros(0, TIE)
# b2_linearSlop, b2_maxLinearCorrection; b2_angularSlop, b2_maxAngularCorrection
SLOP, MOST, ANGLE_SLOP, MOST_ANGLE = 0.005, 0.2, math.radians(2.0), math.radians(8.0)
# m, and of a coordinate: the engine rounds by less where it moves bodies together, half of 1.2e-7
# for each of two places, their two changes, and the distance of the anchors
NEAR, JOINED_ROUNDED = 2e-5, 6e-7
AT_X, AT_Y, TURNED = range(3)  # columns of where bodies are


@compiled
def centre_at(x: float, y: float, sine: float, cosine: float, local_x: float, local_y: float,
              ) -> tuple[float, float]:
    """Return where the engine has the centre of mass of a body that is put at x, y."""
    s, c = np.float32(sine), np.float32(cosine)
    at_x, at_y = np.float32(local_x), np.float32(local_y)
    return (float(np.float32(np.float32(c * at_x) - np.float32(s * at_y)) + np.float32(x)),
            float(np.float32(np.float32(s * at_x) + np.float32(c * at_y)) + np.float32(y)))


@compiled
def refine(motion: Array, place: Array, com_x: float, com_y: float) -> None:
    """Write the place that is kept into the motion of a body."""
    cosine, sine = motion[COS], motion[SIN]
    motion[COM_X], motion[COM_Y] = place[TRUE_X], place[TRUE_Y]
    motion[X] = place[TRUE_X] - (cosine * com_x - sine * com_y)
    motion[Y] = place[TRUE_Y] - (sine * com_x + cosine * com_y)


@compiled
def carry(dt: float, com_x: float, com_y: float, motion: Array, place: Array) -> bool:
    """
    Carry on the place of a vehicle after a step, and write it into its motion where it is far.

    Not of those that are joined: see `carry_joined`.

    :param com_x: its centre of mass in its frame [m]; so com_y.
    :param motion: of its body as read from the engine; changed.
    :param place: its row; changed.
    :returns: whether the body must be put at `motion`, to the nearest number.
    """
    if place[GROUP] != 0.0:
        return False
    now_x, now_y = motion[COM_X], motion[COM_Y]
    if not (abs(now_x) >= FAR or abs(now_y) >= FAR):
        place[KEPT] = 0.0
        return False
    return carry_far(dt, com_x, com_y, motion, place)


@lazy_kernel(0.0, 0.0, 0.0, ROW, ROW)
def carry_far(dt: float, com_x: float, com_y: float, motion: Array, place: Array) -> bool:
    """Do what `carry` does for a vehicle that is far."""
    now_x, now_y = motion[COM_X], motion[COM_Y]
    if place[KEPT] == 0.0:
        place[KEPT] = 1.0
        place[TRUE_X], place[TRUE_Y] = now_x, now_y
    else:
        way_x, way_y = dt * motion[VX], dt * motion[VY]
        slack = ROUNDED * max(abs(now_x), abs(now_y))
        if (abs(now_x - place[HELD_X] - way_x) <= slack
                and abs(now_y - place[HELD_Y] - way_y) <= slack):
            place[TRUE_X] += way_x
            place[TRUE_Y] += way_y
        else:
            place[TRUE_X], place[TRUE_Y] = now_x, now_y
    place[HELD_X], place[HELD_Y] = now_x, now_y
    engine_x, engine_y = motion[X], motion[Y]
    refine(motion, place, com_x, com_y)
    if np.float32(motion[X]) == engine_x and np.float32(motion[Y]) == engine_y:
        return False
    place[HELD_X], place[HELD_Y] = centre_at(
        motion[X], motion[Y], motion[SIN], motion[COS], com_x, com_y)
    return True


def recall(com: Array, motion: Array, places: Array) -> None:
    """
    Write the places that are kept into motions just read, where the engine still has them.

    :param com: centres of mass in the frames of their bodies, shape (V, 2).
    """
    for row, place, centre in zip(motion, places, com, strict=True):
        if place[KEPT] and (place[HELD_X], place[HELD_Y]) == (row[COM_X], row[COM_Y]):
            refine(row, place, *centre.tolist())
        else:
            place[KEPT] = 0.0


def keep(place: Array, pose: Pose, com: Array, held: tuple[float, float]) -> None:
    """
    Keep the place of a vehicle that was put somewhere.

    :param place: its row; changed.
    :param com: its centre of mass in its frame [m].
    :param held: where the engine has that.
    """
    cosine, sine = math.cos(pose.yaw), math.sin(pose.yaw)
    place[:GROUP] = (max(abs(held[0]), abs(held[1])) >= FAR, *held,
                     pose.x + cosine * com[0] - sine * com[1],
                     pose.y + sine * com[0] + cosine * com[1], np.float32(pose.yaw))


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
                slack = NEAR + JOINED_ROUNDED * max(abs(motion[i, COM_X]), abs(motion[i, COM_Y]))
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
        along_x, along_y = gap_x / max(distance, SLOP), gap_y / max(distance, SLOP)
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
