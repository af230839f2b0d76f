# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A step of all people: what they see and decide, where they go, and their bodies."""

import math

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.engine.bridge import bodies_motion, body_place, body_set_velocity
from mvsim_ros2.physics.people.avoidance import FASTEST, RELAXATION, safe_velocity, social_force
from mvsim_ros2.physics.people.crowd import (
    Crowd, head_for_next, IGNORE, NO_CROWD, ORCA, PATH, REACTS, ROBOT, speed_toward, STOP, THING,
    wait, walk, walk_on, WALKS_ON, wrapped)
from mvsim_ros2.physics.people.walkable import slope_at
from mvsim_ros2.physics.state.record_layout import ANGLE, VX, VY, X, Y

ARRIVED = 0.5  # m from a waypoint
PACKED = 0.25  # share of the ground that people cover who stand around a goal that they share
NEAR = 1.0  # m from a goal, where people go straight to it
ASIDE = 0.05  # rad to the right, where people keep to; without it symmetric crowds stand still
TURN_RATE = 3.0  # rad/s, of people towards where they go
SLOW = 0.1  # m/s; slower ones turn not
FAR_OFF = 1e-4  # m, rad; a body farther from its person than this is put there
# see `swayed`: rad, rad/s, and how much faster each is than the one before
SWAY, SWAY_RATE, SWAY_SPREAD = 1.5, 3.0, 0.17
# who stops, does so with a robot that near ahead [m]; who gives way, where one that is faster than
# SLOW comes nearer than this in so many seconds
STOP_GAP, WAY_GAP, WAY_TIME = 1.0, 0.3, 3.0
# attraction to the middle of the group, farther away than half a metre for each other member: M.
# Moussaid and others, The walking behaviour of pedestrian social groups and its impact on crowd
# dynamics, PLoS ONE 5, e10047 (2010)
COHESION, GROUP_GAP = 3.0, 0.5  # m/s^2; m


@lazy_kernel(NO_CROWD, 0, 0.0, counted=False)
def move_people(crowd: Crowd, steps: int, dt: float) -> None:
    """Bring all people to where they are after a step, and give their bodies velocities for it."""
    people = crowd.people
    decide = steps % crowd.every == 0
    if decide:
        look_around(crowd)
    for i in range(len(people)):
        person = people[i]
        x, y, yaw = person['x'], person['y'], person['yaw']
        if person['model'] == PATH:
            walk(person, crowd.waypoints, dt)
        else:
            if decide:
                choose_velocity(crowd, i, crowd.every * dt, steps * dt)
            stroll(crowd, i, dt)
        vx, vy = (person['x'] - x) / dt, (person['y'] - y) / dt
        cosine, sine = math.cos(person['yaw']), math.sin(person['yaw'])
        person['twist_x'], person['twist_y'] = cosine * vx + sine * vy, cosine * vy - sine * vx
        person['twist_w'] = wrapped(person['yaw'] - yaw) / dt
        walk_on(person, math.sqrt(vx * vx + vy * vy), dt)
        now = crowd.motion
        bodies_motion(crowd.bodies.ctypes.data + 8 * i, 1, now.ctypes.data)
        body_set_velocity(
            crowd.bodies[i], (person['x'] - now[0, X]) / dt, (person['y'] - now[0, Y]) / dt,
            wrapped(person['yaw'] - now[0, ANGLE]) / dt)


@lazy_kernel(NO_CROWD, counted=False)
def show_people(crowd: Crowd) -> None:
    """Put bodies exactly where their people are, and write this into the rows of the figures."""
    now = crowd.motion
    for i in range(len(crowd.people)):
        person = crowd.people[i]
        bodies_motion(crowd.bodies.ctypes.data + 8 * i, 1, now.ctypes.data)
        if max(abs(now[0, X] - person['x']), abs(now[0, Y] - person['y']),
               abs(wrapped(now[0, ANGLE] - person['yaw']))) >= FAR_OFF:
            body_place(crowd.bodies[i], person['x'], person['y'], person['yaw'])
        row = int(person['figure'])
        pose, twist = crowd.pose[row], crowd.twist[row]
        pose[0], pose[1], pose[2], pose[3] = person['x'], person['y'], person['z'], person['yaw']
        twist[0], twist[1], twist[2] = person['twist_x'], person['twist_y'], person['twist_w']
        crowd.gait[row, 0], crowd.gait[row, 1] = person['phase'], person['stride']
        if person['count'] > 0.0:
            pose[4] = pose[5] = 0.0


