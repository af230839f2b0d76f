# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Contacts of a body with the edges of blocks: of the box around its chassis, and of wheels' sides.

An edge of a top that is in the box at the end of the step pushes the face of the box that it was
outside of at the start, or nearest to, at both ends of the part that is in it. Of a wheel it
pushes a side, where that is nearer than the rim, on which `ground_contacts` rolls the wheel.
"""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.ground.surfaces import BUMP, FLAT, MAP
from mvsim_ros2.physics.ground.terrain import height_of, NO_RELIEF, Relief
from mvsim_ros2.physics.physical.ground_contacts import (
    AHEAD, CHASSIS, CLIMB, DAMP, EDGES, FASTEST, GAP, GX, GY, HARD, NX, NY, NZ, ON, RX, SHARE,
    STIFF, UPRIGHT)
from mvsim_ros2.physics.physical.rigid_body import in_body
from mvsim_ros2.physics.state.example_arguments import A_VEHICLE, ROW, SOME_WHEELS, TABLE
from mvsim_ros2.physics.state.record_layout import OMEGA, VX, VY

Records = NDArray[np.void]

NEAR = 2e-3  # m; around a body, where an edge may come to touch it
INWARD = 0.3  # sine of how far the normal of a face may point into the block, or down
ACROSS = 0.3  # cosine of the angle between an axle and the side of a block that it may touch
BY = 0.03  # m; how far off an edge a body in the plane becomes one in space
DEEPEST = 1.0  # m; nothing is deeper in the side of a wheel
SHEET = 0.5  # the same of a face over the vertical that the edge of a plane, which is thin, pushes


@compiled(inlined=True)
def clipped(low: float, high: float, at: float, way: float, half: float) -> tuple[float, float]:
    """Return the part of a line, from `at` on by `way`, that is within `half` of 0."""
    if abs(way) < 1e-12:
        return (low, high) if abs(at) < half else (1.0, 0.0)
    one, other = (-half - at) / way, (half - at) / way
    return max(low, min(one, other)), min(high, max(one, other))


@compiled(inlined=True)
def corner(relief: Relief, surface: np.void, k: int) -> tuple[float, float]:
    """Return a corner of the outline of a surface, in its frame, counter-clockwise."""
    if surface['count'] > 0:
        row = surface['first'] + k % surface['count']
        return relief.corners[row, 0], relief.corners[row, 1]
    return (surface['x_max'] if k % 4 in (1, 2) else surface['x_min'],
            surface['y_max'] if k % 4 in (2, 3) else surface['y_min'])


@compiled(inlined=True)
def keep(rotation: Array, line: Array, part: float, normal: Array, depth: float, deeper: float,
         contacts: Array) -> None:
    """
    Note a contact in place of the one that is least near.

    :param line: see `against_box`.
    :param part: of the line, where the contact is.
    :param normal: of the contact, shape (3,).
    :param depth: at the start of the step [m]; deeper at its end.
    """
    first = len(contacts) - CHASSIS - EDGES
    least = first
    for k in range(first, first + EDGES):
        if contacts[k, AHEAD] > contacts[least, AHEAD]:
            least = k
    row = contacts[least]
    if -deeper >= row[AHEAD]:
        return
    row[GAP], row[AHEAD], row[GX], row[GY] = -depth, -deeper, line[4, 0], line[4, 1]
    row[NX], row[NY], row[NZ] = normal[0], normal[1], normal[2]
    row[CLIMB] = normal[0] * line[4, 0] + normal[1] * line[4, 1] + normal[2] * line[4, 2]
    x = line[0, 0] + part * (line[1, 0] - line[0, 0])
    y = line[0, 1] + part * (line[1, 1] - line[0, 1])
    z = line[0, 2] + part * (line[1, 2] - line[0, 2])
    for k in range(3):
        row[RX + k] = rotation[k, 0] * x + rotation[k, 1] * y + rotation[k, 2] * z


@compiled(inner=True)
def against_box(vehicle: np.void, rotation: Array, line: Array, sheet: bool, contacts: Array,
                ) -> None:
    """
    Note the contacts of an edge with the box around a chassis.

    :param line: by rows, its two ends from the centre of mass at the start and at the end of the
        step, in axes of the body; velocity of the ground; the way out of the block in plan.
    :param sheet: whether the edge is that of a plane.
    """
    middle, half, normal = np.empty(3), np.empty(3), np.empty(3)
    middle[0], middle[1] = vehicle['box_x'] - vehicle['com_x'], vehicle['box_y'] - vehicle['com_y']
    middle[2] = 0.5 * (vehicle['box_low'] + vehicle['box_high']) - vehicle['com_height']
    half[0], half[1] = vehicle['box_half_x'], vehicle['box_half_y']
    half[2] = 0.5 * (vehicle['box_high'] - vehicle['box_low'])
    low, high = 0.0, 1.0
    for k in range(3):
        low, high = clipped(
            low, high, line[2, k] - middle[k], line[3, k] - line[2, k], half[k] + NEAR)
    if low >= high:
        return
    axis, sign, least = -1, 1.0, math.inf
    for k in range(6):
        j, side = k // 2, 1.0 if k % 2 else -1.0
        out = -side * (rotation[0, j] * line[5, 0] + rotation[1, j] * line[5, 1])
        if out < -INWARD or -side * rotation[2, j] < (SHEET if sheet else -INWARD):
            continue
        depth = half[j] - side * (line[0, j] - middle[j])
        way = side * (line[1, j] - line[0, j])
        depth -= min(low * way, high * way)
        if depth < least:
            axis, sign, least = j, side, depth
    if axis < 0:
        return
    for k in range(3):
        normal[k] = -sign * rotation[k, axis]
    for k in range(2):
        part = low if k == 0 else high
        at = line[0, axis] + part * (line[1, axis] - line[0, axis])
        then = line[2, axis] + part * (line[3, axis] - line[2, axis])
        keep(rotation, line, part, normal, half[axis] - sign * (at - middle[axis]),
             half[axis] - sign * (then - middle[axis]), contacts)


@compiled(inner=True)
def against_wheel(vehicle: np.void, wheel: np.void, rotation: Array, line: Array, contacts: Array,
                  ) -> None:
    """Note the contact of an edge below the hub of a wheel with its side: see `against_box`."""
    radius, half, angle = wheel['radius'], 0.5 * wheel['width'], wheel['toe'] + wheel['steer']
    cosine, sine = math.cos(angle), math.sin(angle)
    hub_x, hub_y = wheel['x'] - vehicle['com_x'], wheel['y'] - vehicle['com_y']
    hub_z = radius + wheel['travel'] - vehicle['com_height']
    local, normal = np.empty((4, 3)), np.empty(3)  # the line ahead, along the axle, up
    for k in range(4):
        x, y = line[k, 0] - hub_x, line[k, 1] - hub_y
        local[k, 0], local[k, 1] = cosine * x + sine * y, cosine * y - sine * x
        local[k, 2] = line[k, 2] - hub_z
    ahead, up = local[3, 0] - local[2, 0], local[3, 2] - local[2, 2]
    square = ahead * ahead + up * up
    along = ahead * local[2, 0] + up * local[2, 2]
    root = along * along - square * (local[2, 0] ** 2 + local[2, 2] ** 2 - radius * radius)
    if root <= 0.0 or square <= 0.0:
        return
    for k in range(3):
        normal[k] = cosine * rotation[k, 1] - sine * rotation[k, 0]
    out = normal[0] * line[5, 0] + normal[1] * line[5, 1]
    sign = -1.0 if out > 0.0 else 1.0
    low, high = max(0.0, (-along - math.sqrt(root)) / square), min(
        1.0, (math.sqrt(root) - along) / square)
    # not what is outside of the side; however deep, since a wheel may be thin
    low, high = clipped(low, high, sign * local[2, 1] - half - NEAR + DEEPEST,
                        sign * (local[3, 1] - local[2, 1]), DEEPEST)
    if low >= high:
        return
    part = 0.5 * (low + high)
    ahead = local[0, 0] + part * (local[1, 0] - local[0, 0])
    up = local[0, 2] + part * (local[1, 2] - local[0, 2])
    if abs(out) < ACROSS or up > 0.0:
        return
    way = sign * (local[1, 1] - local[0, 1])
    depth = half - sign * local[0, 1] - min(low * way, high * way)
    if depth > radius - math.sqrt(ahead * ahead + up * up):
        return
    way = sign * (local[3, 1] - local[2, 1])
    for k in range(3):
        normal[k] *= -sign
    keep(rotation, line, part, normal, depth,
         half - sign * local[2, 1] - min(low * way, high * way), contacts)


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
    x = abs(vehicle['box_x'] - vehicle['com_x']) + vehicle['box_half_x']
    y = abs(vehicle['box_y'] - vehicle['com_y']) + vehicle['box_half_y']
    z = vehicle['box_high']
    reach = math.sqrt(x * x + y * y + z * z) + wheels[0]['radius'] + dt * (
        abs(u[0]) + abs(u[1]) + abs(u[2]))
    line = np.empty((6, 3))
    for i in range(len(relief.surfaces)):
        surface = relief.surfaces[i]
        if not surface['present'] or surface['kind'] == MAP or surface['kind'] == BUMP:
            continue
        cosine, sine = surface['cos'], surface['sin']
        x, y = centre[0] - surface['x'], centre[1] - surface['y']
        along, across = cosine * x + sine * y, cosine * y - sine * x
        up = centre[2] - surface['z']
        if (along < surface['x_min'] - reach or along > surface['x_max'] + reach
                or across < surface['y_min'] - reach or across > surface['y_max'] + reach
                or up < surface['low'] - reach or up > surface['high'] + reach):
            continue
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
            at = min(max(at, 0.0), length)
            line[4, 0] = surface['move_x'] - surface['turn'] * (
                sine * (from_x + at * way_x) + cosine * (from_y + at * way_y))
            line[4, 1] = surface['move_y'] + surface['turn'] * (
                cosine * (from_x + at * way_x) - sine * (from_y + at * way_y))
            line[4, 2] = surface['rise']
            for end in range(2):
                far = min(max(at + (2.0 * reach if end else -2.0 * reach), 0.0), length)
                own_x, own_y = from_x + far * way_x, from_y + far * way_y
                z = height_of(surface, relief.heights, own_x, own_y) - up
                x, y = (cosine * own_x - sine * own_y + surface['x'] - centre[0],
                        sine * own_x + cosine * own_y + surface['y'] - centre[1])
                line[end, 0], line[end, 1], line[end, 2] = in_body(rotation, x, y, z)
                line[2 + end, 0], line[2 + end, 1], line[2 + end, 2] = in_body(
                    rotation, x - dt * (u[0] + u[4] * z - u[5] * y - line[4, 0]),
                    y - dt * (u[1] + u[5] * x - u[3] * z - line[4, 1]),
                    z - dt * (u[2] + u[3] * y - u[4] * x - line[4, 2]))
            against_box(vehicle, rotation, line, count == 0, contacts)
            for n in range(len(wheels)):
                if count > 0:
                    against_wheel(vehicle, wheels[n], rotation, line, contacts)
    hard = vehicle['mass'] * HARD * HARD / len(wheels)
    for k in range(first, first + EDGES):
        row = contacts[k]
        row[STIFF], row[SHARE] = hard, 1.0
        row[DAMP] = 2.0 * hard / HARD if row[GAP] < 0.0 else 0.0
        row[ON] = 1.0 if row[AHEAD] < 0.0 else 0.0
        row[GAP] = max(row[GAP], -FASTEST * dt)
        if row[AHEAD] < 1.0 and row[NZ] < UPRIGHT:  # points beside it are not on top
            for point in range(CHASSIS):
                c = contacts[first + EDGES + point]
                before = c[AHEAD] - dt * (u[2] + u[3] * c[RX + 1] - u[4] * c[RX])
                if before < -NEAR and not (int(vehicle['lies']) >> point) & 1:
                    c[ON], c[GAP], c[AHEAD] = 0.0, 1.0, 1.0


@lazy_kernel(0.0, NO_RELIEF, A_VEHICLE, SOME_WHEELS, ROW, ROW)
def note_edges(dt: float, relief: Relief, vehicle: np.void, wheels: Records, pose: Array,
               motion: Array) -> None:
    """
    Note whether the edge of a block is near that is below the centre of mass of an upright body.

    By the sides of wheels up to their hubs, and around the chassis.

    :param pose: x y z yaw pitch roll.
    :param motion: of its body in the engine.
    """
    vehicle['by_edge'] = 0.0
    for k in range(len(wheels)):
        wheels[k]['beside'] = -math.inf
    speed = abs(motion[VX]) + abs(motion[VY]) + abs(motion[OMEGA]) * vehicle['box_half_x']
    heading_x, heading_y = math.cos(pose[3]), math.sin(pose[3])
    for i in range(len(relief.surfaces)):
        surface = relief.surfaces[i]
        top, count = surface['z'] + surface['high'] - pose[2], surface['count']
        if not surface['present'] or count == 0 or top <= 1e-9 or top >= vehicle['com_height'] or (
                surface['kind'] != FLAT):
            continue
        near = BY + 2.0 * dt * (speed + abs(surface['move_x']) + abs(surface['move_y']))
        ahead_x = surface['cos'] * heading_x + surface['sin'] * heading_y
        ahead_y = surface['cos'] * heading_y - surface['sin'] * heading_x
        for n in range(-1, len(wheels)):
            x, y, half_x, half_y = (vehicle['box_x'], vehicle['box_y'], vehicle['box_half_x'],
                                    vehicle['box_half_y'])
            if n >= 0:
                x, y, half_y = wheels[n]['x'], wheels[n]['y'], 0.5 * wheels[n]['width']
                half_x, angle = wheels[n]['radius'], wheels[n]['toe'] + wheels[n]['steer']
            if top <= vehicle['box_low'] if n < 0 else top > half_x:
                continue
            at_x = pose[0] + heading_x * x - heading_y * y - surface['x']
            at_y = pose[1] + heading_y * x + heading_x * y - surface['y']
            at_x, at_y = (surface['cos'] * at_x + surface['sin'] * at_y,
                          surface['cos'] * at_y - surface['sin'] * at_x)
            away, side = -math.inf, 0.0
            for k in range(count):
                from_x, from_y = corner(relief, surface, k)
                to_x, to_y = corner(relief, surface, k + 1)
                out_x, out_y = to_y - from_y, from_x - to_x
                length = math.sqrt(out_x * out_x + out_y * out_y)
                out_x, out_y = out_x / length, out_y / length
                along, across = (out_x * ahead_x + out_y * ahead_y,
                                 out_y * ahead_x - out_x * ahead_y)
                if n >= 0:
                    along, across = (math.cos(angle) * along + math.sin(angle) * across,
                                     math.cos(angle) * across - math.sin(angle) * along)
                far = (at_x - from_x) * out_x + (at_y - from_y) * out_y - (
                    half_x * abs(along) + half_y * abs(across))
                if far > away:
                    away, side = far, abs(across)
            if away < near and (n < 0 or side > UPRIGHT):
                vehicle['by_edge'] = 1.0
                if n >= 0:
                    wheels[n]['beside'] = max(wheels[n]['beside'], pose[2] + top + 1e-3)
