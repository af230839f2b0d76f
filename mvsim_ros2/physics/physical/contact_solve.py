# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Velocities of a body at the end of a step, with springs, dampers and contacts that only push.

With the mass matrix M, the other momenta p, and the directions J of contacts and springs

    (M + h sum (c + s h k) J^T J) u' = M u + h (p + sum J^T (f - k gap))

is positive definite. Which contacts push is found by trying: one that would pull does not, one
that would end in the ground does. A contact whose force depends on the end of the step (s = 1)
takes all speed into the ground, as an inelastic impact does (J. J. Moreau, *Unilateral contact and
dry friction in finite freedom dynamics*, 1988). None adds energy.
"""

import math

import numpy as np

from mvsim_ros2.frames import Array, Records
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.physical.ground_contacts import (
    AHEAD, CLIMB, DAMP, EDGE, FORCE, GAP, GX, GY, NX, NY, NZ, ON, PX, REST, RX, RY, RZ, SHARE,
    STIFF, WAY)
from mvsim_ros2.physics.physical.rigid_body import (
    BODY, factorise, rotated, share_of, substitute, velocity_at)
from mvsim_ros2.physics.state.record_layout import A_VEHICLE, ROW, SOME_WHEELS, TABLE

STOPS = 10.0  # stiffness of a suspension beyond its travel, over that within
NEAR = 1e-3  # of the radius; a wheel that is so near to the ground follows it where it bends
SMOOTH, SLIGHT = 0.1, 1e-9  # changes of slope: up to which ground bends smoothly, which is none
HELD = 3  # wheels, for which a body can follow ground of any slopes
STRONG = 1e6  # of a constraint, over the mass
ROUNDS = 20  # of trying which contacts push


@compiled(inlined=True)
def directions(vehicle: np.void, wheels: Records, rotation: Array, contacts: Array) -> None:
    """Fill in the directions J of contacts."""
    suspended = vehicle['suspended'] != 0.0
    for k in range(len(contacts)):
        c = contacts[k]
        c[WAY], c[WAY + 1], c[WAY + 2] = c[NX], c[NY], c[NZ]
        c[WAY + 3] = c[RY] * c[NZ] - c[RZ] * c[NY]
        c[WAY + 4] = c[RZ] * c[NX] - c[RX] * c[NZ]
        c[WAY + 5] = c[RX] * c[NY] - c[RY] * c[NX]
        c[WAY + BODY] = 0.0
        if suspended and k < len(wheels):
            c[WAY + BODY] = (rotation[0, 2] * c[NX] + rotation[1, 2] * c[NY]
                             + rotation[2, 2] * c[NZ])


@compiled(inlined=True)
def stiffen(k: int, contact: Array, spring: float, system: Array) -> None:
    """Add ``spring J^T J`` of contact `k` to the lower triangle of a system."""
    for i in range(BODY):
        part = spring * contact[WAY + i]
        for j in range(i + 1):
            system[i, j] += part * contact[WAY + j]
    if contact[WAY + BODY] != 0.0:
        part = spring * contact[WAY + BODY]
        for j in range(BODY):
            system[BODY + k, j] += part * contact[WAY + j]
        system[BODY + k, BODY + k] += part * contact[WAY + BODY]


@compiled(inlined=True)
def push_along(k: int, contact: Array, push: float, right: Array) -> None:
    """Add the impulse `push` of contact `k` to momenta."""
    for i in range(BODY):
        right[i] += push * contact[WAY + i]
    if contact[WAY + BODY] != 0.0:
        right[BODY + k] += push * contact[WAY + BODY]


@compiled
def follow_bend(gravity: float, vehicle: np.void, wheels: Records, contacts: Array, matrix: Array,
                u: Array) -> None:
    """
    Let hard wheels roll on where smooth ground bends: it turns their velocity and takes nothing.

    Maps are smooth ground in small facets. Of the velocities along the new slopes those nearest
    by energy are scaled to the energy that there was. Of more than three wheels those lift for
    which they would have to be pulled. Not where the ground bends by more, nor where a crest is
    too sharp for a wheel to stay on it.

    :param matrix: of masses.
    :param u: velocities, changed.
    """
    bends, follow, size = False, 0, len(u)
    for k in range(len(wheels)):
        wheel, c = wheels[k], contacts[k]
        if c[GAP] > NEAR * wheel['radius']:
            continue
        x, y = -c[NX] / c[NZ] - wheel['slope_x'], -c[NY] / c[NZ] - wheel['slope_y']
        change = math.sqrt(x * x + y * y)
        if wheel['tyre_stiffness'] > 0.0 or c[EDGE] != 0.0 or wheel['on_edge'] != 0.0 or (
                change > SMOOTH or abs(x * u[0] + y * u[1]) * math.sqrt(
                    u[0] * u[0] + u[1] * u[1]) > 2.0 * gravity * wheel['radius']):
            return
        bends, follow = bends or change > SLIGHT, follow | (1 << k)
    if not bends:
        return
    right, hold, last = np.zeros(size), STRONG * vehicle['mass'], len(wheels)
    while last >= 0:
        factor, follow, number = matrix.copy(), follow & ~(1 << last), 0
        energy, left, least, last = 0.0, 0.0, 0.0, -1
        for i in range(size):
            right[i] = 0.0
            for j in range(size):
                right[i] += matrix[i, j] * u[j]
            energy += right[i] * u[i]
        for k in range(len(wheels)):
            if (follow >> k) & 1:
                push_along(k, contacts[k], hold * contacts[k, CLIMB], right)
                stiffen(k, contacts[k], hold, factor)
                number += 1
        factorise(factor)
        substitute(factor, right)
        for k in range(len(wheels) if number > HELD else 0):  # the one to be pulled most
            push = contacts[k, CLIMB] if (follow >> k) & 1 else 0.0
            for i in range(BODY):
                push -= contacts[k, WAY + i] * right[i] if (follow >> k) & 1 else 0.0
            if push < least:
                least, last = push, k
    for i in range(size):
        for j in range(size):
            left += right[i] * matrix[i, j] * right[j]
    scale = math.sqrt(energy / left) if left > 0.0 else 1.0
    for i in range(size):
        u[i] = scale * right[i]


@lazy_kernel(0.0, 0.0, A_VEHICLE, SOME_WHEELS, TABLE, TABLE, ROW)
def add_forces(dt: float, gravity: float, vehicle: np.void, wheels: Records, rotation: Array,
               matrix: Array, right: Array) -> None:
    """
    Add weight and suspensions to a system: see `rigid_body.mass_matrix`.

    A suspension pushes with ``P + k q + c q'``, P the load that it carries at rest; ten times as
    stiff beyond its travel, either way. An anti-roll bar pushes with ``b (q - q of the other)``.

    :param matrix: of the masses.
    :param right: momentum at the start of the step.
    """
    right[2] -= dt * gravity * vehicle['mass']
    if vehicle['suspended'] == 0.0:
        return
    up, stiff = rotation[2, 2], 0.0
    for k in range(len(wheels)):
        wheel = wheels[k]
        x, y = wheel['x'] - vehicle['com_x'], wheel['y'] - vehicle['com_y']
        ease = 1.0 / vehicle['mass'] + x * x / vehicle['pitch_inertia'] + (
            y * y / vehicle['roll_inertia'])
        stiff += dt * dt * ease * (wheel['suspension_stiffness']
                                   + 2.0 * wheel['anti_roll_stiffness'])
    share = share_of(stiff)
    for k in range(len(wheels)):
        wheel, row = wheels[k], BODY + k
        weight = dt * gravity * wheel['mass']
        # at the height of the ground instead of its hub
        x, y, _ = rotated(rotation, 0.0, 0.0, -wheel['radius'])
        right[3] -= weight * y
        right[4] += weight * x
        right[row] -= weight * up
        stiffness, way, part = wheel['suspension_stiffness'], wheel['travel'], share
        push = wheel['preload'] + stiffness * way
        most = 0.5 * wheel['suspension_travel']
        if most > 0.0 and abs(way + dt * wheel['travel_rate']) > most:
            push += STOPS * stiffness * (way - math.copysign(most, way))
            stiffness *= 1.0 + STOPS
            part = 1.0
        matrix[row, row] += dt * (wheel['suspension_damping'] + part * dt * stiffness)
        right[row] -= dt * push
        other = int(wheel['partner'])
        if other >= 0:
            bar = dt * wheel['anti_roll_stiffness']
            right[row] -= bar * (way - wheels[other]['travel'])
            matrix[row, row] += share * dt * bar
            matrix[row, BODY + other] -= share * dt * bar


@lazy_kernel(0.0, TABLE, ROW, TABLE, TABLE, ROW, 0, False, False)
def solve_contacts(dt: float, matrix: Array, right: Array, contacts: Array, factor: Array,
                   u: Array, held: int, hard: bool, known: bool) -> bool:
    """
    Find the velocities at the end of a step, and which contacts push how much.

    :param matrix: of masses and springs.
    :param right: momentum that there would be without contacts.
    :param contacts: their ON and FORCE are changed.
    :param factor: of the system in the end, see `factorise`; filled in.
    :param u: velocities, filled in.
    :param held: number of a contact that pulls as well, or -1.
    :param hard: a body that touches nothing moves by the mean of its velocities: see
        `rigid_body.advance_body`.
    :param known: `factor` is that of the contacts that push now.
    :returns: whether it is that in the end.
    """
    size, changes = len(right), False
    for _ in range(ROUNDS):
        known = known and not changes
        end = 0.5 if hard else 1.0
        for i in range(size):
            u[i] = right[i]
        if not known:
            for i in range(size):
                for j in range(i + 1):
                    factor[i, j] = matrix[i, j]
        for k in range(len(contacts)):
            c = contacts[k]
            if c[ON] == 0.0:
                continue
            end = 1.0
            spring = c[SHARE] * dt * c[STIFF] + c[DAMP]
            push = dt * (c[REST] - c[STIFF] * c[GAP] + spring * c[CLIMB])
            push_along(k, c, push, u)
            if not known:
                stiffen(k, c, dt * spring, factor)
        if not known:
            factorise(factor)
        substitute(factor, u)
        changes = False
        for k in range(len(contacts)):
            c = contacts[k]
            if c[STIFF] == 0.0:
                continue
            opens = -c[CLIMB]
            for i in range(BODY):
                opens += c[WAY + i] * u[i]
            if c[WAY + BODY] != 0.0:
                opens += c[WAY + BODY] * u[BODY + k]
            force = (c[REST] - c[STIFF] * (c[GAP] + c[SHARE] * dt * opens) - c[DAMP] * opens)
            on = c[ON]
            if on != 0.0 and force < 0.0 and k != held:
                on, force = 0.0, 0.0
            elif on == 0.0:
                force = 0.0
                gap = c[GAP] + end * dt * opens + (1.0 - end) * (c[AHEAD] - c[GAP])
                if c[REST] - c[STIFF] * gap > 1e-9 * c[STIFF]:
                    on, c[SHARE] = 1.0, 1.0
            changes = changes or on != c[ON]
            c[ON], c[FORCE] = on, force
        if not changes:
            break
    for k in range(len(contacts)):
        contacts[k, FORCE] = max(contacts[k, FORCE], 0.0) if k != held else contacts[k, FORCE]
    return not changes


@compiled
def scrape(dt: float, friction: float, first: int, contacts: Array, factor: Array, u: Array,
           scratch: Array) -> None:
    """
    Let contacts that slide have Coulomb friction, for which velocities of the body change.

    Each brakes its point by its share of the load at most, so that all together stop a body.

    :param first: number of the first one.
    :param scratch: shape (unknowns,).
    """
    load = 0.0
    for k in range(first, len(contacts)):
        load += contacts[k, FORCE] if contacts[k, ON] != 0.0 else 0.0
    if load <= 0.0:
        return
    push = np.zeros(len(u))
    for k in range(first, len(contacts)):
        c = contacts[k]
        if c[ON] == 0.0 or c[FORCE] <= 0.0:
            continue
        vx, vy, vz = velocity_at(u, c[RX], c[RY], c[RZ])
        vx, vy = vx - c[GX], vy - c[GY]
        into = vx * c[NX] + vy * c[NY] + vz * c[NZ]
        vx, vy, vz = vx - into * c[NX], vy - into * c[NY], vz - into * c[NZ]
        speed = math.sqrt(vx * vx + vy * vy + vz * vz)
        if speed < 1e-9:
            continue
        scratch[:] = 0.0
        scratch[0], scratch[1], scratch[2] = vx / speed, vy / speed, vz / speed
        scratch[3] = c[RY] * scratch[2] - c[RZ] * scratch[1]
        scratch[4] = c[RZ] * scratch[0] - c[RX] * scratch[2]
        scratch[5] = c[RX] * scratch[1] - c[RY] * scratch[0]
        along = scratch.copy()
        substitute(factor, scratch)
        ease = 0.0
        for i in range(BODY):
            ease += along[i] * scratch[i]
        force = min(friction * dt * c[FORCE], speed / ease * c[FORCE] / load)
        for i in range(len(u)):
            push[i] -= force * scratch[i]
        for i in range(3):
            c[PX + i] -= force * along[i]
    for i in range(len(u)):
        u[i] += push[i]
    for k in range(first, len(contacts)):  # which changes what contacts push
        c = contacts[k]
        if c[ON] != 0.0:
            x, y, z = velocity_at(push, c[RX], c[RY], c[RZ])
            c[FORCE] -= (c[SHARE] * dt * c[STIFF] + c[DAMP]) * (c[NX] * x + c[NY] * y + c[NZ] * z)