@compiled(counted=False)
def look_around(crowd: Crowd) -> None:
    """Fill in what people see: themselves, then discs that cover vehicles and blocks."""
    people, seen, now = crowd.people, crowd.seen, crowd.motion
    for i in range(len(people)):
        person, one = people[i], seen[i]
        one['x'], one['y'], one['radius'] = person['x'], person['y'], person['radius']
        one['vx'], one['vy'], one['kind'] = person['vx'], person['vy'], float(REACTS)
        if person['model'] == PATH:
            cosine, sine = math.cos(person['yaw']), math.sin(person['yaw'])
            one['vx'] = cosine * person['twist_x'] - sine * person['twist_y']
            one['vy'] = sine * person['twist_x'] + cosine * person['twist_y']
            one['kind'] = float(WALKS_ON)
    for k in range(len(crowd.discs)):
        disc, one = crowd.discs[k], seen[len(people) + k]
        row = int(disc['row'])
        if disc['of_block'] != 0.0:
            bodies_motion(crowd.blocks.ctypes.data + 8 * row, 1, now.ctypes.data)
            x, y, yaw, kind = now[0, X], now[0, Y], now[0, ANGLE], THING
            vx, vy = now[0, VX], now[0, VY]
        else:
            x, y, yaw = (crowd.vehicle_pose[row, 0], crowd.vehicle_pose[row, 1],
                         crowd.vehicle_pose[row, 3])
            kind = ROBOT
            ahead, aside = crowd.vehicle_twist[row, 0], crowd.vehicle_twist[row, 1]
            vx = math.cos(yaw) * ahead - math.sin(yaw) * aside
            vy = math.sin(yaw) * ahead + math.cos(yaw) * aside
        cosine, sine = math.cos(yaw), math.sin(yaw)
        one['x'] = x + cosine * disc['x'] - sine * disc['y']
        one['y'] = y + sine * disc['x'] + cosine * disc['y']
        one['vx'], one['vy'], one['radius'], one['kind'] = vx, vy, disc['radius'], float(kind)


@compiled(counted=False)
def choose_velocity(crowd: Crowd, i: int, dt: float, time: float) -> None:
    """
    Let somebody who reacts choose a velocity.

    :param dt: time until the next decision [s].
    :param time: since the start [s].
    """
    person, seen, count = crowd.people[i], crowd.seen, len(crowd.people)
    robots, clearance, away_x, away_y = person['robots'] != IGNORE, math.inf, 0.0, 0.0
    if len(crowd.clearance) > 0:
        slope_at(crowd.clearance, crowd.origin_x, crowd.origin_y, crowd.cell, person['x'],
                 person['y'], crowd.slope)
        clearance, away_x, away_y = crowd.slope[0], crowd.slope[1], crowd.slope[2]
    x, y, most = desired_velocity(crowd, i)
    if person['model'] == ORCA:
        x, y = swayed(x, y, seen[i]['vx'], seen[i]['vy'],
                      SWAY_RATE * (1.0 + SWAY_SPREAD * i) * time)
        person['vx'], person['vy'] = safe_velocity(
            i, x, y, seen[i]['vx'], seen[i]['vy'], most, seen, count, robots, clearance, away_x,
            away_y, dt, crowd.lines, crowd.other_lines)
    else:
        ax, ay = social_force(i, x, y, seen[i]['vx'], seen[i]['vy'], seen, count, robots,
                              clearance, away_x, away_y)
        vx, vy = seen[i]['vx'] + dt * ax, seen[i]['vy'] + dt * ay
        speed = math.sqrt(vx * vx + vy * vy)
        share = most / speed if speed > most else 1.0
        person['vx'], person['vy'] = share * vx, share * vy
    slope = math.sqrt(away_x * away_x + away_y * away_y)
    if clearance < math.inf and slope > 0.5:  # nobody walks into a wall
        inward = -(person['vx'] * away_x + person['vy'] * away_y) / slope
        too_fast = inward - max((clearance - person['radius']) / dt, -SLOW)
        if too_fast > 0.0:
            person['vx'] += too_fast * away_x / slope
            person['vy'] += too_fast * away_y / slope


@compiled(inlined=True)
def swayed(x: float, y: float, vx: float, vy: float, phase: float) -> tuple[float, float]:
    """
    Return a desired velocity that looks for a way aside where somebody is slower than half of it.

    :param vx: present velocity [m/s], as `vy`.
    :param phase: of looking to both sides [rad].
    """
    square = x * x + y * y
    kept = 1.0 - (x * vx + y * vy) / square if square > 0.0 else 0.0
    angle = SWAY * min(max(2.0 * kept - 1.0, 0.0), 1.0) * math.sin(phase)
    cosine, sine = math.cos(angle), math.sin(angle)
    return cosine * x - sine * y, sine * x + cosine * y


