# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The step of a vehicle as a body in space: off level ground, on springs, in the air, lying.

Normal forces come first, from springs and contacts: `contact_solve`. They leave the tyres a body
that is harder to move in their plane than its mass alone says: with P the foot of the centre of
mass on the plane of the contacts, S the motion of that plane at P for the velocities u of the
body, and A the system of masses, springs and contacts, the mass that the tyres find is
``(S A^-1 S^T)^-1``. With it `solve` finds their forces as it does for a vehicle on level ground.
These and what pushes else give the velocities at the end, by which the body moves.
"""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.elementary_functions import sine_cosine
from mvsim_ros2.physics.ground.terrain import NO_RELIEF, Relief
from mvsim_ros2.physics.physical.contact_solve import (
    add_forces, directions, follow_bend, scrape, solve_contacts)
from mvsim_ros2.physics.physical.ground_contacts import (
    AHEAD, CHASSIS, CLIMB, COLUMNS, comes_to_rest, count_contacts, DAMP, EDGE, find_contacts,
    FORCE, GAP, NX, NY, NZ, ON, REST, rests_on_hitch, RX, RY, RZ, SAME, SHARE, STIFF, UPRIGHT)
from mvsim_ros2.physics.physical.outside_forces import air_forces
from mvsim_ros2.physics.physical.rigid_body import (
    advance_body, attitude, BODY, enter_space, gyrate, in_body, mass_matrix, rotated, substitute)
from mvsim_ros2.physics.physical.solve import inverse_3x3, solve
from mvsim_ros2.physics.physical.wheel_loads import lag_forces
from mvsim_ros2.physics.physical.wheels import apply_solution, prepare_wheels
from mvsim_ros2.physics.state.example_arguments import (
    A_VEHICLE, A_VEHICLE_WORK, ROW, SOME_PIDS, SOME_WHEEL_WORK, SOME_WHEELS, TABLE)
from mvsim_ros2.physics.state.record_layout import COM_X, COM_Y

Array = NDArray[np.float64]
Records = NDArray[np.void]

SCRAPING = 0.5  # friction of a chassis on the ground
NEARLY = 1e-3  # of the radius; rims that are as near meet it at the same time
BRIEF = 1e-3  # of a step; ground so near ahead counts as reached
HALVINGS = 16  # of the search for when it does
IMPACT = 1e-3  # of a step; how long an impact takes
SLOW = 0.01  # m/s; a rim that comes to an edge more slowly meets it without an impact
FINE, ARC = 1e-3, 0.03  # s; rad: parts of a step in which a rim rolls over an edge
RIGID = 1e4  # damping of an impact, over the mass a step
SINKS = 4  # steps to come to rest
LONG, HELD = 1e3, 1e18  # s; kg, of what does not move


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
def motion_in_plane(plane: Array, height: float, rows: Array) -> None:
    """
    Fill in S: velocities ahead and to the left at the foot P, and the turn about the normal.

    :param rows: shape (3, unknowns).
    """
    rows[:, :] = 0.0
    x, y, z = -height * plane[2, 0], -height * plane[2, 1], -height * plane[2, 2]
    for k in range(2):
        for i in range(3):
            rows[k, i] = plane[k, i]
        rows[k, 3] = y * plane[k, 2] - z * plane[k, 1]
        rows[k, 4] = z * plane[k, 0] - x * plane[k, 2]
        rows[k, 5] = x * plane[k, 1] - y * plane[k, 0]
    for i in range(3):
        rows[2, 3 + i] = plane[2, i]


@compiled(inlined=True)
def place_wheels(
        vehicle: np.void, wheels: Records, contacts: Array, plane: Array, height: float, u: Array,
        vx: float, vy: float, w: float, work: Records) -> None:
    """
    Write places and loads of wheels in the plane, and how they move otherwise than it.

    :param vx: velocity of the plane at P ahead [m/s]; vy to the left; w its turn [rad/s].
    """
    for k in range(len(wheels)):
        wheel, own, c = wheels[k], work[k], contacts[k]
        upright = (plane[2, 0] * c[NX] + plane[2, 1] * c[NY] + plane[2, 2] * c[NZ]) > UPRIGHT
        load = max(c[FORCE], 0.0) if upright and vehicle['tipped'] == 0.0 else 0.0
        if load > 0.0 and wheel['touches'] != 0.0:
            load += vehicle['load_keep'] * (wheel['normal_load'] - load)
        wheel['normal_load'] = load
        own['place_x'] = plane[0, 0] * c[RX] + plane[0, 1] * c[RY] + plane[0, 2] * c[RZ]
        own['place_y'] = plane[1, 0] * c[RX] + plane[1, 1] * c[RY] + plane[1, 2] * c[RZ]
        x = u[0] + u[4] * c[RZ] - u[5] * c[RY]
        y = u[1] + u[5] * c[RX] - u[3] * c[RZ]
        z = u[2] + u[3] * c[RY] - u[4] * c[RX]
        own['drift_x'] = (plane[0, 0] * x + plane[0, 1] * y + plane[0, 2] * z
                          - vx + w * own['place_y'])
        own['drift_y'] = (plane[1, 0] * x + plane[1, 1] * y + plane[1, 2] * z
                          - vy - w * own['place_x'])


@compiled(inlined=True)
def meets_edge(dt: float, wheels: Records, contacts: Array) -> bool:
    """Return whether the rim of a hard wheel comes into an edge that it was not on."""
    for k in range(len(wheels)):
        c = contacts[k]
        if (c[EDGE] != 0.0 and wheels[k]['on_edge'] == 0.0
                and c[AHEAD] * c[STIFF] < c[REST] and wheels[k]['tyre_stiffness'] == 0.0
                and c[AHEAD] < c[GAP] - dt * SLOW):
            return True
    return False


@compiled(inlined=True)
def bends(wheels: Records, contacts: Array, slopes: Array) -> bool:
    """
    Return whether the ground below a hard wheel has another slope than before.

    :param slopes: of all wheels before, along x and y of the world.
    """
    for k in range(len(wheels)):
        c = contacts[k]
        if (wheels[k]['touches'] != 0.0 and wheels[k]['tyre_stiffness'] == 0.0
                and c[EDGE] == 0.0 and abs(c[NX] / c[NZ] + slopes[k, 0]) + abs(
                    c[NY] / c[NZ] + slopes[k, 1]) > SAME):
            return True
    return False


@compiled(inner=True)
def find_contacts_until_edge(
        dt: float, gravity: float, relief: Relief, vehicle: np.void, wheels: Records,
        rotation: Array, centre: Array, u: Array, contacts: Array) -> float:
    """
    Fill in the contacts at the end of a step, or where the first rim meets an edge before that.

    :returns: the time until then. The impact there is a part of the step of its own.
    """
    if vehicle['meets'] != 0.0:
        vehicle['meets'], dt = 0.0, IMPACT * dt
        find_contacts(dt, gravity, relief, vehicle, wheels, rotation, centre, u, contacts)
        for k in range(len(wheels)):
            c = contacts[k]
            met = c[EDGE] != 0.0 and c[AHEAD] < NEARLY * wheels[k]['radius']
            if met or wheels[k]['touches'] != 0.0:
                c[ON], c[GAP], c[STIFF], c[REST], c[SHARE] = 1.0, 0.0, 1.0, 0.0, 1.0
                c[DAMP] = RIGID * vehicle['mass'] / dt
        return dt
    speed = max(math.sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]), 1e-6)
    for k in range(len(wheels)):
        if wheels[k]['on_edge'] != 0.0:
            dt = min(dt, max(FINE, ARC * wheels[k]['radius'] / speed))
    find_contacts(dt, gravity, relief, vehicle, wheels, rotation, centre, u, contacts)
    if not meets_edge(dt, wheels, contacts):
        slopes = np.empty((len(wheels), 2))
        for k in range(len(wheels)):
            slopes[k, 0], slopes[k, 1] = wheels[k]['slope_x'], wheels[k]['slope_y']
        if not bends(wheels, contacts, slopes):
            return dt
        # one facet at a time
        low, high = BRIEF * dt, dt
        find_contacts(low, gravity, relief, vehicle, wheels, rotation, centre, u, contacts)
        for k in range(len(wheels)):
            c = contacts[k]
            slopes[k, 0], slopes[k, 1] = -c[NX] / c[NZ], -c[NY] / c[NZ]
        find_contacts(dt, gravity, relief, vehicle, wheels, rotation, centre, u, contacts)
        if not bends(wheels, contacts, slopes):
            return dt
        for _ in range(HALVINGS):
            middle = 0.5 * (low + high)
            find_contacts(
                middle, gravity, relief, vehicle, wheels, rotation, centre, u, contacts)
            if bends(wheels, contacts, slopes):
                high = middle
            else:
                low = middle
        find_contacts(low, gravity, relief, vehicle, wheels, rotation, centre, u, contacts)
        return low
    vehicle['meets'] = 1.0
    low, high = 0.0, dt
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        find_contacts(
            middle, gravity, relief, vehicle, wheels, rotation, centre, u, contacts)
        if meets_edge(middle, wheels, contacts):
            high = middle
        else:
            low = middle
    find_contacts(low, gravity, relief, vehicle, wheels, rotation, centre, u, contacts)
    return high


@lazy_kernel(
    0.0, 0.0, NO_RELIEF, A_VEHICLE, SOME_WHEELS, SOME_PIDS[0], ROW, ROW, TABLE, SOME_WHEEL_WORK,
    A_VEHICLE_WORK, False, 0.0, 0.0, 0.0)
def step_in_space(
        dt: float, gravity: float, relief: Relief, vehicle: np.void, wheels: Records, pid: Records,
        pose: Array, motion: Array, regions: Array, work: Records, body: np.void, held: bool,
        push_x: float, push_y: float, push_w: float) -> float:
    """
    Move a vehicle by a step, or by what of it passes until a rim meets an edge.

    :param dt: what is left of the step [s].
    :param pose: x y z yaw pitch roll.
    :param push_x: what pushes from outside in plan, world [N]; push_y; push_w its torque [N m].
    :returns: the time that it moved [s]; negative where forces are not finite.
    """
    count, size = len(wheels), BODY
    if vehicle['suspended'] != 0.0:
        size += count
    rotation, centre, u = np.empty((3, 3)), np.empty(3), np.zeros(size)
    attitude(vehicle, rotation)
    centre[0], centre[1] = motion[COM_X] + vehicle['way_x'], motion[COM_Y] + vehicle['way_y']
    centre[2] = vehicle['centre_z']
    u[0], u[1], u[2] = vehicle['v_x'], vehicle['v_y'], vehicle['v_z']
    u[3], u[4], u[5] = rotated(rotation, vehicle['w_x'], vehicle['w_y'], vehicle['w_z'])
    if size > BODY:
        for k in range(count):
            u[BODY + k] = wheels[k]['travel_rate']
    contacts = np.zeros((count_contacts(vehicle, wheels), COLUMNS))
    impact = vehicle['meets'] != 0.0
    dt = find_contacts_until_edge(
        dt, gravity, relief, vehicle, wheels, rotation, centre, u, contacts)

    climb, touching = 0.0, 0.0
    for k in range(count):
        if wheels[k]['touches'] != 0.0:
            climb, touching = climb + contacts[k, CLIMB], touching + 1.0
    if touching == count and climb != count * vehicle['lift']:
        # a lift takes it along, however suddenly it starts and stops
        u[2] += climb / count - vehicle['lift']
    vehicle['lift'] = climb / count

    # normal forces, with the forces of the tyres of the last step
    matrix, factor = np.zeros((size, size)), np.zeros((size, size))
    rows, right = np.zeros((len(contacts), size)), np.zeros(size)
    mass_matrix(vehicle, wheels, rotation, matrix)
    directions(vehicle, wheels, rotation, contacts, rows)
    if not impact:
        follow_bend(gravity, vehicle, wheels, contacts, rows, matrix, u)
        vehicle['w_x'], vehicle['w_y'], vehicle['w_z'] = in_body(rotation, u[3], u[4], u[5])
    start = u.copy()
    u[3], u[4], u[5] = gyrate(dt, vehicle, wheels, rotation)
    for i in range(size):
        for j in range(size):
            right[i] += matrix[i, j] * u[j]
    add_forces(dt, gravity, vehicle, wheels, rotation, matrix, right)
    add_outside_forces(dt, vehicle, wheels, rotation, u, right)
    pulls = count if rests_on_hitch(vehicle, wheels) else -1
    if impact:  # too short for tyres
        solve_contacts(dt, matrix, right, contacts, rows, factor, u, pulls)
        end_step(dt, vehicle, wheels, rotation, contacts, u)
        return dt
    guess = right.copy()
    for i in range(BODY):
        guess[i] += dt * vehicle['tyre_forces'][i]
    solve_contacts(dt, matrix, guess, contacts, rows, factor, u, pulls)

    # forces of the tyres in the plane of the contacts
    plane, middle, moves = np.empty((3, 3)), np.empty((3, 3)), np.empty((3, size))
    height = contact_plane(wheels, rotation, contacts, plane)
    motion_in_plane(plane, height, moves)
    vx, vy, w = 0.0, 0.0, 0.0
    for i in range(BODY):
        vx, vy, w = vx + moves[0, i] * start[i], vy + moves[1, i] * start[i], w + (
            moves[2, i] * start[i])
    place_wheels(vehicle, wheels, contacts, plane, height, start, vx, vy, w, work)
    sine, cosine = sine_cosine(min(max(0.5 * w * dt, -1.0), 1.0))
    heading_x, heading_y = math.cos(pose[3]), math.sin(pose[3])
    prepare_wheels(
        dt, vehicle, wheels, vx, vy, w, 2.0 * sine * cosine, 1.0 - 2.0 * sine * sine, pose,
        heading_x, heading_y, regions, work)
    for i in range(3):  # halfway through its turn
        middle[0, i] = cosine * plane[0, i] + sine * plane[1, i]
        middle[1, i] = cosine * plane[1, i] - sine * plane[0, i]
        middle[2, i] = plane[2, i]
    motion_in_plane(middle, height, moves)
    guess[:] = 0.0  # without the tyres
    for i in range(BODY):
        guess[i] = -dt * vehicle['tyre_forces'][i]
    momentum = effective_mass(
        factor, moves, guess, u, dt * push_x / vehicle['mass'], dt * push_y / vehicle['mass'],
        dt * push_w / vehicle['turn_inertia'], body['plane_mass'][:])
    solve(dt, vehicle, wheels, held, cosine, sine, momentum, pose[4], pid, work, body)
    force_x, force_y, turn = apply_solution(dt, wheels, work)
    if vehicle['ploughs'] != 0.0:
        force_x, force_y = force_x + vehicle['soil_x'], force_y + vehicle['soil_y']
        turn += vehicle['soil_arm'] * vehicle['soil_y']
    for i in range(BODY):
        vehicle['tyre_forces'][i] = (
            moves[0, i] * force_x + moves[1, i] * force_y + moves[2, i] * turn)
    for k in range(count):  # what spins a wheel up turns the body
        wheel = wheels[k]
        angle = wheel['toe'] + wheel['steer']
        spin = wheel['inertia'] * wheel['omega_change'] / dt
        x, y, z = rotated(rotation, -math.sin(angle), math.cos(angle), 0.0)
        vehicle['tyre_forces'][3] -= spin * x
        vehicle['tyre_forces'][4] -= spin * y
        vehicle['tyre_forces'][5] -= spin * z

    # velocities at the end
    for i in range(BODY):
        right[i] += dt * vehicle['tyre_forces'][i]
    solve_contacts(dt, matrix, right, contacts, rows, factor, u, pulls)
    first = 0 if vehicle['tipped'] != 0.0 else len(contacts) - CHASSIS
    scrape(dt, SCRAPING, first, contacts, factor, u, guess)
    end_step(dt, vehicle, wheels, rotation, contacts, u)
    lag_forces(vehicle, force_x, force_y)
    return dt if abs(force_x) + abs(force_y) + abs(turn) < 1e30 else -1.0


@compiled(inlined=True)
def end_step(dt: float, vehicle: np.void, wheels: Records, rotation: Array, contacts: Array,
             u: Array) -> None:
    """Move a body on, and note how its wheels touch the ground and how it stands."""
    for k in range(len(wheels)):
        wheel, c = wheels[k], contacts[k]
        wheel['touches'] = c[ON]
        wheel['on_edge'] = c[EDGE] * c[ON]
        wheel['slope_x'], wheel['slope_y'] = -c[NX] / c[NZ], -c[NY] / c[NZ]
    lies, first = 0, len(contacts) - CHASSIS
    for k in range(CHASSIS):
        if contacts[first + k, ON] != 0.0:
            lies |= 1 << k
    vehicle['lies'] = lies
    advance_body(dt, vehicle, wheels, rotation, u)
    vehicle['level'] = 1.0 if comes_to_rest(vehicle, wheels, contacts) else 0.0
    upright = 1.0 - 2.0 * (vehicle['q_x'] ** 2 + vehicle['q_y'] ** 2)
    vehicle['tipped'] = 1.0 if upright < UPRIGHT else 0.0


@compiled(inlined=True)
def add_outside_forces(dt: float, vehicle: np.void, wheels: Records, rotation: Array, u: Array,
                       right: Array) -> None:
    """
    Add air, and what implements and hitches push at heights of their own.

    A force of a hitch acts in plan through the engine, as if at the height of the centre of mass.
    """
    if vehicle['airy'] != 0.0:
        flat = max(math.sqrt(rotation[0, 0] ** 2 + rotation[1, 0] ** 2), 1e-6)
        heading_x, heading_y = rotation[0, 0] / flat, rotation[1, 0] / flat
        force_x, force_y, torque = air_forces(
            dt, vehicle, wheels, heading_x * u[0] + heading_y * u[1],
            heading_x * u[1] - heading_y * u[0], heading_x, heading_y, False)
        x, y = heading_x * force_x - heading_y * force_y, heading_y * force_x + heading_x * force_y
        along = heading_x * u[0] + heading_y * u[1] - (
            heading_x * vehicle['wind_x'] + heading_y * vehicle['wind_y'])
        across = heading_x * u[1] - heading_y * u[0] - (
            heading_x * vehicle['wind_y'] - heading_y * vehicle['wind_x'])
        lift = vehicle['air_lift'] * (along * along + across * across)
        ahead, left, up = rotated(rotation, vehicle['air_x'], 0.0, vehicle['air_z'])
        right[0] += dt * x
        right[1] += dt * y
        right[2] += dt * lift
        right[3] += dt * (left * lift - up * y)
        right[4] += dt * (up * x - ahead * lift)
        right[5] += dt * torque
    if vehicle['ploughs'] != 0.0 or vehicle['tows'] != 0.0:
        height = vehicle['com_height']
        x = height * (vehicle['tow_pull_x'] - (1.0 - vehicle['soil_lever']) * vehicle['soil_x'])
        y = height * (vehicle['tow_pull_y'] - (1.0 - vehicle['soil_lever']) * vehicle['soil_y'])
        down = vehicle['mass'] * vehicle['tow_down']
        tx, ty, tz = rotated(
            rotation, y - vehicle['mass'] * vehicle['tow_across'],
            vehicle['mass'] * vehicle['tow_along'] - x, 0.0)
        right[2] -= dt * down
        right[3] += dt * tx
        right[4] += dt * ty
        right[5] += dt * tz


@compiled(inner=True)
def effective_mass(
        factor: Array, moves: Array, instead: Array, u: Array, push_x: float, push_y: float,
        push_w: float, mass: Array) -> tuple[float, float, float]:
    """
    Fill in the mass that the tyres find in their plane; return the momentum without them.

    :param moves: S, shape (3, unknowns).
    :param instead: momentum that there is instead of that of the tyres with which u was found;
        overwritten.
    :param push_x: velocity that contacts and joints of the engine will give it, in plan whatever
        the slope [m/s]; push_y; push_w [rad/s].
    :param mass: shape (3, 3).
    """
    column, ease = np.empty(len(u)), np.empty((3, 3))
    for k in range(3):
        column[:] = moves[k]
        substitute(factor, column)
        for j in range(3):
            ease[j, k] = 0.0
            for i in range(BODY):
                ease[j, k] += moves[j, i] * column[i]
    (mass[0, 0], mass[0, 1], mass[0, 2], mass[1, 0], mass[1, 1], mass[1, 2], mass[2, 0],
     mass[2, 1], mass[2, 2]) = inverse_3x3(
        ease[0, 0], ease[0, 1], ease[0, 2], ease[1, 0], ease[1, 1], ease[1, 2], ease[2, 0],
        ease[2, 1], ease[2, 2])
    substitute(factor, instead)
    instead[0], instead[1], instead[5] = (
        instead[0] + push_x, instead[1] + push_y, instead[5] + push_w)
    vx, vy, w = 0.0, 0.0, 0.0
    for i in range(BODY):
        value = u[i] + instead[i]
        vx, vy, w = vx + moves[0, i] * value, vy + moves[1, i] * value, w + moves[2, i] * value
    return (mass[0, 0] * vx + mass[0, 1] * vy + mass[0, 2] * w,
            mass[1, 0] * vx + mass[1, 1] * vy + mass[1, 2] * w,
            mass[2, 0] * vx + mass[2, 1] * vy + mass[2, 2] * w)


@lazy_kernel(0.0, NO_RELIEF, A_VEHICLE, SOME_WHEELS, ROW, ROW)
def sink(gravity: float, relief: Relief, vehicle: np.void, wheels: Records, pose: Array,
         motion: Array) -> None:
    """
    Let a vehicle sink into its springs until it rests: height, pitch and roll of its pose.

    By implicit steps so long that inertia does not matter, with its place on the ground held.

    :param motion: of its body, at rest.
    """
    count, size = len(wheels), BODY
    if vehicle['suspended'] != 0.0:
        size += count
    rotation, centre, u = np.empty((3, 3)), np.empty(3), np.zeros(size)
    contacts = np.zeros((count_contacts(vehicle, wheels), COLUMNS))
    matrix, factor = np.zeros((size, size)), np.zeros((size, size))
    rows, right = np.zeros((len(contacts), size)), np.zeros(size)
    enter_space(vehicle, wheels, pose, motion)
    attitude(vehicle, rotation)
    x, y, _ = rotated(rotation, vehicle['com_x'], vehicle['com_y'], vehicle['com_height'])
    for _ in range(SINKS):
        attitude(vehicle, rotation)
        centre[0], centre[1], centre[2] = pose[0] + x, pose[1] + y, vehicle['centre_z']
        u[:], right[:] = 0.0, 0.0
        find_contacts(0.0, gravity, relief, vehicle, wheels, rotation, centre, u, contacts)
        mass_matrix(vehicle, wheels, rotation, matrix)
        for i in range(3):  # it neither slides nor turns on the plane that it stands on
            for j in range(3):
                part = HELD * rotation[i, 2] * rotation[j, 2]
                matrix[i, j] += (HELD if i == j else 0.0) - part
                matrix[3 + i, 3 + j] += part
        for k in range(count):
            contacts[k, SHARE] = 1.0
        for k in range(count, len(contacts)):
            contacts[k, ON] = 0.0
        add_forces(LONG, gravity, vehicle, wheels, rotation, matrix, right)
        directions(vehicle, wheels, rotation, contacts, rows)
        solve_contacts(LONG, matrix, right, contacts, rows, factor, u, -1)
        if LONG * (abs(u[3]) + abs(u[4])) > 0.5:
            break  # it cannot rest here
        advance_body(LONG, vehicle, wheels, rotation, u)
    attitude(vehicle, rotation)
    _, _, up = rotated(rotation, vehicle['com_x'], vehicle['com_y'], vehicle['com_height'])
    pose[2] = vehicle['centre_z'] - up
    pose[4] = math.asin(min(max(-rotation[2, 0], -1.0), 1.0))
    pose[5] = math.atan2(rotation[2, 1], rotation[2, 2])
    vehicle['spatial'] = vehicle['moved'] = 0.0
    for k in range(count):
        wheels[k]['travel_rate'] = 0.0
        wheels[k]['normal_load'] = contacts[k, FORCE]
