# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
PIDs within a step of mode `physical`: torques for the speeds at the end of the step.

A controller that measures before a step and holds its torque overshoots if its loop is faster than
the step. A light slipping wheel corrects its speed within a millisecond. So its torques T are
unknowns of the step, like the forces of the tyres. They cause the speeds w(T), for which the
controller requests them: ``T = requested(w(T))``. That is the backward Euler method for controller
and vehicle together, which oscillates at no step and gain.

Newton's method: at the present stiffness of the tyres w is linear in T. What the controller makes
of other speeds is found by calling it, each time from the state that it had before the step. The
derivatives hardly change from step to step, so that they are kept until an iteration with them
comes on too slowly. In each step torques begin as if they changed as in the one before.
"""

import math

import numpy as np

from mvsim_ros2.frames import Array, Records
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.mvsim_step import motor_torques
from mvsim_ros2.physics.state.record_layout import (
    A_VEHICLE, A_VEHICLE_WORK, LEFT, NONE, PIDS, RIGHT, SOME_WHEEL_WORK, SOME_WHEELS)
from mvsim_ros2.physics.vehicle.drivetrain import apply_changed_torques, apply_torques

ROUNDS = 30  # of Newton's method; nearly always one, more where limits begin or end to act
NUDGE = 1e-6  # share of a torque, and rad/s: differences that derivatives are made of
CLOSE = 1e-6  # change of slip that does not matter
CLOSER = 1e-8  # the same before the first round, whose torques are not yet those of this step
SINGULAR = 1e-9  # a smaller pivot: the torques would not be determined
SLOW = 0.3  # share of the residual that is still there: then derivatives are old


@compiled(counted=False)
def channels(vehicle: np.void, wheels: Records) -> int:
    """Return how many torques the controller has: left and right, or one for each wheel."""
    return len(wheels) if vehicle['own_torques'] != 0.0 else 2


@compiled(inlined=True)
def start_torques(vehicle: np.void, wheels: Records, body: np.void) -> None:
    """Let the torques begin as if they changed as in the last step."""
    for k in range(channels(vehicle, wheels)):
        body['torques'][k] = body['pid_before'][k]['torque'] + vehicle['torque_change'][k]
    body['stopped'] = vehicle['stopped']
    vehicle['stopped'] = 0.0  # whether it has stopped was decided before the step
    apply_torques(vehicle, wheels, body['torques'][:])


@compiled(inlined=True)
def keep_torques(vehicle: np.void, wheels: Records, pid: Records, body: np.void) -> None:
    """Write the torques that were found into the states of the PIDs."""
    for k in range(channels(vehicle, wheels)):
        pid[k]['torque'] = body['torques'][k]
        vehicle['torque_change'][k] = body['torques'][k] - body['pid_before'][k]['torque']
    vehicle['stopped'] = body['stopped']


@compiled(inlined=True)
def request_torques(
        dt: float, vehicle: np.void, wheels: Records, pitch: float, body: np.void, pid: Records,
        work: Records, along: int, part: float, torques: Array) -> None:
    """
    Write into `torques` what the controller requests at the spins found, or near them [N m].

    The wheels keep the torques that they are driven with.

    :param body: with the states of the PIDs before the step; those after it go into `pid`.
    :param along: torque whose `spin_response` is added to the spins `part` times [rad/s], or NONE.
    """
    for k in range(PIDS):
        pid[k] = body['pid_before'][k]
    for k in range(len(wheels)):
        wheels[k]['omega'] = work[k]['spin']
        if along >= 0:
            wheels[k]['omega'] += part * work[k]['spin_response'][along]
    left, right = motor_torques(vehicle['controller'], vehicle, wheels, pitch, pid, dt)
    torques[0], torques[1] = left, right
    for k in range(len(wheels)):
        wheels[k]['omega'] = work[k]['spin_before']
    if vehicle['own_torques'] != 0.0:
        for k in range(len(wheels)):
            torques[k] = wheels[k]['torque']
        apply_torques(vehicle, wheels, body['torques'][:])


@lazy_kernel(0.0, A_VEHICLE, SOME_WHEELS, 0.0, A_VEHICLE_WORK, SOME_WHEEL_WORK, 0, counted=False)
def find_derivatives(dt: float, vehicle: np.void, wheels: Records, pitch: float, body: np.void,
                     work: Records, count: int) -> None:
    """
    Find how the residual of the torques changes with them: write the inverse into the vehicle.

    :param count: of the torques; for the others see `solve_torques`.
    """
    torques, system = body['torques'][:], body['system'][:]
    system[:, :] = 0.0
    for a in range(count):
        nudge = NUDGE * (1.0 + abs(torques[a]))
        apply_changed_torques(vehicle, wheels, torques, a, nudge)
        for k in range(len(wheels)):
            work[k]['torque_added'] = (wheels[k]['torque'] - work[k]['torque_before']) / nudge
            wheels[k]['torque'] = work[k]['torque_before']
        if vehicle['tied'] != 0.0:
            share_within_side(wheels, work, a)
        largest = spin_responses(dt, wheels, body, work, a)
        system[a, a] += 1.0
        if largest > 0.0:
            part = NUDGE / largest
            request_torques(
                dt, vehicle, wheels, pitch, body, body['pid_trial'][:], work, a, part,
                body['trial_torques'][:])
            for b in range(count):
                system[b, a] -= (body['trial_torques'][b] - body['requested'][b]) / part
    invert(system, vehicle['torque_inverse'][:], count)
    vehicle['derived'] = 1.0


@compiled
def invert(system: Array, inverse: Array, count: int) -> None:
    """
    Write into `inverse` that of ``system[:count, :count]``; 0 where there is none.

    :param system: overwritten.
    """
    inverse[:, :] = 0.0
    for i in range(count):
        inverse[i, i] = 1.0
    for i in range(count):
        best = i
        for j in range(i + 1, count):
            if abs(system[j, i]) > abs(system[best, i]):
                best = j
        if abs(system[best, i]) < SINGULAR:
            inverse[:, :] = 0.0
            return
        for m in range(count):
            system[i, m], system[best, m] = system[best, m], system[i, m]
            inverse[i, m], inverse[best, m] = inverse[best, m], inverse[i, m]
        pivot = 1.0 / system[i, i]
        for m in range(count):
            system[i, m] *= pivot
            inverse[i, m] *= pivot
        for j in range(count):
            factor = system[j, i]
            if j != i and factor != 0.0:
                for m in range(count):
                    system[j, m] -= factor * system[i, m]
                    inverse[j, m] -= factor * inverse[i, m]


@compiled
def narrow_bracket(torque: float, residual: float, lower: float, upper: float,
                   ) -> tuple[float, float]:
    """
    Return within_bracket which torques the solution is, now that one has this residual.

    What does not go with it was found while the other torques were others.
    """
    if residual > 0.0:
        return torque, math.inf if upper <= torque else upper
    if residual < 0.0:
        return -math.inf if lower >= torque else lower, torque
    return lower, upper


@compiled
def within_bracket(torque: float, lower: float, upper: float) -> float:
    """
    Return a torque of Newton's method, or the middle of what is left where it goes beyond that.

    It does if the requested torque is at one of its limits, where its slope is unknown.
    """
    if lower < torque < upper or upper - lower == math.inf:
        return torque
    return 0.5 * (lower + upper)


@compiled(inlined=True)
def solve_torques(
        dt: float, vehicle: np.void, wheels: Records, pitch: float, pid: Records, body: np.void,
        work: Records, first: bool) -> bool:
    """
    Find the torques that the controller requests at the end of the step, on the present lines.

    The first pass makes one step of Newton's method, because the lines are final only if the
    motion goes on as before.

    :param pid: where the states of its PIDs after the step are written.
    :param body: with those before it, the torques, and mobility and momentum of the pass, to which
        that of more torque is added.
    :param work: of the wheels, with their lines, which change with more torque.
    :returns: whether the torques are those requested, to which the velocity in `body` belongs.
    """
    count = channels(vehicle, wheels)
    torques, requested = body['torques'][:], body['requested'][:]
    residual, lower, upper = body['residual'], body['lower'], body['upper']
    body['last_residual'] = 0.0  # of the lines of another pass says nothing about derivatives
    for a in range(count):
        lower[a], upper[a] = -math.inf, math.inf
    for _ in range(1 if first else ROUNDS):
        slip_change = update_spins(wheels, body, work)
        request_torques(dt, vehicle, wheels, pitch, body, pid, work, NONE, 0.0, requested)
        most = 0.0
        for a in range(count):
            residual[a] = requested[a] - torques[a]
            most = max(most, abs(residual[a]))
        if most * slip_change < (CLOSER if first else CLOSE):
            return True
        for k in range(len(wheels)):
            work[k]['torque_before'] = wheels[k]['torque']
        if vehicle['derived'] == 0.0 or most > SLOW * body['last_residual'] > 0.0:
            find_derivatives(dt, vehicle, wheels, pitch, body, work, count)
        body['last_residual'] = most
        for a in range(count):
            lower[a], upper[a] = narrow_bracket(torques[a], residual[a], lower[a], upper[a])
            more = 0.0
            for b in range(count):
                more += vehicle['torque_inverse'][a, b] * residual[b]
            body['trial_torques'][a] = within_bracket(torques[a] + more, lower[a], upper[a])
        for a in range(count):
            torques[a] = body['trial_torques'][a]
        apply_torques(vehicle, wheels, torques)
        for k in range(len(wheels)):
            work[k]['torque_added'] = wheels[k]['torque'] - work[k]['torque_before']
        add_torques(dt, vehicle, wheels, body, work)
        if first:
            update_spins(wheels, body, work)
            return most * slip_change < CLOSE
    return False


@compiled(inlined=True)
def planar_velocity(body: np.void, px: float, py: float, pw: float) -> tuple[float, float, float]:
    """
    Return velocity [m/s] and yaw rate [rad/s] in the axes of the body at the end of a step.

    :param px: momentum that is there without the resistance; so py, and pw.
    """
    return (body['xx'] * px + body['xy'] * py + body['xw'] * pw,
            body['yx'] * px + body['yy'] * py + body['yw'] * pw,
            body['wx'] * px + body['wy'] * py + body['ww'] * pw)


@compiled(inlined=True)
def update_spins(wheels: Records, body: np.void, work: Records) -> float:
    """
    Write into `work` the spins that the present torques lead to, and how the body moves.

    :returns: the largest change of a slip for a change of torque on a wheel [1/(N m)].
    """
    vx, vy, w = planar_velocity(body, body['momentum_x'], body['momentum_y'], body['momentum_w'])
    body['velocity_x'], body['velocity_y'], body['yaw_rate'] = vx, vy, w
    largest = 0.0
    for k in range(len(wheels)):
        own = work[k]
        along = own['cosine'] * vx + own['sine'] * vy + own['arm_along'] * w
        force = own['push'] - own['grip'] * along
        own['spin'] = (own['free_spin'] - own['spin_per_force'] * force
                       + own['spin_per_speed'] * along)
        largest = max(largest, own['slip_gain'] * wheels[k]['radius'] * own['spin_per_torque'])
    return largest


@compiled(inlined=True)
def spin_responses(dt: float, wheels: Records, body: np.void, work: Records, turned: int) -> float:
    """
    Write into `spin_response` how far the spins change with `torque_added` on the wheels [N m].

    :param turned: the torque of the controller that these belong to.
    :returns: the largest change.
    """
    px, py, pw = 0.0, 0.0, 0.0
    for k in range(len(wheels)):
        own = work[k]
        push = dt * own['push_per_torque'] * own['torque_added']
        px += own['cosine'] * push
        py += own['sine'] * push
        pw += own['arm_along'] * push
    vx, vy, w = planar_velocity(body, px, py, pw)
    largest = 0.0
    for k in range(len(wheels)):
        own = work[k]
        given = own['torque_added']
        along = own['cosine'] * vx + own['sine'] * vy + own['arm_along'] * w
        turns = (own['spin_per_torque'] * given + own['spin_per_speed'] * along
                 - own['spin_per_force'] * (own['push_per_torque'] * given - own['grip'] * along))
        own['spin_response'][turned] = turns
        largest = max(largest, abs(turns))
    return largest


@compiled(inlined=True)
def share_within_side(wheels: Records, work: Records, side: int) -> None:
    """Let each wheel of a side that turns at one speed have the torques of all of these."""
    total = 0.0
    for k in range(len(wheels)):
        if wheels[k]['side'] == side:
            total += work[k]['torque_added']
    for k in range(len(wheels)):
        if wheels[k]['side'] == side:
            work[k]['torque_added'] = total


@compiled(inlined=True)
def add_torques(dt: float, vehicle: np.void, wheels: Records, body: np.void, work: Records,
                ) -> None:
    """Let the lines in `work` and the momentum of the body have `torque_added` on the wheels."""
    if vehicle['tied'] != 0.0:
        share_within_side(wheels, work, LEFT)
        share_within_side(wheels, work, RIGHT)
    for k in range(len(wheels)):
        own = work[k]
        given = own['torque_added']
        push = own['push_per_torque'] * given
        own['free_spin'] += own['spin_per_torque'] * given
        own['push'] += push
        body['momentum_x'] += dt * own['cosine'] * push
        body['momentum_y'] += dt * own['sine'] * push
        body['momentum_w'] += dt * own['arm_along'] * push
