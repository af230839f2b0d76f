# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The path of a wheel that rolls over the ground: how high it is carried, and how steep that is.

A rigid wheel of radius R touches an edge ahead or behind before its centre is over it. An edge at
the distance s and the height e carries it like ground at ``e + sqrt(R^2 - s^2) - R``. It rises by
``s / sqrt(R^2 - s^2)`` per metre, the tangent of the angle of the contact from the vertical.
Elevation maps carry it where its centre is.
"""

import math

import numpy as np

from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.ground.relief import (
    contains, ground_below, height_of, NO_RELIEF, Relief, shape_at, STEEPEST, surface_below)
from mvsim_ros2.physics.ground.surfaces import BUMP, MAP, RAMP
from mvsim_ros2.physics.ground.terrain import MARGIN
from mvsim_ros2.physics.state.record_layout import COM_X, COM_Y, OMEGA, VX, VY

ROUND = 0.999  # of the radius; an edge farther away does not touch the wheel
_HALVINGS = 24  # of the search for the point at which a bump touches a wheel
BEYOND = 0.05  # m; how far beyond a wheel contacts begin and collisions are reported
SAMPLES = 8  # on each side of a wheel
CLOSE = 0.05  # of the radius; a rim so near to a slope may touch it in the next step
PROBE = 0.5  # of the radius; where it is looked for a steeper slope
GRAZING = 10.0  # 1 / cosine of the angle at which a wheel rolls along an edge, not onto it
SAME = 1e-9  # m; heights that differ by less are one


@compiled(inlined=True)
def is_within(surface: np.void, x: float, y: float, reach: float) -> bool:
    """Return whether a surface may be within reach of a place."""
    to_x, to_y = x - surface['x'], y - surface['y']
    along = surface['cos'] * to_x + surface['sin'] * to_y
    across = surface['cos'] * to_y - surface['sin'] * to_x
    return bool(surface['x_min'] - reach <= along <= surface['x_max'] + reach
                and surface['y_min'] - reach <= across <= surface['y_max'] + reach)


@compiled(inlined=True)
def nearby(relief: Relief, group: float, x: float, y: float, reach: float) -> Relief:
    """
    Return the ground within reach of a place, which may be less to look through.

    :param group: of vehicles that do not stand on each other.
    :param reach: [m].
    """
    count = 0
    for i in range(len(relief.surfaces)):
        surface = relief.surfaces[i]
        if is_within(surface, x, y, reach) and (
                surface['group'] == 0 or surface['group'] != group):
            relief.near[count] = surface
            count += 1
    return Relief(
        relief.active, relief.near[:count], relief.near, relief.corners, relief.heights,
        relief.movers)


@compiled(inlined=True)
def near_vehicle(dt: float, relief: Relief, vehicle: np.void, pose: Array, motion: Array,
                 ) -> Relief:
    """
    Return the ground that a vehicle may come upon within a step.

    Not active where a vehicle in the plane stands at height 0 and all ground is there, at rest.

    :param pose: x y z yaw pitch roll.
    :param motion: of its body in the engine.
    """
    size = vehicle['size']
    speed = abs(motion[VX]) + abs(motion[VY]) + size * abs(motion[OMEGA])
    if vehicle['spatial'] != 0.0:
        speed += abs(vehicle['v_z']) + size * (abs(vehicle['w_x']) + abs(vehicle['w_y']))
    near = nearby(relief, vehicle['group'], motion[COM_X], motion[COM_Y],
                  size + MARGIN + 2.0 * dt * speed)
    active = (vehicle['spatial'] != 0.0 or pose[2] != 0.0 or pose[4] != 0.0 or pose[5] != 0.0)
    for i in range(len(near.surfaces)):
        surface = near.surfaces[i]
        active = (active or surface['z'] != 0.0 or surface['low'] != 0.0 or surface['high'] != 0.0
                  or surface['mover'] != 0 or surface['rise'] != 0.0 or surface['turn'] != 0.0
                  or surface['move_x'] != 0.0 or surface['move_y'] != 0.0)
    return Relief(active, near.surfaces, near.near, near.corners, near.heights, near.movers)


@compiled(inlined=True)
def entered(relief: Relief, surface: np.void, x: float, y: float, dx: float, dy: float,
            reach: float) -> tuple[float, float, float]:
    """
    Return how far along a line the outline of a surface begins, `inf` beyond `reach`.

    :param x: a point outside, in the frame of the surface; so y.
    :param dx: unit vector of the line; so dy.
    :returns: also by how much less that is for each metre that the point goes along x and along y.
    """
    first, last, less_x, less_y = 0.0, reach, 0.0, 0.0
    count = surface['count']
    for k in range(count if count > 0 else 4):
        sign = 1.0 if k % 2 == 0 else -1.0
        if count > 0:
            a, b = surface['first'] + k, surface['first'] + (k + 1) % count
            normal_x = relief.corners[b, 1] - relief.corners[a, 1]
            normal_y = relief.corners[a, 0] - relief.corners[b, 0]
            outside = normal_x * (x - relief.corners[a, 0]) + normal_y * (y - relief.corners[a, 1])
        elif k < 2:
            normal_x, normal_y = sign, 0.0
            outside = sign * (x - (surface['x_max'] if k == 0 else surface['x_min']))
        else:
            normal_x, normal_y = 0.0, sign
            outside = sign * (y - (surface['y_max'] if k == 2 else surface['y_min']))
        along = normal_x * dx + normal_y * dy
        if outside > 0.0 and along >= 0.0:
            return math.inf, 0.0, 0.0
        if along < 0.0 and -outside / along > first:
            first, less_x, less_y = -outside / along, normal_x / along, normal_y / along
        elif along > 0.0:
            last = min(last, -outside / along)
    grazes = less_x * less_x + less_y * less_y > GRAZING * GRAZING
    return math.inf if first > last or grazes else first, less_x, less_y


@compiled(inlined=True)
def _touch(surface: np.void, heights: Array, radius: float, start: float, x: float, y: float,
           dx: float, dy: float) -> float:
    """Return how far along a line a wheel touches a bump that begins at `start`."""
    low, high = start, ROUND * radius
    for _ in range(_HALVINGS):
        one, other = low + (high - low) / 3.0, high - (high - low) / 3.0
        if (_carried(surface, heights, radius, one, x, y, dx, dy)
                < _carried(surface, heights, radius, other, x, y, dx, dy)):
            low = one
        else:
            high = other
    return 0.5 * (low + high)


@compiled(inlined=True)
def _carried(surface: np.void, heights: Array, radius: float, s: float, x: float, y: float,
             dx: float, dy: float) -> float:
    """Return how high the point of a bump at a distance s carries a wheel."""
    at_x, at_y = x + s * dx, y + s * dy
    if not (surface['x_min'] <= at_x <= surface['x_max']):
        return -math.inf
    return float(height_of(surface, heights, at_x, at_y) + math.sqrt(radius * radius - s * s))


@lazy_kernel(NO_RELIEF, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
def carried(relief: Relief, x: float, y: float, limit: float, step: float, heading_x: float,
            heading_y: float, radius: float) -> tuple[float, float, float, bool, float]:
    """
    Return how a wheel is carried; level at 0 where there is no ground below `limit`.

    :param x: centre of the wheel in the world [m]; so y.
    :param step: height up to which it passes blocks: the engine stops it at others [m].
    :param heading_x: cosine of the direction in which it rolls, in the world; heading_y the sine.
    :param radius: 0 for what slides and does not roll.
    :return: height [m], slopes of the path along x and y of the world, whether on an edge, row of
        the surface, -1 where there is none.
    """
    best, rise_x, rise_y, below, _ = surface_below(relief, x, y, limit)
    on_edge, own = False, below
    if below < 0:
        best = -math.inf
    for i in range(len(relief.surfaces) if radius > 0.0 else 0):
        surface, kind = relief.surfaces[i], relief.surfaces[i]['kind']
        if not surface['present'] or kind == MAP or i == below and kind != BUMP:
            continue
        cosine, sine = surface['cos'], surface['sin']
        along = cosine * (x - surface['x']) + sine * (y - surface['y'])
        across = cosine * (y - surface['y']) - sine * (x - surface['x'])
        if (along < surface['x_min'] - radius or along > surface['x_max'] + radius
                or across < surface['y_min'] - radius or across > surface['y_max'] + radius):
            continue
        if kind != BUMP and contains(relief, surface, along, across):
            continue
        for side in range(2):
            dx, dy = cosine * heading_x + sine * heading_y, cosine * heading_y - sine * heading_x
            if side == 1:
                dx, dy = -dx, -dy
            s, less_x, less_y = entered(relief, surface, along, across, dx, dy, ROUND * radius)
            if kind == BUMP:
                less_x, less_y = dx, dy
                s = _touch(surface, relief.heights, radius, s if s < math.inf else 0.0, along,
                           across, dx, dy)
            if s <= 0.0 or s == math.inf:
                continue
            edge = height_of(surface, relief.heights, along + s * dx, across + s * dy)
            if kind == RAMP and surface['slope'] * dx > 0.0 and edge <= 1e-9:
                continue  # the foot of a ramp
            tall = math.sqrt(radius * radius - s * s)
            height = surface['z'] + edge + tall - radius
            if best < height and surface['z'] + edge <= (
                    min(limit, step) if surface['count'] > 0 else limit):
                best, on_edge, own = height, True, i
                rise = min(s / tall, STEEPEST)
                rise_x = rise * (cosine * less_x - sine * less_y)
                rise_y = rise * (sine * less_x + cosine * less_y)
    if best == -math.inf or best < 0.0 and below < 0:
        return 0.0, 0.0, 0.0, False, -1
    return best, rise_x, rise_y, on_edge, own


@compiled(inlined=True)
def rim_gap(up: float, slope_x: float, slope_y: float, ax: float, ay: float, az: float,
            radius: float) -> float:
    """
    Return how far a rim is off a plane.

    :param up: height of its hub over the plane [m].
    :param slope_x: of the plane; so slope_y.
    :param ax: unit vector along its axle; so ay, az.
    """
    nz = 1.0 / math.sqrt(1.0 + slope_x * slope_x + slope_y * slope_y)
    across = nz * (az - slope_x * ax - slope_y * ay)
    return nz * up - radius * math.sqrt(max(1.0 - across * across, 0.0))


@compiled(inlined=True)
def below_rim(
        relief: Relief, ends: bool, x: float, y: float, z: float, limit: float, step: float,
        heading_x: float, heading_y: float, ax: float, ay: float, az: float, radius: float,
        rolls: bool, gives: bool) -> tuple[float, float, float, bool, float, bool, float]:
    """
    Return what `carried` does of the ground that a rim touches, and whether a dip is near.

    Where slopes meet, it touches the nearer of both in a dip, and the farther on a crest. The
    slopes of an edge are those of its normal, which is at right angles to the edge and to the rim.

    :param ends: some ground has edges.
    :param x: of its hub in the world [m]; so y and z.
    :param ax: unit vector along its axle; so ay, az.
    :param rolls: it is upright.
    :param gives: its tyre is a spring, whose energy must not jump: what is deeper in it counts.
    :returns: also how far an edge is off the rim, along that normal [m].
    """
    steep, on_edge, here, off = False, False, -1, 0.0
    if ends:
        height, slope_x, slope_y, on_edge, own = carried(
            relief, x, y, limit, step, heading_x, heading_y, radius if rolls else 0.0)
        if on_edge:
            along = slope_x * heading_x + slope_y * heading_y
            tall = radius / math.sqrt(1.0 + along * along)
            up = max(z - (height + radius - tall), 0.5 * tall)
            slope_x, slope_y = slope_x * tall / up, slope_y * tall / up
            far = math.sqrt(up * up + radius * radius - tall * tall)
            off = (far - radius) * far / (up * math.sqrt(1.0 + slope_x ** 2 + slope_y ** 2))
        if on_edge and gives:
            under, flat_x, flat_y, row, _ = surface_below(relief, x, y, limit)
            if rim_gap(z - under, flat_x, flat_y, ax, ay, az, radius) < min(off, 0.0):
                height, slope_x, slope_y, on_edge, own = under, flat_x, flat_y, False, float(row)
    else:
        height, slope_x, slope_y, row, triangle = surface_below(relief, x, y, limit)
        own = float(row)
        if len(relief.surfaces) == 1 and row >= 0 and abs(slope_x) + abs(slope_y) < 1.0:
            here = triangle
    for side in range(0 if on_edge or not rolls else 2):
        far = (PROBE if side == 0 else -PROBE) * radius
        x_ahead, y_ahead = far * heading_x, far * heading_y
        if here >= 0 and here == shape_at(
                relief.surfaces[0], relief.heights, x + x_ahead, y + y_ahead)[0]:
            continue
        there, steep_x, steep_y, other, _ = surface_below(relief, x + x_ahead, y + y_ahead, limit)
        change = (steep_x - slope_x) * x_ahead + (steep_y - slope_y) * y_ahead
        before = there - steep_x * x_ahead - steep_y * y_ahead
        dips = change > SAME and before <= height + SAME
        if not dips and (change >= -SAME or before < height - SAME):
            continue
        gap = rim_gap(z - before, steep_x, steep_y, ax, ay, az, radius)
        gap_here = rim_gap(z - height, slope_x, slope_y, ax, ay, az, radius)
        steep = steep or dips and gap < CLOSE * radius
        if dips and gap >= gap_here or not dips and gap <= gap_here:
            continue
        # where the rim is nearest to it, the ground is that slope
        far = radius / math.sqrt(1.0 + steep_x * steep_x + steep_y * steep_y)
        _, same_x, same_y, _, _ = surface_below(
            relief, x + far * steep_x, y + far * steep_y, limit)
        if abs(same_x - steep_x) + abs(same_y - steep_y) < SAME:
            height, slope_x, slope_y, own = before, steep_x, steep_y, float(other)
    return height, slope_x, slope_y, on_edge, own, steep, off


@compiled(inlined=True)
def ground_velocity(relief: Relief, own: float, x: float, y: float) -> tuple[float, float, float]:
    """Return the velocity at (x, y) of surface `own`, 0 for -1, in the world [m/s]."""
    if own < 0:
        return 0.0, 0.0, 0.0
    surface = relief.surfaces[int(own)]
    x, y = x - surface['x'], y - surface['y']
    return (surface['move_x'] - surface['turn'] * y, surface['move_y'] + surface['turn'] * x,
            surface['rise'] + surface['roll_x'] * y - surface['roll_y'] * x)


@compiled(inlined=True)
def rise(relief: Relief, x: float, y: float, yaw: float, ground: float, half_length: float,
         half_width: float, climb: float) -> float:
    """
    Return how much higher the ground is that a wheel can roll onto from where it is [m].

    0 where no block is near, since nothing else that it rolls onto is a body of the engine. It
    follows samples from the centre ahead, back and to both sides. Each is at most as much above
    the previous one as the wheel climbs, or as a slope rises that its friction holds.

    :param relief: that is near its vehicle, see `nearby`.
    :param ground: height below the centre (x, y).
    :param half_length: radius of the wheel.
    :param climb: highest step that it rolls onto.
    """
    blocks, reach = False, half_length + half_width + 2.0 * BEYOND
    for i in range(len(relief.surfaces)):
        blocks = blocks or relief.surfaces[i]['count'] > 0 and is_within(
            relief.surfaces[i], x, y, reach)
    if not blocks:
        return 0.0
    total = 0.0
    friction = math.sqrt(2.0 * climb / half_length)
    for side in range(2):
        along = (half_length if side == 0 else half_width) + BEYOND
        step = along / SAMPLES
        limit = max(climb, step * friction)
        turned = yaw + 0.5 * math.pi * side
        ahead_x, ahead_y = step * math.cos(turned), step * math.sin(turned)
        highest = ground
        for sign in (-1, 1):
            z = ground
            for k in range(1, SAMPLES + 1):
                found = ground_below(relief, x + sign * k * ahead_x, y + sign * k * ahead_y,
                                     z + limit)
                if found <= z + limit:  # there may be none
                    z = found
                    highest = max(highest, z)
        total += highest - ground
    return total
