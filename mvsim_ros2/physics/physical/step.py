# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
One step of all vehicles in mode `physical`: the forces on their bodies.

Wheels and body of a vehicle are solved together for the end of the step, so that stiff tyres
hold the vehicle at rest and any step from 1 to 20 ms gives the same motion.
"""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.elementary_functions import sine_cosine
from mvsim_ros2.physics.ground.terrain import NO_RELIEF, Relief
from mvsim_ros2.physics.ground.terrain_walls import stopped
from mvsim_ros2.physics.mvsim.step import obey, STRONGEST
from mvsim_ros2.physics.physical.air import blow
from mvsim_ros2.physics.physical.controller_solve import (
    channels, copy_state, drive_wheels, settle_torques)
from mvsim_ros2.physics.physical.draught import hold_implement, soil_grip
from mvsim_ros2.physics.physical.free_body import fly, lean
from mvsim_ros2.physics.physical.implicit_solve import (
    CLOSE_SLIP, mobility, PASSES, planar_velocity)
from mvsim_ros2.physics.physical.locked_axles import hold_together, pass_on
from mvsim_ros2.physics.physical.outside_forces import take_shove
from mvsim_ros2.physics.physical.slope_transition import follow_path, slope_of
from mvsim_ros2.physics.physical.suspension import ride
from mvsim_ros2.physics.physical.take_off import leave, stay
from mvsim_ros2.physics.physical.tied_solve import tie
from mvsim_ros2.physics.physical.tyre_springs import back_on_springs, bounce, overturn, push_back
from mvsim_ros2.physics.physical.wheel_forces import take_over
from mvsim_ros2.physics.physical.wheel_loads import wheel_loads
from mvsim_ros2.physics.physical.wheels import follow, prepare, resist, with_line
from mvsim_ros2.physics.state.example_arguments import (
    SOME_KNOWN, SOME_ROOMS, SOME_VEHICLES, SOME_WHEELS, STARTS, TABLE, TABLES)
from mvsim_ros2.physics.state.record_layout import COS, OMEGA, PIDS, SIN, TORQUE, VX, VY
from mvsim_ros2.physics.state.step_columns import (
    BEFORE, P_W, P_X, P_Y, PASSED, TORQUES, V_W, V_X, V_Y, WW, WX, WY, XW, XX, XY, YW, YX, YY)
from mvsim_ros2.physics.vehicle.brakes import holds, told_to_move
from mvsim_ros2.physics.vehicle.steering import steer_wheels

Array = NDArray[np.float64]
Records = NDArray[np.void]


@lazy_kernel(SOME_VEHICLES, STARTS, SOME_WHEELS, TABLE)
def roll_along(vehicles: Records, wheel_start: NDArray[np.int64], wheels: Records, twist: Array,
               ) -> None:
    """
    Let the wheels of vehicles that move as told roll with them, after a step; they push nothing.

    :param twist: of the reference points in the body frame, shape (V, 3).
    """
    for i in range(len(vehicles)):
        if vehicles[i]['is_ideal'] == 0.0 and vehicles[i]['mass'] != 0.0:
            continue
        vx, vy, w = twist[i, 0], twist[i, 1], twist[i, 2]
        for k in range(wheel_start[i], wheel_start[i + 1]):
            wheel = wheels[k]
            direction = wheel['toe'] + wheel['steer'] + wheel['roller']
            wheel['omega'] = (math.cos(direction) * (vx - w * wheel['y'])
                              + math.sin(direction) * (vy + w * wheel['x'])) / wheel['radius']
            wheel['slip_x'], wheel['slip_y'] = 0.0, 0.0
            wheel['force_long'], wheel['force_lat'] = 0.0, 0.0
            wheel['force_x'], wheel['force_y'] = 0.0, 0.0


@compiled(inlined=True)
def solve(dt: float, vehicle: np.void, wheels: Records, held: bool, cosine: float, sine: float,
          px: float, py: float, pw: float, known: Records, pitch: float, pid: Array,
          room: np.void) -> None:
    """
    Find the forces at the end of the step.

    The Kacanov iteration: solve with the secant stiffness of the last slips until these stay. It
    comes closer by the same share in each pass, by which it is known how far it still is.

    :param cosine: of half the angle that the body turns by in the step; sine: the same.
    :param px: momentum at the end of the step without wheels, in axes half turned back; so
        py, and pw about the centre of mass.
    :param pid: of vehicles that have PIDs and are not held, these find their torques here: see
        `controller_solve`.
    :param room: with their state before the step, and the torques that they asked for.
    """
    driven = vehicle['has_pid'] != 0.0 and not held
    tied, stopped = vehicle['tied'] != 0.0, vehicle['stopped']
    coupled = vehicle['couples'] != 0.0
    count = channels(vehicle, wheels)
    if coupled:
        room[PASSED][:] = 0.0
    if driven:
        for k in range(count):
            room[TORQUES][k] = room[BEFORE][k, TORQUE] + vehicle['torque_change'][k]
        drive_wheels(vehicle, wheels, room[TORQUES][:])
        vehicle['stopped'] = 0.0  # whether it has stopped was decided before the step
    last, settled = 0.0, True
    has_plough = vehicle['ploughs'] != 0.0
    ploughs = has_plough and vehicle['loose'] == 0.0
    arm, soil, vx, vy, w = vehicle['soil_arm'], 0.0, 0.0, 0.0, 0.0
    if ploughs:
        vx, vy, w = px / vehicle['mass'], py / vehicle['mass'], pw / vehicle['turn_inertia']
    for number in range(PASSES):
        xx, xy, yy, xw, yw, ww = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        qx, qy, qw = px, py, pw
        for k in range(len(wheels)):
            resist(dt, wheels[k], held and wheels[k]['swivels'] == 0.0, tied, known[k])
        if tied:
            tie(dt, wheels, held, known)
        for k in range(len(wheels)):
            xx, xy, yy, xw, yw, ww, qx, qy, qw = with_line(
                dt, known[k], xx, xy, yy, xw, yw, ww, qx, qy, qw)
        if ploughs:
            soil = soil_grip(vehicle, vx, vy, w)
            xx += dt * soil
            yy += dt * soil
            yw += dt * soil * arm
            ww += dt * soil * arm * arm
        (room[XX], room[XY], room[XW], room[YX], room[YY], room[YW], room[WX], room[WY],
         room[WW]) = mobility(vehicle['mass'], vehicle['turn_inertia'], cosine, sine, xx, xy, yy,
                              xw, yw, ww)
        if driven or coupled:
            room[P_X], room[P_Y], room[P_W] = qx, qy, qw
            if coupled:
                pass_on(dt, vehicle, wheels, room, known)
            if driven:
                settled = settle_torques(
                    dt, vehicle, wheels, pitch, pid, room, known, count, number == 0)
            if coupled:
                hold_together(dt, vehicle, wheels, room, known)
            qx, qy, qw = room[P_X], room[P_Y], room[P_W]
        if driven and settled and not coupled:
            vx, vy, w = room[V_X], room[V_Y], room[V_W]
        else:
            vx, vy, w = planar_velocity(room, qx, qy, qw)
        change = 0.0
        for k in range(len(wheels)):
            change = max(change, follow(wheels[k], known[k], vx, vy, w))
        if settled and (change < CLOSE_SLIP or change * change < CLOSE_SLIP * (last - change)):
            break
        last = change
    if has_plough:
        hold_implement(vehicle, soil, vx, vy, w)
    if driven:
        for k in range(count):
            pid[k, TORQUE] = room[TORQUES][k]
            vehicle['torque_change'][k] = room[TORQUES][k] - room[BEFORE][k, TORQUE]
        vehicle['stopped'] = stopped
    else:
        for k in range(PIDS):
            vehicle['torque_change'][k] = 0.0


@compiled(inlined=True)
def drive_one(
        dt: float, gravity: float, i: int, relief: Relief, vehicle: np.void,
        own: Records, pids: Array, pose: Array, motion: Array, wrench: Array, regions: Array,
        known: Records, room: np.void) -> int:
    """
    Do what `drive_physical` does for vehicle `i`; return that number or -1.

    :param own: records of its wheels.
    """
    copy_state(pids[i], room[BEFORE][:])
    moves = vehicle['mass'] != 0.0 and told_to_move(vehicle, own)
    if not moves:
        obey(vehicle, own, pose[i, 4], pids[i], dt)
    elif vehicle['steered'] != 0.0:  # `solve` asks for the torques
        steer_wheels(vehicle, own)
    if (vehicle['is_ideal'] != 0.0 or vehicle['mass'] == 0.0):  # see `roll_along`
        wrench[i, 0], wrench[i, 1], wrench[i, 2] = 0.0, 0.0, 0.0
        return -1
    heading_x, heading_y = motion[i, COS], motion[i, SIN]
    w, turn_force = motion[i, OMEGA], 0.0
    kept_x, kept_y = motion[i, VX], motion[i, VY]
    grounded = relief.active
    graded = grounded and vehicle['graded'] != 0.0
    sprung, airy = vehicle['sprung'] != 0.0, vehicle['airy'] != 0.0
    tows, ploughs = vehicle['tows'] != 0.0, vehicle['ploughs'] != 0.0
    if graded and vehicle['loose'] == 0.0 and not sprung:
        kept_x, kept_y = leave(dt, gravity, vehicle, own, pose[i], kept_x, kept_y)
        if vehicle['loose'] == 0.0:
            kept_x, kept_y = follow_path(
                dt, gravity, vehicle, own, pose[i], kept_x, kept_y)
    pitch, roll = pose[i, 4], pose[i, 5]
    flies = vehicle['loose'] != 0.0
    if flies:
        pitch, roll = 0.0, 0.0
        along, across, spun = fly(
            dt, gravity, relief, vehicle, own, pose[i], heading_x * kept_x
            + heading_y * kept_y, heading_x * kept_y - heading_y * kept_x, w)
        kept_x, kept_y = (heading_x * along - heading_y * across,
                          heading_y * along + heading_x * across)
        turn_force = vehicle['turn_inertia'] * (spun - w) / dt
        w = spun
        if sprung and vehicle['loose'] == 0.0:
            back_on_springs(vehicle, own, pose[i])
    elif graded:
        ahead = heading_x * vehicle['grade_x'] + heading_y * vehicle['grade_y']
        aside = heading_x * vehicle['grade_y'] - heading_y * vehicle['grade_x']
        pitch = -math.atan(ahead)
        roll = math.atan(aside * math.cos(pitch))
    down_x, down_y, lean_x, lean_y, skew = 0.0, 0.0, 1.0, 1.0, 0.0
    slope_x, slope_y, down = 0.0, 0.0, 1.0
    leans = pitch != 0.0 or roll != 0.0
    if leans:
        down_x, down_y = math.sin(pitch), -math.cos(pitch) * math.sin(roll)
        lean_x, lean_y = max(math.cos(pitch), 0.1), max(math.cos(roll), 0.1)
        skew = math.sin(pitch) * math.sin(roll)
        slope_x, slope_y = slope_of(pitch, roll, heading_x, heading_y)
        down = math.sqrt(max(1.0 - down_x * down_x - down_y * down_y, 0.0))
    if not flies:
        vehicle['slope_x'], vehicle['slope_y'] = slope_x, slope_y
        if graded and not sprung:
            stay(vehicle, own, motion[i], kept_x, kept_y)
        vehicle['stands'] = 1.0
    vy = heading_x * kept_y - heading_y * kept_x
    if leans:
        vy /= lean_y
    vx = heading_x * kept_x + heading_y * kept_y - skew * vy
    if leans:
        vx /= lean_x
    mass, spin = vehicle['mass'], vehicle['turn_inertia'] * w
    # long before they are needed, so that loads and wheels are computed at the same time
    if sprung and not flies:
        if vehicle['suspended'] != 0.0:
            ride(dt, gravity, vehicle, own, pose[i], math.sqrt(vx * vx + vy * vy))
        else:
            bounce(dt, gravity, vehicle, own, pose[i], math.sqrt(vx * vx + vy * vy))
        overturn(vehicle)
    elif not flies:
        wheel_loads(vehicle, own, gravity * down)
    air_x, air_y, air_turn = 0.0, 0.0, 0.0
    if airy:
        air_x, air_y, air_turn = blow(
            dt, vehicle, own, vx, vy, heading_x, heading_y,
            not flies and not sprung)
    sine, cosine = sine_cosine(min(max(0.5 * w * dt, -1.0), 1.0))
    prepare(dt, vehicle, own, vx, vy, w, 2.0 * sine * cosine, 1.0 - 2.0 * sine * sine, pose[i],
            heading_x, heading_y, regions, known)
    pull_x, pull_y = mass * gravity * down_x, mass * gravity * down_y
    if graded and sprung and not flies:
        pull_x, pull_y = push_back(
            own, heading_x, heading_y, lean_x, lean_y, skew, down)
    if airy:
        pull_x, pull_y, spin = pull_x + air_x, pull_y + air_y, spin + dt * air_turn
        turn_force += air_turn
    held = not moves and holds(vehicle['has_pid'], pids[i])
    momentum_x = mass * (cosine * vx + sine * vy) + dt * pull_x
    momentum_y = mass * (cosine * vy - sine * vx) + dt * pull_y
    if tows:  # as its hitches pulled last: the engine does it for this step
        momentum_x += dt * vehicle['tow_x']
        momentum_y += dt * vehicle['tow_y']
        spin += dt * vehicle['tow_turn']
    if vehicle['shoved'] != 0.0:
        take_shove(dt, vehicle, heading_x, heading_y, pose[i, 4], pose[i, 5])
        momentum_x += dt * vehicle['shove_x']
        momentum_y += dt * vehicle['shove_y']
        spin += dt * vehicle['shove_turn']
    solve(dt, vehicle, own, held, cosine, sine, momentum_x, momentum_y, spin, known,
          pose[i, 4], pids[i], room)
    force_x, force_y, turn = take_over(dt, own, known)
    if vehicle['loose'] != 0.0:
        lean(dt, vehicle, own, pose[i])
    keep = vehicle['load_keep']
    moves_x, moves_y = force_x, force_y
    if ploughs or tows:
        moves_x += vehicle['soil_lever'] * vehicle['soil_x'] + vehicle['tow_pull_x']
        moves_y += vehicle['soil_lever'] * vehicle['soil_y'] + vehicle['tow_pull_y']
        force_x, force_y = force_x + vehicle['soil_x'], force_y + vehicle['soil_y']
        turn += vehicle['soil_arm'] * vehicle['soil_y']
    vehicle['pull_along'] = keep * vehicle['pull_along'] + (1.0 - keep) * moves_x / mass
    vehicle['pull_across'] = keep * vehicle['pull_across'] + (1.0 - keep) * moves_y / mass
    force_x += pull_x
    force_y += pull_y
    level_x, level_y = lean_x * force_x + skew * force_y, lean_y * force_y
    middle_x = heading_x * cosine - heading_y * sine
    middle_y = heading_y * cosine + heading_x * sine
    if graded:
        push_x = dt / mass * (lean_x * pull_x + skew * pull_y)
        push_y = dt / mass * lean_y * pull_y
        vehicle['pushed_x'] = middle_x * push_x - middle_y * push_y
        vehicle['pushed_y'] = middle_y * push_x + middle_x * push_y
    jolt_x, jolt_y = kept_x - motion[i, VX], kept_y - motion[i, VY]
    if jolt_x != 0.0 or jolt_y != 0.0:  # else they are 0 times that too
        jolt_x, jolt_y = mass / dt * jolt_x, mass / dt * jolt_y
    wrench[i, 0] = middle_x * level_x - middle_y * level_y + jolt_x
    wrench[i, 1] = middle_y * level_x + middle_x * level_y + jolt_y
    wrench[i, 2] = turn + turn_force
    if grounded:
        vx = motion[i, VX] + dt / mass * wrench[i, 0]
        vy = motion[i, VY] + dt / mass * wrench[i, 1]
        w = motion[i, OMEGA] + dt / vehicle['turn_inertia'] * wrench[i, 2]
        kept_x, kept_y, spun = stopped(
            dt, relief, vehicle, own, pose[i], motion[i], vx, vy, w)
        wrench[i, 0] += mass / dt * (kept_x - vx)
        wrench[i, 1] += mass / dt * (kept_y - vy)
        wrench[i, 2] += vehicle['turn_inertia'] / dt * (spun - w)
    return -1 if abs(force_x) + abs(force_y) + abs(turn) < STRONGEST else i


@lazy_kernel(
    0.0, 0.0, NO_RELIEF, SOME_VEHICLES, STARTS, SOME_WHEELS, TABLES, TABLE, TABLE, TABLE, TABLE,
    TABLE, SOME_KNOWN, SOME_ROOMS, counted=False)
def drive_physical(
        dt: float, gravity: float, relief: Relief, vehicles: Records,
        wheel_start: NDArray[np.int64], wheels: Records, pids: Array, pose: Array, twist: Array,
        motion: Array, wrench: Array, regions: Array, known: Records, rooms: Records,
        ) -> int:
    """
    Write into `wrench` the force [N] (world frame) and torque [N m] on every body.

    Returns the first vehicle whose forces are not finite numbers, or -1. Bodies move in the
    horizontal plane: on a slope the velocity along the ground is larger by 1 / cos, the force
    on the body smaller by cos; it stays where the slope changes, but for what impacts take. The
    slope is that of the paths of the wheels, weighted by their loads. What is off the ground is
    a free body. The parameters are those of `step.drive`, the ground, and scratch memory.

    :param known: as long as the most wheels of a vehicle.
    :param rooms: one.
    """
    wrong = -1
    for i in range(len(vehicles)):
        number = drive_one(
            dt, gravity, i, relief, vehicles[i], wheels[wheel_start[i]:wheel_start[i + 1]],
            pids, pose, motion, wrench, regions, known, rooms[0])
        if wrong < 0 and number >= 0:
            wrong = number
    return wrong
