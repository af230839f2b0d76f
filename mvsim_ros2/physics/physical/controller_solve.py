# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
PIDs within a step of mode `physical`: torques for the speeds at the end of the step.

A controller that measures before a step and pushes through all of it overshoots where its loop is
faster than the step: a light wheel that slips has lost its speed error within a millisecond. So
its torques T are unknowns of the step, as the forces of the tyres are: with the speeds w(T) that
they lead to they are those that the controller asks for, ``T = asked(w(T))``. That is the backward
Euler method for controller and vehicle together, with no oscillation at any step and gain.

Newton's method: at the present stiffness of the tyres w is linear in T. What the controller makes
of other speeds is found by asking it, each time from the state that it had before the step. The
derivatives hardly change from step to step, so that they are kept until an iteration with them
comes on too slowly. In each step torques begin as if they changed as in the one before.
"""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.jit.memory import copier
from mvsim_ros2.physics.mvsim.step import motor_torques
from mvsim_ros2.physics.physical.implicit_solve import planar_velocity
from mvsim_ros2.physics.state.example_arguments import (
    A_ROOM, A_VEHICLE, ROW, SOME_KNOWN, SOME_WHEELS)
from mvsim_ros2.physics.state.record_layout import LEFT, NONE, PID, PIDS, RIGHT
from mvsim_ros2.physics.state.step_columns import (
    ARM_ALONG, ASKED, BASE, BEFORE, DIR_X, DIR_Y, DRAG, EASE, FREE_SPIN, GIVEN, GRIP, LACKED,
    LOWER, NUDGED, OFF, P_W, P_X, P_Y, PUSH, PUSHED, SPIN, STARTED, SYSTEM, TORQUES, TRIAL, TURNED,
    TURNS, UPPER, V_W, V_X, V_Y, YIELD)
from mvsim_ros2.physics.vehicle.drivetrain import give_shares, give_torques, goes_straight

Array = NDArray[np.float64]
Records = NDArray[np.void]

ROUNDS = 30  # of Newton's method; nearly always one, more where limits begin or end to act
NUDGE = 1e-6  # share of a torque, and rad/s: differences that derivatives are made of
CLOSE = 1e-6  # change of slip that does not matter
CLOSER = 1e-8  # the same before the first round, whose torques are not yet those of this step
SINGULAR = 1e-9  # a smaller pivot: the torques would not be determined
SLOW = 0.3  # share of what the torques lacked that is still lacking: then derivatives are old


copy_state = copier(PIDS * PID)  # of the PIDs of a vehicle, shape (PIDS, PID), into another one


@compiled(counted=False)
def channels(vehicle: np.void, wheels: Records) -> int:
    """Return how many torques the controller has: left and right, or one for each wheel."""
    return len(wheels) if vehicle['own_torques'] != 0.0 else 2


@compiled(inlined=True)
def drive_wheels(vehicle: np.void, wheels: Records, torques: Array) -> None:
    """Write into `wheels` what they get of the torques of the controller."""
    if vehicle['own_torques'] == 0.0 and goes_straight(vehicle):
        give_shares(vehicle, wheels, torques[0], torques[1])
    else:
        drive_with_more(vehicle, wheels, torques, NONE, 0.0)


@lazy_kernel(A_VEHICLE, SOME_WHEELS, ROW, 0, 0.0, counted=False)
def drive_with_more(
        vehicle: np.void, wheels: Records, torques: Array, more: int, by: float) -> None:
    """
    Write into `wheels` what they get of the torques of the controller, one of them changed.

    :param more: of these torques the one that is larger by `by` [N m].
    """
    if vehicle['own_torques'] == 0.0:
        left, right = torques[0], torques[1]
        give_torques(vehicle, wheels, left + by if more == 0 else left,
                     right + by if more == 1 else right)
        return
    for k in range(len(wheels)):
        wheels[k]['torque'] = torques[k] + (by if more == k else 0.0)
    give_torques(vehicle, wheels, 0.0, 0.0)


@compiled(inlined=True)
def ask(dt: float, vehicle: np.void, wheels: Records, pitch: float, room: np.void, pid: Array,
        known: Records, along: int, part: float, torques: Array) -> None:
    """
    Write into `torques` what the controller asks for at the spins found, or near them.

    :param room: with its state before the step; set in `pid`, and moved on there.
    :param along: torque whose `TURNS` are added to the spins `part` times [rad/s], or NONE.
    :param torques: beside them the wheels keep those that they are driven with.
    """
    copy_state(room[BEFORE][:], pid)
    for k in range(len(wheels)):
        wheels[k]['omega'] = known[k][SPIN]
        if along >= 0:
            wheels[k]['omega'] += part * known[k][TURNS][along]
    left, right = motor_torques(vehicle['controller'], vehicle, wheels, pitch, pid, dt)
    torques[0], torques[1] = left, right
    for k in range(len(wheels)):
        wheels[k]['omega'] = known[k][STARTED]
    if vehicle['own_torques'] != 0.0:
        for k in range(len(wheels)):
            torques[k] = wheels[k]['torque']
        drive_wheels(vehicle, wheels, room[TORQUES][:])


@compiled(inlined=True)
def respond(dt: float, wheels: Records, room: np.void, known: Records, turned: int) -> float:
    """
    Write into `TURNS` how far the spins change with torques on the wheels, `GIVEN` [N m].

    :param turned: the torque of the controller that these belong to.
    :returns: the largest change.
    """
    px, py, pw = 0.0, 0.0, 0.0
    for k in range(len(wheels)):
        row = known[k]
        push = dt * row[PUSHED] * row[GIVEN]
        px += row[DIR_X] * push
        py += row[DIR_Y] * push
        pw += row[ARM_ALONG] * push
    vx, vy, w = planar_velocity(room, px, py, pw)
    largest = 0.0
    for k in range(len(wheels)):
        row = known[k]
        given = row[GIVEN]
        along = row[DIR_X] * vx + row[DIR_Y] * vy + row[ARM_ALONG] * w
        turns = (row[TURNED] * given + row[DRAG] * along
                 - row[EASE] * (row[PUSHED] * given - row[GRIP] * along))
        row[TURNS][turned] = turns
        largest = max(largest, abs(turns))
    return largest


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
def narrowed(torque: float, off: float, lower: float, upper: float) -> tuple[float, float]:
    """
    Return between which torques the solution is, now that one lacks `off`.

    What does not go with it was found while the other torques were others.
    """
    if off > 0.0:
        return torque, math.inf if upper <= torque else upper
    if off < 0.0:
        return -math.inf if lower >= torque else lower, torque
    return lower, upper


@compiled
def between(torque: float, lower: float, upper: float) -> float:
    """
    Return a torque of Newton's method, or the middle of what is left where it goes beyond that.

    It does where the torque asked for is at one of its limits, of which it knows no slope.
    """
    if lower < torque < upper or upper - lower == math.inf:
        return torque
    return 0.5 * (lower + upper)


@compiled(inlined=True)
def turn_freely(wheels: Records, room: np.void, known: Records) -> None:
    """Write into `known` the spins that the present torques lead to, and how the body moves."""
    vx, vy, w = planar_velocity(room, room[P_X], room[P_Y], room[P_W])
    room[V_X], room[V_Y], room[V_W] = vx, vy, w
    for k in range(len(wheels)):
        known[k][SPIN] = free_spin(known[k], vx, vy, w)


@compiled(inlined=True)
def free_spin(row: np.void, vx: float, vy: float, w: float) -> float:
    """Return the spin of a wheel at a motion of the body [rad/s]."""
    along = row[DIR_X] * vx + row[DIR_Y] * vy + row[ARM_ALONG] * w
    force = row[PUSH] - row[GRIP] * along
    return row[FREE_SPIN] - row[EASE] * force + row[DRAG] * along  # type: ignore[no-any-return]


@compiled(inlined=True)
def shared(wheels: Records, known: Records, side: int) -> None:
    """Let each wheel of a side that turns at one speed have the torques of all of these."""
    total = 0.0
    for k in range(len(wheels)):
        if wheels[k]['side'] == side:
            total += known[k][GIVEN]
    for k in range(len(wheels)):
        if wheels[k]['side'] == side:
            known[k][GIVEN] = total


@compiled(inlined=True)
def push_more(dt: float, vehicle: np.void, wheels: Records, room: np.void, known: Records,
              ) -> None:
    """Let the lines in `known` and the momentum of the body have `GIVEN` on the wheels too."""
    if vehicle['tied'] != 0.0:
        shared(wheels, known, LEFT)
        shared(wheels, known, RIGHT)
    for k in range(len(wheels)):
        row = known[k]
        given = row[GIVEN]
        push = row[PUSHED] * given
        row[FREE_SPIN] += row[TURNED] * given
        row[PUSH] += push
        room[P_X] += dt * row[DIR_X] * push
        room[P_Y] += dt * row[DIR_Y] * push
        room[P_W] += dt * row[ARM_ALONG] * push


@lazy_kernel(0.0, A_VEHICLE, SOME_WHEELS, 0.0, A_ROOM, SOME_KNOWN, 0, counted=False)
def derive(dt: float, vehicle: np.void, wheels: Records, pitch: float, room: np.void,
           known: Records, count: int) -> None:
    """
    Find how what the torques lack changes with them: write the inverse into the vehicle.

    :param count: of the torques; for the others see `settle_torques`.
    """
    torques, system = room[TORQUES][:], room[SYSTEM][:]
    system[:, :] = 0.0
    for a in range(count):
        nudge = NUDGE * (1.0 + abs(torques[a]))
        drive_with_more(vehicle, wheels, torques, a, nudge)
        for k in range(len(wheels)):
            known[k][GIVEN] = (wheels[k]['torque'] - known[k][BASE]) / nudge
            wheels[k]['torque'] = known[k][BASE]
        if vehicle['tied'] != 0.0:
            shared(wheels, known, a)
        largest = respond(dt, wheels, room, known, a)
        system[a, a] += 1.0
        if largest > 0.0:
            part = NUDGE / largest
            ask(dt, vehicle, wheels, pitch, room, room[TRIAL][:], known, a, part,
                room[NUDGED][:])
            for b in range(count):
                system[b, a] -= (room[NUDGED][b] - room[ASKED][b]) / part
    invert(system, vehicle['torque_inverse'][:], count)
    vehicle['derived'] = 1.0


@compiled(inlined=True)
def settle_torques(
        dt: float, vehicle: np.void, wheels: Records, pitch: float, pid: Array, room: np.void,
        known: Records, count: int, first: bool) -> bool:
    """
    Find the torques that the controller asks for at the end of the step, on the present lines.

    In the first pass they take one step of Newton's method, since the lines are not the last ones
    but where all goes on as before.

    :param pid: where the state of its PIDs after the step is written.
    :param room: with the state before it, the torques, and mobility and momentum of the pass;
        the momentum of more torque is added.
    :param known: rows of the wheels, with the lines that they follow; changed by more torque.
    :param count: of the torques, `channels`.
    :returns: whether the torques are those asked for, to which the motion of the body in `room`
        belongs then.
    """
    torques = room[TORQUES][:]
    off, asked, lower, upper = room[OFF], room[ASKED][:], room[LOWER], room[UPPER]
    room[LACKED] = 0.0  # of the lines of another pass says nothing about derivatives
    for a in range(count):
        lower[a], upper[a] = -math.inf, math.inf
    for _ in range(1 if first else ROUNDS):
        turn_freely(wheels, room, known)
        ask(dt, vehicle, wheels, pitch, room, pid, known, NONE, 0.0, asked)
        most, reach = 0.0, 0.0
        for a in range(count):
            off[a] = asked[a] - torques[a]
            most = max(most, abs(off[a]))
        for k in range(len(wheels)):
            row = known[k]
            row[BASE] = wheels[k]['torque']
            reach = max(reach, row[YIELD] * wheels[k]['radius'] * row[TURNED])
        if most * reach < (CLOSER if first else CLOSE):
            return True
        if vehicle['derived'] == 0.0 or most > SLOW * room[LACKED] > 0.0:
            derive(dt, vehicle, wheels, pitch, room, known, count)
        room[LACKED] = most
        for a in range(count):
            lower[a], upper[a] = narrowed(torques[a], off[a], lower[a], upper[a])
            more = 0.0
            for b in range(count):
                more += vehicle['torque_inverse'][a, b] * off[b]
            room[NUDGED][a] = between(torques[a] + more, lower[a], upper[a])
        for a in range(count):
            torques[a] = room[NUDGED][a]
        drive_wheels(vehicle, wheels, torques)
        for k in range(len(wheels)):
            known[k][GIVEN] = wheels[k]['torque'] - known[k][BASE]
        push_more(dt, vehicle, wheels, room, known)
        if first:
            turn_freely(wheels, room, known)
            return most * reach < CLOSE
    return False
