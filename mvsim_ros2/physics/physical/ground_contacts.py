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
from mvsim_ros2.physics.ground.relief import NO_RELIEF, Relief
from mvsim_ros2.physics.ground.wheel_path import carried, ground_velocity
from mvsim_ros2.physics.physical.rigid_body import rotated
from mvsim_ros2.physics.physical.wheels import directed
from mvsim_ros2.physics.state.record_layout import (
    A_VEHICLE, HITCHED, LEANS, ROW, SOME_WHEELS, TABLE)

HARD = 1000.0  # 1/s; frequency of a body on contacts that are hard
UPRIGHT = 0.5  # cosine of the lean at which wheels carry no more, and a vehicle has tipped over
DEEP = 0.5  # of the radius; a rim that is so far in the ground did not come from above
BESIDE = 0.2  # the same of what can be above a point of the body
CLOSE = 0.05  # of the radius; a rim so near to a slope may touch it in the next step
PROBE = 0.5  # of the radius; where it is looked for a steeper slope
LEAN = 0.3  # rad; of a vehicle whose whole weight is on a caster
STROKE = 0.12  # rad; of a lean at which a caster is on its stop
ALONG_CHASSIS = 5  # points of each side of its underside
CHASSIS = 2 * ALONG_CHASSIS + 4  # points of a chassis
EDGES = 6  # contacts with edges of blocks, see `block_edges`
SAME = 1e-9  # m; heights that differ by less are one
CLEAR = 0.02  # m; what is farther from the ground, by its speed as well, does not come to it
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
def rim_gap(up: float, slope_x: float, slope_y: float, ax: float, ay: float, az: float,
            radius: float) -> float:
    """
    Return how far a rim is off a plane.

    :param up: height of its hub over the plane [m].
    :param slope_x: of the plane; so slope_y.
    :param ax: unit vector along its axle; so ay, az.
    """
    nz = 1.0 / math.sqrt(1.0 + slope_x * slope_x + slope_y * slope_y)
    across = nz * (az - slope_x * ax - slope_y * ay)
    return nz * up - radius * math.sqrt(max(1.0 - across * across, 0.0))


@compiled(inlined=True)
def touch(relief: Relief, own: float, x: float, y: float, row: Array) -> None:
    """Write how surface `own` moves at (x, y), and what it is the top of, into a contact."""
    row[GX], row[GY], climb = ground_velocity(relief, own, x, y)
    row[CLIMB] = row[NZ] * climb + row[NX] * row[GX] + row[NY] * row[GY]
    row[MOVER] = float(relief.surfaces[int(own)]['mover']) if own >= 0 else 0.0


