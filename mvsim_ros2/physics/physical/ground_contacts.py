# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Contacts of a body with the ground: wheels, points of the box around its chassis, hitches.

The ground is looked up where a point will be at the end of the step, and taken for a plane there.
With the normal n, the velocity of the point v and that of the ground v_g the gap at the end is
``gap + h n . (v - v_g)``. A contact is a spring with a damper, which pushes but does not pull. On
a hard one a body sinks by some tenths of a millimetre under its weight. It begins so far above the
ground that the body is at height 0 at rest.
"""

import math

import numpy as np

from mvsim_ros2.frames import Array, Records
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.ground.relief import is_above, NO_RELIEF, Relief, surface_below
from mvsim_ros2.physics.ground.surfaces import MAP
from mvsim_ros2.physics.ground.wheel_path import below_rim, ground_velocity
from mvsim_ros2.physics.physical.rigid_body import rotated, share_of, velocity_at
from mvsim_ros2.physics.physical.wheels import axle_of
from mvsim_ros2.physics.state.record_layout import (
    A_VEHICLE, HITCHED, LEANS, ROW, SOME_WHEELS, TABLE)

HARD = 1000.0  # 1/s; frequency of a body on contacts that are hard
UPRIGHT = 0.5  # cosine of the lean at which wheels carry no more, and a vehicle has tipped over
DEEP = 0.5  # of the radius; a rim that is so far in the ground did not come from above
BESIDE = 0.2  # the same of what can be above a point of the body
LEAN = 0.3  # rad; of a vehicle whose whole weight is on a caster
STROKE = 0.12  # rad; of a lean at which a caster is on its stop
ALONG_CHASSIS = 5  # points of each side of its underside
CHASSIS = 2 * ALONG_CHASSIS + 4  # points of a chassis
EDGES = 6  # contacts with edges of blocks, see `block_edges`
CLEAR = 0.02  # m; what is farther from the ground, by its speed as well, does not come to it
SLIGHT = 1e-3  # m; so little may an edge be above what the engine lets a wheel pass
FASTEST = 0.1  # m/s; at which what is in the ground is pushed out
# columns of a contact: normal; place from the centre of mass; gap at the start to the plane that
# the ground is at the end, velocity of the ground along the normal; stiffness, 0 where it cannot
# come to touch in the step, and damping, share of the motion of the step that the spring knows,
# its force without a gap; 1 where it pushes, the force; 1 where a steeper slope is near, 1 on an
# edge; how far it is off at the end; velocity of the ground in plan; `mover` of the ground;
# impulse besides that of the force; slopes of the ground below the wheel before; from WAY on, by
# how much velocities of the body and of the wheel open it
(NX, NY, NZ, RX, RY, RZ, GAP, CLIMB, STIFF, DAMP, SHARE, REST, ON, FORCE, STEEP, EDGE, AHEAD, GX,
 GY, MOVER, PX, PY, PZ, BEFORE_X, BEFORE_Y, WAY) = range(26)
COLUMNS = WAY + 7


@compiled(inlined=True)
def rests_on_hitch(vehicle: np.void, wheels: Records) -> bool:
    """Return whether the hitch of a vehicle is as high above the ground as if it had a wheel."""
    return bool(vehicle['ground'] == HITCHED and len(wheels) == 2)


@compiled(inlined=True)
def count_stands(vehicle: np.void, wheels: Records) -> int:
    """Return how many contacts a vehicle can stand on; those of edges and chassis follow."""
    if vehicle['ground'] == LEANS:
        return len(wheels) + 2
    return len(wheels) + (1 if rests_on_hitch(vehicle, wheels) else 0)


@compiled(inlined=True)
def touch(relief: Relief, own: float, x: float, y: float, row: Array) -> None:
    """Write how surface `own` moves at (x, y), and what it is the top of, into a contact."""
    row[GX], row[GY], climb = ground_velocity(relief, own, x, y)
    row[CLIMB] = row[NZ] * climb + row[NX] * row[GX] + row[NY] * row[GY]
    row[MOVER] = float(relief.surfaces[int(own)]['mover']) if own >= 0 else 0.0


@compiled(inlined=True)
def wheel_contact(
        dt: float, relief: Relief, ends: bool, vehicle: np.void, wheel: np.void, rotation: Array,
        centre: Array, u: Array, row: Array) -> None:
    """
    Fill in the contact of a wheel, which rolls over an edge on the arc of its rim.

    A hard one meets steeper ground in an impact.

    :param ends: some ground has edges.
    """
    radius, travel = wheel['radius'], wheel['travel']
    sine, cosine = axle_of(wheel)
    x, y, z = rotated(rotation, wheel['x'] - vehicle['com_x'], wheel['y'] - vehicle['com_y'],
                      radius + travel - vehicle['com_height'])
    ax, ay, az = rotated(rotation, -sine, cosine, 0.0)
    hx, hy, _ = rotated(rotation, cosine, sine, 0.0)
    length = max(math.sqrt(hx * hx + hy * hy), 1e-6)
    vx, vy, vz = velocity_at(u, x, y, z)
    if vehicle['suspended'] != 0.0:
        vx += rotation[0, 2] * wheel['travel_rate']
        vy += rotation[1, 2] * wheel['travel_rate']
        vz += rotation[2, 2] * wheel['travel_rate']
    at_x, at_y, at_z = centre[0] + x + dt * vx, centre[1] + y + dt * vy, centre[2] + z + dt * vz
    flat = math.sqrt(max(1.0 - az * az, 0.0))
    limit = centre[2] + z
    height, slope_x, slope_y, on_edge, own, steep, ahead = below_rim(
        relief, ends, at_x, at_y, at_z, limit, wheel['passes'] + SLIGHT, hx / length, hy / length,
        ax, ay, az, radius, flat > UPRIGHT, wheel['tyre_stiffness'] > 0.0)
    row[STEEP] = 1.0 if steep else 0.0
    nz = 1.0 / math.sqrt(1.0 + slope_x * slope_x + slope_y * slope_y)
    nx, ny = -slope_x * nz, -slope_y * nz
    # the lowest point of the rim, seen along the normal
    across = nx * ax + ny * ay + nz * az
    dx, dy, dz = nx - across * ax, ny - across * ay, nz - across * az
    length = math.sqrt(dx * dx + dy * dy + dz * dz)
    if length > 1e-6:
        dx, dy, dz = -radius * dx / length, -radius * dy / length, -radius * dz / length
    else:
        dx, dy, dz = 0.0, 0.0, 0.0
    if abs(across) > UPRIGHT and not on_edge:
        half = -math.copysign(0.5 * wheel['width'], across)
        dx, dy, dz = dx + half * ax, dy + half * ay, dz + half * az
    if not on_edge:
        ahead = nz * (at_z - height) + nx * dx + ny * dy + nz * dz
    wheel['bottom'] = limit - radius * flat
    if wheel['touches'] != 0.0:
        wheel['bottom'] = max(wheel['bottom'], height)
    wheel['ground'] = height
    row[NX], row[NY], row[NZ] = nx, ny, nz
    pressed = max(-ahead, 0.0)  # a tyre gives way: forces act at the ground
    row[RX], row[RY], row[RZ] = (
        x + dx + pressed * nx, y + dy + pressed * ny, z + dz + pressed * nz)
    row[EDGE], row[AHEAD] = 1.0 if on_edge else 0.0, ahead
    touch(relief, own, at_x, at_y, row)
    row[GAP] = ahead - dt * (nx * vx + ny * vy + nz * vz)
    if wheel['touches'] == 0.0 and row[GAP] < -DEEP * radius:
        row[GAP] = row[AHEAD] = radius  # it came from the side or from below


@compiled(inlined=True)
def point_contact(
        dt: float, relief: Relief, vehicle: np.void, rotation: Array, centre: Array, u: Array,
        row: Array, number: int, x: float, y: float, z: float, reach: float) -> None:
    """
    Fill in the contact of a point of the body: see `find_contacts`.

    Ground that it was not on before, and is now below, is at its side.

    :param number: of a point of the chassis; -1 of other points.
    :param x: in the body [m]; so y and z.
    :param reach: how far above it the ground may be [m].
    """
    x, y, z = rotated(rotation, x - vehicle['com_x'], y - vehicle['com_y'],
                      z - vehicle['com_height'])
    vx, vy, vz = velocity_at(u, x, y, z)
    at_x, at_y = centre[0] + x + dt * vx, centre[1] + y + dt * vy
    height, slope_x, slope_y, own, _ = surface_below(relief, at_x, at_y, centre[2] + z + reach)
    nz = 1.0 / math.sqrt(1.0 + slope_x * slope_x + slope_y * slope_y)
    row[NX], row[NY], row[NZ] = -slope_x * nz, -slope_y * nz, nz
    row[RX], row[RY], row[RZ], row[EDGE] = x, y, z, 0.0
    touch(relief, own, at_x, at_y, row)
    row[AHEAD] = nz * (centre[2] + z + dt * vz - height)
    row[GAP] = row[AHEAD] - dt * (row[NX] * vx + row[NY] * vy + nz * vz)
    if number >= 0 and row[GAP] < -BESIDE * reach and not (int(vehicle['lies']) >> number) & 1:
        row[GAP] = row[AHEAD] = reach


@compiled(inlined=True)
def underside_clears(relief: Relief, vehicle: np.void, rotation: Array, centre: Array,
                     far: float) -> bool:
    """
    Return whether the box around an upright chassis is farther from the ground than `far` [m].

    The plane of its underside is above the ground all around.
    """
    up, half = rotation[2, 2], 0.5 * (vehicle['box_high'] - vehicle['box_low'])
    if up < UPRIGHT:
        return False
    x, y, z = rotated(
        rotation, vehicle['box_x'] - vehicle['com_x'], vehicle['box_y'] - vehicle['com_y'],
        vehicle['box_low'] + half - vehicle['com_height'])
    reach = math.sqrt(vehicle['box_half_x'] ** 2 + vehicle['box_half_y'] ** 2) + far + (
        half * math.sqrt(max(1.0 - up * up, 0.0)))
    return is_above(relief, centre[0] + x, centre[1] + y, reach, centre[2] + z - (half + far) / up,
                    -rotation[0, 2] / up, -rotation[1, 2] / up)


@compiled(inlined=True)
def in_line(wheels: Records) -> bool:
    """Return whether two wheels are one behind the other and represent wheels of both sides."""
    return bool(abs(wheels[0]['x'] - wheels[1]['x']) > abs(wheels[0]['y'] - wheels[1]['y']))


@compiled(inlined=True)
def landing_damping(dt: float, damping: float, mass: float, gap: float, ahead: float) -> float:
    """
    Return the damping of a hard contact that begins within a step.

    The most that does not stop a body above the ground: ``m (v h - gap) / (h gap)``.

    :param damping: of the contact.
    :param mass: that it carries.
    :param gap: at the start of the step; ahead at its end, without a contact.
    """
    if gap <= 0.0:
        return damping
    return min(damping, -mass * ahead / (dt * gap)) if ahead < 0.0 else 0.0


@compiled(inlined=True)
def soften_ends(dt: float, gravity: float, vehicle: np.void, wheels: Records, contacts: Array,
                ) -> None:
    """
    Let ends that a vehicle leans on be casters on springs, so that it does not hang between them.

    The whole weight on one would let the vehicle lean by `LEAN`; they give by `STROKE`, and are
    damped so that it does not swing.
    """
    middle_x = 0.5 * (wheels[0]['x'] + wheels[1]['x'])
    middle_y = 0.5 * (wheels[0]['y'] + wheels[1]['y'])
    weight, inertia = gravity * vehicle['mass'], min(
        vehicle['pitch_inertia'], vehicle['roll_inertia'])
    stiff = 0.0  # square of the frequency of a turn on them
    for end in range(2):
        x = (vehicle['end_x'] if end else vehicle['hitch_x']) - middle_x
        y = (vehicle['end_y'] if end else vehicle['hitch_y']) - middle_y
        arm = max(math.sqrt(x * x + y * y), 1e-3)
        stiff += weight * arm / (LEAN * inertia)
        row, softness = contacts[len(wheels) + end], LEAN * arm / weight
        if row[AHEAD] < -STROKE * arm:  # on its stop
            row[REST] += STROKE * arm / softness
            row[GAP], row[AHEAD] = row[GAP] + STROKE * arm, row[AHEAD] + STROKE * arm
            continue
        row[STIFF], row[SHARE] = 1.0 / softness, 0.0
        row[ON] = 1.0 if row[AHEAD] < row[REST] * softness else 0.0
    for end in range(2):
        row = contacts[len(wheels) + end]
        if row[SHARE] == 0.0:
            row[SHARE] = share_of(dt * dt * stiff)
            row[DAMP] = 2.0 / math.sqrt(stiff) * row[STIFF] if (
                row[GAP] < row[REST] / row[STIFF]) else 0.0


@lazy_kernel(0.0, 0.0, NO_RELIEF, A_VEHICLE, SOME_WHEELS, TABLE, ROW, ROW, TABLE)
def find_contacts(
        dt: float, gravity: float, relief: Relief, vehicle: np.void, wheels: Records,
        rotation: Array, centre: Array, u: Array, contacts: Array) -> None:
    """
    Fill in the contacts of the wheels.

    :param rotation: from body axes to the world, shape (3, 3).
    :param centre: place of the centre of mass, shape (3,).
    :param u: velocities as they are, see `rigid_body`.
    :param contacts: shape (`count_contacts`, COLUMNS).
    """
    mass, count = vehicle['mass'], len(wheels)
    hard, damping = mass * HARD * HARD / count, 2.0 * mass * HARD / count
    ends, ease = False, 0.0  # ease: of tyres, sum of stiffness over the mass that moves
    for i in range(len(relief.surfaces)):
        ends = ends or relief.surfaces[i]['kind'] != MAP
    for k in range(count):
        wheel = wheels[k]
        x, y = wheel['x'] - vehicle['com_x'], wheel['y'] - vehicle['com_y']
        ease += wheel['tyre_stiffness'] * (
            1.0 / mass + x * x / vehicle['pitch_inertia'] + y * y / vehicle['roll_inertia'])
    for k in range(count):
        wheel, row = wheels[k], contacts[k]
        wheel_contact(dt, relief, ends, vehicle, wheel, rotation, centre, u, row)
        if wheel['tyre_stiffness'] > 0.0:
            row[STIFF], row[DAMP], row[REST] = wheel['tyre_stiffness'], wheel['tyre_damping'], 0.0
            stiff = ease
            if vehicle['suspended'] != 0.0:
                stiff = wheel['tyre_stiffness'] / wheel['mass']
            row[SHARE] = share_of(dt * dt * stiff)
        else:
            row[STIFF], row[DAMP], row[SHARE] = hard, damping, 1.0
            row[REST] = gravity * mass * wheel['rest_share']
        row[ON] = wheel['touches']
        if wheel['touches'] == 0.0:
            row[SHARE] = 1.0
            row[DAMP] = landing_damping(dt, row[DAMP], mass / count, row[GAP], row[AHEAD]) if (
                wheel['tyre_stiffness'] == 0.0) else 0.0
            row[ON] = 1.0 if row[AHEAD] < row[REST] / row[STIFF] else 0.0
        if row[SHARE] == 1.0:
            row[GAP] = max(row[GAP], -FASTEST * dt)


@lazy_kernel(0.0, 0.0, NO_RELIEF, A_VEHICLE, SOME_WHEELS, TABLE, ROW, ROW, TABLE)
def find_body_contacts(
        dt: float, gravity: float, relief: Relief, vehicle: np.void, wheels: Records,
        rotation: Array, centre: Array, u: Array, contacts: Array) -> bool:
    """
    Fill in those of ends that it leans on or a hitch, and of its chassis: `find_contacts`.

    :returns: whether the chassis may touch the ground; else its contacts are left as they are.
    """
    mass, count = vehicle['mass'], len(wheels)
    hard, damping = mass * HARD * HARD / count, 2.0 * mass * HARD / count
    at, sag = count, 0.0  # how far its tyres give way at rest
    for k in range(count):
        if wheels[k]['tyre_stiffness'] > 0.0:
            sag += gravity * mass * wheels[k]['rest_share'] / (count * wheels[k]['tyre_stiffness'])
    if vehicle['ground'] == LEANS:
        for end in range(2):
            point_contact(
                dt, relief, vehicle, rotation, centre, u, contacts[at], -1,
                vehicle['end_x'] if end else vehicle['hitch_x'],
                vehicle['end_y'] if end else vehicle['hitch_y'], sag, wheels[0]['radius'])
            contacts[at, REST] = gravity * mass * (
                vehicle['end_share'] if end else vehicle['hitch_share'])
            at += 1
    elif rests_on_hitch(vehicle, wheels):
        point_contact(dt, relief, vehicle, rotation, centre, u, contacts[at], -1,
                      vehicle['hitch_x'], vehicle['hitch_y'], 0.0, 0.5)
        contacts[at, REST] = gravity * mass * vehicle['hitch_share']
        at += 1
    stands, at = at, at + EDGES
    high = vehicle['box_high'] - vehicle['box_low']
    size = vehicle['box_half_x'] + vehicle['box_half_y'] + high
    far = CLEAR + 3.0 * dt * (abs(u[0]) + abs(u[1]) + abs(u[2]) + size * (
        abs(u[3]) + abs(u[4]) + abs(u[5])))
    meets = not underside_clears(relief, vehicle, rotation, centre, far)
    if meets:
        contacts[stands:] = 0.0
    for k in range(CHASSIS if meets else 0):
        side = 1.0 if k % 2 else -1.0
        step = k // 2
        part, bottom = -1.0 + 2.0 * step / (ALONG_CHASSIS - 1), vehicle['box_low']
        if step >= ALONG_CHASSIS:
            part, bottom = (1.0 if step > ALONG_CHASSIS else -1.0), vehicle['box_high']
        point_contact(
            dt, relief, vehicle, rotation, centre, u, contacts[at + k], k,
            vehicle['box_x'] + part * vehicle['box_half_x'],
            vehicle['box_y'] + side * vehicle['box_half_y'], bottom, 0.5 * high)
        contacts[at + k, REST] = 0.0
    for k in range(count, len(contacts) if meets else stands):
        if stands <= k < at:
            continue
        row = contacts[k]
        row[STIFF] = 0.0 if k >= at and row[AHEAD] > far else hard
        row[SHARE] = 1.0
        row[DAMP] = damping if row[GAP] < row[REST] / hard else 0.0
        row[ON] = 1.0 if row[AHEAD] < row[REST] / hard else 0.0
    if rests_on_hitch(vehicle, wheels):  # it is held from above as well
        contacts[count, ON], contacts[count, DAMP] = 1.0, damping
    if vehicle['ground'] == LEANS and not in_line(wheels):
        soften_ends(dt, gravity, vehicle, wheels, contacts)
    for k in range(count, len(contacts) if meets else stands):
        row = contacts[k]
        if row[SHARE] == 1.0:
            row[GAP] = max(row[GAP], -FASTEST * dt)
    return meets
