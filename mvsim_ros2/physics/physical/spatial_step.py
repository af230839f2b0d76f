# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The step of a vehicle as a body in space: off level ground, on springs, in the air, lying.

Normal forces come first, from springs and contacts: `contact_solve`. They leave the tyres a body
that is harder to move in their plane than its mass alone says: see `tyre_plane`. With that mass
`solve` finds their forces as it does for a vehicle on level ground. These and what pushes else
give the velocities at the end, by which the body moves.
"""

import math

import numpy as np

from mvsim_ros2.frames import Array, Records
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.elementary_functions import sine_cosine
from mvsim_ros2.physics.ground.relief import Relief
from mvsim_ros2.physics.ground.wheel_path import SAME
from mvsim_ros2.physics.physical.block_edges import edges_near, find_edges, NOWHERE, reach_of
from mvsim_ros2.physics.physical.contact_solve import (
    add_forces, directions, follow_bend, scrape, solve_contacts)
from mvsim_ros2.physics.physical.ground_contacts import (
    AHEAD, CHASSIS, CLIMB, COLUMNS, count_stands, EDGE, EDGES, find_body_contacts, GX, GY, MOVER,
    NX, NY, NZ, ON, rests_on_hitch, RZ, STEEP, UPRIGHT)
from mvsim_ros2.physics.physical.movers import press
from mvsim_ros2.physics.physical.outside_forces import air_forces
from mvsim_ros2.physics.physical.rigid_body import (
    advance_body, attitude, BODY, gyrate, in_body, mass_matrix, rotated)
from mvsim_ros2.physics.physical.solve import solve
from mvsim_ros2.physics.physical.step_parts import find_contacts_until_edge
from mvsim_ros2.physics.physical.tyre_plane import (
    contact_plane, effective_mass, motion_in_plane, place_wheels, push_wheels)
from mvsim_ros2.physics.physical.wheel_loads import lag_forces
from mvsim_ros2.physics.physical.wheels import apply_solution, axle_of, prepare_wheels
from mvsim_ros2.physics.state.record_layout import COM_X, COM_Y

SCRAPING = 0.5  # friction of a chassis on the ground
EVEN = 0.995  # cosine of the angle up to which slopes of contacts are those of one plane
QUIET, NEAR = 1e-3, 2e-5  # m/s, rad/s; m: a body that moves less and is nearer stands


@compiled
def step_in_space(
        dt: float, gravity: float, relief: Relief, vehicle: np.void, wheels: Records, pid: Records,
        pose: Array, motion: Array, regions: Array, work: Records, body: np.void, held: bool,
        whole: bool, push_x: float, push_y: float, push_w: float) -> float:
    """
    Move a vehicle by a step, or by what of it passes until a rim meets an edge.

    :param dt: what is left of the step [s].
    :param pose: x y z yaw pitch roll.
    :param whole: move it by all of `dt`.
    :param push_x: what pushes from outside in plan, world [N]; push_y; push_w its torque [N m].
    :returns: the time that it moved [s]; negative where forces are not finite.
    """
    count, size = len(wheels), BODY
    if vehicle['suspended'] != 0.0:
        size += count
    rotation, plane, middle = body['rotation'][:], body['plane'][:], body['middle'][:]
    centre, moves = body['centre'][:], body['moves'][:]
    memory, stands = np.zeros((2 * size + 4, size)), count_stands(vehicle, wheels)
    matrix, factor = memory[:size], memory[size:2 * size]
    u, start, right, guess = (
        memory[2 * size], memory[2 * size + 1], memory[2 * size + 2], memory[2 * size + 3])
    contacts = np.empty((stands + EDGES + CHASSIS, COLUMNS))
    contacts[:stands] = 0.0
    attitude(vehicle, rotation)
    centre[0], centre[1] = motion[COM_X] + vehicle['way_x'], motion[COM_Y] + vehicle['way_y']
    centre[2] = vehicle['centre_z']
    u[0], u[1], u[2] = vehicle['v_x'], vehicle['v_y'], vehicle['v_z']
    u[3], u[4], u[5] = rotated(rotation, vehicle['w_x'], vehicle['w_y'], vehicle['w_z'])
    if size > BODY:
        for k in range(count):
            u[BODY + k] = wheels[k]['travel_rate']
    impact, near = vehicle['meets'] != 0.0, edges_near(
        relief, centre[0], centre[1], centre[2], reach_of(
            dt, vehicle, wheels, abs(u[0]) + abs(u[1]) + abs(u[2])))
    dt = find_contacts_until_edge(
        dt, near, whole, gravity, relief, vehicle, wheels, rotation, centre, u, contacts)
    lies = find_body_contacts(dt, gravity, relief, vehicle, wheels, rotation, centre, u, contacts)
    if near:
        if not lies:
            contacts[stands:] = 0.0
        find_edges(dt, relief, vehicle, wheels, rotation, centre, u, contacts)
    else:
        for k in range(count):
            wheels[k]['beside'] = NOWHERE
        if not lies:
            contacts = contacts[:stands]

    climb, touching = 0.0, 0.0
    for k in range(count):
        if wheels[k]['touches'] != 0.0 and contacts[k, MOVER] == 0.0:
            climb, touching = climb + contacts[k, CLIMB], touching + 1.0
    if (touching == count and climb != count * vehicle['lift']
            and wheels[0]['tyre_stiffness'] == 0.0):
        # a lift takes it along, however suddenly it starts and stops
        u[2] += climb / count - vehicle['lift']
        vehicle['v_z'] = u[2]
    vehicle['lift'] = climb / count

    # normal forces, with the forces of the tyres of the last step
    mass_matrix(vehicle, wheels, rotation, matrix)
    directions(vehicle, wheels, rotation, contacts)
    if not impact:
        follow_bend(gravity, vehicle, wheels, contacts, matrix, u)
        vehicle['w_x'], vehicle['w_y'], vehicle['w_z'] = in_body(rotation, u[3], u[4], u[5])
    for i in range(size):  # numba would compile the messages of `start[:] = u`
        start[i] = u[i]
    u[3], u[4], u[5] = gyrate(dt, vehicle, wheels, rotation)
    for i in range(size):
        for j in range(size):
            right[i] += matrix[i, j] * u[j]
    add_forces(dt, gravity, vehicle, wheels, rotation, matrix, right)
    add_outside_forces(dt, vehicle, wheels, rotation, u, right)
    pulls = count if rests_on_hitch(vehicle, wheels) else -1
    hard = wheels[0]['tyre_stiffness'] == 0.0
    if impact:  # too short for tyres
        solve_contacts(dt, matrix, right, contacts, factor, u, pulls, hard, False)
        end_step(dt, stands, relief, vehicle, wheels, rotation, centre, contacts, plane, u, u)
        return dt
    for i in range(size):
        guess[i] = right[i] + (dt * vehicle['tyre_forces'][i] if i < BODY else 0.0)
    known = solve_contacts(dt, matrix, guess, contacts, factor, u, pulls, hard, False)

    # forces of the tyres in the plane of the contacts
    height = contact_plane(wheels, rotation, contacts, plane)
    motion_in_plane(plane, height, moves)
    vx, vy, w = 0.0, 0.0, 0.0
    for i in range(BODY):
        vx, vy, w = vx + moves[i, 0] * start[i], vy + moves[i, 1] * start[i], w + (
            moves[i, 2] * start[i])
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
    guess[:] = 0.0  # without the tyres, which the solution has in the mean plane
    push_wheels(dt, wheels, contacts, middle, guess)
    for k in range(count):
        along, across = wheels[k]['force_x'], wheels[k]['force_y']
        turn = work[k]['place_x'] * across - work[k]['place_y'] * along
        for i in range(BODY):
            guess[i] -= moves[i, 0] * along + moves[i, 1] * across + moves[i, 2] * turn
    for i in range(BODY):
        moves[i, 3] = dt * (guess[i] - vehicle['tyre_forces'][i])
    momentum = effective_mass(
        factor, moves, u, dt * push_x / vehicle['mass'], dt * push_y / vehicle['mass'],
        dt * push_w / vehicle['turn_inertia'], body['eased'][:], body['plane_mass'][:])
    solve(dt, vehicle, wheels, held, cosine, sine, momentum, pose[4], pid, work, body)
    force_x, force_y, turn = apply_solution(dt, wheels, work)
    vehicle['tyre_forces'][:] = 0.0
    push_wheels(dt, wheels, contacts, middle, vehicle['tyre_forces'])
    if vehicle['ploughs'] != 0.0:
        force_x, force_y = force_x + vehicle['soil_x'], force_y + vehicle['soil_y']
        for i in range(BODY):
            vehicle['tyre_forces'][i] += moves[i, 0] * vehicle['soil_x'] + (
                moves[i, 1] + vehicle['soil_arm'] * moves[i, 2]) * vehicle['soil_y']
    for k in range(count):  # what spins a wheel up turns the body
        wheel = wheels[k]
        sine, cosine = axle_of(wheel)
        spin = wheel['inertia'] * wheel['omega_change'] / dt
        x, y, z = rotated(rotation, -sine, cosine, 0.0)
        vehicle['tyre_forces'][3] -= spin * x
        vehicle['tyre_forces'][4] -= spin * y
        vehicle['tyre_forces'][5] -= spin * z

    # velocities at the end
    for i in range(BODY):
        right[i] += dt * vehicle['tyre_forces'][i]
    solve_contacts(dt, matrix, right, contacts, factor, u, pulls, hard, known)
    first = 0 if vehicle['tipped'] != 0.0 else stands
    if first < len(contacts):
        scrape(dt, SCRAPING, first, contacts, factor, u, guess)
    end_step(dt, stands, relief, vehicle, wheels, rotation, centre, contacts, plane, start, u)
    lag_forces(vehicle, force_x, force_y)
    return dt if abs(force_x) + abs(force_y) + abs(turn) < 1e30 else -1.0


@compiled(inlined=True)
def end_step(dt: float, stands: int, relief: Relief, vehicle: np.void, wheels: Records,
             rotation: Array, centre: Array, contacts: Array, plane: Array, start: Array,
             u: Array) -> None:
    """
    Move a body on, and note how its wheels touch the ground and how it stands.

    Along the ground its place moves by the mean of the velocities before and after. In flight on
    hard tyres it does so in each direction: on a parabola. Towards the ground and on springs it
    moves by those at the end, and with what it pushes or is joined to, as that does.

    :param plane: of the contacts, see `contact_plane`.
    :param start: velocities before the step.
    """
    if len(relief.movers) > 0:
        press(dt, stands, relief, vehicle, centre, contacts)
    for k in range(len(wheels)):
        wheel, c = wheels[k], contacts[k]
        wheel['touches'] = c[ON]
        wheel['on_edge'] = c[EDGE] * c[ON]
        wheel['slope_x'], wheel['slope_y'] = -c[NX] / c[NZ], -c[NY] / c[NZ]
    lies, first, touches = 0, stands + EDGES, False
    even = vehicle['joined'] == 0.0 and vehicle['shoved'] == 0.0
    for k in range(len(contacts)):
        c = contacts[k]
        if c[ON] != 0.0:
            touches, lies = True, lies | (1 << (k - first) if k >= first else 0)
            even = even and c[MOVER] == 0.0 and (
                c[NX] * plane[2, 0] + c[NY] * plane[2, 1] + c[NZ] * plane[2, 2]) > EVEN
    vehicle['lies'] = lies
    part = 0.5 if (even if touches else wheels[0]['tyre_stiffness'] == 0.0) else 0.0
    x, y, z = part * (start[0] - u[0]), part * (start[1] - u[1]), part * (start[2] - u[2])
    into = x * plane[2, 0] + y * plane[2, 1] + z * plane[2, 2] if touches else 0.0
    advance_body(dt, vehicle, wheels, rotation, u, u[0] + x - into * plane[2, 0],
                 u[1] + y - into * plane[2, 1], u[2] + z - into * plane[2, 2])
    vehicle['level'] = 1.0 if comes_to_rest(stands, vehicle, wheels, contacts) else 0.0
    upright = 1.0 - 2.0 * (vehicle['q_x'] ** 2 + vehicle['q_y'] ** 2)
    vehicle['tipped'] = 1.0 if upright < UPRIGHT else 0.0


@compiled(inlined=True)
def add_outside_forces(dt: float, vehicle: np.void, wheels: Records, rotation: Array, u: Array,
                       right: Array) -> None:
    """
    Add air, and what implements, hitches and contacts push at heights of their own.

    A force of the engine acts in plan, as if at the height of the centre of mass. What contacts
    push against the tyres, for longer, acts where these are, as on level ground.
    """
    flat = max(math.sqrt(rotation[0, 0] ** 2 + rotation[1, 0] ** 2), 1e-6)
    heading_x, heading_y = rotation[0, 0] / flat, rotation[1, 0] / flat
    if vehicle['shoved'] != 0.0 and vehicle['joined'] == 0.0:
        x = heading_x * vehicle['shove_x'] - heading_y * vehicle['shove_y']
        y = heading_y * vehicle['shove_x'] + heading_x * vehicle['shove_y']
        against = -(x * vehicle['tyre_forces'][0] + y * vehicle['tyre_forces'][1])
        arm = vehicle['com_height'] * rotation[2, 2] * min(
            max(against, 0.0) / max(x * x + y * y, 1e-12), 1.0)
        right[3] += dt * arm * y
        right[4] -= dt * arm * x
    if vehicle['carries'] != 0.0:
        for i in range(BODY):
            right[i] += dt * vehicle['load'][i]
    if vehicle['airy'] != 0.0:
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


@compiled(inlined=True)
def comes_to_rest(stands: int, vehicle: np.void, wheels: Records, contacts: Array) -> bool:
    """Return whether a body in space stands on level ground so that it can move along it."""
    if vehicle['sprung'] != 0.0 or vehicle['carries'] != 0.0 or abs(vehicle['v_z']) > QUIET or (
            abs(vehicle['w_x']) + abs(vehicle['w_y']) > QUIET):
        return False
    if abs(vehicle['q_x']) + abs(vehicle['q_y']) > 1e-4:
        return False
    for k in range(len(contacts)):
        c = contacts[k]
        if k < stands:
            if (c[NZ] != 1.0 or c[EDGE] != 0.0 or c[STEEP] != 0.0 or c[CLIMB] != 0.0
                    or c[GX] != 0.0 or c[GY] != 0.0 or c[MOVER] != 0.0
                    or abs(c[AHEAD]) > NEAR or k < len(wheels) and (
                        c[ON] == 0.0 or wheels[k]['hangs'] != 0.0
                        or abs(wheels[k]['ground'] - wheels[0]['ground']) > SAME)):
                return False
        elif c[ON] != 0.0 or k < stands + EDGES and c[AHEAD] < 1.0 and c[RZ] < 0.0:
            return False
    vehicle['floor'] = wheels[0]['ground']
    for k in range(len(wheels)):
        wheels[k]['bottom'] = wheels[k]['ground']
    return True