@compiled(inlined=True)
def wheel_contact(
        dt: float, relief: Relief, vehicle: np.void, wheel: np.void, rotation: Array,
        centre: Array, u: Array, row: Array) -> None:
    """
    Fill in the contact of a wheel, which rolls over an edge on the arc of its rim.

    A hard one meets steeper ground in an impact.
    """
    radius, travel = wheel['radius'], wheel['travel']
    sine, cosine = directed(wheel)
    x, y, z = rotated(rotation, wheel['x'] - vehicle['com_x'], wheel['y'] - vehicle['com_y'],
                      radius + travel - vehicle['com_height'])
    ax, ay, az = rotated(rotation, -sine, cosine, 0.0)
    hx, hy, _ = rotated(rotation, cosine, sine, 0.0)
    length = max(math.sqrt(hx * hx + hy * hy), 1e-6)
    vx = u[0] + u[4] * z - u[5] * y
    vy = u[1] + u[5] * x - u[3] * z
    vz = u[2] + u[3] * y - u[4] * x
    if vehicle['suspended'] != 0.0:
        vx += rotation[0, 2] * wheel['travel_rate']
        vy += rotation[1, 2] * wheel['travel_rate']
        vz += rotation[2, 2] * wheel['travel_rate']
    at_x, at_y, at_z = centre[0] + x + dt * vx, centre[1] + y + dt * vy, centre[2] + z + dt * vz
    flat = math.sqrt(max(1.0 - az * az, 0.0))
    height, slope_x, slope_y, on_edge, own = carried(
        relief, at_x, at_y, centre[2] + z, hx / length, hy / length,
        radius if flat > UPRIGHT else 0.0)
    row[STEEP] = 0.0
    if not on_edge and flat > UPRIGHT:
        for side in range(2):  # where slopes meet, the rim touches the nearer of both in a dip,
            # and the farther on a crest
            far = (PROBE if side == 0 else -PROBE) * radius
            x_ahead, y_ahead = far * hx / length, far * hy / length
            there, steep_x, steep_y, _, other = carried(
                relief, at_x + x_ahead, at_y + y_ahead, centre[2] + z, 1.0, 0.0, 0.0)
            change = (steep_x - slope_x) * x_ahead + (steep_y - slope_y) * y_ahead
            before = there - steep_x * x_ahead - steep_y * y_ahead
            dips = change > SAME and before <= height + SAME
            if not dips and (change >= -SAME or before < height - SAME):
                continue
            gap = rim_gap(at_z - before, steep_x, steep_y, ax, ay, az, radius)
            own = rim_gap(at_z - height, slope_x, slope_y, ax, ay, az, radius)
            if dips and gap < CLOSE * radius:
                row[STEEP] = 1.0
            if dips and gap >= own or not dips and gap <= own:
                continue
            # where the rim is nearest to it, the ground is that slope
            far = radius / math.sqrt(1.0 + steep_x * steep_x + steep_y * steep_y)
            _, same_x, same_y, _, _ = carried(
                relief, at_x + far * steep_x, at_y + far * steep_y, centre[2] + z, 1.0, 0.0, 0.0)
            if abs(same_x - steep_x) + abs(same_y - steep_y) < SAME:
                height, slope_x, slope_y, own = before, steep_x, steep_y, other
    nz = 1.0 / math.sqrt(1.0 + slope_x * slope_x + slope_y * slope_y)
    if on_edge:  # the normal is the line from it to the hub
        tall = radius * nz
        up = max(at_z - (height + radius - tall), 0.5 * tall)
        slope_x, slope_y = slope_x * tall / up, slope_y * tall / up
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
    if abs(across) > UPRIGHT:
        half = -math.copysign(0.5 * wheel['width'], across)
        dx, dy, dz = dx + half * ax, dy + half * ay, dz + half * az
    if on_edge:
        ahead = up / nz - radius
    else:
        ahead = nz * (at_z - height) + nx * dx + ny * dy + nz * dz
    wheel['bottom'] = centre[2] + z - radius * flat
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
    vx = u[0] + u[4] * z - u[5] * y
    vy = u[1] + u[5] * x - u[3] * z
    vz = u[2] + u[3] * y - u[4] * x
    at_x, at_y = centre[0] + x + dt * vx, centre[1] + y + dt * vy
    height, slope_x, slope_y, _, own = carried(
        relief, at_x, at_y, centre[2] + z + reach, 1.0, 0.0, 0.0)
    nz = 1.0 / math.sqrt(1.0 + slope_x * slope_x + slope_y * slope_y)
    row[NX], row[NY], row[NZ] = -slope_x * nz, -slope_y * nz, nz
    row[RX], row[RY], row[RZ], row[EDGE] = x, y, z, 0.0
    touch(relief, own, at_x, at_y, row)
    row[AHEAD] = nz * (centre[2] + z + dt * vz - height)
    row[GAP] = row[AHEAD] - dt * (row[NX] * vx + row[NY] * vy + nz * vz)
    if number >= 0 and row[GAP] < -BESIDE * reach and not (
            int(vehicle['lies']) >> number) & 1:
        row[GAP] = row[AHEAD] = reach


@compiled(inlined=True)
def lowest(vehicle: np.void, rotation: Array, centre: Array) -> float:
    """Return the height of the lowest point of the box around a chassis [m]."""
    up = rotation[2, 2]
    return float(
        centre[2] + rotation[2, 0] * (vehicle['box_x'] - vehicle['com_x'])
        + rotation[2, 1] * (vehicle['box_y'] - vehicle['com_y'])
        + up * ((vehicle['box_low'] if up > 0.0 else vehicle['box_high']) - vehicle['com_height'])
        - abs(rotation[2, 0]) * vehicle['box_half_x']
        - abs(rotation[2, 1]) * vehicle['box_half_y'])


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
    hard = mass * HARD * HARD / count
    damping = 2.0 * mass * HARD / count
    ease = 0.0  # of tyres: sum of stiffness over the mass that moves
    for k in range(count):
        wheel = wheels[k]
        x, y = wheel['x'] - vehicle['com_x'], wheel['y'] - vehicle['com_y']
        ease += wheel['tyre_stiffness'] * (
            1.0 / mass + x * x / vehicle['pitch_inertia'] + y * y / vehicle['roll_inertia'])
    for k in range(count):
        wheel, row = wheels[k], contacts[k]
        wheel_contact(dt, relief, vehicle, wheel, rotation, centre, u, row)
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

    :returns: whether the chassis may touch the ground; else its contacts are all 0.
    """
    mass, count = vehicle['mass'], len(wheels)
    hard, damping = mass * HARD * HARD / count, 2.0 * mass * HARD / count
    at, sag = count, 0.0  # how far its tyres give way at rest
    for k in range(count):
        if wheels[k]['tyre_stiffness'] > 0.0:
            sag += gravity * mass * wheels[k]['rest_share'] / (
                count * wheels[k]['tyre_stiffness'])
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
    top = 0.0
    for k in range(len(relief.surfaces)):
        top = max(top, relief.surfaces[k]['z'] + relief.surfaces[k]['high'])
    meets = lowest(vehicle, rotation, centre) < top + far
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


@compiled
def share_of(stiff: float) -> float:
    """
    Return which share of the motion of a step a spring knows whose force is ``k (x + s h v')``.

    It is 0 for a slow spring, which keeps the energy of an oscillation (symplectic Euler). For a
    spring too stiff for the step it is 1 (implicit Euler).

    :param stiff: square of the step times its frequency.
    """
    fourth = stiff * stiff * stiff * stiff
    return fourth / (1.0 + fourth)
