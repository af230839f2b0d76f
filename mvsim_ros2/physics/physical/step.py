# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
One step of all vehicles in mode `physical`: the forces on their bodies.

`drive_vehicle` has the stages of a step in order: controller, steering, ground, loads, wheels with
tyres and drivetrain, outside forces, solution, force. The solution for the end of the step
includes wheels and body of a vehicle. So stiff tyres hold the vehicle at rest, and any step from 1
to 20 ms gives the same motion.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array, Records
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.elementary_functions import sine_cosine
from mvsim_ros2.physics.ground.relief import NO_RELIEF, Relief
from mvsim_ros2.physics.ground.terrain_walls import stopped
from mvsim_ros2.physics.ground.wheel_path import (
    carried, CLOSE, ground_velocity, near_vehicle, PROBE, rim_gap, SAME)
from mvsim_ros2.physics.mvsim_step import run_controller, STRONGEST
from mvsim_ros2.physics.physical.block_edges import comes_to_edge
from mvsim_ros2.physics.physical.ground_contacts import rests_on_hitch
from mvsim_ros2.physics.physical.outside_forces import air_forces, lasting_forces
from mvsim_ros2.physics.physical.rigid_body import attitude_before, enter_space
from mvsim_ros2.physics.physical.solve import solve
from mvsim_ros2.physics.physical.spatial_step import step_in_space
from mvsim_ros2.physics.physical.wheel_loads import lag_forces, wheel_loads
from mvsim_ros2.physics.physical.wheels import apply_solution, prepare_wheels
from mvsim_ros2.physics.state.record_layout import (
    A_VEHICLE, A_VEHICLE_WORK, ANGLE, COS, LEANS, OMEGA, PIDS, ROW, SIN, SOME_PIDS,
    SOME_VEHICLE_WORK, SOME_VEHICLES, SOME_WHEEL_WORK, SOME_WHEELS, STARTS, TABLE, VX, VY)
from mvsim_ros2.physics.vehicle.drivetrain import holds
from mvsim_ros2.physics.vehicle.steering import steer_wheels

Vector = tuple[float, float, float]

MOST_PARTS = 60  # of a step, in which rims meet edges
ROUNDING = 1e-9  # of a step; so little is left when its parts are done


