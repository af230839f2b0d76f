# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Normal loads of the wheels by the centre of mass.

They balance weight, pitch and roll moments with the smallest sum of squares, which is how wheels
on equal springs share a load, whatever their number. With three wheels that is the law of the
lever.
"""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.state.example_arguments import A_VEHICLE, SOME_WHEELS

Records = NDArray[np.void]

UNBALANCED = 0.005  # of the weight times the farthest wheel; a moment beyond it tips


@compiled
def plane(x: Array, y: Array, carrying: NDArray[np.bool_], weight: float, moment_x: float,
          moment_y: float) -> tuple[float, float, float, bool]:
    """
    Return a, b, c and whether the carrying wheels stand on one line.

    The loads `a + b x + c y` [N] of the carrying wheels balance, with the smallest sum of
    squares; they may be negative. What wheels on one line cannot balance is left out; the sum
    is the weight in any case.

    :param x: of the wheels, forward of the centre of mass [m].
    :param y: of the wheels, to the left of it [m].
    :param carrying: which wheels take part, at least one.
    :param weight: sum of the loads [N].
    :param moment_x: sum of loads times x [N m].
    :param moment_y: sum of loads times y [N m].
    """
    count, mean_x, mean_y = 0.0, 0.0, 0.0
    for k in range(len(x)):
        if carrying[k]:
            count += 1.0
            mean_x += x[k]
            mean_y += y[k]
    mean_x /= count
    mean_y /= count
    xx, xy, yy = 0.0, 0.0, 0.0
    for k in range(len(x)):
        if carrying[k]:
            dx, dy = x[k] - mean_x, y[k] - mean_y
            xx += dx * dx
            xy += dx * dy
            yy += dy * dy
    # pseudo-inverse of the symmetric matrix (xx xy; xy yy)
    trace, determinant = xx + yy, xx * yy - xy * xy
    in_line = determinant <= 1e-12 * trace * trace
    if not in_line:
        xx, xy, yy = yy / determinant, -xy / determinant, xx / determinant
    elif trace > 1e-12:
        square = trace * trace
        xx, xy, yy = xx / square, xy / square, yy / square
    else:
        xx = xy = yy = 0.0
    moment_x -= weight * mean_x
    moment_y -= weight * mean_y
    per_x = xx * moment_x + xy * moment_y
    per_y = xy * moment_x + yy * moment_y
    return weight / count - per_x * mean_x - per_y * mean_y, per_x, per_y, in_line


@compiled
def beyond(x: Array, y: Array, carrying: NDArray[np.bool_], lifted: int, loads: Array) -> int:
    """
    Return the wheel that takes over where the lifted one leaves the others on one line.

    It stands beyond that line, and its load is the first to reach 0 as the plane of the loads
    turns about the line. -1 where there is none, or where the others do not stand on one line.

    :param loads: of all wheels by their plane [N], 0 or less for those in the air.
    """
    count, mean_x, mean_y = 0.0, 0.0, 0.0
    for k in range(len(x)):
        if carrying[k]:
            count += 1.0
            mean_x += x[k]
            mean_y += y[k]
    mean_x /= count
    mean_y /= count
    line_x, line_y, longest = 0.0, 0.0, -1.0
    for k in range(len(x)):
        if carrying[k]:
            dx, dy = x[k] - mean_x, y[k] - mean_y
            if dx * dx + dy * dy > longest:
                line_x, line_y, longest = dx, dy, dx * dx + dy * dy
    # which side of the line counts: not that of the lifted wheel
    if line_x * (y[lifted] - mean_y) - line_y * (x[lifted] - mean_x) > 0.0:
        line_x, line_y = -line_x, -line_y
    slack = 1e-6 * longest
    other, least = -1, math.inf
    for k in range(len(x)):
        aside = line_x * (y[k] - mean_y) - line_y * (x[k] - mean_x)
        if carrying[k]:
            if abs(aside) > slack:
                return -1
        elif aside > slack and -loads[k] < least * aside:
            other, least = k, -loads[k] / aside
    return other


@compiled
def balanced(x: Array, y: Array, mass: float, height: float, down: float, along: float,
             across: float) -> Array:
    """
    Return the loads [N] of wheels that can push but not pull.

    A wheel whose load would be negative hangs in the air, and the others balance without it.
    The sum is always `mass down`; the moments hold unless the vehicle tips over.

    The load moves from the middle of the wheels to where it belongs. On the way, the first
    wheel whose load turns negative is taken out, the first one outside that would carry again
    is put back: the active set of the least squares all along. Where the remaining wheels stand
    on one line with none beyond it, the vehicle tips over, and wheels are taken out only.

    :param x: of the wheels, forward of the centre of mass [m].
    :param y: of the wheels, to the left of it [m].
    :param mass: of vehicle and wheels [kg].
    :param height: of the centre of mass above the contact points [m].
    :param down: gravity into the ground [m/s^2], at least 0.
    :param along: specific force forward, acceleration less gravity in the plane [m/s^2].
    :param across: specific force to the left [m/s^2].
    """
    count, weight = len(x), mass * down
    middle_x, middle_y = 0.0, 0.0
    for k in range(count):
        middle_x += weight * x[k] / count
        middle_y += weight * y[k] / count
    moment_x, moment_y = -mass * height * along, -mass * height * across
    loads, carrying = np.zeros(count), np.ones(count, np.bool_)
    way, changes = 0.0, 0
    while True:
        a, b, c, in_line = plane(x, y, carrying, weight, moment_x, moment_y)
        first, nearest = -1, math.inf
        if in_line or changes > 4 * count:
            lowest = 0.0
            for k in range(count):
                load = a + b * x[k] + c * y[k]
                loads[k] = load if carrying[k] else 0.0
                if loads[k] < lowest:
                    first, lowest = k, load
            if first < 0:
                return loads
            carrying[first] = False
            continue
        near, near_x, near_y, _ = plane(
            x, y, carrying, weight, middle_x + way * (moment_x - middle_x),
            middle_y + way * (moment_y - middle_y))
        for k in range(count):
            there, here = a + b * x[k] + c * y[k], near + near_x * x[k] + near_y * y[k]
            loads[k] = there if carrying[k] else 0.0
            if (there < 0.0) if carrying[k] else (there > 0.0):
                part = here / (here - there) if here * there < 0.0 else 0.0
                if part < nearest:
                    first, nearest = k, part
        if first < 0:
            return loads
        carrying[first] = not carrying[first]
        if not carrying[first]:
            for k in range(count):
                there, here = a + b * x[k] + c * y[k], near + near_x * x[k] + near_y * y[k]
                loads[k] = here + nearest * (there - here)
            other = beyond(x, y, carrying, first, loads)
            if other >= 0:
                carrying[other] = True
        way += nearest * (1.0 - way)
        changes += 1


@compiled(inlined=True)
def lag_forces(vehicle: np.void, force_x: float, force_y: float) -> None:
    """
    Let the forces that transfer loads follow those of a step, with their lag.

    :param force_x: of the wheels along the vehicle [N]; so force_y across it.
    """
    if vehicle['ploughs'] != 0.0 or vehicle['tows'] != 0.0:
        force_x += vehicle['soil_lever'] * vehicle['soil_x'] + vehicle['tow_pull_x']
        force_y += vehicle['soil_lever'] * vehicle['soil_y'] + vehicle['tow_pull_y']
    keep, mass = vehicle['load_keep'], vehicle['mass']
    vehicle['pull_along'] = keep * vehicle['pull_along'] + (1.0 - keep) * force_x / mass
    vehicle['pull_across'] = keep * vehicle['pull_across'] + (1.0 - keep) * force_y / mass


@lazy_kernel(A_VEHICLE, SOME_WHEELS, 0.0)
def lift_wheels(vehicle: np.void, wheels: Records, down: float) -> None:
    """
    Write into `wheels` the normal loads [N] where some would pull if they could: see `balanced`.

    Where they do not hold the moments the vehicle tips over. One on two wheels does so towards
    one of them only.

    :param vehicle: its record.
    :param wheels: records of its wheels.
    :param down: load on the ground over mass [m/s^2], that of hitches with it.
    """
    x, y = np.zeros(len(wheels)), np.zeros(len(wheels))
    for k in range(len(wheels)):
        x[k] = wheels[k]['x'] - vehicle['com_x']
        y[k] = wheels[k]['y'] - vehicle['com_y']
    along, across = vehicle['pull_along'], vehicle['pull_across']
    if vehicle['tows'] != 0.0:
        along -= vehicle['tow_along'] / vehicle['com_height']
        across -= vehicle['tow_across'] / vehicle['com_height']
    loads = balanced(x, y, vehicle['mass'], vehicle['com_height'], down, along, across)
    short_x = -vehicle['mass'] * vehicle['com_height'] * along
    short_y = -vehicle['mass'] * vehicle['com_height'] * across
    reach = 0.0
    for k in range(len(wheels)):
        wheels[k]['normal_load'] = max(loads[k], 0.0)
        short_x -= wheels[k]['normal_load'] * x[k]
        short_y -= wheels[k]['normal_load'] * y[k]
        reach = max(reach, abs(x[k]), abs(y[k]))
    line_x, line_y = x[1] - x[0], y[1] - y[0]
    if plane(x, y, np.ones(len(x), np.bool_), 1.0, 0.0, 0.0)[3]:  # held upright across the line
        length = math.sqrt(line_x * line_x + line_y * line_y)
        short_x, short_y = (short_x * line_x + short_y * line_y) / max(length, 1e-6), 0.0
    if (math.sqrt(short_x * short_x + short_y * short_y)
            > UNBALANCED * vehicle['mass'] * down * reach):
        vehicle['tips'] = 1.0


@compiled(inlined=True)
def wheel_loads(vehicle: np.void, wheels: Records, down: float) -> None:
    """
    Write into `wheels` the normal loads [N] that balance weight and moments.

    They are linear in weight and moments as long as all wheels stay on the ground; where one
    would pull, `lift_wheels` finds who carries.

    :param vehicle: its record.
    :param wheels: records of its wheels.
    :param down: gravity into the ground [m/s^2].
    """
    mass, height = vehicle['mass'], vehicle['com_height']
    along = vehicle['tow_along'] - height * vehicle['pull_along']
    across = vehicle['tow_across'] - height * vehicle['pull_across']
    down += vehicle['tow_down']
    lifts = False
    for k in range(len(wheels)):
        wheel = wheels[k]
        load = mass * (down * wheel['load_share'] + along * wheel['load_along']
                       + across * wheel['load_across'])
        wheel['normal_load'] = load
        lifts = lifts or load < 0.0
    if lifts:
        lift_wheels(vehicle, wheels, down)
