# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""How a vehicle on springs comes to rest on the ground."""

import math

import numpy as np

from mvsim_ros2.frames import Array, Records
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.ground.relief import NO_RELIEF, Relief
from mvsim_ros2.physics.physical.contact_solve import add_forces, directions, solve_contacts
from mvsim_ros2.physics.physical.ground_contacts import (
    CHASSIS, COLUMNS, count_stands, EDGES, find_body_contacts, find_contacts, FORCE, ON, SHARE)
from mvsim_ros2.physics.physical.rigid_body import (
    advance_body, attitude, BODY, enter_space, mass_matrix, rotated)
from mvsim_ros2.physics.state.record_layout import A_VEHICLE, ROW, SOME_WHEELS

SINKS = 4  # steps to come to rest
LONG, HELD = 1e2, 1e14  # s; inertia of what does not move, over that of the body


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
    contacts = np.zeros((count_stands(vehicle, wheels) + EDGES + CHASSIS, COLUMNS))
    matrix, factor, right = np.zeros((size, size)), np.zeros((size, size)), np.zeros(size)
    enter_space(vehicle, wheels, pose, motion)
    attitude(vehicle, rotation)
    x, y, _ = rotated(rotation, vehicle['com_x'], vehicle['com_y'], vehicle['com_height'])
    for _ in range(SINKS):
        attitude(vehicle, rotation)
        centre[0], centre[1], centre[2] = pose[0] + x, pose[1] + y, vehicle['centre_z']
        u[:], right[:] = 0.0, 0.0
        find_contacts(0.0, gravity, relief, vehicle, wheels, rotation, centre, u, contacts)
        find_body_contacts(0.0, gravity, relief, vehicle, wheels, rotation, centre, u, contacts)
        mass_matrix(vehicle, wheels, rotation, matrix)
        for i in range(3):  # it neither slides nor turns on the plane that it stands on
            for j in range(3):
                part = HELD * rotation[i, 2] * rotation[j, 2]
                matrix[i, j] += vehicle['mass'] * ((HELD if i == j else 0.0) - part)
                matrix[3 + i, 3 + j] += vehicle['turn_inertia'] * part
        for k in range(count):
            contacts[k, SHARE] = 1.0
        for k in range(count, len(contacts)):
            contacts[k, ON] = 0.0
        add_forces(LONG, gravity, vehicle, wheels, rotation, matrix, right)
        directions(vehicle, wheels, rotation, contacts)
        solve_contacts(LONG, matrix, right, contacts, factor, u, -1, False, False)
        if LONG * (abs(u[3]) + abs(u[4])) > 0.5:
            break  # it cannot rest here
        advance_body(LONG, vehicle, wheels, rotation, u, u[0], u[1], u[2])
    attitude(vehicle, rotation)
    _, _, up = rotated(rotation, vehicle['com_x'], vehicle['com_y'], vehicle['com_height'])
    pose[2] = vehicle['centre_z'] - up
    pose[4] = math.asin(min(max(-rotation[2, 0], -1.0), 1.0))
    pose[5] = math.atan2(rotation[2, 1], rotation[2, 2])
    vehicle['spatial'] = vehicle['moved'] = 0.0
    for k in range(count):
        wheels[k]['travel_rate'] = 0.0
        wheels[k]['normal_load'] = contacts[k, FORCE]
