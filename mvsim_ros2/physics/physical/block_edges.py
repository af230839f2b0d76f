# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Contacts of a body with the edges of blocks: of the box around its chassis, and of wheels' sides.

An edge that is in a box at the end of the step pushes one face, at both ends of the part inside.
It is the face that it was outside of at the start, or nearest to. Around a wheel it is a box as
well, whose sides count only: on its rim `ground_contacts` rolls the wheel.
"""

import math

import numpy as np

from mvsim_ros2.frames import Array, Records
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.ground.relief import height_of, NO_RELIEF, Relief
from mvsim_ros2.physics.ground.surfaces import BUMP, MAP
from mvsim_ros2.physics.physical.ground_contacts import (
    AHEAD, CHASSIS, CLIMB, COLUMNS, DAMP, EDGES, FASTEST, GAP, GX, GY, HARD, MOVER, NX, NY, NZ, ON,
    RX, RY, RZ, SHARE, STIFF, UPRIGHT)
from mvsim_ros2.physics.physical.movers import ease_at
from mvsim_ros2.physics.state.record_layout import (
    A_VEHICLE, COM_X, COM_Y, OMEGA, ROW, SOME_WHEELS, TABLE, VX, VY)

NEAR = 0.03  # m; around a body, where an edge may come to touch it
SLIGHT = 2e-3  # m; a point of the chassis that is deeper came from the side
INWARD = 0.3  # sine of how far the normal of a face may point into the block, or down
ACROSS = 0.3  # cosine of the angle between an axle and the side of a block that it may touch
NOWHERE = -1e9  # m; height of no edge
ASIDE = 0.1  # of the speed of what is pushed up is that of what is pushed aside, which goes on so
SHEET = 0.5  # the same of a face over the vertical that the edge of a plane, which is thin, pushes


@compiled(inlined=True)
def corner(relief: Relief, surface: np.void, k: int) -> tuple[float, float]:
    """Return a corner of the outline of a surface, in its frame, counter-clockwise."""
    if surface['count'] > 0:
        row = surface['first'] + k % surface['count']
        return relief.corners[row, 0], relief.corners[row, 1]
    return (surface['x_max'] if k % 4 in (1, 2) else surface['x_min'],
            surface['y_max'] if k % 4 in (2, 3) else surface['y_min'])


@compiled(inlined=True)
def reach_of(dt: float, vehicle: np.void, wheels: Records, speed: float) -> float:
    """Return how far from the centre of mass an edge may touch a vehicle within a step [m]."""
    x = abs(vehicle['box_x'] - vehicle['com_x']) + vehicle['box_half_x']
    y = abs(vehicle['box_y'] - vehicle['com_y']) + vehicle['box_half_y']
    z = max(abs(vehicle['box_low'] - vehicle['com_height']),
            abs(vehicle['box_high'] - vehicle['com_height']))
    return float(math.sqrt(x * x + y * y + z * z) + 2.0 * wheels[0]['radius'] + dt * speed)


@compiled(inlined=True)
def is_near(surface: np.void, x: float, y: float, z: float, reach: float) -> bool:
    """Return whether an edge of a surface may be within reach of a place."""
    x, y, z = x - surface['x'], y - surface['y'], z - surface['z']
    along = surface['cos'] * x + surface['sin'] * y
    if along < surface['x_min'] - reach or along > surface['x_max'] + reach:
        return False
    across = surface['cos'] * y - surface['sin'] * x
    if (surface['count'] == 0 and surface['x_min'] + reach < along < surface['x_max'] - reach
            and surface['y_min'] + reach < across < surface['y_max'] - reach):
        return False  # amid a rectangle
    return bool(surface['y_min'] - reach <= across <= surface['y_max'] + reach
                and surface['low'] - reach <= z <= surface['high'] + reach
                and surface['present'] and surface['kind'] != MAP and surface['kind'] != BUMP)


@compiled(inlined=True)
def edges_near(relief: Relief, x: float, y: float, z: float, reach: float) -> bool:
    """Return whether an edge of a surface may be within reach of a place."""
    for i in range(len(relief.surfaces)):
        if is_near(relief.surfaces[i], x, y, z, reach):
            return True
    return False


@compiled(inlined=True)
def keep(line: Array, part: float, normal: Array, depth: float, deeper: float, contacts: Array,
         ) -> None:
    """
    Note a contact in place of the one that is least near.

    :param part: of the line, where it is; for this and `normal` see `against_box`.
    :param depth: at the start of the step [m]; deeper at its end.
    """
    least = len(contacts) - CHASSIS - EDGES
    for k in range(least + 1, len(contacts) - CHASSIS):
        if contacts[k, AHEAD] > contacts[least, AHEAD]:
            least = k
    row = contacts[least]
    if -deeper >= row[AHEAD]:
        return
    row[GAP], row[AHEAD], row[GX], row[GY] = -depth, -deeper, line[4, 0], line[4, 1]
    row[MOVER] = line[5, 2]
    row[NX], row[NY], row[NZ], row[CLIMB] = normal[0], normal[1], normal[2], 0.0
    for k in range(3):
        row[RX + k] = line[0, k] + part * (line[1, k] - line[0, k])
        row[CLIMB] += normal[k] * line[4, k]


@compiled
def against_box(frame: Array, middle: Array, half: Array, line: Array, steepest: float,
                sides: bool, contacts: Array) -> bool:
    """
    Note the contacts of an edge with a box; return whether it touches it, or may soon.

    :param frame: axes of the box, by columns; middle, of it, in these, from the centre of mass;
        half, its half sizes.
    :param line: rows in world axes: ends of the edge from the centre of mass, at start and end of
        the step; ground velocity; horizontal way out. Then `mover`.
    :param steepest: least vertical part of the normal of a face that it pushes.
    :param sides: only the faces along the second axis are pushed.
    """
    local, normal = np.empty((4, 3)), np.empty(3)
    low, high = 0.0, 1.0
    for j in range(3):
        for k in range(4):
            local[k, j] = frame[0, j] * line[k, 0] + frame[1, j] * line[k, 1] + (
                frame[2, j] * line[k, 2]) - middle[j]
        at, way, most = local[2, j], local[3, j] - local[2, j], half[j] + NEAR
        if abs(way) > 1e-12:
            low = max(low, min((-most - at) / way, (most - at) / way))
            high = min(high, max((-most - at) / way, (most - at) / way))
        elif abs(at) > most:
            return False
    if low >= high:
        return False
    axis, sign, least = -1, 1.0, math.inf
    for k in range(6):
        j, side = k // 2, 1.0 if k % 2 else -1.0
        if -side * frame[2, j] < steepest or -side * (
                frame[0, j] * line[5, 0] + frame[1, j] * line[5, 1]) < -INWARD:
            continue
        way = side * (local[1, j] - local[0, j])
        depth = half[j] - side * local[0, j] - min(low * way, high * way)
        if depth < least:
            axis, sign, least = j, side, depth
    if axis < 0 or sides and axis != 1:
        return False
    for k in range(3):
        normal[k] = -sign * frame[k, axis]
    for k in range(2):
        part = low if k == 0 else high
        keep(line, part, normal,
             half[axis] - sign * (local[0, axis] + part * (local[1, axis] - local[0, axis])),
             half[axis] - sign * (local[2, axis] + part * (local[3, axis] - local[2, axis])),
             contacts)
    return True


@compiled
def against_wheel(vehicle: np.void, wheel: np.void, rotation: Array, line: Array, bottom: float,
                  contacts: Array) -> bool:
    """
    Do what `against_box` does with the outer half of a wheel, below its hub.

    A side that goes on above its hub touches it there, if the edge is below the centre of mass.

    :param bottom: height of the lower end of that side, from the centre of mass.
    """
    radius, angle = wheel['radius'], wheel['toe'] + wheel['steer']
    cosine, sine = math.cos(angle), math.sin(angle)
    frame, middle, half = np.empty((3, 3)), np.empty(3), np.full(3, radius)
    for k in range(3):
        frame[k, 0] = cosine * rotation[k, 0] + sine * rotation[k, 1]
        frame[k, 1] = cosine * rotation[k, 1] - sine * rotation[k, 0]
        frame[k, 2] = rotation[k, 2]
    out = frame[0, 1] * line[5, 0] + frame[1, 1] * line[5, 1]
    if abs(out) < ACROSS:
        return False
    x, y = wheel['x'] - vehicle['com_x'], wheel['y'] - vehicle['com_y']
    middle[0], middle[1] = cosine * x + sine * y, cosine * y - sine * x
    middle[1] += math.copysign(radius - 0.5 * wheel['width'], out)  # as deep as it is high
    half[2] = 0.5 * radius
    middle[2] = half[2] + wheel['travel'] - vehicle['com_height']
    top = middle[2] + half[2]
    over = max(line[0, 2], line[1, 2]) - top
    if 0.0 < over < -top and bottom < top + radius:
        line = line.copy()
        for k in range(4):
            line[k, 2] -= over
    return against_box(frame, middle, half, line, -INWARD, True, contacts)


@lazy_kernel(0.0, NO_RELIEF, A_VEHICLE, SOME_WHEELS, TABLE, ROW, ROW, TABLE)
def find_edges(
        dt: float, relief: Relief, vehicle: np.void, wheels: Records, rotation: Array,
        centre: Array, u: Array, contacts: Array) -> None:
    """
    Fill in the contacts with edges of blocks: for the parameters see `find_contacts`.

    :param contacts: those with edges come before those of the chassis.
    """
    first = len(contacts) - CHASSIS - EDGES
    for k in range(first, first + EDGES):
        contacts[k, :] = 0.0
        contacts[k, NZ] = contacts[k, GAP] = contacts[k, AHEAD] = 1.0
    for k in range(len(wheels)):
        wheels[k]['beside'] = NOWHERE
    line, middle, half = np.zeros((6, 3)), np.empty(3), np.empty(3)
    middle[0], middle[1] = vehicle['box_x'] - vehicle['com_x'], vehicle['box_y'] - vehicle['com_y']
    middle[2] = 0.5 * (vehicle['box_low'] + vehicle['box_high']) - vehicle['com_height']
    half[0], half[1] = vehicle['box_half_x'], vehicle['box_half_y']
    half[2] = 0.5 * (vehicle['box_high'] - vehicle['box_low'])
    reach = reach_of(dt, vehicle, wheels, abs(u[0]) + abs(u[1]) + abs(u[2]))
    for i in range(len(relief.surfaces)):
        surface = relief.surfaces[i]
        if not is_near(surface, centre[0], centre[1], centre[2], reach):
            continue
        cosine, sine = surface['cos'], surface['sin']
        x, y = centre[0] - surface['x'], centre[1] - surface['y']
        along, across = cosine * x + sine * y, cosine * y - sine * x
        up = centre[2] - surface['z']
        count = surface['count']
        for k in range(count if count > 0 else 4):
            from_x, from_y = corner(relief, surface, k)
            to_x, to_y = corner(relief, surface, k + 1)
            way_x, way_y = to_x - from_x, to_y - from_y
            length = math.sqrt(way_x * way_x + way_y * way_y)
            way_x, way_y = way_x / length, way_y / length
            at = (along - from_x) * way_x + (across - from_y) * way_y
            if abs((along - from_x) * way_y - (across - from_y) * way_x) > reach or (
                    at < -reach or at > length + reach):
                continue
            line[5, 0], line[5, 1] = cosine * way_y + sine * way_x, sine * way_y - cosine * way_x
            line[5, 2] = surface['mover']
            for end in range(2):
                far = min(max(at + (2.0 * reach if end else -2.0 * reach), 0.0), length)
                own_x, own_y = from_x + far * way_x, from_y + far * way_y
                x, y = cosine * own_x - sine * own_y, sine * own_x + cosine * own_y
                line[4, 0] = surface['move_x'] - surface['turn'] * y
                line[4, 1] = surface['move_y'] + surface['turn'] * x
                line[4, 2] = surface['rise']
                x, y = x + surface['x'] - centre[0], y + surface['y'] - centre[1]
                z = height_of(surface, relief.heights, own_x, own_y) - up
                line[end, 0], line[end, 1], line[end, 2] = x, y, z
                line[2 + end, 0] = x - dt * (u[0] + u[4] * z - u[5] * y - line[4, 0])
                line[2 + end, 1] = y - dt * (u[1] + u[5] * x - u[3] * z - line[4, 1])
                line[2 + end, 2] = z - dt * (u[2] + u[3] * y - u[4] * x - line[4, 2])
            against_box(rotation, middle, half, line, -INWARD if count > 0 else SHEET, False,
                        contacts)
            for n in range(len(wheels)):
                if count > 0 and against_wheel(
                        vehicle, wheels[n], rotation, line, surface['bottom'] - up, contacts):
                    wheels[n]['beside'] = max(
                        wheels[n]['beside'], surface['z'] + surface['high'] + SLIGHT)
    hard = vehicle['mass'] * HARD * HARD / len(wheels)
    shared = 0.0
    for k in range(first, first + EDGES):
        shared += 1.0 if contacts[k, MOVER] > 0.0 else 0.0
    for k in range(first, first + EDGES):
        row = contacts[k]
        row[STIFF], row[SHARE] = hard if row[AHEAD] < 1.0 else 0.0, 1.0
        row[DAMP] = 2.0 * hard / HARD if row[GAP] < 0.0 else 0.0
        row[ON] = 1.0 if row[AHEAD] < 0.0 else 0.0
        if row[MOVER] > 0.0:  # which gives way, to each contact by its part
            mover = relief.movers[int(row[MOVER]) - 1]
            soft = 1.0 + shared * dt * (dt * row[STIFF] + row[DAMP]) * ease_at(
                mover, centre[0] + row[RX] - mover['x'], centre[1] + row[RY] - mover['y'],
                centre[2] + row[RZ] - mover['z'], row[NX], row[NY], row[NZ])
            row[STIFF], row[DAMP] = row[STIFF] / soft, row[DAMP] / soft
        row[GAP] = max(row[GAP], -FASTEST * dt * max(row[NZ], ASIDE))
        if row[AHEAD] < 1.0 and row[NZ] < UPRIGHT:  # points beside it are not on top
            for point in range(CHASSIS):
                c = contacts[first + EDGES + point]
                before = c[AHEAD] - dt * (u[2] + u[3] * c[RY] - u[4] * c[RX])
                if before < -SLIGHT and not (int(vehicle['lies']) >> point) & 1:
                    c[ON], c[GAP], c[AHEAD] = 0.0, 1.0, 1.0


@lazy_kernel(0.0, NO_RELIEF, A_VEHICLE, SOME_WHEELS, ROW, ROW)
def comes_to_edge(dt: float, relief: Relief, vehicle: np.void, wheels: Records, pose: Array,
                  motion: Array) -> bool:
    """
    Return whether a vehicle in the plane may touch an edge below its centre of mass.

    :param pose: x y z yaw pitch roll.
    :param motion: of its body in the engine.
    """
    height = pose[2] + vehicle['com_height']
    reach = reach_of(2.0 * dt, vehicle, wheels, abs(motion[VX]) + abs(motion[VY]))
    if not edges_near(relief, motion[COM_X], motion[COM_Y], height, reach):
        return False
    rotation, centre, u = np.eye(3), np.empty(3), np.zeros(6)
    rotation[0, 0] = rotation[1, 1] = math.cos(pose[3])
    rotation[1, 0] = math.sin(pose[3])
    rotation[0, 1] = -rotation[1, 0]
    centre[0], centre[1], centre[2] = motion[COM_X], motion[COM_Y], height
    u[0], u[1], u[5] = motion[VX], motion[VY], motion[OMEGA]
    contacts = np.zeros((EDGES + CHASSIS, COLUMNS))
    find_edges(2.0 * dt, relief, vehicle, wheels, rotation, centre, u, contacts)
    return bool(np.any((contacts[:EDGES, AHEAD] < 1.0) & (contacts[:EDGES, RZ] < 0.0)))
