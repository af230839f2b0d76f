# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
From which height to which the parts of bodies reach: only what overlaps collides.

Box2D knows no heights. Every fixture gets the number of a row of one table, which the bridge keeps
in its collision filter: contacts pass whose rows are apart. Two rows are apart where one is above
the other: `one[HIGH] <= other[LOW] + SLACK`, with STEP in place of LOW where the one can be stood
on.

A wheel rolls onto a step of what it can stand on where it can pull itself up. At the edge of a
step h the wheel of radius R is carried at the angle `a` from the vertical, `cos a = 1 - h / R`. A
wheel that carries its load there by its own friction, or by the push of an equal axle, climbs if
`a <= atan(mu)`. With both it climbs if `a <= 2 atan(mu)`, by the balance of forces with `W1 = W2`.
On ramps, bumps and elevation maps it reaches over ground that is higher than below its centre, see
`climbs`.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array, Records
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.ground.relief import ground_below, NO_RELIEF, Relief, surface_below
from mvsim_ros2.physics.ground.surfaces import FLAT, RAMP
from mvsim_ros2.physics.ground.wheel_path import BEYOND, nearby, rise
from mvsim_ros2.physics.state.record_layout import (
    A_VEHICLE, ALL_WHEELS, CARRIED, NONE, ROW, SOME_VEHICLES, SOME_WHEELS, TABLE)
from mvsim_ros2.world.spec.common import Footprint

# columns of the table: underside, the same for what can be stood on, top, can it be stood on
LOW, STEP, HIGH, CARRIES = range(4)
SLICED = 2.0  # it can be stood on, and is a slice of a ramp
MOST_ROWS = 0x7FFF  # the first is for what has no heights
SLACK = 1e-3  # m; what overlaps by less is apart
MOST_COMPARED = 1000  # rows; with more, whether all overlap is not looked for
POINTS = 5  # of each side of a part, where it is looked whether it hangs over an edge
SLICE = 0.05  # m; how far the top of a slice may be from the ramp there
SKIN = 0.02  # m; how far around it
SOON = 0.02  # s; within which a body comes to ground
STEEP = 1.0  # slope of a ramp that is below a box; of ground between a wheel and its place there
ORDINARY_MU = 0.8  # of a wheel whose tyre has no mu

PART = np.dtype([('vehicle', np.int64), ('wheel', np.int64), ('row', np.int64)] + [
    (name, np.float64) for name in (
        'x', 'y', 'half_x', 'half_y',  # rectangle in plan, body frame
        'bottom', 'climb', 'top',  # above the plane of the wheels; what it rolls onto
    )])  # `wheel` is -1 for a chassis


class Heights(NamedTuple):
    """Heights as a kernel reads them."""

    table: Array  # (n, 4)
    parts: Records  # PART, of all vehicles


NO_HEIGHTS = Heights(np.zeros((0, 4)), np.zeros(0, PART))
A_PART = np.zeros(1, PART)[0]


class Turned(NamedTuple):
    """How a vehicle is turned."""

    cosine: float  # of the yaw; so sine
    sine: float
    cp: float  # cosine and sine of the pitch and of the roll
    sp: float
    cr: float
    sr: float
    # offset of its reference point in the engine, which holds it level, from the true one, along
    # the heading and to its left [m]; in plan, the centre of mass is the same in both
    ahead: float
    left: float


LEVEL = Turned(1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0)


@compiled(inlined=True)
def turned(vehicle: np.void, pose: Array) -> Turned:
    """Return how a vehicle is turned: see `Turned`."""
    cp, sp, cr, sr = math.cos(pose[4]), math.sin(pose[4]), math.cos(pose[5]), math.sin(pose[5])
    x, y, z = vehicle['com_x'], vehicle['com_y'], vehicle['com_height']
    return Turned(math.cos(pose[3]), math.sin(pose[3]), cp, sp, cr, sr,
                  cp * x + sp * (sr * y + cr * z) - x, cr * y - sr * z - y)


@compiled(inlined=True)
def highest_edge(near: Relief, vehicle: np.void, pose: Array, own: Turned) -> float:
    """
    Return up to which height edges of blocks push the box of a body in space by themselves.

    See `physical.block_edges`; what is higher than the body the engine keeps off. A ramp below the
    box, or just ahead of it, touches it from below.
    """
    up, side = own.cp * own.cr, own.cp * own.sr
    limit = pose[2] - own.sp * vehicle['box_x'] + side * vehicle['box_y'] + (
        abs(own.sp) * vehicle['box_half_x'] + abs(side) * vehicle['box_half_y']) + max(
            up * vehicle['box_low'], up * vehicle['box_high'])
    best = -math.inf
    for k in range(len(near.surfaces)):
        surface = near.surfaces[k]
        top = surface['z'] + surface['high']
        if surface['kind'] == RAMP and surface['slope'] < STEEP:
            x, y = pose[0] - surface['x'], pose[1] - surface['y']
            far = vehicle['box_half_x'] + vehicle['box_half_y'] + SLICE + SOON * math.sqrt(
                vehicle['v_x'] ** 2 + vehicle['v_y'] ** 2)
            top = min(top, surface['z'] + surface['slope'] * (
                surface['cos'] * x + surface['sin'] * y + far))
        if surface['present'] and best < top < limit and (
                surface['group'] == 0 or surface['group'] != vehicle['group']):
            best = top
    return best