@compiled(counted=False)
def desired_velocity(crowd: Crowd, i: int) -> tuple[float, float, float]:
    """
    Return the velocity that somebody would have alone, and the largest speed [m/s].

    It leads to the waypoint ahead, around walls, and to the middle of the group.
    """
    person = crowd.people[i]
    most = FASTEST * person['walking']
    if person['goal'] >= person['count'] or person['pause'] > 0.0:
        return 0.0, 0.0, most
    goal = crowd.waypoints[int(person['first'] + person['goal'])]
    speed = speed_toward(person, goal)
    most = max(most, FASTEST * speed)
    x, y = goal['x'] - person['x'], goal['y'] - person['y']
    away = math.sqrt(x * x + y * y)
    if goal['field'] >= 0.0 and away > NEAR:
        slope = crowd.slope
        slope_at(crowd.fields[int(goal['field'])], crowd.origin_x, crowd.origin_y, crowd.cell,
                 person['x'], person['y'], slope)
        x, y = -slope[1], -slope[2]
        away = math.sqrt(x * x + y * y)
    if away == 0.0:
        return 0.0, 0.0, most
    x, y = speed * (x + ASIDE * y) / away, speed * (y - ASIDE * x) / away
    if person['group'] >= 0.0:
        push_x, push_y = to_group(crowd, i)
        x, y = x + RELAXATION * push_x, y + RELAXATION * push_y
    if person['robots'] >= STOP and lets_pass(crowd, i, x, y):
        return 0.0, 0.0, most
    return x, y, most


@compiled(counted=False)
def to_group(crowd: Crowd, i: int) -> tuple[float, float]:
    """Return the attraction of somebody to the middle of the group [m/s^2]."""
    person, number, x, y = crowd.people[i], 0, 0.0, 0.0
    for j in range(len(crowd.people)):
        if j != i and crowd.people[j]['group'] == person['group']:
            number += 1
            x += crowd.seen[j]['x'] - person['x']
            y += crowd.seen[j]['y'] - person['y']
    if number == 0:
        return 0.0, 0.0
    x, y = x / number, y / number
    away = math.sqrt(x * x + y * y)
    if away <= 2.0 * person['radius'] + GROUP_GAP * number:
        return 0.0, 0.0
    return COHESION * x / away, COHESION * y / away


@compiled(counted=False)
def lets_pass(crowd: Crowd, i: int, vx: float, vy: float) -> bool:
    """
    Return whether a person stops for a robot.

    :param vx: velocity that is meant otherwise [m/s], as `vy`.
    """
    person = crowd.people[i]
    for k in range(len(crowd.people), len(crowd.seen)):
        robot = crowd.seen[k]
        if robot['kind'] != ROBOT:
            continue
        x, y = robot['x'] - person['x'], robot['y'] - person['y']
        reach = robot['radius'] + person['radius']
        away = math.sqrt(x * x + y * y)
        if person['robots'] == STOP:
            if away - reach < STOP_GAP and x * vx + y * vy > 0.0:
                return True
            continue
        if robot['vx'] ** 2 + robot['vy'] ** 2 < SLOW * SLOW:
            continue
        wx, wy = robot['vx'] - vx, robot['vy'] - vy
        closing = -(x * wx + y * wy)
        if closing <= 0.0:
            continue
        time = min(WAY_TIME, closing / (wx * wx + wy * wy))
        x, y = x + time * wx, y + time * wy
        if math.sqrt(x * x + y * y) - reach < WAY_GAP:
            return True
    return False


@compiled(counted=False)
def room_at(crowd: Crowd, x: float, y: float, square: float, radius: float) -> float:
    """
    Return how near somebody slow gets to a goal around which others stand [m], 0 if none does.

    :param square: of the distance to it; who is farther away does not count [m^2].
    :param radius: of everybody [m].
    """
    count = 0
    for j in range(len(crowd.people)):
        one = crowd.seen[j]
        if (one['vx'] ** 2 + one['vy'] ** 2 < SLOW * SLOW
                and (one['x'] - x) ** 2 + (one['y'] - y) ** 2 < square - SLOW * SLOW):
            count += 1
    return radius * (math.sqrt((count + 1) / PACKED) + 1.0) if count > 0 else 0.0


@compiled(counted=False)
def stroll(crowd: Crowd, i: int, dt: float) -> None:
    """Move somebody who reacts on by a step."""
    person = crowd.people[i]
    vx, vy = person['vx'], person['vy']
    person['x'] += dt * vx
    person['y'] += dt * vy
    if vx * vx + vy * vy > SLOW * SLOW:
        turn = wrapped(math.atan2(vy, vx) - person['yaw'])
        person['yaw'] = wrapped(person['yaw'] + min(max(turn, -TURN_RATE * dt), TURN_RATE * dt))
    if person['goal'] >= person['count'] or wait(person, dt):
        return
    goal = crowd.waypoints[int(person['first'] + person['goal'])]
    x, y = goal['x'] - person['x'], goal['y'] - person['y']
    square, near = x * x + y * y, ARRIVED
    if vx * vx + vy * vy < 0.25 * person['walking'] ** 2:
        near = max(near, room_at(crowd, goal['x'], goal['y'], square, person['radius']))
    if square < near * near:
        person['pause'] = goal['wait']
        if person['pause'] <= 0.0:
            head_for_next(person)