@lazy_kernel(SOME_VEHICLES, STARTS, SOME_WHEELS, TABLE)
def roll_along(vehicles: Records, wheel_start: NDArray[np.int64], wheels: Records, twist: Array,
               ) -> None:
    """
    Let the wheels of vehicles that an animation or an ideal controller moves roll with them.

    After a step; they push nothing.

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


class Plane(NamedTuple):
    """The plane that a vehicle stands on, in the axes of its heading."""

    down_x: float  # of the unit vector down, along the vehicle; so down_y to its left
    down_y: float
    down: float  # at right angles to the plane
    # in plan, a unit along the vehicle is (lean_x, 0), one to its left (skew, lean_y)
    lean_x: float
    lean_y: float
    skew: float


@compiled(inlined=True)
def plane_below(pitch: float, roll: float) -> Plane:
    """
    Return the plane that a vehicle stands on.

    :param pitch: of the vehicle, nose down positive [rad]; so roll.
    """
    if pitch == 0.0 and roll == 0.0:
        return Plane(0.0, 0.0, 1.0, 1.0, 1.0, 0.0)
    down_x, down_y = math.sin(pitch), -math.cos(pitch) * math.sin(roll)
    return Plane(
        down_x, down_y, math.sqrt(max(1.0 - down_x * down_x - down_y * down_y, 0.0)),
        max(math.cos(pitch), 0.1), max(math.cos(roll), 0.1), math.sin(pitch) * math.sin(roll))


@compiled(inlined=True)
def keep_states(pid: Records, body: np.void) -> None:
    """Keep the states that the PIDs have before a step, from which they are solved."""
    for k in range(PIDS):
        body['pid_before'][k] = pid[k]


@compiled(inlined=True)
def command_wheels(dt: float, vehicle: np.void, wheels: Records, pose: Array, pid: Records,
                   body: np.void) -> bool:
    """Let controller and steering act before a step; return whether brakes hold the wheels."""
    if vehicle['has_pid'] != 0.0:
        keep_states(pid, body)
        if (vehicle['by_speed'] != 0.0 and vehicle['filter_keep'] == 0.0
                and abs(vehicle['command_v']) >= vehicle['zero_command']):
            if vehicle['steered'] != 0.0:
                steer_wheels(vehicle, wheels)
            return False
    run_controller(vehicle, wheels, pose[4], pid, dt)
    return holds(vehicle['has_pid'], pid)


@compiled(inlined=True)
def impulse_from_outside(dt: float, vehicle: np.void, motion: Array) -> Vector:
    """Return the impulse of hitches and contacts in a step, along the vehicle and its angular."""
    x, y, turn = 0.0, 0.0, 0.0
    if vehicle['tows'] != 0.0:  # as its hitches pulled last: the engine does it for this step
        x, y, turn = dt * vehicle['tow_x'], dt * vehicle['tow_y'], dt * vehicle['tow_turn']
    if vehicle['shoved'] != 0.0:
        lasting_forces(dt, vehicle, motion[COS], motion[SIN])
        x += dt * vehicle['shove_x']
        y += dt * vehicle['shove_y']
        turn += dt * vehicle['shove_turn']
    return x, y, turn


@lazy_kernel(0.0, NO_RELIEF, A_VEHICLE, SOME_WHEELS, ROW, ROW, ROW)
def stop_at_walls(
        dt: float, relief: Relief, vehicle: np.void, wheels: Records, pose: Array, motion: Array,
        wrench: Array) -> None:
    """Add to `wrench` what steep ground pushes back: see `terrain_walls`."""
    mass, inertia = vehicle['mass'], vehicle['turn_inertia']
    vx = motion[VX] + dt / mass * wrench[0]
    vy = motion[VY] + dt / mass * wrench[1]
    w = motion[OMEGA] + dt / inertia * wrench[2]
    kept_x, kept_y, kept_w = stopped(dt, relief, vehicle, wheels, pose, motion, vx, vy, w)
    wrench[0] += mass / dt * (kept_x - vx)
    wrench[1] += mass / dt * (kept_y - vy)
    wrench[2] += inertia / dt * (kept_w - w)


@lazy_kernel(0.0, NO_RELIEF, A_VEHICLE, SOME_WHEELS, ROW, ROW)
def stands_level(dt: float, relief: Relief, vehicle: np.void, wheels: Records, pose: Array,
                 motion: Array) -> bool:
    """
    Return whether a vehicle stands on level ground, and will at the end of the step.

    :param pose: x y z yaw pitch roll.
    :param motion: of its body in the engine.
    """
    if pose[4] != 0.0 or pose[5] != 0.0:
        return False
    cosine, sine = math.cos(pose[3]), math.sin(pose[3])
    count = len(wheels)
    more = 2 if vehicle['ground'] == LEANS else (1 if rests_on_hitch(vehicle, wheels) else 0)
    for k in range(count + more):
        x, y, angle, radius, reach = vehicle['hitch_x'], vehicle['hitch_y'], 0.0, 0.0, 0.1
        if k < count:
            wheel = wheels[k]
            x, y, radius, reach = wheel['x'], wheel['y'], wheel['radius'], wheel['radius']
            angle = wheel['toe'] + wheel['steer']
        elif k > count:
            x, y = vehicle['end_x'], vehicle['end_y']
        heading_x, heading_y = math.cos(pose[3] + angle), math.sin(pose[3] + angle)
        arm_x, arm_y, far = x - vehicle['com_x'], y - vehicle['com_y'], motion[OMEGA] * dt
        at_x = pose[0] + cosine * x - sine * y + (
            dt * motion[VX] - far * (sine * arm_x + cosine * arm_y))
        at_y = pose[1] + sine * x + cosine * y + (
            dt * motion[VY] + far * (cosine * arm_x - sine * arm_y))
        height, slope_x, slope_y, on_edge, own = carried(
            relief, at_x, at_y, pose[2] + reach, pose[2] + reach, heading_x, heading_y, radius)
        move_x, move_y, climb = ground_velocity(relief, own, at_x, at_y)
        if (abs(height - pose[2]) > SAME or slope_x != 0.0 or slope_y != 0.0 or on_edge
                or climb != 0.0 or move_x != 0.0 or move_y != 0.0
                or own >= 0 and relief.surfaces[int(own)]['mover'] > 0):
            return False
        if k < count:
            wheel['ground'] = wheel['bottom'] = height
            ahead_x, ahead_y = PROBE * radius * heading_x, PROBE * radius * heading_y
            for sign in (-1.0, 1.0):
                there, slope_x, slope_y, _, _ = carried(
                    relief, at_x + sign * ahead_x, at_y + sign * ahead_y, pose[2] + reach, 0.0,
                    1.0, 0.0, 0.0)
                change = sign * (slope_x * ahead_x + slope_y * ahead_y)
                if (change > 0.0 and there >= height and rim_gap(
                        pose[2] + radius - there + change, slope_x, slope_y, -heading_y,
                        heading_x, 0.0, radius) < CLOSE * radius):
                    return False
    return True


@compiled(inlined=True)
def leaves_plane(dt: float, relief: Relief, vehicle: np.void, wheels: Records, pose: Array,
                 motion: Array) -> bool:
    """Return whether a vehicle that moves along a plane cannot do so in the next step."""
    if vehicle['sprung'] != 0.0 or vehicle['carries'] != 0.0:
        return True
    return bool(relief.active and (
        not stands_level(dt, relief, vehicle, wheels, pose, motion)
        or comes_to_edge(dt, relief, vehicle, wheels, pose, motion)))


@lazy_kernel(
    0.0, 0.0, NO_RELIEF, A_VEHICLE, SOME_WHEELS, SOME_PIDS[0], ROW, ROW, ROW, TABLE,
    SOME_WHEEL_WORK, A_VEHICLE_WORK, False, counted=False)
def drive_in_space(
        dt: float, gravity: float, relief: Relief, vehicle: np.void, wheels: Records, pid: Records,
        pose: Array, motion: Array, wrench: Array, regions: Array, work: Records, body: np.void,
        held: bool) -> bool:
    """
    Do what `drive_vehicle` does for a vehicle in space, which `step_in_space` moves.

    The engine gets the mean velocity in plan.
    """
    push_x, push_y, push_w = impulse_from_outside(dt, vehicle, motion)
    push_x, push_y = (motion[COS] * push_x - motion[SIN] * push_y,
                      motion[SIN] * push_x + motion[COS] * push_y)
    left, finite = dt, True
    attitude_before(vehicle, pose[3], motion[ANGLE])
    for part in range(MOST_PARTS):
        if part > 0 and vehicle['has_pid'] != 0.0:
            keep_states(pid, body)
        whole = part == MOST_PARTS - 1  # no time is lost where parts run out
        if whole:
            vehicle['meets'] = 0.0
        passed = step_in_space(
            left, gravity, relief, vehicle, wheels, pid, pose, motion, regions, work, body, held,
            whole, push_x / dt, push_y / dt, push_w / dt)
        finite = finite and passed >= 0.0
        left -= abs(passed)
        if left <= ROUNDING * dt or not finite:
            break
    mass, inertia = vehicle['mass'], vehicle['turn_inertia']
    vehicle['sent_x'], vehicle['sent_y'] = vehicle['way_x'] / dt, vehicle['way_y'] / dt
    vehicle['sent_w'] = vehicle['way_w'] / dt
    wrench[0] = mass / dt * (vehicle['sent_x'] - motion[VX])
    wrench[1] = mass / dt * (vehicle['sent_y'] - motion[VY])
    wrench[2] = inertia / dt * (vehicle['sent_w'] - motion[OMEGA])
    if relief.active:
        stop_at_walls(dt, relief, vehicle, wheels, pose, motion, wrench)
    return finite


@compiled(merged=True)
def drive_vehicle(
        dt: float, gravity: float, relief: Relief, vehicle: np.void, wheels: Records, pid: Records,
        pose: Array, motion: Array, wrench: Array, regions: Array, work: Records, body: np.void,
        ) -> bool:
    """
    Do what `drive_physical` does for one vehicle; return whether its forces are finite numbers.

    :param wheels: its own.
    """
    # controller and steering
    held = command_wheels(dt, vehicle, wheels, pose, pid, body)
    if vehicle['is_ideal'] != 0.0 or vehicle['mass'] == 0.0:  # see `roll_along`
        wrench[0], wrench[1], wrench[2] = 0.0, 0.0, 0.0
        return True
    if relief.active:
        relief, vehicle['walled'] = near_vehicle(dt, relief, vehicle, pose, motion), 0.0
    mass, inertia, heading_x, heading_y = (
        vehicle['mass'], vehicle['turn_inertia'], motion[COS], motion[SIN])

    plane = plane_below(pose[4], pose[5])
    if vehicle['spatial'] == 0.0 and (
            leaves_plane(dt, relief, vehicle, wheels, pose, motion)
            or wheel_loads(vehicle, wheels, gravity * plane.down)):
        enter_space(vehicle, wheels, pose, motion)
    if vehicle['spatial'] != 0.0:
        return drive_in_space(
            dt, gravity, relief, vehicle, wheels, pid, pose, motion, wrench, regions, work, body,
            held)

    # the velocity along the plane below the vehicle
    world_x, world_y, w, turn_force = motion[VX], motion[VY], motion[OMEGA], 0.0
    vy = heading_x * world_y - heading_y * world_x
    vx = heading_x * world_x + heading_y * world_y
    if pose[4] != 0.0 or pose[5] != 0.0:
        vy /= plane.lean_y
        vx = (vx - plane.skew * vy) / plane.lean_x

    # air, wheels
    pull_x, pull_y = mass * gravity * plane.down_x, mass * gravity * plane.down_y
    spin = inertia * w
    if vehicle['airy'] != 0.0:
        air_x, air_y, air_turn = air_forces(
            dt, vehicle, wheels, vx, vy, heading_x, heading_y, True)
        pull_x, pull_y, spin = pull_x + air_x, pull_y + air_y, spin + dt * air_turn
        turn_force += air_turn
    sine, cosine = sine_cosine(min(max(0.5 * w * dt, -1.0), 1.0))
    prepare_wheels(
        dt, vehicle, wheels, vx, vy, w, 2.0 * sine * cosine, 1.0 - 2.0 * sine * sine, pose,
        heading_x, heading_y, regions, work)

    # the solution for the end of the step: tyres, drivetrain, engine, controller
    push_x, push_y, push_w = impulse_from_outside(dt, vehicle, motion)
    body['plane_mass'][:] = 0.0
    body['plane_mass'][0, 0] = body['plane_mass'][1, 1] = mass
    body['plane_mass'][2, 2] = inertia
    solve(dt, vehicle, wheels, held, cosine, sine,
          (mass * (cosine * vx + sine * vy) + dt * pull_x + push_x,
           mass * (cosine * vy - sine * vx) + dt * pull_y + push_y, spin + push_w),
          pose[4], pid, work, body)
    force_x, force_y, turn = apply_solution(dt, wheels, work)
    part = 1.0 if vehicle['shoved'] != 0.0 and vehicle['joined'] == 0.0 else 0.0  # of contacts
    lag_forces(vehicle, force_x + part * vehicle['shove_x'], force_y + part * vehicle['shove_y'])

    # the force on the body, in the world, halfway through its turn
    if vehicle['ploughs'] != 0.0 or vehicle['tows'] != 0.0:
        force_x, force_y = force_x + vehicle['soil_x'], force_y + vehicle['soil_y']
        turn += vehicle['soil_arm'] * vehicle['soil_y']
    force_x += pull_x
    force_y += pull_y
    level_x = plane.lean_x * force_x + plane.skew * force_y
    level_y = plane.lean_y * force_y
    middle_x = heading_x * cosine - heading_y * sine
    middle_y = heading_y * cosine + heading_x * sine
    wrench[0] = middle_x * level_x - middle_y * level_y
    wrench[1] = middle_y * level_x + middle_x * level_y
    wrench[2] = turn + turn_force
    if relief.active:
        stop_at_walls(dt, relief, vehicle, wheels, pose, motion, wrench)
    return bool(abs(force_x) + abs(force_y) + abs(turn) < STRONGEST)


@lazy_kernel(
    0.0, 0.0, NO_RELIEF, SOME_VEHICLES, STARTS, SOME_WHEELS, SOME_PIDS, TABLE, TABLE, TABLE, TABLE,
    TABLE, SOME_WHEEL_WORK, SOME_VEHICLE_WORK, counted=False)
def drive_physical(
        dt: float, gravity: float, relief: Relief, vehicles: Records,
        wheel_start: NDArray[np.int64], wheels: Records, pids: Records, pose: Array, twist: Array,
        motion: Array, wrench: Array, regions: Array, work: Records, bodies: Records) -> int:
    """
    Write into `wrench` the force [N] (world frame) and torque [N m] on every body.

    Returns the first vehicle whose forces are not finite numbers, or -1. Bodies move in the
    horizontal plane. On a slope the velocity along the ground is larger by 1 / cos, the force on
    the body smaller by cos. What is not on a level or constant plane is a body in space, see
    `spatial_step`. The parameters are those of `mvsim.step.drive`, the ground, and scratch memory.

    :param work: of wheels, as long as the most of a vehicle; bodies: of one vehicle.
    """
    wrong = -1
    for i in range(len(vehicles)):
        finite = drive_vehicle(
            dt, gravity, relief, vehicles[i], wheels[wheel_start[i]:wheel_start[i + 1]], pids[i],
            pose[i], motion[i], wrench[i], regions, work, bodies[0])
        if not finite and wrong < 0:
            wrong = i
    return wrong
