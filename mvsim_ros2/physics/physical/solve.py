# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The implicit solution of a step: forces, spins and slips at its end.

The Kacanov iteration: solve the linear system of a pass, whose stiffnesses are the secants of the
tyres at the last slips, until these stay. Each pass comes closer by the same share, by which it is
known how far it still is.

An implement in the soil is part of it, with the draught ``D(s) = A + B s + C s^2`` at its speed s.
The form ``D = F (A + B S + C S^2) W T`` is from ASABE D497 (*Agricultural Machinery Management
Data*). It fades below `EDGE`, so it drives nothing at rest. Its secant `D(s) / s` is never
negative, so it only removes energy.
"""

import math

import numpy as np

from mvsim_ros2.frames import Array, Records
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.physical.controller_solve import (
    keep_torques, planar_velocity, solve_torques, start_torques)
from mvsim_ros2.physics.physical.linear_forces import EDGE, linearise
from mvsim_ros2.physics.physical.locked_axles import (
    add_passed_torques, solve_differentials, tie_sides)
from mvsim_ros2.physics.state.record_layout import (
    A_VEHICLE, A_VEHICLE_WORK, PIDS, SOME_PIDS, SOME_WHEEL_WORK, SOME_WHEELS)

Vector = tuple[float, float, float]

PASSES = 8  # at most
CLOSE_SLIP = 1e-7  # change of slip that is still to come, at which the iteration ends


@lazy_kernel(0.0, A_VEHICLE, SOME_WHEELS, False, 0.0, 0.0, (0.0, 0.0, 0.0), 0.0, SOME_PIDS[0],
             SOME_WHEEL_WORK, A_VEHICLE_WORK, counted=False)
def solve(dt: float, vehicle: np.void, wheels: Records, held: bool, cosine: float, sine: float,
          momentum: Vector, pitch: float, pid: Records, work: Records, body: np.void) -> None:
    """
    Write forces, spins and slips of the wheels at the end of the step into `work`.

    :param held: the brakes of a vehicle that stands hold its wheels.
    :param cosine: of half the angle that the body turns by in the step; sine: the same.
    :param momentum: at the end of the step without wheels, in axes half turned back [kg m/s], and
        angular momentum about the centre of mass [kg m^2/s].
    :param pitch: of the body [rad].
    :param pid: states of the PIDs, whose torques are found here: see `controller_solve`.
    :param work: of the wheels, as `prepare_wheels` left it; body: of the vehicle.
    """
    driven = vehicle['has_pid'] != 0.0 and not held
    coupled, ploughs, stands = vehicle['couples'] != 0.0, vehicle['ploughs'] != 0.0, False
    for k in range(len(wheels)):
        stands = stands or wheels[k]['normal_load'] > 0.0
    last, settled, drag = 0.0, True, 0.0
    vx, vy, w = 0.0, 0.0, 0.0
    if ploughs and stands:
        px, py, pw = momentum
        vx, vy, w = px / vehicle['mass'], py / vehicle['mass'], pw / vehicle['turn_inertia']
    if coupled:
        body['passed_torques'][:] = 0.0
    if driven:
        start_torques(vehicle, wheels, body)
    for number in range(PASSES):
        linearise(dt, vehicle, wheels, held, work)
        if vehicle['tied'] != 0.0:
            tie_sides(dt, wheels, held, work)
        if ploughs and stands:
            drag = implement_drag(vehicle, vx, vy, w)
        linear_system(dt, vehicle, wheels, work, body, cosine, sine, momentum, drag)
        if coupled:
            add_passed_torques(dt, vehicle, wheels, body, work)
        if driven:
            settled = solve_torques(dt, vehicle, wheels, pitch, pid, body, work, number == 0)
        if coupled:
            solve_differentials(dt, vehicle, wheels, body, work)
        if driven and settled and not coupled:
            vx, vy, w = body['velocity_x'], body['velocity_y'], body['yaw_rate']
        else:
            vx, vy, w = planar_velocity(
                body, body['momentum_x'], body['momentum_y'], body['momentum_w'])
        change = update_slips(wheels, work, vx, vy, w)
        if settled and (change < CLOSE_SLIP or change * change < CLOSE_SLIP * (last - change)):
            break
        last = change
    if ploughs:
        vehicle['soil_x'] = -drag * vx
        vehicle['soil_y'] = -drag * (vy + w * vehicle['soil_arm'])
    if driven:
        keep_torques(vehicle, wheels, pid, body)
    else:
        for k in range(PIDS):
            vehicle['torque_change'][k] = 0.0


@compiled(inlined=True)
def implement_drag(vehicle: np.void, vx: float, vy: float, w: float) -> float:
    """
    Return the draught over the speed of the implement [N s/m].

    :param vx: velocity of the centre of mass, axes of the body [m/s]; so vy, and w [rad/s].
    """
    vy += w * vehicle['soil_arm']
    square = vx * vx + vy * vy
    speed = math.sqrt(square)
    force = (vehicle['soil_constant'] + vehicle['soil_linear'] * speed
             + vehicle['soil_square'] * square)
    return float(force / math.sqrt(square + EDGE * EDGE))


@compiled(inlined=True)
def linear_system(
        dt: float, vehicle: np.void, wheels: Records, work: Records, body: np.void,
        cosine: float, sine: float, momentum: Vector, drag: float) -> None:
    """
    Write `mobility` and momentum of the body with the lines of all wheels into `body`.

    :param cosine: of half the angle that the body turns by in the step; sine: the same.
    :param momentum: at the end of the step without wheels, in axes half turned back, and angular
        momentum about the centre of mass.
    :param drag: of an implement in the soil [N s/m], at `soil_arm`.
    """
    xx, xy, yy, xw, yw, ww = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    px, py, pw = momentum
    for k in range(len(wheels)):
        own = work[k]
        c, s, arm_along, arm_across = (
            own['cosine'], own['sine'], own['arm_along'], own['arm_across'])
        along, across = dt * (own['grip'] + own['soil_drag']), dt * own['side_grip']
        xx += along * c * c + across * s * s
        xy += (along - across) * c * s
        yy += along * s * s + across * c * c
        xw += along * c * arm_along - across * s * arm_across
        yw += along * s * arm_along + across * c * arm_across
        ww += along * arm_along * arm_along + across * arm_across * arm_across
        push, side_push = dt * own['push'], dt * own['side_push']
        px += c * push - s * side_push
        py += s * push + c * side_push
        pw += arm_along * push + arm_across * side_push
    if drag > 0.0:
        arm = vehicle['soil_arm']
        xx += dt * drag
        yy += dt * drag
        yw += dt * drag * arm
        ww += dt * drag * arm * arm
    (body['xx'], body['xy'], body['xw'], body['yx'], body['yy'], body['yw'], body['wx'],
     body['wy'], body['ww']) = mobility(
         body['plane_mass'][:], cosine, sine, xx, xy, yy, xw, yw, ww)
    body['momentum_x'], body['momentum_y'], body['momentum_w'] = px, py, pw


@compiled(inlined=True)
def mobility(
        mass: Array, cosine: float, sine: float, xx: float, xy: float, yy: float, xw: float,
        yw: float, ww: float,
        ) -> tuple[float, float, float, float, float, float, float, float, float]:
    """
    Return the inverse of ``H + D``, row by row: motion at the end of a step over momentum.

    H is the mass, turned by half the angle of the step, and D the symmetric resistance times the
    step, no eigenvalue negative. Since H + D is positive definite the inverse always exists. By
    minors it takes one division; what resists in a step is not so much more than the mass that
    they lost digits.

    :param mass: in plan, or that tyres find in their plane, see `tyre_plane`; shape (3, 3).
    :param cosine: of half the angle that the body turns by, above 0; sine: the same.
    :param xx: entries of D.
    """
    a, b, c = (mass[0, 0] * cosine + mass[0, 1] * sine + xx,
               mass[0, 1] * cosine - mass[0, 0] * sine + xy, mass[0, 2] + xw)
    d, e, f = (mass[1, 0] * cosine + mass[1, 1] * sine + xy,
               mass[1, 1] * cosine - mass[1, 0] * sine + yy, mass[1, 2] + yw)
    g, h, i = (mass[2, 0] * cosine + mass[2, 1] * sine + xw,
               mass[2, 1] * cosine - mass[2, 0] * sine + yw, mass[2, 2] + ww)
    return inverse_3x3(a, b, c, d, e, f, g, h, i)


@compiled
def inverse_3x3(
        a: float, b: float, c: float, d: float, e: float, f: float, g: float, h: float, i: float,
        ) -> tuple[float, float, float, float, float, float, float, float, float]:
    """Return the inverse of a matrix, row by row, by its minors."""
    x, y, z = e * i - f * h, f * g - d * i, d * h - e * g
    part = 1.0 / (a * x + b * y + c * z)
    return (part * x, part * (c * h - b * i), part * (b * f - c * e),
            part * y, part * (a * i - c * g), part * (c * d - a * f),
            part * z, part * (b * g - a * h), part * (a * e - b * d))


@compiled(inlined=True)
def update_slips(wheels: Records, work: Records, vx: float, vy: float, w: float) -> float:
    """
    Write forces, spins and slips at the end of the step into `work`.

    :param vx: velocity of the centre of mass [m/s], axes of the body; so vy, and the yaw rate w.
    :returns: the largest change of a slip.
    """
    largest = 0.0
    for k in range(len(wheels)):
        wheel, own = wheels[k], work[k]
        along = own['cosine'] * vx + own['sine'] * vy + own['arm_along'] * w
        across = own['cosine'] * vy - own['sine'] * vx + own['arm_across'] * w
        force_long = own['push'] - own['grip'] * along
        spin = (own['free_spin'] - own['spin_per_force'] * force_long
                + own['spin_per_speed'] * along)
        own['force_long'], own['spin'] = force_long, spin
        own['force_lat'] = own['side_push'] - own['side_grip'] * across
        own['sliding_x'] = wheel['radius'] * spin - along - own['drift_along']
        own['sliding_y'] = -across - own['drift_across']
        slip_x = own['slip_keep'] * wheel['slip_x'] + own['slip_gain'] * own['sliding_x']
        slip_y = 0.0
        if wheel['free'] == 0.0:
            slip_y = (own['side_slip_keep'] * wheel['slip_y']
                      + own['side_slip_gain'] * own['sliding_y'])
        largest = max(largest, abs(slip_x - own['slip_x']) + abs(slip_y - own['slip_y']))
        own['slip_x'], own['slip_y'] = slip_x, slip_y
    return largest
