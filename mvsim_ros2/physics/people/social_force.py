# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
People who are pushed by social forces.

Equations and constants are from D. Helbing and P. Molnar, *Social force model for pedestrian
dynamics*, Physical Review E 51, 4282 (1995). A force drives people to the desired velocity. Others
repel them along ellipses in their walking directions, the nearest wall, vehicles and blocks from
their outlines. On contact the body force of D. Helbing, I. Farkas and T. Vicsek, Nature 407, 487
(2000) acts too, softer here.
"""

import math

from mvsim_ros2.frames import Records
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.people.crowd import ROBOT

RELAXATION = 0.5  # s
REPULSION, REACH = 2.1, 0.3  # m^2/s^2; m
WALL_REPULSION, WALL_REACH = 10.0, 0.2  # m^2/s^2; m
STEP_AHEAD = 2.0  # s; how far ahead others are thought to step
SIGHT = math.cos(math.radians(100.0))  # half of the angle of sight
BEHIND = 0.5  # share of what is behind
FASTEST = 1.3  # of the desired speed
BODY = 150.0  # 1/s^2
PERSON = 0.3  # m; radius that the constants of the repulsion are for
_FAR = 5.0  # m; forces of others farther away are below 1e-4 m/s^2


@compiled
def social_force(
        i: int, desired_x: float, desired_y: float, vx: float, vy: float, seen: Records,
        count: int, robots: bool, clearance: float, away_x: float, away_y: float,
        ) -> tuple[float, float]:
    """
    Return the acceleration of somebody [m/s^2].

    :param i: row of `seen` of this person.
    :param desired_x: velocity that is meant [m/s], as `desired_y`.
    :param vx: present velocity [m/s], as `vy`.
    :param seen: people, robots and things.
    :param count: of the people, with which `seen` begins.
    :param robots: whether robots count.
    :param clearance: distance from the nearest wall [m], inf for none.
    :param away_x: gradient of this distance, as `away_y`; halfway between walls it is 0.
    """
    ax, ay = (desired_x - vx) / RELAXATION, (desired_y - vy) / RELAXATION
    speed = math.sqrt(desired_x * desired_x + desired_y * desired_y)
    for j in range(len(seen) if robots else count):
        if j == i:
            continue
        x, y = seen[i]['x'] - seen[j]['x'], seen[i]['y'] - seen[j]['y']
        away = math.sqrt(x * x + y * y)
        larger = max(0.0, seen[j]['radius'] - PERSON)
        if away > _FAR + larger or away == 0.0:
            continue
        shrink = max(away - larger, 0.01) / away
        x, y = shrink * x, shrink * y
        fx, fy = repulsion(x, y, seen[j]['vx'], seen[j]['vy'])
        # seen ahead: the force comes from there
        size = math.sqrt(fx * fx + fy * fy)
        weight = 1.0
        if speed > 0.0 and -(desired_x * fx + desired_y * fy) < size * speed * SIGHT:
            weight = BEHIND
        push = BODY * max(0.0, seen[i]['radius'] + seen[j]['radius'] - away)
        if seen[j]['kind'] >= ROBOT:
            push += wall_repulsion(away - seen[j]['radius'])
        ax += weight * fx + push * x / (shrink * away)
        ay += weight * fy + push * y / (shrink * away)
    if clearance < math.inf:
        push = wall_repulsion(clearance)
        ax += push * away_x
        ay += push * away_y
    return ax, ay


@compiled(inlined=True)
def wall_repulsion(distance: float) -> float:
    """Return the repulsive acceleration by a wall or a vehicle [m/s^2]."""
    return WALL_REPULSION / WALL_REACH * math.exp(-distance / WALL_REACH)


@compiled
def repulsion(x: float, y: float, vx: float, vy: float) -> tuple[float, float]:
    """
    Return the repulsive acceleration by somebody else [m/s^2]: minus the gradient of V(b).

    b is the small half axis of the ellipse, with the other one's next step between its foci.

    :param x: place from the other one [m], as `y`.
    :param vx: velocity of the other one [m/s], as `vy`.
    """
    step_x, step_y = STEP_AHEAD * vx, STEP_AHEAD * vy
    ex, ey = x - step_x, y - step_y
    near, far = math.sqrt(x * x + y * y), math.sqrt(ex * ex + ey * ey)
    whole = near + far
    square = whole * whole - step_x * step_x - step_y * step_y
    b = 0.5 * math.sqrt(max(square, 1e-6))
    push = REPULSION / REACH * math.exp(-b / REACH) * whole / (4.0 * b)
    near, far = max(near, 1e-6), max(far, 1e-6)
    return push * (x / near + ex / far), push * (y / near + ey / far)
