# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Places of vehicles far from the origin, finer than the single precision of the engine.

At 10 km positions of the engine are 1 mm apart, and a slow body does not move: rounding removes
each of its steps. Its velocities are as fine as anywhere. So from `FAR` on, a second position in
double precision moves by the velocity; the body is put where that is, to the nearest number. Where
the engine moves a body by anything else than its velocity, because it pushes bodies apart, its
word counts.
"""

import math

import numpy as np

from mvsim_ros2.frames import Array, Pose
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.state.record_layout import COM_X, COM_Y, COS, ROW, SIN, VX, VY, X, Y

FAR = 64.0  # m; nearer to the origin the places of the engine are fine enough
ROUNDED = 1.25e-7  # of a coordinate; the engine rounds a place by less
# columns: 1 where a place is kept; the centre of mass as the engine has it; and as it is; of what
# is joined the angle [rad] and the group, 0 for none: see `far_joints`
KEPT, HELD_X, HELD_Y, TRUE_X, TRUE_Y, HELD_ANGLE, GROUP = range(7)
PLACE = 7


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

    Not of those that are joined: see `far_joints`.

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
