# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The plane in which the tyres of a body in space push, and the mass that they find there.

P is the foot of the centre of mass on the plane of the contacts. S is the motion of this plane at
P for the velocities u of the body. With the system A of masses, springs and contacts, this mass is
``(S A^-1 S^T)^-1``. Where contacts are in several planes, as at a kerb, each wheel slips and
pushes in its own; the mass is that of their mean.
"""

import math

import numpy as np

from mvsim_ros2.frames import Array, Records
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.physical.ground_contacts import (
    FORCE, GX, GY, in_line, NX, NY, NZ, ON, PX, PY, PZ, REST, RX, RY, RZ, UPRIGHT)
from mvsim_ros2.physics.physical.rigid_body import BODY, velocity_at
from mvsim_ros2.physics.physical.solve import inverse_3x3
from mvsim_ros2.physics.state.record_layout import LEANS


@compiled(inlined=True)
def contact_plane(wheels: Records, rotation: Array, contacts: Array, plane: Array) -> float:
    """
    Fill in the axes of the plane of the contacts, by rows ahead, left, normal, shape (3, 3).

    The normal is the mean of those of the wheels, weighted by loads.

    :returns: height of the centre of mass over it [m].
    """
    nx, ny, nz, height, weight = 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(len(wheels)):
        c = contacts[k]
        if c[ON] != 0.0:
            part = max(c[FORCE], 1e-9)
            nx, ny, nz = nx + part * c[NX], ny + part * c[NY], nz + part * c[NZ]
            weight += part
    length = math.sqrt(nx * nx + ny * ny + nz * nz)
    if length > 0.0:
        nx, ny, nz = nx / length, ny / length, nz / length
    if length == 0.0 or (nx * rotation[0, 2] + ny * rotation[1, 2]
                         + nz * rotation[2, 2]) < UPRIGHT:
        nx, ny, nz, weight = rotation[0, 2], rotation[1, 2], rotation[2, 2], 0.0
    for k in range(len(wheels)):
        c = contacts[k]
        part = max(c[FORCE], 1e-9) if weight > 0.0 and c[ON] != 0.0 else 0.0
        if weight == 0.0:
            part = 1.0 / len(wheels)
        height -= part * (c[RX] * nx + c[RY] * ny + c[RZ] * nz)
    if weight > 0.0:
        height /= weight
    along = rotation[0, 0] * nx + rotation[1, 0] * ny + rotation[2, 0] * nz
    x, y, z = (rotation[0, 0] - along * nx, rotation[1, 0] - along * ny,
               rotation[2, 0] - along * nz)
    length = math.sqrt(x * x + y * y + z * z)
    plane[0, 0], plane[0, 1], plane[0, 2] = x / length, y / length, z / length
    plane[2, 0], plane[2, 1], plane[2, 2] = nx, ny, nz
    plane[1, 0] = ny * plane[0, 2] - nz * plane[0, 1]
    plane[1, 1] = nz * plane[0, 0] - nx * plane[0, 2]
    plane[1, 2] = nx * plane[0, 1] - ny * plane[0, 0]
    return height


@compiled(inlined=True)
def motion_in_plane(plane: Array, height: float, moves: Array) -> None:
    """
    Fill in S: velocities ahead and to the left at the foot P, and the turn about the normal.

    :param moves: transpose of S for the body in its first columns, shape (6, 4).
    """
    x, y, z = -height * plane[2, 0], -height * plane[2, 1], -height * plane[2, 2]
    for k in range(2):
        for i in range(3):
            moves[i, k] = plane[k, i]
        moves[3, k] = y * plane[k, 2] - z * plane[k, 1]
        moves[4, k] = z * plane[k, 0] - x * plane[k, 2]
        moves[5, k] = x * plane[k, 1] - y * plane[k, 0]
    for i in range(3):
        moves[i, 2], moves[3 + i, 2] = 0.0, plane[2, i]


@compiled(inlined=True)
def own_axis(plane: Array, axis: int, contact: Array) -> tuple[float, float, float]:
    """
    Return an axis of the plane of all contacts, turned into the plane of one of them.

    :param plane: axes ahead, left, normal by rows, shape (3, 3).
    :param axis: number of the row.
    """
    nx, ny, nz = plane[2, 0], plane[2, 1], plane[2, 2]
    x, y, z = plane[axis, 0], plane[axis, 1], plane[axis, 2]
    over = x * contact[NX] + y * contact[NY] + z * contact[NZ]
    over /= 1.0 + max(nx * contact[NX] + ny * contact[NY] + nz * contact[NZ], 0.0)
    return (x - over * (nx + contact[NX]), y - over * (ny + contact[NY]),
            z - over * (nz + contact[NZ]))


@compiled(inlined=True)
def push_wheels(dt: float, wheels: Records, contacts: Array, plane: Array, forces: Array) -> None:
    """
    Add the forces of the tyres, each in the plane of its contact, and their torques.

    :param plane: axes in which the forces of `wheels` are.
    :param forces: on the body, and torques about its centre of mass, shape (6,).
    """
    for k in range(len(wheels)):
        along, across, c = wheels[k]['force_x'], wheels[k]['force_y'], contacts[k]
        ahead_x, ahead_y, ahead_z = own_axis(plane, 0, c)
        left_x, left_y, left_z = own_axis(plane, 1, c)
        x, y = along * ahead_x + across * left_x, along * ahead_y + across * left_y
        z = along * ahead_z + across * left_z
        c[PX], c[PY], c[PZ] = dt * x, dt * y, dt * z
        forces[0], forces[1], forces[2] = forces[0] + x, forces[1] + y, forces[2] + z
        forces[3] += c[RY] * z - c[RZ] * y
        forces[4] += c[RZ] * x - c[RX] * z
        forces[5] += c[RX] * y - c[RY] * x


@compiled(inlined=True)
def place_wheels(
        vehicle: np.void, wheels: Records, contacts: Array, plane: Array, height: float, u: Array,
        vx: float, vy: float, w: float, work: Records) -> None:
    """
    Write places and loads of wheels in the plane, and how they move otherwise than it.

    Wheels in line represent both sides: they carry the load of the neighbouring ends.

    :param vx: velocity of the plane at P ahead [m/s]; vy to the left; w its turn [rad/s].
    """
    beside = 0.0
    if vehicle['ground'] == LEANS and in_line(wheels):
        beside = 0.5 * (contacts[2, FORCE] + contacts[3, FORCE])
    for k in range(len(wheels)):
        wheel, own, c = wheels[k], work[k], contacts[k]
        upright = (plane[2, 0] * c[NX] + plane[2, 1] * c[NY] + plane[2, 2] * c[NZ]) > UPRIGHT
        load = max(c[FORCE], 0.0) + beside if upright and vehicle['tipped'] == 0.0 else 0.0
        if load > 0.0:  # after an impact it lags from that at rest
            known = wheel['normal_load'] if wheel['touches'] != 0.0 else (
                min(load, c[REST]) if c[REST] > 0.0 else load)
            load += vehicle['load_keep'] * (known - load)
        wheel['normal_load'] = load
        own['place_x'] = plane[0, 0] * c[RX] + plane[0, 1] * c[RY] + plane[0, 2] * c[RZ]
        own['place_y'] = plane[1, 0] * c[RX] + plane[1, 1] * c[RY] + plane[1, 2] * c[RZ]
        x, y, z = velocity_at(u, c[RX], c[RY], c[RZ])
        x, y = x - c[GX], y - c[GY]
        ax, ay, az = own_axis(plane, 0, c)
        own['drift_x'] = ax * x + ay * y + az * z - vx + w * own['place_y']
        ax, ay, az = own_axis(plane, 1, c)
        own['drift_y'] = ax * x + ay * y + az * z - vy - w * own['place_x']


@compiled(inlined=True)
def effective_mass(
        factor: Array, moves: Array, u: Array, push_x: float, push_y: float, push_w: float,
        eased: Array, mass: Array) -> tuple[float, float, float]:
    """
    Fill in the mass that the tyres find in their plane; return the momentum without them.

    With ``A = R^T R`` and ``E = R^-T S^T`` it is ``(E^T E)^-1``.

    :param factor: R; travels, of which the body is free, do not matter: see `factorise`.
    :param moves: transpose of S; in the last column the momentum that there is instead of that of
        the tyres with which u was found, shape (6, 4).
    :param push_x: velocity that contacts and joints of the engine will give it, in plan whatever
        the slope [m/s]; push_y; push_w [rad/s].
    :param eased: scratch, shape (6, 4).
    :param mass: shape (3, 3).
    """
    for i in range(BODY - 1, -1, -1):
        for k in range(4):
            eased[i, k] = moves[i, k]
        for j in range(i + 1, BODY):
            for k in range(4):
                eased[i, k] -= factor[j, i] * eased[j, k]
        for k in range(4):
            eased[i, k] *= factor[i, i]
    xx, xy, xw, yy, yw, ww = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    vx = push_x * moves[0, 0] + push_y * moves[1, 0] + push_w * moves[5, 0]
    vy = push_x * moves[0, 1] + push_y * moves[1, 1] + push_w * moves[5, 1]
    w = push_w * moves[5, 2]
    for i in range(BODY):
        x, y, turn, value = eased[i, 0], eased[i, 1], eased[i, 2], eased[i, 3]
        xx, xy, xw = xx + x * x, xy + x * y, xw + x * turn
        yy, yw, ww = yy + y * y, yw + y * turn, ww + turn * turn
        vx += moves[i, 0] * u[i] + x * value
        vy += moves[i, 1] * u[i] + y * value
        w += moves[i, 2] * u[i] + turn * value
    (mass[0, 0], mass[0, 1], mass[0, 2], mass[1, 0], mass[1, 1], mass[1, 2], mass[2, 0],
     mass[2, 1], mass[2, 2]) = inverse_3x3(xx, xy, xw, xy, yy, yw, xw, yw, ww)
    return (mass[0, 0] * vx + mass[0, 1] * vy + mass[0, 2] * w,
            mass[1, 0] * vx + mass[1, 1] * vy + mass[1, 2] * w,
            mass[2, 0] * vx + mass[2, 1] * vy + mass[2, 2] * w)
