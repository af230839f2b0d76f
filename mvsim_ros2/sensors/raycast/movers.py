# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
"""
Rays against moving bodies: outlines in body frames, placed anew for every measurement.

Three filters come before the exact test: the bodies are kept in order of x, so that a
scanner looks only at a strip around itself; the rays of a scanner are sorted by direction,
so that a body is tested only by the rays that can meet its bounding circle; and a body
behind what a ray has met already is passed over.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.compiled import compiled
from mvsim_ros2.sensors.raycast.fan import classes_between
from mvsim_ros2.sensors.raycast.fan import direction
from mvsim_ros2.sensors.raycast.fan import SLACK
from mvsim_ros2.sensors.raycast.grid import distance_to_segment


class Outlines(NamedTuple):
    """Outlines of the bodies that move, each in its own frame."""

    segments: NDArray[np.float64]  # (Q, 4): x, y of both ends [m]
    first: NDArray[np.int64]  # (M + 1,): where the segments of a body start
    circles: NDArray[np.float64]  # (M, 3): bounding circle: centre x, y, radius [m]


class Placed(NamedTuple):
    """The same bodies at one instant, in the world."""

    poses: NDArray[np.float64]  # (M, 4): x, y [m], cosine and sine of yaw
    twists: NDArray[np.float64]  # (M, 3): body twists vx, vy [m/s], wz [rad/s]
    centres: NDArray[np.float64]  # (M, 2): centres of the bounding circles [m]
    speeds: NDArray[np.float64]  # (M,): upper bound of the speed of those centres [m/s]
    order: NDArray[np.int64]  # (M,): numbers of the bodies in order of centre x


@compiled
def place(
        outlines: Outlines, poses: NDArray[np.float64], twists: NDArray[np.float64],
        order: NDArray[np.int64]) -> Placed:
    """
    Return the bodies at `poses`.

    :param poses: x, y, yaw in the world, shape (M, 3).
    :param twists: body twists, shape (M, 3).
    :param order: any order of the bodies, best that of the last call; brought up to date.
    """
    count = poses.shape[0]
    placed = np.empty((count, 4))
    centres = np.empty((count, 2))
    speeds = np.empty(count)
    for i in range(count):
        cosine, sine = math.cos(poses[i, 2]), math.sin(poses[i, 2])
        x, y = outlines.circles[i, 0], outlines.circles[i, 1]
        placed[i, 0], placed[i, 1] = poses[i, 0], poses[i, 1]
        placed[i, 2], placed[i, 3] = cosine, sine
        centres[i, 0] = poses[i, 0] + cosine * x - sine * y
        centres[i, 1] = poses[i, 1] + sine * x + cosine * y
        speeds[i] = (math.hypot(twists[i, 0], twists[i, 1])
                     + abs(twists[i, 2]) * math.hypot(x, y))
    for i in range(1, count):  # insertion sort: nearly in order already
        body = order[i]
        k = i
        while k > 0 and centres[order[k - 1], 0] > centres[body, 0]:
            order[k] = order[k - 1]
            k -= 1
        order[k] = body
    return Placed(placed, twists, centres, speeds, order)


@compiled
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
    if abs(angle) < 1e-4:  # series: avoids the quotients of small numbers
        forward = 1.0 - angle * angle / 6.0
        aside = angle / 2.0
    else:
        forward = math.sin(angle) / angle
        aside = (1.0 - math.cos(angle)) / angle
    ahead = time * (forward * vx - aside * vy)
    left = time * (aside * vx + forward * vy)
    turn_cosine, turn_sine = math.cos(angle), math.sin(angle)
    return (x + cosine * ahead - sine * left, y + sine * ahead + cosine * left,
            cosine * turn_cosine - sine * turn_sine, sine * turn_cosine + cosine * turn_sine)


@compiled
def meet_movers(
        outlines: Outlines, placed: Placed, ignored: int, rays: NDArray[np.int64],
        start: NDArray[np.int64], origins: NDArray[np.float64],
        directions: NDArray[np.float64], times: NDArray[np.float64], limit: float,
        ranges: NDArray[np.float64]) -> None:
    """
    Shorten `ranges` to the nearest body that each ray meets.

    :param ignored: number of the body that is not seen, or -1.
    :param rays: what `fan.sort_rays` returned, as `start`.
    :param origins: where the rays start [m], shape (N, 2).
    :param directions: unit vectors, shape (N, 2).
    :param times: when each ray measures [s], 0 at the instant of `placed`, shape (N,).
    :param limit: largest distance of interest [m].
    :param ranges: distance to what a ray has met so far [m], inf for nothing, shape (N,).
    """
    count = ranges.shape[0]
    bodies = placed.order.shape[0]
    if count == 0 or bodies == 0 or (bodies == 1 and ignored == 0):
        return
    farthest, spread, sweep = 0.0, 0.0, 0.0
    eye_x, eye_y = origins[0, 0], origins[0, 1]
    for i in range(count):
        farthest = max(farthest, min(ranges[i], limit))
        x, y = origins[i, 0] - eye_x, origins[i, 1] - eye_y
        spread = max(spread, x * x + y * y)
        sweep = max(sweep, abs(times[i]))
    spread = math.sqrt(spread)
    widest = 0.0
    for i in range(bodies):
        widest = max(widest, outlines.circles[i, 2] + placed.speeds[i] * sweep)
    reach = farthest + spread + widest + SLACK
    left, right = 0, bodies
    while left < right:  # first body that is not on the left of the eye
        middle = (left + right) // 2
        if placed.centres[placed.order[middle], 0] < eye_x:
            left = middle + 1
        else:
            right = middle
    for _ in range(bodies):  # the nearest in x first: they hide others
        to_left = eye_x - placed.centres[placed.order[left - 1], 0] if left > 0 else math.inf
        to_right = (placed.centres[placed.order[right], 0] - eye_x if right < bodies
                    else math.inf)
        if min(to_left, to_right) > reach:
            break
        if to_left < to_right:
            left -= 1
            body = placed.order[left]
        else:
            body = placed.order[right]
            right += 1
        away_x = placed.centres[body, 0] - eye_x
        away_y = placed.centres[body, 1] - eye_y
        radius = outlines.circles[body, 2] + placed.speeds[body] * sweep + spread + SLACK
        away = math.sqrt(away_x * away_x + away_y * away_y)
        if body == ignored or away - radius > farthest:
            continue
        first, last = 0, count - 1
        if away > radius:
            # directions of the two tangents from the eye to the circle
            length = math.sqrt(away * away - radius * radius)
            first, last = classes_between(
                direction(away_x * length + away_y * radius, away_y * length - away_x * radius),
                direction(away_x * length - away_y * radius, away_y * length + away_x * radius),
                count)
        begin, end = start[first], start[min(last + 1, count)]
        if last >= count:
            end += start[last + 1 - count]
        for k in range(begin, end):
            i = rays[k if k < count else k - count]
            if away - radius > ranges[i]:
                continue
            x, y = placed.poses[body, 0], placed.poses[body, 1]
            cosine, sine = placed.poses[body, 2], placed.poses[body, 3]
            if times[i] != 0.0:
                x, y, cosine, sine = moved(
                    x, y, cosine, sine, placed.twists[body, 0], placed.twists[body, 1],
                    placed.twists[body, 2], times[i])
            # the ray in the frame of the body
            ox = cosine * (origins[i, 0] - x) + sine * (origins[i, 1] - y)
            oy = cosine * (origins[i, 1] - y) - sine * (origins[i, 0] - x)
            dx = cosine * directions[i, 0] + sine * directions[i, 1]
            dy = cosine * directions[i, 1] - sine * directions[i, 0]
            across = (dx * (outlines.circles[body, 1] - oy)
                      - dy * (outlines.circles[body, 0] - ox))
            if abs(across) > outlines.circles[body, 2] + SLACK:
                continue
            for edge in range(outlines.first[body], outlines.first[body + 1]):
                distance = distance_to_segment(
                    ox, oy, dx, dy, outlines.segments[edge, 0],
                    outlines.segments[edge, 1], outlines.segments[edge, 2],
                    outlines.segments[edge, 3])
                if distance < ranges[i]:
                    ranges[i] = distance
