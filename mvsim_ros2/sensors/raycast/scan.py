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
"""Scans of any number of planar LiDARs in one call: rays, distances, noise and limits."""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.compiled import compiled
from mvsim_ros2.sensors.raycast.fan import meet_segments
from mvsim_ros2.sensors.raycast.fan import sort_rays
from mvsim_ros2.sensors.raycast.grid import meet_grid
from mvsim_ros2.sensors.raycast.grid import SegmentGrid
from mvsim_ros2.sensors.raycast.movers import meet_movers
from mvsim_ros2.sensors.raycast.movers import moved
from mvsim_ros2.sensors.raycast.movers import Outlines
from mvsim_ros2.sensors.raycast.movers import place
from mvsim_ros2.sensors.raycast.movers import Placed

_FEW_SEGMENTS = 1024  # up to here testing all of them is the fastest

SCAN = np.dtype([
    ('x', 'f8'), ('y', 'f8'), ('yaw', 'f8'),  # pose of the vehicle at the end of the scan
    ('vx', 'f8'), ('vy', 'f8'), ('wz', 'f8'),  # its twist in the body frame
    ('mount_x', 'f8'), ('mount_y', 'f8'),  # place of the sensor on it [m]
    ('sweep', 'f8'),  # duration of the scan [s], 0: all rays at once
    ('min_range', 'f8'), ('max_range', 'f8'),  # m
    ('range_noise', 'f8'), ('angle_noise', 'f8'),  # standard deviations [m, rad]
    ('ignored', 'i8'),  # number of the mover that is not seen, or -1
    ('marked_only', '?'),  # only occupancy grids are seen
])


@compiled
def _small_rotation(angle: float) -> tuple[float, float]:
    """Return cosine and sine, by series where that is exact to double precision."""
    square = angle * angle
    if square > 1e-3:
        return math.cos(angle), math.sin(angle)
    return (1.0 - square / 2.0 * (1.0 - square / 12.0 * (1.0 - square / 30.0)),
            angle * (1.0 - square / 6.0 * (1.0 - square / 20.0 * (1.0 - square / 42.0))))


@compiled
def _lay_rays(
        scan: NDArray[np.void], headings: NDArray[np.float64],
        angle_normals: NDArray[np.float64], origins: NDArray[np.float64],
        directions: NDArray[np.float64], times: NDArray[np.float64]) -> None:
    """Fill in origin [m], direction and time [s] of each ray in the world."""
    count = headings.shape[0]
    end_x, end_y = float(scan['x']), float(scan['y'])
    end_cosine, end_sine = math.cos(scan['yaw']), math.sin(scan['yaw'])
    vx, vy, wz = float(scan['vx']), float(scan['vy']), float(scan['wz'])
    x, y, cosine, sine = end_x, end_y, end_cosine, end_sine
    step = scan['sweep'] / count
    for i in range(count):
        times[i] = step * (i - count)
        if step > 0.0:
            x, y, cosine, sine = moved(
                end_x, end_y, end_cosine, end_sine, vx, vy, wz, times[i])
        hx, hy = headings[i, 0], headings[i, 1]
        if scan['angle_noise'] > 0.0:
            turn_cosine, turn_sine = _small_rotation(scan['angle_noise'] * angle_normals[i])
            hx, hy = turn_cosine * hx - turn_sine * hy, turn_sine * hx + turn_cosine * hy
        origins[i, 0] = x + cosine * scan['mount_x'] - sine * scan['mount_y']
        origins[i, 1] = y + sine * scan['mount_x'] + cosine * scan['mount_y']
        directions[i, 0] = cosine * hx - sine * hy
        directions[i, 1] = sine * hx + cosine * hy


@compiled
def cast_fan(
        grid: SegmentGrid, outlines: Outlines, placed: Placed, ignored: int, marked_only: bool,
        one_origin: bool, origins: NDArray[np.float64], directions: NDArray[np.float64],
        times: NDArray[np.float64], limit: float, ranges: NDArray[np.float64]) -> None:
    """
    Fill in the distance [m] along each ray to what it meets first, inf where nothing in reach.

    The other arguments are those of `meet_grid` and `meet_movers`.

    :param one_origin: all rays start at the same point.
    """
    rays, start = sort_rays(directions)
    if one_origin and grid.segments.shape[0] <= _FEW_SEGMENTS:
        meet_segments(grid, marked_only, rays, start, origins[0, 0], origins[0, 1], directions,
                      limit, ranges)
    else:
        meet_grid(grid, marked_only, origins, directions, limit, ranges)
    if not marked_only:
        meet_movers(outlines, placed, ignored, rays, start, origins, directions, times, limit,
                    ranges)
        for i in range(ranges.shape[0]):
            if ranges[i] > limit:
                ranges[i] = math.inf


@compiled
def cast_rays(
        grid: SegmentGrid, outlines: Outlines, poses: NDArray[np.float64],
        twists: NDArray[np.float64], order: NDArray[np.int64], ignored: int,
        marked_only: bool, one_origin: bool, origins: NDArray[np.float64],
        directions: NDArray[np.float64], times: NDArray[np.float64],
        limit: float) -> NDArray[np.float64]:
    """Return the distances along rays of any origin and direction, shape (N,)."""
    ranges = np.empty(directions.shape[0])
    placed = place(outlines, poses, twists, order)
    cast_fan(grid, outlines, placed, ignored, marked_only, one_origin, origins, directions,
             times, limit, ranges)
    return ranges


@compiled
def measure_scans(
        grid: SegmentGrid, outlines: Outlines, poses: NDArray[np.float64],
        twists: NDArray[np.float64], order: NDArray[np.int64], scans: NDArray[np.void],
        first: NDArray[np.int64], headings: NDArray[np.float64],
        angle_normals: NDArray[np.float64], range_normals: NDArray[np.float64],
) -> NDArray[np.float32]:
    """
    Return the ranges of all rays of all scans: +inf nothing in reach, -inf too close.

    :param poses: x, y, yaw of the movers in the world, shape (M, 3).
    :param twists: their body twists, shape (M, 3).
    :param order: see `movers.place`.
    :param scans: one `SCAN` record for each of K scans.
    :param first: where the rays of a scan start, shape (K + 1,).
    :param headings: unit vectors of the rays in the vehicle frame, shape (R, 2).
    :param angle_normals: standard normal numbers for the bearings, shape (R,).
    :param range_normals: standard normal numbers for the ranges, shape (R,).
    """
    placed = place(outlines, poses, twists, order)
    measured = np.empty(headings.shape[0], np.float32)
    for k in range(scans.shape[0]):
        scan = scans[k]
        begin, end = first[k], first[k + 1]
        origins = np.empty((end - begin, 2))
        directions = np.empty((end - begin, 2))
        times = np.empty(end - begin)
        ranges = np.empty(end - begin)
        _lay_rays(scan, headings[begin:end], angle_normals[begin:end], origins, directions,
                  times)
        cast_fan(grid, outlines, placed, scan['ignored'], scan['marked_only'],
                 scan['sweep'] == 0.0, origins, directions, times, scan['max_range'], ranges)
        for i in range(end - begin):
            distance = ranges[i]
            if distance < math.inf and scan['range_noise'] > 0.0:
                distance += scan['range_noise'] * range_normals[begin + i]
            if distance < scan['min_range']:
                distance = -math.inf
            elif distance > scan['max_range']:
                distance = math.inf
            measured[begin + i] = distance
    return measured
