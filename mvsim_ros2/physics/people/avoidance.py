# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
How people avoid others: by velocities without collisions, or by social forces.

J. van den Berg, S. J. Guy, M. Lin and D. Manocha, *Reciprocal n-body collision avoidance*,
Robotics Research, 2011 (ORCA). Each other person allows a half-plane of velocities. A linear
program in two dimensions finds the allowed velocity nearest to the desired one. A person takes
half of the change, or all of it towards others that do not react. The nearest wall allows
velocities that do not reach it.

D. Helbing and P. Molnar, *Social force model for pedestrian dynamics*, Physical Review E 51, 4282
(1995). A force drives people to the desired velocity. Others repel them along ellipses in their
walking directions, the nearest wall, vehicles and blocks from their outlines. On contact the body
force of D. Helbing, I. Farkas and T. Vicsek, Nature 407, 487 (2000) acts too, softer here.
"""

import math

from mvsim_ros2.frames import Array, Records
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.people.crowd import REACTS, ROBOT

HORIZON, WALL_HORIZON = 2.0, 0.5  # s; how long no person and no wall is met
FAR = 10.0  # m; who is farther away does not count
MARGIN = 0.05  # m kept to others: where all velocities meet somebody, the least violation overlaps
_PARALLEL = 1e-5
# of social forces
RELAXATION = 0.5  # s
REPULSION, PUSH_REACH = 2.1, 0.3  # m^2/s^2; m
WALL_REPULSION, WALL_REACH = 10.0, 0.2  # m^2/s^2; m
STEP_AHEAD = 2.0  # s; how far ahead others are thought to step
SIGHT = math.cos(math.radians(100.0))  # half of the angle of sight
BEHIND = 0.5  # share of what is behind
FASTEST = 1.3  # of the desired speed
BODY = 150.0  # 1/s^2
PERSON = 0.3  # m; radius that the constants of the repulsion are for
PUSHED_FAR = 5.0  # m; forces of others farther away are below 1e-4 m/s^2


@compiled
def safe_velocity(
        i: int, desired_x: float, desired_y: float, vx: float, vy: float, most: float,
        seen: Records, count: int, robots: bool, clearance: float, away_x: float, away_y: float,
        dt: float, lines: Array, others: Array) -> tuple[float, float]:
    """
    Return the velocity that somebody takes [m/s].

    :param most: largest speed [m/s].
    :param dt: time until the next decision [s].
    :param lines: scratch, shape (people and things + 1, 4), as `others`.

    The other parameters are as for `social_force`.
    """
    number, walls = 0, 0
    slope = math.sqrt(away_x * away_x + away_y * away_y)
    if clearance < math.inf and slope > 0.5:  # else halfway between walls
        away_x, away_y = away_x / slope, away_y / slope
        # velocities on the left of the line, see `half_plane`
        rate = -(clearance - seen[i]['radius']) / WALL_HORIZON
        lines[0, 0], lines[0, 1] = rate * away_x, rate * away_y
        lines[0, 2], lines[0, 3] = away_y, -away_x
        number = walls = 1
    for j in range(len(seen) if robots else count):
        x, y = seen[j]['x'] - seen[i]['x'], seen[j]['y'] - seen[i]['y']
        radius = seen[i]['radius'] + seen[j]['radius'] + MARGIN
        if j == i or x * x + y * y > (FAR + radius) ** 2:
            continue
        ux, uy, lines[number, 2], lines[number, 3] = half_plane(
            x, y, vx - seen[j]['vx'], vy - seen[j]['vy'], radius, dt)
        share = 0.5 if seen[j]['kind'] == REACTS else 1.0
        lines[number, 0], lines[number, 1] = vx + share * ux, vy + share * uy
        number += 1
    failed, vx, vy = nearest_in_all(lines, number, most, desired_x, desired_y, False)
    if failed < number:
        vx, vy = least_violation(lines, number, walls, failed, most, vx, vy, others)
    return vx, vy


@compiled
def half_plane(x: float, y: float, vx: float, vy: float, radius: float, dt: float,
               ) -> tuple[float, float, float, float]:
    """
    Return the smallest change of velocity that avoids a collision, and the line of the border.

    The half-plane on the left of the line's direction is allowed.

    :param x: place of the other one from here [m], as `y`.
    :param vx: velocity relative to it [m/s], as `vy`.
    :param radius: of both together [m].
    :param dt: s; in which those that overlap are to part.
    """
    square = x * x + y * y
    horizon = HORIZON if square > radius * radius else dt
    wx, wy = vx - x / horizon, vy - y / horizon
    along, length = wx * x + wy * y, math.sqrt(wx * wx + wy * wy)
    if square <= radius * radius or (along < 0.0 and along * along > (radius * length) ** 2):
        # nearest to the circle that cuts off the cone
        nx, ny = (wx / length, wy / length) if length > 0.0 else (1.0, 0.0)
        change = radius / horizon - length
        return change * nx, change * ny, ny, -nx
    leg = math.sqrt(square - radius * radius)
    if x * wy - y * wx > 0.0:  # the left side of the cone
        dx, dy = (x * leg - y * radius) / square, (x * radius + y * leg) / square
    else:
        dx, dy = -(x * leg + y * radius) / square, -(y * leg - x * radius) / square
    speed = vx * dx + vy * dy
    return speed * dx - vx, speed * dy - vy, dx, dy


@compiled
def on_line(lines: Array, row: int, most: float, x: float, y: float, farthest: bool,
            ) -> tuple[bool, float, float]:
    """
    Find the best velocity on a line that the lines before it and a speed allow.

    :param most: speed [m/s].
    :param x: desired velocity, as `y`; or the direction in which it shall be `farthest`.
    :returns: whether there is one, and its components.
    """
    px, py, dx, dy = lines[row, 0], lines[row, 1], lines[row, 2], lines[row, 3]
    middle = px * dx + py * dy
    square = middle * middle + most * most - px * px - py * py
    if square < 0.0:
        return False, 0.0, 0.0
    root = math.sqrt(square)
    low, high = -middle - root, -middle + root
    for k in range(row):
        cross = dx * lines[k, 3] - dy * lines[k, 2]
        side = lines[k, 2] * (py - lines[k, 1]) - lines[k, 3] * (px - lines[k, 0])
        if abs(cross) <= _PARALLEL:
            if side < 0.0:
                return False, 0.0, 0.0
            continue
        at = side / cross
        if cross >= 0.0:
            high = min(high, at)
        else:
            low = max(low, at)
        if low > high:
            return False, 0.0, 0.0
    if farthest:
        at = high if x * dx + y * dy > 0.0 else low
    else:
        at = min(max(dx * (x - px) + dy * (y - py), low), high)
    return True, px + at * dx, py + at * dy


@compiled
def nearest_in_all(lines: Array, count: int, most: float, x: float, y: float, farthest: bool,
                   ) -> tuple[int, float, float]:
    """
    Find the velocity that lines and a speed allow, nearest to the desired one.

    :param farthest: x, y is a direction instead, in which it shall be farthest.
    :returns: the line at which there is none any more, `count` where there is one, and the
        velocity that the lines before allow.
    """
    vx, vy, length = x, y, math.sqrt(x * x + y * y)
    if length > most or farthest:
        vx, vy = most * x / length, most * y / length
    for row in range(count):
        if lines[row, 2] * (vy - lines[row, 1]) - lines[row, 3] * (vx - lines[row, 0]) < 0.0:
            found, new_x, new_y = on_line(lines, row, most, x, y, farthest)
            if not found:
                return row, vx, vy
            vx, vy = new_x, new_y
    return count, vx, vy


@compiled
def least_violation(
        lines: Array, count: int, walls: int, first: int, most: float, vx: float, vy: float,
        others: Array) -> tuple[float, float]:
    """
    Return the velocity that violates the worst line least, and no line of a wall.

    :param walls: how many lines are of walls, the first ones.
    :param first: line from which on there is no velocity that all allow.
    :param vx: velocity that those before allow, as `vy`.
    :param others: scratch, shape (count, 4).
    """
    worst = 0.0
    for row in range(first, count):
        px, py, dx, dy = lines[row, 0], lines[row, 1], lines[row, 2], lines[row, 3]
        if dy * (vx - px) - dx * (vy - py) <= worst:
            continue
        number = 0
        for k in range(row):
            if k < walls:
                for column in range(4):
                    others[number, column] = lines[k, column]
                number += 1
                continue
            cross = dx * lines[k, 3] - dy * lines[k, 2]
            if abs(cross) <= _PARALLEL:
                if dx * lines[k, 2] + dy * lines[k, 3] > 0.0:
                    continue  # of the same direction
                others[number, 0] = 0.5 * (px + lines[k, 0])
                others[number, 1] = 0.5 * (py + lines[k, 1])
            else:
                at = (lines[k, 2] * (py - lines[k, 1]) - lines[k, 3] * (px - lines[k, 0])) / cross
                others[number, 0], others[number, 1] = px + at * dx, py + at * dy
            x, y = lines[k, 2] - dx, lines[k, 3] - dy
            length = math.sqrt(x * x + y * y)
            others[number, 2], others[number, 3] = x / length, y / length
            number += 1
        failed, new_x, new_y = nearest_in_all(others, number, most, -dy, dx, True)
        if failed == number:
            vx, vy = new_x, new_y
        worst = dy * (vx - px) - dx * (vy - py)
    return vx, vy


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
        if away > PUSHED_FAR + larger or away == 0.0:
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
    push = REPULSION / PUSH_REACH * math.exp(-b / PUSH_REACH) * whole / (4.0 * b)
    near, far = max(near, 1e-6), max(far, 1e-6)
    return push * (x / near + ex / far), push * (y / near + ey / far)
