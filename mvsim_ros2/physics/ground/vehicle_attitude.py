# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
How a vehicle stands on the ground: height, pitch and roll from the ground under its wheels.

The rules of MVSim 1.2.0. Twice per step the ground is looked up under every wheel. On level ground
the vehicle is level. Otherwise the rigid motion that brings the wheels nearest to it gives height,
pitch and roll (B. K. P. Horn, *Closed-form solution of absolute orientation using unit
quaternions*, J. Opt. Soc. Am. A 4 (1987) 629), while x, y and yaw stay.
"""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array, Records
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.ground.relief import ground_below, NO_RELIEF, Relief
from mvsim_ros2.physics.ground.terrain import HITCH_REACH, Terrain
from mvsim_ros2.physics.ground.wheel_path import carried
from mvsim_ros2.physics.state.record_layout import (
    CARRIED, FOLLOWS, HITCHED, LEANS, ROW, SOME_VEHICLES, SOME_WHEELS, STARTS, TABLE)
from mvsim_ros2.physics.state.vehicles import Vehicles

LEVEL = 1e-4  # m; heights that differ less are the same
STEP_BY_STEP = 0.125, 0.25, 0.5, 1.0  # shares of the distance from the reference point
_SWEEPS = 50  # of Jacobi's method; four or five are enough


@lazy_kernel(NO_RELIEF, SOME_VEHICLES, STARTS, SOME_WHEELS, TABLE, False)
def settle(relief: Relief, vehicles: Records, wheel_start: NDArray[np.int64], wheels: Records,
           pose: Array, puts: bool) -> None:
    """
    Put all vehicles on the ground: z, pitch and roll of `pose`, and where down is for them.

    The height of the ground goes into the records of the wheels. Vehicles that forces move in
    mode `physical` find their height and attitude by these.

    A vehicle with two wheels whose heights differ keeps its attitude and its height, as in MVSim.
    If it is hitched to another, its hitch counts as a third wheel. If it leans on two ends of its
    chassis, these count too, see `find_ends`.

    :param pose: shape (V, 6), x y z yaw pitch roll.
    :param puts: all are put there, whatever moves them.
    """
    for i in range(len(vehicles)):
        vehicle = vehicles[i]
        if vehicle['rolls'] != 0.0 and vehicle['is_ideal'] == 0.0 and not puts:
            continue
        if vehicle['ground'] != CARRIED:
            first, last = wheel_start[i], wheel_start[i + 1]
            extra = 0
            if last - first == 2:
                extra = 2 if vehicle['ground'] == LEANS else int(vehicle['ground'] == HITCHED)
            # x, y, height of the query above it; direction of rolling and radius
            local = np.zeros((last - first + extra, 5))
            for k in range(first, last):
                wheel = wheels[k]
                local[k - first, 0], local[k - first, 1] = wheel['x'], wheel['y']
                local[k - first, 2] = wheel['radius']
                local[k - first, 3] = wheel['toe'] + wheel['steer']
                local[k - first, 4] = wheel['radius']
            if extra:
                k = last - first
                local[k, 0], local[k, 1] = vehicle['hitch_x'], vehicle['hitch_y']
                local[k, 2] = HITCH_REACH
                if extra == 2:
                    local[k + 1, 0], local[k + 1, 1] = vehicle['end_x'], vehicle['end_y']
                    local[k, 2] = local[k + 1, 2] = local[0, 2]
            below = np.zeros((len(local), 3))
            rolls = vehicle['rolls'] != 0.0
            for _ in range(2):
                _fit(relief, local, pose[i], rolls, below)
            for k in range(first, last):
                wheels[k]['ground'] = wheels[k]['bottom'] = below[k - first, 2]
        vehicle['down_x'] = math.sin(pose[i, 4])
        vehicle['down_y'] = -math.cos(pose[i, 4]) * math.sin(pose[i, 5])


def find_ends(vehicles: Vehicles, i: int) -> None:
    """
    Let vehicle `i` lean on ends of its chassis if it has two wheels and no hitch.

    In front and behind where the wheels are side by side, as if casters were there; left and
    right where they are in line.
    """
    spec, record, wheels = vehicles.specs[i], vehicles.arrays.records[i], vehicles.wheels_of(i)
    if spec.animation is not None or len(wheels) != 2:
        return
    if record['ground'] == FOLLOWS:
        record['ground'] = LEANS
        (x0, x1), (y0, y1) = wheels['x'].tolist(), wheels['y'].tolist()
        along, across = zip(*vehicles.footprints[i].polygon, strict=True)
        middle_x, middle_y = 0.5 * (x0 + x1), 0.5 * (y0 + y1)
        if abs(y0 - y1) >= abs(x0 - x1):
            ends = (min(along), middle_y), (max(along), middle_y)
        else:
            half = 0.5 * getattr(spec.dynamics, 'axle_width', max(across) - min(across))
            ends = (middle_x, middle_y - half), (middle_x, middle_y + half)
        (record['hitch_x'], record['hitch_y']), (record['end_x'], record['end_y']) = ends
    _share_weight(record, wheels)


def _share_weight(record: np.void, wheels: Records) -> None:
    """
    Write which shares of the weight two wheels carry at rest, and what they lean on.

    By the law of the lever, first along the line from the wheels to the ends or the hitch.
    """
    (x0, x1), (y0, y1) = wheels['x'].tolist(), wheels['y'].tolist()
    middle = np.array((0.5 * (x0 + x1), 0.5 * (y0 + y1)))
    away = np.array((record['com_x'], record['com_y'])) - middle
    record['hitch_share'] = record['end_share'] = 0.0
    for name in ('hitch', 'end') if record['ground'] == LEANS else ('hitch',):
        arm = np.array((record[f'{name}_x'], record[f'{name}_y'])) - middle
        share = float(arm @ away / max(arm @ arm, 1e-9))
        if share > 0.0 or record['ground'] == HITCHED:
            record[f'{name}_share'] = share
    axle = np.array((x1 - x0, y1 - y0))
    rest = 1.0 - record['hitch_share'] - record['end_share']
    second = 0.5 * rest + float(axle @ away / max(axle @ axle, 1e-9))
    wheels['rest_share'] = rest - second, second


def stand(terrain: Terrain, vehicles: Vehicles, i: int) -> None:
    """
    Put vehicle `i`, which came from elsewhere, on the ground.

    On a slope its wheels may be farther below the ground than it is looked up. So the points that
    it stands on move out from the reference point step by step.
    """
    if vehicles.specs[i].animation is not None:
        return
    find_ends(vehicles, i)
    if _on_level_ground(terrain, vehicles, i):
        vehicles.pose[i, 2] = vehicles.pose[i, 4] = vehicles.pose[i, 5] = 0.0
    else:
        vehicles.pose[i] = _settled(terrain, vehicles, i, STEP_BY_STEP)
    wheels, (z, _, pitch, roll) = vehicles.wheels_of(i), vehicles.pose[i, 2:].tolist()
    wheels['ground'] = wheels['bottom'] = z - math.sin(pitch) * wheels['x'] + (
        math.cos(pitch) * math.sin(roll) * wheels['y'])


def stand_on_steep_ground(terrain: Terrain, vehicles: Vehicles, i: int) -> None:
    """
    Put vehicle `i` on ground so steep that its wheels would be too deep in it, in mode `mvsim`.

    On other ground nothing changes: it finds its place in the first step, as in the original.
    """
    if vehicles.specs[i].animation is not None or _on_level_ground(terrain, vehicles, i):
        return
    at_once = _settled(terrain, vehicles, i, (1.0,))
    step_by_step = _settled(terrain, vehicles, i, STEP_BY_STEP)
    if step_by_step[2] - at_once[2] > float(vehicles.wheels_of(i)['radius'][0]):
        vehicles.pose[i] = step_by_step


def _settled(terrain: Terrain, vehicles: Vehicles, i: int, shares: tuple[float, ...]) -> Array:
    """Return the pose of vehicle `i` on points at these shares of their places, one by one."""
    pose = vehicles.pose[i:i + 1].copy()
    for share in shares:
        record, wheels = vehicles.arrays.records[i:i + 1].copy(), vehicles.wheels_of(i).copy()
        for name in ('hitch_x', 'hitch_y', 'end_x', 'end_y'):
            record[name] *= share
        for name in 'xy':
            wheels[name] *= share
        settle(terrain.everything, record, np.array([0, len(wheels)]), wheels, pose, True)
    return pose[0]  # type: ignore[no-any-return]


def _on_level_ground(terrain: Terrain, vehicles: Vehicles, i: int) -> bool:
    """Return whether the ground is at height 0 wherever `settle` would look it up."""
    record, pose = vehicles.arrays.records[i], vehicles.pose[i]
    wheels = vehicles.wheels_of(i)
    x = *wheels['x'].tolist(), record['hitch_x'], record['end_x']
    y = *wheels['y'].tolist(), record['hitch_y'], record['end_y']
    reach = max(map(math.hypot, x, y))
    above = HITCH_REACH if record['ground'] == HITCHED else float(wheels['radius'].max())
    tilt = abs(math.sin(pose[4])) + abs(math.sin(pose[5]))
    return terrain.is_level(pose[0], pose[1], reach, pose[2] + reach * tilt + above)


@compiled(inlined=True)
def _fit(relief: Relief, local: Array, pose: Array, rolls: bool, world: Array) -> None:
    """
    Set z, pitch and roll of one pose by the ground below its points.

    :param local: x, y in the body frame, how far the ground may be above, direction in which the
        point rolls and its radius, shape (n, 5).
    :param rolls: wheels roll over edges; else they are where their centres are.
    :param world: the ground below them is written here, shape (n, 3).
    """
    count = local.shape[0]
    cy, sy = math.cos(pose[3]), math.sin(pose[3])
    cp, sp = math.cos(pose[4]), math.sin(pose[4])
    cr, sr = math.cos(pose[5]), math.sin(pose[5])
    level = True
    for k in range(count):
        x, y = local[k, 0], local[k, 1]
        world[k, 0] = pose[0] + cy * cp * x + (cy * sp * sr - sy * cr) * y
        world[k, 1] = pose[1] + sy * cp * x + (sy * sp * sr + cy * cr) * y
        below = pose[2] - sp * x + cp * sr * y + local[k, 2]
        if rolls:
            heading = pose[3] + local[k, 3]
            world[k, 2], _, _, _, _ = carried(
                relief, world[k, 0], world[k, 1], below, below, math.cos(heading),
                math.sin(heading), local[k, 4])
        else:
            world[k, 2] = ground_below(relief, world[k, 0], world[k, 1], below)
        level = level and abs(world[k, 2] - world[0, 2]) < LEVEL
    if level:
        pose[2], pose[4], pose[5] = world[0, 2], 0.0, 0.0
    else:
        _tilt(local, world, pose)


@lazy_kernel(TABLE, TABLE, ROW)
def _tilt(local: Array, world: Array, pose: Array) -> None:
    """Set z, pitch and roll of one pose so that its points come nearest to those in `world`."""
    count = local.shape[0]
    lx, ly, wx, wy, wz = 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(count):
        lx += local[k, 0] / count
        ly += local[k, 1] / count
        wx += world[k, 0] / count
        wy += world[k, 1] / count
        wz += world[k, 2] / count
    spread, s = np.zeros((2, 2)), np.zeros((2, 3))
    for k in range(count):
        x, y = local[k, 0] - lx, local[k, 1] - ly
        spread[0, 0] += x * x
        spread[0, 1] += x * y
        spread[1, 1] += y * y
        for j, off in enumerate((world[k, 0] - wx, world[k, 1] - wy, world[k, 2] - wz)):
            s[0, j] += x * off
            s[1, j] += y * off
    area = spread[0, 0] * spread[1, 1] - spread[0, 1] * spread[0, 1]
    if area < 1e-6 * (spread[0, 0] + spread[1, 1]) ** 2:
        return  # points on one line: no attitude fits best
    n = np.empty((4, 4))  # the matrix N of Horn for points whose local z is 0
    n[0, 0], n[3, 3] = s[0, 0] + s[1, 1], -s[0, 0] - s[1, 1]
    n[1, 1], n[2, 2] = s[0, 0] - s[1, 1], s[1, 1] - s[0, 0]
    n[0, 1] = n[1, 0] = n[2, 3] = n[3, 2] = s[1, 2]
    n[0, 2] = n[2, 0] = -s[0, 2]
    n[1, 3] = n[3, 1] = s[0, 2]
    n[0, 3] = n[3, 0] = s[0, 1] - s[1, 0]
    n[1, 2] = n[2, 1] = s[0, 1] + s[1, 0]
    w, x, y, z = largest_eigenvector(n)
    down, side = 2.0 * (x * z - w * y), 2.0 * (y * z + w * x)  # last row of the rotation
    pose[2] = wz - down * lx - side * ly
    ahead_x, ahead_y = w * w + x * x - y * y - z * z, 2.0 * (x * y + w * z)
    # not hypot, which Python and numba round differently
    pose[4] = math.atan2(-down, math.sqrt(ahead_x * ahead_x + ahead_y * ahead_y))
    pose[5] = math.atan2(side, w * w - x * x - y * y + z * z)


@compiled
def largest_eigenvector(matrix: Array) -> tuple[float, float, float, float]:
    """
    Return the unit eigenvector of the largest eigenvalue of a symmetric 4 x 4 matrix.

    Cyclic Jacobi rotations, which need no start value and know no bad case.

    :param matrix: overwritten.
    """
    vectors = np.eye(4)
    for _ in range(_SWEEPS):
        rest, size = 0.0, 0.0
        for p in range(4):
            size += matrix[p, p] * matrix[p, p]
            for q in range(p):
                rest += matrix[p, q] * matrix[p, q]
        if rest <= 1e-32 * size:
            break
        for p in range(3):
            for q in range(p + 1, 4):
                if matrix[p, q] != 0.0:
                    theta = (matrix[q, q] - matrix[p, p]) / (2.0 * matrix[p, q])
                    t = 1.0 / (abs(theta) + math.sqrt(theta * theta + 1.0))
                    if theta < 0.0:
                        t = -t
                    cosine = 1.0 / math.sqrt(t * t + 1.0)
                    _turn(matrix, p, q, cosine, t * cosine)
                    _turn(matrix.T, p, q, cosine, t * cosine)
                    _turn(vectors, p, q, cosine, t * cosine)
    best = 0
    for k in range(1, 4):
        if matrix[k, k] > matrix[best, best]:
            best = k
    return (float(vectors[0, best]), float(vectors[1, best]), float(vectors[2, best]),
            float(vectors[3, best]))


@compiled(inlined=True)
def _turn(matrix: Array, p: int, q: int, cosine: float, sine: float) -> None:
    """Rotate two columns of a matrix."""
    for k in range(4):
        a, b = matrix[k, p], matrix[k, q]
        matrix[k, p], matrix[k, q] = cosine * a - sine * b, sine * a + cosine * b
