# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Elevation maps too steep to drive onto are walls, in mode `physical`.

The rim of a wheel ahead and behind, and the outline of the chassis at the height of its underside,
must not enter a map. If one would in the next step, on a map too steep to lift it, the motion ends
as at a wall without friction.
"""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array, Records
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.ground.relief import height_of, NO_RELIEF, Relief
from mvsim_ros2.physics.ground.surfaces import MAP
from mvsim_ros2.physics.state.record_layout import (
    A_VEHICLE, COM_X, COM_Y, COS, OMEGA, ROW, SIN, SOME_VEHICLES, SOME_WHEELS, STARTS, TABLE, VX,
    VY)

WALL = 1.5  # slope; wheels roll onto gentler ground as far as friction and speed carry them
SCARP = 1.0  # slope; a chassis slides over gentler ground
REACH = 0.05  # m; over which a slope is measured
OUTLINE = 8  # points of the chassis
SWEEPS = 10


@compiled(inlined=True)
def map_at(relief: Relief, i: int, x: float, y: float) -> float:
    """Return the height of a map at a point of the world, -inf where it is not."""
    surface = relief.surfaces[i]
    if not (surface['x_min'] <= x <= surface['x_max']
            and surface['y_min'] <= y <= surface['y_max']):
        return -math.inf
    return float(surface['z'] + height_of(surface, relief.heights, x, y))


@compiled(inlined=True)
def wall_at(relief: Relief, x: float, y: float, floor: float, top: float, least: float,
            going_x: float, going_y: float) -> tuple[bool, float, float]:
    """
    Return whether a point comes into a map that is a wall there, and the unit vector out of it.

    A map that is wholly above the vehicle where it is now is a bridge, and no wall.

    :param x: where the point is now [m]; so y.
    :param floor: height above which ground is in its way [m]; top of the vehicle [m].
    :param least: slope from which on it is a wall.
    :param going_x: how far it goes in the step [m]; so going_y.
    """
    for i in range(len(relief.surfaces)):
        if relief.surfaces[i]['kind'] != MAP or relief.surfaces[i]['present'] == 0:
            continue
        there = map_at(relief, i, x + going_x, y + going_y)
        if there <= floor or map_at(relief, i, x, y) > top and there > top:
            continue
        at_x, at_y = x + going_x, y + going_y
        east, west = map_at(relief, i, at_x + REACH, at_y), map_at(relief, i, at_x - REACH, at_y)
        north, south = map_at(relief, i, at_x, at_y + REACH), map_at(relief, i, at_x, at_y - REACH)
        slope_x = (max(east, floor - 1.0) - max(west, floor - 1.0)) / (2.0 * REACH)
        slope_y = (max(north, floor - 1.0) - max(south, floor - 1.0)) / (2.0 * REACH)
        slope = math.sqrt(slope_x * slope_x + slope_y * slope_y)
        if slope > least:
            return True, -slope_x / slope, -slope_y / slope
    return False, 0.0, 0.0


@compiled(inlined=True)
def walls_near(relief: Relief, x: float, y: float, reach: float) -> bool:
    """Return whether a map within reach of a place is steep somewhere, or ends there."""
    for i in range(len(relief.surfaces)):
        surface = relief.surfaces[i]
        if surface['kind'] != MAP or surface['present'] == 0 or max(
                surface['x_min'] - x, x - surface['x_max'], surface['y_min'] - y,
                y - surface['y_max']) > reach:
            continue
        if not surface['steepest'] < SCARP or max(
                surface['x_min'] - x, x - surface['x_max'] + surface['resolution'],
                surface['y_min'] - y, y - surface['y_max'] + surface['resolution']) > -reach:
            return True
    return False


@lazy_kernel(0.0, NO_RELIEF, A_VEHICLE, SOME_WHEELS, ROW, ROW, 0.0, 0.0, 0.0)
def stopped(dt: float, relief: Relief, vehicle: np.void, wheels: Records, pose: Array,
            motion: Array, vx: float, vy: float, w: float) -> tuple[float, float, float]:
    """
    Return the velocity of a vehicle that does not run into a map; note whether it was stopped.

    :param pose: x y z yaw pitch roll.
    :param motion: of its body.
    :param vx: of its centre of mass, world frame [m/s]; vy, and its yaw rate w [rad/s].
    """
    vehicle['walled'] = 0.0
    if not walls_near(relief, motion[COM_X], motion[COM_Y], vehicle['size'] + REACH + dt * (
            abs(vx) + abs(vy) + vehicle['size'] * abs(w))):
        return vx, vy, w
    cosine, sine = motion[COS], motion[SIN]
    along, across = -math.sin(pose[4]), math.cos(pose[4]) * math.sin(pose[5])
    found = np.empty((OUTLINE + 2 * len(wheels), 4))
    count = 0
    top = pose[2] + vehicle['box_high']
    for k in range(len(found)):
        rim = k - OUTLINE
        if rim < 0:
            # three in front, three behind, two at the sides
            part = 1.0 if k < 3 else (-1.0 if k < 6 else 0.0)
            side = k % 3 - 1.0 if k < 6 else (1.0 if k == 6 else -1.0)
            x = vehicle['box_x'] + part * vehicle['box_half_x']
            y = vehicle['box_y'] + side * vehicle['box_half_y']
            floor, least = pose[2] + along * x + across * y + vehicle['box_low'], SCARP
        else:
            wheel = wheels[rim // 2]
            angle = wheel['toe'] + wheel['steer']
            away = wheel['radius'] if rim % 2 == 0 else -wheel['radius']
            x, y = wheel['x'] + away * math.cos(angle), wheel['y'] + away * math.sin(angle)
            floor = pose[2] + along * wheel['x'] + across * wheel['y'] + WALL * wheel['radius']
            least = WALL
        arm_x, arm_y = x - vehicle['com_x'], y - vehicle['com_y']
        arm_x, arm_y = cosine * arm_x - sine * arm_y, sine * arm_x + cosine * arm_y
        hits, out_x, out_y = wall_at(
            relief, pose[0] + cosine * x - sine * y, pose[1] + sine * x + cosine * y, floor, top,
            least, dt * (vx - w * arm_y), dt * (vy + w * arm_x))
        if hits:
            found[count, 0], found[count, 1] = out_x, out_y
            found[count, 2] = arm_x * out_y - arm_y * out_x
            found[count, 3] = 0.0
            count += 1
    if count == 0:
        return vx, vy, w
    mass, inertia = vehicle['mass'], vehicle['turn_inertia']
    for _ in range(SWEEPS):
        for k in range(count):
            x, y, turn, before = found[k, 0], found[k, 1], found[k, 2], found[k, 3]
            comes = vx * x + vy * y + w * turn
            after = max(before - comes / (1.0 / mass + turn * turn / inertia), 0.0)
            push = after - before
            found[k, 3] = after
            vx += push * x / mass
            vy += push * y / mass
            w += push * turn / inertia
            if after > 0.0:
                vehicle['walled'] = 1.0
    return vx, vy, w


@lazy_kernel(0.0, NO_RELIEF, SOME_VEHICLES, STARTS, SOME_WHEELS, TABLE, TABLE)
def stop_ideal(dt: float, relief: Relief, vehicles: Records, wheel_start: NDArray[np.int64],
               wheels: Records, pose: Array, motion: Array) -> None:
    """
    Stop vehicles with ideal controllers at walls, before the engine gets their velocities.

    :param pose: shape (V, 6).
    :param motion: shape (V, MOTION).
    """
    for i in range(len(vehicles)):
        if vehicles[i]['is_ideal'] != 0.0:
            vx, vy, w = stopped(
                dt, relief, vehicles[i], wheels[wheel_start[i]:wheel_start[i + 1]], pose[i],
                motion[i], motion[i, VX], motion[i, VY], motion[i, OMEGA])
            motion[i, VX], motion[i, VY], motion[i, OMEGA] = (
                np.float32(vx), np.float32(vy), np.float32(w))
