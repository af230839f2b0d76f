# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Parts of a step: until a rim meets an edge, and until the ground bends below a wheel.

An impact on an edge is a part of its own. A body that bounces on its tyres moves in short ones.
"""

import math

import numpy as np

from mvsim_ros2.frames import Array, Records
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.ground.relief import Relief
from mvsim_ros2.physics.ground.wheel_path import SAME
from mvsim_ros2.physics.physical.ground_contacts import (
    AHEAD, BEFORE_X, BEFORE_Y, CLIMB, DAMP, EDGE, find_contacts, GAP, NX, NY, NZ, ON, REST, RX, RY,
    RZ, SHARE, STIFF)
from mvsim_ros2.physics.physical.rigid_body import velocity_at

NEARLY = 1e-3  # of the radius; rims that are as near meet it at the same time
BRIEF = 1e-3  # of a step; ground so near ahead counts as reached
HALVINGS = 16  # of the search for when it does
IMPACT = 1e-3  # of a step; how long an impact takes
SLOW = 0.01  # m/s; a rim that comes to an edge more slowly meets it without an impact
FINE, ARC = 1e-3, 0.002  # s; rad: parts of a step in which a rim rolls over an edge
TURN = 0.02  # rad; by which a body that turns over some of its wheels does so in a part of a step
PACE = 0.2  # of the radius; by which a wheel goes near edges in a part of a step
QUICK, SPRINGY = 0.2, 0.005  # m/s; s: a body on springs that moves faster does so in such parts
RIGID = 1e4  # damping of an impact, over the mass a step


@compiled(inlined=True)
def opening(c: Array, u: Array) -> float:
    """Return how fast a point of a body and the ground below it part [m/s]."""
    x, y, z = velocity_at(u, c[RX], c[RY], c[RZ])
    return float(c[NX] * x + c[NY] * y + c[NZ] * z - c[CLIMB])


@compiled(inlined=True)
def meets_edge(wheels: Records, contacts: Array, u: Array) -> bool:
    """Return whether the rim of a wheel comes into an edge that it was not on."""
    for k in range(len(wheels)):
        c = contacts[k]
        if (c[EDGE] != 0.0 and wheels[k]['on_edge'] == 0.0 and c[AHEAD] * c[STIFF] < c[REST]
                and c[AHEAD] < c[GAP] and opening(c, u) < -SLOW):
            return True
    return False


@compiled(inlined=True)
def bounces(wheels: Records, contacts: Array, u: Array) -> bool:
    """Return whether a body moves quickly on its wheels."""
    for c in contacts[:len(wheels)]:
        if c[AHEAD] * c[STIFF] < c[REST] and abs(opening(c, u)) > QUICK:
            return True
    return False


@compiled(inlined=True)
def leaves_edge(wheels: Records, contacts: Array) -> bool:
    """Return whether a wheel that was on top of ground is beyond its edge and touches nothing."""
    for k in range(len(wheels)):
        c = contacts[k]
        if (wheels[k]['touches'] != 0.0 and wheels[k]['on_edge'] == 0.0 and c[EDGE] != 0.0
                and c[AHEAD] * c[STIFF] >= c[REST]):
            return True
    return False


@compiled(inlined=True)
def bends(wheels: Records, contacts: Array) -> bool:
    """Return whether the ground below a hard wheel has another slope than before."""
    for k in range(len(wheels)):
        c = contacts[k]
        if (wheels[k]['touches'] != 0.0 and wheels[k]['tyre_stiffness'] == 0.0
                and c[EDGE] == 0.0 and abs(c[NX] / c[NZ] + c[BEFORE_X]) + abs(
                    c[NY] / c[NZ] + c[BEFORE_Y]) > SAME):
            return True
    return False


@compiled
def find_contacts_until_edge(
        dt: float, near: bool, whole: bool, gravity: float, relief: Relief, vehicle: np.void,
        wheels: Records, rotation: Array, centre: Array, u: Array, contacts: Array) -> float:
    """
    Fill in the contacts of wheels at the end of a step, or where a rim meets an edge before that.

    :param near: edges are near; no wheel goes so far at once that it passes one unseen.
    :param whole: up to the end in any case.
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
    if whole:
        find_contacts(dt, gravity, relief, vehicle, wheels, rotation, centre, u, contacts)
        return dt
    square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2]
    turning, touching = math.sqrt(u[3] * u[3] + u[4] * u[4]), 0.0
    for k in range(len(wheels)):
        touching += wheels[k]['touches']
    if 0.0 < touching < len(wheels) and dt * turning > 2.0 * TURN:
        dt /= math.ceil(dt / max(FINE, TURN / turning))
    if near:
        dt /= math.ceil(dt * math.sqrt(square) / (PACE * wheels[0]['radius']) + SAME)
    for k in range(len(wheels)):
        if wheels[k]['on_edge'] != 0.0:
            arc = ARC * wheels[k]['radius']
            dt = min(dt, max(FINE, 2.0 * arc / (
                math.sqrt(square) + math.sqrt(square + 2.0 * gravity * arc))))
    find_contacts(dt, gravity, relief, vehicle, wheels, rotation, centre, u, contacts)
    if dt > SPRINGY and wheels[0]['tyre_stiffness'] != 0.0 and bounces(wheels, contacts, u):
        dt /= math.ceil(dt / SPRINGY)
        find_contacts(dt, gravity, relief, vehicle, wheels, rotation, centre, u, contacts)
    meets, leaves = meets_edge(wheels, contacts, u), leaves_edge(wheels, contacts)
    low, high = 0.0, dt
    if meets:
        vehicle['meets'] = 1.0 if wheels[0]['tyre_stiffness'] == 0.0 else 0.0
    elif leaves:
        low = BRIEF * dt
        find_contacts(low, gravity, relief, vehicle, wheels, rotation, centre, u, contacts)
        if leaves_edge(wheels, contacts):
            find_contacts(dt, gravity, relief, vehicle, wheels, rotation, centre, u, contacts)
            return dt
    else:
        for k in range(len(wheels)):
            c, wheel = contacts[k], wheels[k]
            c[BEFORE_X], c[BEFORE_Y] = wheel['slope_x'], wheel['slope_y']
        if not bends(wheels, contacts):
            return dt
        # one facet at a time
        low = BRIEF * dt
        find_contacts(low, gravity, relief, vehicle, wheels, rotation, centre, u, contacts)
        for k in range(len(wheels)):
            c = contacts[k]
            c[BEFORE_X], c[BEFORE_Y] = -c[NX] / c[NZ], -c[NY] / c[NZ]
        find_contacts(dt, gravity, relief, vehicle, wheels, rotation, centre, u, contacts)
        if not bends(wheels, contacts):
            return dt
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        find_contacts(middle, gravity, relief, vehicle, wheels, rotation, centre, u, contacts)
        if (meets_edge(wheels, contacts, u) if meets else leaves_edge(wheels, contacts)
                if leaves else bends(wheels, contacts)):
            high = middle
        else:
            low = middle
    find_contacts(low, gravity, relief, vehicle, wheels, rotation, centre, u, contacts)
    return high if meets else low
