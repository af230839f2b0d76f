# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Normal loads of the wheels by the centre of mass.

They balance weight, pitch and roll moments with the smallest sum of squares, like any number of
wheels on equal springs. With three wheels this is the law of the lever.
"""

import numpy as np

from mvsim_ros2.frames import Array, Records
from mvsim_ros2.jit.kernel import compiled

HELD = 0.005  # of the weight: a wheel that pulls more lifts


def load_shares(x: Array, y: Array) -> Array:
    """
    Return the loads [N] of wheels for a weight of 1 and for moments of 1, shape (3, n).

    The moments are sums of loads times x and times y. What wheels on one line cannot balance is
    left out; the sum is the weight in any case.

    :param x: of the wheels, forward of the centre of mass [m].
    :param y: of the wheels, to the left of it [m].
    """
    mean_x, mean_y = x.sum() / len(x), y.sum() / len(y)
    dx, dy = x - mean_x, y - mean_y
    xx, xy, yy = (dx * dx).sum(), (dx * dy).sum(), (dy * dy).sum()
    # pseudo-inverse of the symmetric matrix (xx xy; xy yy)
    trace, determinant = xx + yy, xx * yy - xy * xy
    if determinant > 1e-12 * trace * trace:
        xx, xy, yy = yy / determinant, -xy / determinant, xx / determinant
    else:
        xx, xy, yy = np.array((xx, xy, yy)) / (trace * trace if trace > 1e-12 else np.inf)
    loads = []
    for weight, along, across in np.eye(3):
        along, across = along - weight * mean_x, across - weight * mean_y
        per_x, per_y = xx * along + xy * across, xy * along + yy * across
        loads.append(weight / len(x) - per_x * mean_x - per_y * mean_y + per_x * x + per_y * y)
    return np.array(loads)


@compiled(inlined=True)
def lag_forces(vehicle: np.void, force_x: float, force_y: float) -> None:
    """
    Let the forces that transfer loads follow those of a step, with their lag.

    :param force_x: of the wheels along the vehicle [N]; so force_y across it.
    """
    if vehicle['ploughs'] != 0.0 or vehicle['tows'] != 0.0:
        force_x += vehicle['soil_lever'] * vehicle['soil_x'] + vehicle['tow_pull_x']
        force_y += vehicle['soil_lever'] * vehicle['soil_y'] + vehicle['tow_pull_y']
    keep = vehicle['load_keep']
    part = (1.0 - keep) / vehicle['mass']
    vehicle['pull_along'] = keep * vehicle['pull_along'] + part * force_x
    vehicle['pull_across'] = keep * vehicle['pull_across'] + part * force_y


@compiled(inlined=True)
def wheel_loads(vehicle: np.void, wheels: Records, down: float) -> bool:
    """
    Write into `wheels` the normal loads [N] that balance weight and moments.

    They are linear in these while no wheel lifts. `HELD` is for centres of mass above an axle.

    :param down: gravity into the ground [m/s^2].
    :returns: whether one would pull: it lifts.
    """
    lifts = False
    mass, height = vehicle['mass'], vehicle['com_height']
    along = vehicle['tow_along'] - height * vehicle['pull_along']
    across = vehicle['tow_across'] - height * vehicle['pull_across']
    down += vehicle['tow_down']
    for k in range(len(wheels)):
        wheel = wheels[k]
        load = mass * (down * wheel['load_share'] + along * wheel['load_along']
                       + across * wheel['load_across'])
        wheel['normal_load'] = max(load, 0.0)
        lifts = lifts or load < -HELD * mass * down
    return lifts