@lazy_kernel(NO_RELIEF, A_VEHICLE, SOME_WHEELS[0], A_PART, ROW, LEVEL, 0.0, counted=False)
def climbs(near: Relief, vehicle: np.void, wheel: np.void, part: np.void, pose: Array, own: Turned,
           low: float) -> float:
    """
    Return how much higher than its lowest point a wheel passes ground [m].

    Where the engine has the wheel of a tilted body, a slope is higher or lower than below it.

    :param low: height of its lowest point [m].
    """
    x, y, start, up = part['x'], part['y'], low, part['climb']
    if vehicle['spatial'] != 0.0:
        true_x = own.cp * x + own.sp * (own.sr * y + own.cr * wheel['radius'])
        true_y = own.cr * y - own.sr * wheel['radius']
        x, y = x + own.ahead, y + own.left
        away = math.sqrt((x - true_x) ** 2 + (y - true_y) ** 2)
        start = max(low, ground_below(
            near, pose[0] + own.cosine * x - own.sine * y, pose[1] + own.sine * x + own.cosine * y,
            low + up + STEEP * away))
    return float(start - low + up + rise(
        near, pose[0] + own.cosine * x - own.sine * y, pose[1] + own.sine * x + own.cosine * y,
        pose[3] + wheel['toe'] + wheel['steer'], start, part['half_x'], part['half_y'], up))


