# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Ground that forces move: the tops of vehicles, of trailers that is, and of pushed blocks.

What stands on it gets its velocity in each contact, and it gets the opposite of the impulse of
each contact (Newton's third law). The velocity is that which it will have after the step, if it
accelerates as in the last two. A rider of mass m follows it at once, so the ground of mass M would
swing up if it got that impulse whole. It gets a share ``b`` of each, and the rest in the steps
after it. The acceleration a of the ground in a step gives in the next one the force
``F + b (m (2 a - a before) - F)``, with ``M a = -F``. By ``b = M / (M + 2 m)`` a difference
falls to ``m / (M + 2 m)``, less than a half, in two steps. For a mass at a distance r from the
centre of mass, M is ``1 / (1 / M + r^2 / I)``.

An impact on an edge of it is between two bodies: see `ease_at`.
"""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array, Records
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.engine.bridge import bodies_motion, body_push
from mvsim_ros2.physics.engine.engine_step import Engine, LOAD
from mvsim_ros2.physics.ground.relief import NO_RELIEF, Relief
from mvsim_ros2.physics.ground.surfaces import A_MOVER, A_SURFACE
from mvsim_ros2.physics.physical.ground_contacts import (
    EDGES, FORCE, MOVER, NX, NY, NZ, ON, PX, PY, PZ, RX, RY, RZ, UPRIGHT)
from mvsim_ros2.physics.physical.outside_forces import what_stays
from mvsim_ros2.physics.physical.rigid_body import attitude, in_body, rotated
from mvsim_ros2.physics.state.record_layout import (
    A_VEHICLE, COM_X, COM_Y, COS, MOTION, OMEGA, ROW, SIN, SOME_VEHICLES, TABLE, VX, VY, X, Y)

NOWHERE = 1e9  # m; height of the top of a vehicle that lies on its side
SLIGHT = 1e-9  # N s; a smaller impulse is none


@compiled(inlined=True)
def lies_still(mover: np.void, awake: NDArray[np.bool_]) -> bool:
    """Return whether a mover is a block that sleeps, on which nothing stands."""
    return bool(mover['rests'] != 0.0 and mover['riders'] == 0.0 and not awake[mover['block']])


@compiled(inlined=True)
def movers_before_step(dt: float, relief: Relief, engine: Engine, vehicles: Records, pose: Array,
                       motion: Array) -> None:
    """Bring the surfaces of movers to where these are: see `follow_movers`."""
    for k in range(len(relief.movers)):
        if not lies_still(relief.movers[k], engine.awake):
            follow_movers(dt, relief.movers, relief.surfaces, engine.awake, engine.sliding,
                          vehicles, pose, motion)
            return


@compiled(inlined=True)
def movers_after_forces(dt: float, movers: Records, vehicles: Records) -> None:
    """Give movers the impulses of impacts on their edges at once: see `strike`."""
    for k in range(len(movers)):
        p = movers[k]['struck']
        if p[0] != 0.0 or p[1] != 0.0 or p[2] != 0.0:
            strike(dt, movers[k], vehicles)


@lazy_kernel(0.0, NO_RELIEF.movers, NO_RELIEF.surfaces, np.zeros(1, np.bool_), TABLE,
             SOME_VEHICLES, TABLE, TABLE)
def follow_movers(dt: float, movers: Records, surfaces: Records, awake: NDArray[np.bool_],
                  sliding: Array, vehicles: Records, pose: Array, motion: Array) -> None:
    """
    Bring the surfaces of movers to where these are, and give them what pressed them.

    :param awake: which blocks that forces move are awake; sliding, how they slide.
    :param pose: of all vehicles, x y z yaw pitch roll; motion of their bodies in the engine.
    """
    for k in range(len(movers)):
        mover = movers[k]
        if lies_still(mover, awake):
            continue
        part = 1.0 / (1.0 + 2.0 * mover['riders'])
        mover['riders'], rest = 0.0, 0.0
        for i in range(6):
            mover['load'][i] += part * (mover['pressed'][i] - mover['load'][i])
            mover['pressed'][i] = 0.0
            rest += abs(mover['load'][i]) + abs(mover['struck'][i])
        if rest < SLIGHT:
            mover['load'][:] = 0.0
        if mover['block'] < 0:
            i = mover['vehicle']
            follow_vehicle(mover, surfaces[mover['surface']], vehicles[i], pose[i], motion[i])
            vehicles[i]['carries'] = 1.0 if rest >= SLIGHT else 0.0
            for j in range(6):
                vehicles[i]['load'][j] = (mover['load'][j] + mover['struck'][j]) / dt
                mover['struck'][j] = 0.0
        else:
            follow_block(mover, surfaces[mover['surface']])
            load = mover['load'][:]
            mover['struck'][:] = 0.0
            for i in range(3):
                rest += abs(mover['velocity'][i]) + abs(mover['change'][i])
            mover['rests'] = 1.0 if rest == 0.0 else 0.0
            sliding[mover['block'], LOAD] = max(-load[2] / dt, 0.0)
            if load[0] != 0.0 or load[1] != 0.0 or load[5] != 0.0:
                body_push(mover['body'], load[0] / dt, load[1] / dt, load[5] / dt)


@compiled(inlined=True)
def predicted(mover: np.void, k: int, now: float) -> float:
    """Return component k of a velocity after the step that comes, for what it is before it."""
    change = now - mover['velocity'][k]
    lasting = what_stays(change, mover['change'][k])
    mover['velocity'][k], mover['change'][k] = now, change
    return now + lasting


@lazy_kernel(A_MOVER, A_SURFACE, A_VEHICLE, ROW, ROW)
def follow_vehicle(mover: np.void, surface: np.void, vehicle: np.void, pose: Array,
                   motion: Array) -> None:
    """Bring the top of a vehicle to where this is."""
    rotation = np.empty((3, 3))
    if vehicle['spatial'] != 0.0:
        attitude(vehicle, rotation)
    else:
        rotation[:, :] = 0.0
        rotation[0, 0] = rotation[1, 1] = motion[COS]
        rotation[1, 0], rotation[0, 1], rotation[2, 2] = motion[SIN], -motion[SIN], 1.0
    x, y, z = rotated(rotation, 0.0, 0.0, vehicle['box_high'])
    com_x, com_y, com_z = rotated(
        rotation, vehicle['com_x'], vehicle['com_y'], vehicle['com_height'])
    surface['x'], surface['y'], surface['z'] = pose[0] + x, pose[1] + y, pose[2] + z
    mover['x'], mover['y'], mover['z'] = pose[0] + com_x, pose[1] + com_y, pose[2] + com_z
    vx, vy, vz, wx, wy, wz = motion[VX], motion[VY], 0.0, 0.0, 0.0, motion[OMEGA]
    if vehicle['spatial'] != 0.0:
        vx, vy, vz = vehicle['v_x'], vehicle['v_y'], vehicle['v_z']
        wx, wy, wz = rotated(rotation, vehicle['w_x'], vehicle['w_y'], vehicle['w_z'])
    x, y, z = x - com_x, y - com_y, z - com_z
    surface['move_x'] = predicted(mover, 0, vx + wy * z - wz * y)
    surface['move_y'] = predicted(mover, 1, vy + wz * x - wx * z)
    surface['turn'] = predicted(mover, 2, wz)
    surface['rise'] = predicted(mover, 3, vz + wx * y - wy * x)
    surface['roll_x'], surface['roll_y'] = wx, wy
    length = max(math.sqrt(rotation[0, 0] ** 2 + rotation[1, 0] ** 2), 1e-6)
    cosine, sine = rotation[0, 0] / length, rotation[1, 0] / length
    surface['cos'], surface['sin'] = mover['cos'], mover['sin'] = cosine, sine
    nx, ny, nz = rotation[0, 2], rotation[1, 2], rotation[2, 2]
    if nz < UPRIGHT:
        surface['z'] = NOWHERE
        return
    surface['slope'] = -(cosine * nx + sine * ny) / nz
    surface['bank'] = -(cosine * ny - sine * nx) / nz
    far = abs(surface['slope']) * max(-surface['x_min'], surface['x_max']) + (
        abs(surface['bank']) * max(-surface['y_min'], surface['y_max']))
    surface['low'], surface['high'] = -far, far


@compiled
def follow_block(mover: np.void, surface: np.void) -> None:
    """Bring the top of a pushed block to where this is in plan."""
    body, motion = np.full(1, mover['body']), np.empty((1, MOTION))
    bodies_motion(body.ctypes.data, 1, motion.ctypes.data)
    now = motion[0]
    surface['x'], surface['y'] = now[X], now[Y]
    surface['cos'], surface['sin'] = mover['cos'], mover['sin'] = now[COS], now[SIN]
    mover['x'], mover['y'], mover['z'] = now[COM_X], now[COM_Y], surface['z']
    surface['move_x'] = predicted(mover, 0, now[VX] + now[OMEGA] * (now[COM_Y] - now[Y]))
    surface['move_y'] = predicted(mover, 1, now[VY] - now[OMEGA] * (now[COM_X] - now[X]))
    surface['turn'] = predicted(mover, 2, now[OMEGA])


@lazy_kernel(0.0, 0, NO_RELIEF, A_VEHICLE, ROW, TABLE)
def press(dt: float, first: int, relief: Relief, vehicle: np.void, centre: Array,
          contacts: Array) -> None:
    """
    Give movers the opposite of the impulses of contacts on them.

    :param first: number of the first contact with an edge.
    :param vehicle: that has the contacts; centre its centre of mass.
    """
    seen = 0
    for k in range(len(contacts)):
        c = contacts[k]
        if c[MOVER] == 0.0 or c[ON] == 0.0:
            continue
        mover = relief.movers[int(c[MOVER]) - 1]
        x, y, z = (centre[0] + c[RX] - mover['x'], centre[1] + c[RY] - mover['y'],
                   centre[2] + c[RZ] - mover['z'])
        force = dt * c[FORCE]
        px, py, pz = -force * c[NX] - c[PX], -force * c[NY] - c[PY], -force * c[NZ] - c[PZ]
        gets = mover['struck'][:] if first <= k < first + EDGES else mover['pressed'][:]
        gets[0] += px
        gets[1] += py
        gets[2] += pz
        gets[3] += y * pz - z * py
        gets[4] += z * px - x * pz
        gets[5] += x * py - y * px
        if seen != c[MOVER]:
            seen = int(c[MOVER])
            x, y = centre[0] - mover['x'], centre[1] - mover['y']
            mover['riders'] += vehicle['mass'] * (mover['ease'] + (x * x + y * y) * max(
                mover['ease_turn'], mover['ease_pitch'], mover['ease_roll']))


@compiled(inlined=True)
def ease_at(mover: np.void, x: float, y: float, z: float, nx: float, ny: float, nz: float,
            ) -> float:
    """
    Return by how much an impulse of 1 moves a mover where and along which it acts.

    ``n (1 / M + (r x n) I^-1 (r x n)) n``: J. Wittenburg, *Dynamics of Multibody Systems*, ch. 7.

    :param x: from its centre of mass [m]; so y and z.
    :param nx: unit vector; so ny and nz.
    """
    wx, wy, wz = y * nz - z * ny, z * nx - x * nz, x * ny - y * nx
    along = mover['cos'] * wx + mover['sin'] * wy
    across = mover['cos'] * wy - mover['sin'] * wx
    return float(mover['ease'] * (nx * nx + ny * ny) + mover['ease_up'] * nz * nz
                 + mover['ease_roll'] * along * along + mover['ease_pitch'] * across * across
                 + mover['ease_turn'] * wz * wz)


@lazy_kernel(0.0, A_MOVER, SOME_VEHICLES)
def strike(dt: float, mover: np.void, vehicles: Records) -> None:
    """
    Give a mover the impulses of impacts on its edges.

    The engine gives them to a block and to a vehicle in the plane. That one gets what tilts or
    lifts it in the next step, as a body in space.
    """
    p = mover['struck'][:]
    if mover['block'] >= 0 or vehicles[mover['vehicle']]['spatial'] == 0.0:
        body_push(mover['body'], p[0] / dt, p[1] / dt, p[5] / dt)
        p[0], p[1], p[5] = 0.0, 0.0, 0.0
        if mover['block'] >= 0:
            p[:] = 0.0
        return
    vehicle, rotation = vehicles[mover['vehicle']], np.empty((3, 3))
    attitude(vehicle, rotation)
    x, y, z = in_body(rotation, p[3], p[4], p[5])
    vehicle['level'] = 0.0
    vehicle['v_x'] += mover['ease'] * p[0]
    vehicle['v_y'] += mover['ease'] * p[1]
    vehicle['v_z'] += mover['ease'] * p[2]
    vehicle['w_x'] += mover['ease_roll'] * x
    vehicle['w_y'] += mover['ease_pitch'] * y
    vehicle['w_z'] += mover['ease_turn'] * z
    p[:] = 0.0
