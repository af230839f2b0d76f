# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Rays of one scan: origins, directions and times.

Directions are compared by a number that increases with the bearing and needs no trigonometry. Rays
are sorted into as many classes of direction as there are rays, so a shape is tested only by rays
that can hit it.
"""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled

Noise = NDArray[np.float32]

# columns of the array of scans
X, Y, YAW = 0, 1, 2  # pose of the vehicle at the end of the scan
VX, VY, WZ = 3, 4, 5  # its twist in the body frame
MOUNT_X, MOUNT_Y = 6, 7  # position of the sensor on it [m]
INCREMENT = 8  # time between rays [s]; the last one is at the end of the scan
MIN_RANGE, MAX_RANGE = 9, 10  # m
RANGE_NOISE, ANGLE_NOISE = 11, 12  # standard deviations [m, rad]
IGNORED = 13  # number of the mover that is ignored, or -1
GRIDS_ONLY = 14  # 1: occupancy grids only
PATH = 15  # row of `paths` of its first ray, -1: constant twist
HEIGHT = 16  # of the plane of the scan in the world [m], NaN: things count at any height
COLUMNS = 17

# rows of rays: x, y of origin and direction, time [s]
EYE_X, EYE_Y, ALONG_X, ALONG_Y, TIME = range(5)
RAY = 5
# of sorted rays also: distance of the closest hit so far [m], and intensity
NEAR, STRENGTH = 5, 6
LANES = 7


@compiled(counted=False)
def direction(x: float, y: float, aside: float) -> float:
    """
    Return a number in 0 .. 4 that increases with the bearing of a point from the origin.

    :param aside: radius of a circle around the point: for the direction of its left tangent,
        or the right one where it is negative.
    """
    if aside != 0.0:
        length = math.sqrt(x * x + y * y - aside * aside)
        x, y = x * length - y * aside, y * length + x * aside
    length = abs(x) + abs(y)
    if length == 0.0:
        return 0.0
    return 1.0 - x / length if y >= 0.0 else 3.0 + x / length


@compiled(counted=False)
def moved(
        x: float, y: float, cosine: float, sine: float, vx: float, vy: float, wz: float,
        time: float) -> tuple[float, float, float, float]:
    """
    Return x, y, cosine and sine of yaw after `time` [s] of constant body twist.

    The motion is the exponential of the twist: a circular arc.

    :param vx: forward velocity [m/s], as `vy` to the left in the body frame.
    :param wz: yaw rate [rad/s].
    """
    angle = wz * time
    turn_cosine, turn_sine = math.cos(angle), math.sin(angle)
    if abs(angle) < 1e-4:  # series: avoids quotients of small numbers
        forward = 1.0 - angle * angle / 6.0
        aside = angle / 2.0
    else:
        forward = turn_sine / angle
        aside = (1.0 - turn_cosine) / angle
    ahead = time * (forward * vx - aside * vy)
    left = time * (aside * vx + forward * vy)
    return (x + cosine * ahead - sine * left, y + sine * ahead + cosine * left,
            cosine * turn_cosine - sine * turn_sine, sine * turn_cosine + cosine * turn_sine)


@compiled(counted=False)
def lay_rays(
        scans: Array, k: int, begin: int, count: int, paths: Array, headings: Array,
        angle_normals: Noise, rays: Array) -> None:
    """
    Fill in the rays of scan `k`, in the world, see `scan.measure_scans`.

    :param begin: index of its first ray among those of all scans, `count` their number.
    :param rays: filled in, shape (RAY, N), N at least `count`.
    """
    cosine, sine = math.cos(scans[k, YAW]), math.sin(scans[k, YAW])
    x, y, end_cosine, end_sine = scans[k, X], scans[k, Y], cosine, sine
    increment, noise, path = scans[k, INCREMENT], scans[k, ANGLE_NOISE], int(scans[k, PATH])
    for i in range(count):
        time = increment * (i + 1 - count)
        if path >= 0:
            x, y, cosine, sine = (paths[path + i, 0], paths[path + i, 1], paths[path + i, 2],
                                  paths[path + i, 3])
        elif time != 0.0:
            x, y, cosine, sine = moved(
                scans[k, X], scans[k, Y], end_cosine, end_sine, scans[k, VX], scans[k, VY],
                scans[k, WZ], time)
        elif i > 0 and increment != 0.0:
            x, y, cosine, sine = scans[k, X], scans[k, Y], end_cosine, end_sine
        hx, hy = headings[begin + i, 0], headings[begin + i, 1]
        if noise > 0.0:
            hx, hy = turn_aside(hx, hy, noise * angle_normals[begin + i])
        rays[EYE_X, i] = x + cosine * scans[k, MOUNT_X] - sine * scans[k, MOUNT_Y]
        rays[EYE_Y, i] = y + sine * scans[k, MOUNT_X] + cosine * scans[k, MOUNT_Y]
        rays[ALONG_X, i] = cosine * hx - sine * hy
        rays[ALONG_Y, i] = sine * hx + cosine * hy
        rays[TIME, i] = time


@compiled(inlined=True)
def turn_aside(x: float, y: float, angle: float) -> tuple[float, float]:
    """Return a vector turned by a small angle [rad]."""
    square = angle * angle
    if square > 1e-3:
        cosine, sine = math.cos(angle), math.sin(angle)
    else:  # series: exact to double precision here, and faster
        cosine = 1.0 - square / 2.0 * (1.0 - square / 12.0 * (1.0 - square / 30.0))
        sine = angle * (1.0 - square / 6.0 * (1.0 - square / 20.0 * (1.0 - square / 42.0)))
    return cosine * x - sine * y, sine * x + cosine * y


@compiled(counted=False)
def sort_rays(
        count: int, rays: Array, sorting: NDArray[np.int64], lanes: Array) -> None:
    """
    Sort rays by class of direction.

    :param sorting: filled in, shape (3, N + 1). Row 0: indices of the rays in order of their
        class. Row 1: first ray of each class. Row 2: scratch.
    :param lanes: filled in, the rays in this order, shape (LANES, N); not their hits.
    """
    for i in range(count):
        sorting[2, i] = min(count - 1, int(
            0.25 * count * direction(rays[ALONG_X, i], rays[ALONG_Y, i], 0.0)))
    for i in range(count + 1):
        sorting[1, i] = 0
    for i in range(count):
        sorting[1, sorting[2, i]] += 1
    total = 0
    for i in range(count + 1):  # to ends of the classes
        total += sorting[1, i]
        sorting[1, i] = total
    for i in range(count - 1, -1, -1):  # each taken ray moves the end to the start
        number = sorting[2, i]
        sorting[1, number] -= 1
        sorting[0, sorting[1, number]] = i
    for row in range(RAY):
        for k in range(count):
            lanes[row, k] = rays[row, sorting[0, k]]