@compiled(inlined=True)
def ground_around(near: Relief, part: np.void, pose: Array, own: Turned, limit: float) -> float:
    """
    Return the height of the ground around a wheel of a body in space, up to `limit` [m].

    In the engine: it reaches back over the edge that it tips over, and a ramp has higher slices.
    """
    highest = -math.inf
    for k in range(2 * POINTS):
        x = own.ahead + part['x'] + (2.0 * (k // 2) / (POINTS - 1) - 1.0) * (part['half_x'] + SKIN)
        y = own.left + part['y'] + (2.0 * (k % 2) - 1.0) * (part['half_y'] + SKIN)
        height, slope_x, slope_y, _, _ = surface_below(
            near, pose[0] + own.cosine * x - own.sine * y, pose[1] + own.sine * x + own.cosine * y,
            limit + SLICE)
        highest = max(highest, height + (SLICE if slope_x != 0.0 or slope_y != 0.0 else 0.0))
    return min(highest, limit)


@lazy_kernel(NO_RELIEF, A_VEHICLE, SOME_WHEELS, A_PART, ROW, LEVEL, 0.0, counted=False)
def passes_in_space(
        near: Relief, vehicle: np.void, wheels: Records, part: np.void, pose: Array, own: Turned,
        passes: float) -> float:
    """
    Return up to which height a part of a body in space passes what can be stood on [m].

    :param wheels: all wheels; passes, that height in the plane [m].
    """
    if part['wheel'] < 0:
        return max(passes, highest_edge(near, vehicle, pose, own) + SLACK)
    wheel = wheels[part['wheel']]
    passed, wheel['hangs'] = max(wheel['passes'], wheel['beside']), 0.0
    if vehicle['turned'] != 0.0:  # the engine let it jump
        passed = math.inf
    if passes < passed and passed != wheel['beside']:
        passed = ground_around(near, part, pose, own, passed)
    if passes < passed:
        passes, wheel['hangs'] = passed, 1.0
    return passes


@lazy_kernel(NO_HEIGHTS, NO_RELIEF, SOME_VEHICLES, SOME_WHEELS, TABLE, counted=False)
def lift(heights: Heights, relief: Relief, vehicles: Records, wheels: Records, pose: Array,
         ) -> None:
    """
    Bring the rows of all vehicles to where these stand.

    A wheel counts from its lowest point. On a slope the underside of a chassis counts at its
    highest corner, because the nose of a climbing vehicle is above the next edge. That of a body
    in space passes what its edges push, and so do its wheels with their sides.

    :param relief: the ground that the vehicles can come upon.
    :param vehicles: records of all vehicles.
    :param wheels: all wheels.
    :param pose: shape (V, 6), x y z yaw pitch roll.
    """
    inclined = False
    for k in range(len(relief.surfaces)):
        inclined = inclined or relief.surfaces[k]['kind'] != FLAT
    last, near, own = -1, relief, LEVEL
    for k in range(len(heights.parts)):
        part = heights.parts[k]
        i, row, up = part['vehicle'], part['row'], part['climb']
        if i != last:
            last, own = i, LEVEL
            if (inclined or vehicles[i]['spatial'] != 0.0 or pose[i, 4] != 0.0
                    or pose[i, 5] != 0.0):
                own = turned(vehicles[i], pose[i])
                near = nearby(relief, vehicles[i]['group'], pose[i, 0], pose[i, 1],
                              2.0 * (vehicles[i]['size'] + BEYOND))
        if part['wheel'] >= 0:
            wheel = wheels[part['wheel']]
            z = wheel['bottom']
            if inclined and up > 0.0:
                up = climbs(near, vehicles[i], wheel, part, pose[i], own, z)
        else:
            along, across = -own.sp, own.cp * own.sr
            z = pose[i, 2] + along * part['x'] + across * part['y'] + (
                abs(along) * part['half_x'] + abs(across) * part['half_y'])
        low = z + part['bottom']
        passes = low + up
        if vehicles[i]['spatial'] != 0.0:
            passes = passes_in_space(near, vehicles[i], wheels, part, pose[i], own, passes)
        if part['wheel'] >= 0:
            wheels[part['wheel']]['passes'] = passes
        heights.table[row, LOW], heights.table[row, STEP] = low, passes
        heights.table[row, HIGH] = z + part['top']
        if part['wheel'] < 0:
            heights.table[row, CARRIES] = vehicles[i]['deck']
    for i in range(len(vehicles)):
        vehicles[i]['turned'] = 0.0


@compiled(inlined=True)
def pass_edges(heights: Heights, vehicles: Records, wheels: Records) -> None:
    """Let wheels pass the edges that push their sides by themselves in this step."""
    for k in range(len(heights.parts)):
        part = heights.parts[k]
        if part['wheel'] >= 0 and vehicles[part['vehicle']]['spatial'] != 0.0:
            step = heights.table[part['row'], STEP]
            heights.table[part['row'], STEP] = max(step, wheels[part['wheel']]['beside'])


def all_overlap(table: Array, owners: NDArray[np.int64]) -> bool:
    """
    Return whether no two rows of different owners are apart.

    :param owners: of each row; equal numbers belong to one body.
    """
    rows = np.unique(np.column_stack([table, owners]), axis=0)
    if len(rows) > MOST_COMPARED:
        return False
    low = np.where(rows[:, CARRIES] != 0.0, rows[:, STEP, None], rows[:, LOW, None])
    above = rows[:, HIGH] <= low + SLACK  # row, column: whether the one is above the other
    return not np.any(above & (rows[:, -1, None] != rows[:, -1]))


def climbable(wheels: Records, pushed: bool) -> Array:
    """
    Return the highest steps that wheels roll onto [m], shape (n,).

    :param wheels: records of the wheels of a vehicle.
    :param pushed: whether a motor turns each of them, on several axles.
    """
    mu = np.where(wheels['mu'] > 0.0, wheels['mu'], ORDINARY_MU)
    angle = np.minimum((2.0 if pushed else 1.0) * np.arctan(mu), 0.5 * math.pi)
    return np.asarray(wheels['radius'] * (1.0 - np.cos(angle)))


def vehicle_parts(i: int, record: np.void, first: int, wheels: Records,
                  footprint: Footprint) -> Records:
    """
    Return the chassis and then the wheels of a vehicle; the rows are still to be given.

    :param i: its number.
    :param record: of it.
    :param first: number of its first wheel.
    :param wheels: records of its wheels.
    :param footprint: of its chassis.
    """
    parts = np.zeros(1 + len(wheels), PART)
    parts['vehicle'] = i
    parts['wheel'] = np.arange(-1, len(wheels)) + first
    parts['wheel'][0] = -1
    corners = np.array(footprint.polygon)
    low, high = corners.min(axis=0), corners.max(axis=0)
    chassis = parts[0]
    chassis['x'], chassis['y'] = 0.5 * (low + high)
    chassis['half_x'], chassis['half_y'] = 0.5 * (high - low)
    chassis['bottom'], chassis['top'] = footprint.zmin, footprint.zmax
    rolling = parts[1:]
    rolling['top'] = 2.0 * wheels['radius']
    rolling['x'], rolling['y'] = wheels['x'], wheels['y']
    rolling['half_x'], rolling['half_y'] = wheels['radius'], 0.5 * wheels['width']
    if record['ground'] != CARRIED:
        rolling['climb'] = climbable(wheels, len(wheels) > 2 and bool(
            record['drivetrain'] == ALL_WHEELS or np.all(wheels['side'] != NONE)))
    return parts
