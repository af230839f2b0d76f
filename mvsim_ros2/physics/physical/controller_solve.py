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
of other speeds is found by asking it, each time from the state that it had before the step.
"""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.mvsim.step import motor_torques
from mvsim_ros2.physics.physical.implicit_solve import planar_velocity
from mvsim_ros2.physics.state.example_arguments import A_VEHICLE
from mvsim_ros2.physics.state.example_arguments import SOME_WHEELS
from mvsim_ros2.physics.state.example_arguments import TABLE
from mvsim_ros2.physics.state.record_layout import LEFT
from mvsim_ros2.physics.state.record_layout import NONE
from mvsim_ros2.physics.state.record_layout import PIDS
from mvsim_ros2.physics.state.record_layout import RIGHT
from mvsim_ros2.physics.state.record_layout import TORQUE
from mvsim_ros2.physics.state.step_columns import ARM_ALONG
from mvsim_ros2.physics.state.step_columns import DIR_X
from mvsim_ros2.physics.state.step_columns import DIR_Y
from mvsim_ros2.physics.state.step_columns import DRAG
from mvsim_ros2.physics.state.step_columns import EASE
from mvsim_ros2.physics.state.step_columns import FREE_SPIN
from mvsim_ros2.physics.state.step_columns import GRIP
from mvsim_ros2.physics.state.step_columns import PUSH
from mvsim_ros2.physics.state.step_columns import PUSHED
from mvsim_ros2.physics.state.step_columns import SPIN
from mvsim_ros2.physics.state.step_columns import STARTED
from mvsim_ros2.physics.state.step_columns import TURNED
from mvsim_ros2.physics.state.step_columns import YIELD
from mvsim_ros2.physics.vehicle.drivetrain import give_torques

Array = NDArray[np.float64]
Records = NDArray[np.void]

ROUNDS = 30  # of Newton's method; nearly always one, more where limits begin or end to act
NUDGE = 1e-6  # share of a torque, and rad/s: differences that derivatives are made of
CLOSE = 1e-6  # change of slip that does not matter
SINGULAR = 1e-9  # a smaller pivot: the torques would not be determined

# rows of the room to work in: D and p of a pass, what the torques lack; torques of the wheels, and
# their change with one; torques asked for, and nudged; between which torques the solution is; a
# system of equations; turns with each torque
RESISTANCE, MOMENTUM, OFF, BASE, GIVEN, ASKED, NUDGED, LOWER, UPPER = range(9)
SYSTEM, TURNS = 9, 9 + PIDS
ROOM = TURNS + PIDS


@compiled
def channels(vehicle: np.void, wheels: Records) -> int:
    """Return how many torques the controller has: left and right, or one for each wheel."""
    return len(wheels) if vehicle['own_torques'] != 0.0 else 2


@lazy_kernel(A_VEHICLE, SOME_WHEELS, TABLE, 0, 0.0)
def drive_wheels(vehicle: np.void, wheels: Records, before: Array, more: int, by: float) -> None:
    """
    Write into `wheels` what they get of the torques in column `TORQUE` of `before`.

    :param more: of these torques the one that is larger by `by` [N m].
    """
    if vehicle['own_torques'] == 0.0:
        left, right = before[0, TORQUE], before[1, TORQUE]
        give_torques(vehicle, wheels, left + by if more == 0 else left,
                     right + by if more == 1 else right)
        return
    for k in range(len(wheels)):
        wheels[k]['torque'] = before[k, TORQUE] + (by if more == k else 0.0)
    give_torques(vehicle, wheels, 0.0, 0.0)


@compiled(inner=True)
def ask(dt: float, vehicle: np.void, wheels: Records, pitch: float, before: Array, pid: Array,
        known: Array, turns: Array, part: float, torques: Array) -> None:
    """
    Write into `torques` what the controller asks for at the spins found, or near them.

    :param before: its state before the step; set in `pid`, and moved on there.
    :param turns: of the wheels, added to their spins `part` times [rad/s].
    :param torques: beside them the wheels keep those that they are driven with.
    """
    pid[:, :] = before
    for k in range(len(wheels)):
        wheels[k]['omega'] = known[k, SPIN] + part * turns[k]
    left, right = motor_torques(vehicle['controller'], vehicle, wheels, pitch, pid, dt)
    torques[0], torques[1] = left, right
    for k in range(len(wheels)):
        wheels[k]['omega'] = known[k, STARTED]
    if vehicle['own_torques'] != 0.0:
        for k in range(len(wheels)):
            torques[k] = wheels[k]['torque']
        drive_wheels(vehicle, wheels, before, NONE, 0.0)


@compiled(inner=True)
def response(
        dt: float, vehicle: np.void, wheels: Records, cosine: float, sine: float,
        resistance: Array, known: Array, given: Array, turns: Array) -> None:
    """
    Write into `turns` how far the spins change with torques on the wheels.

    :param resistance: xx, xy, yy, xw, yw, ww: see `planar_velocity`.
    :param given: torques of the wheels [N m].
    """
    px, py, pw = 0.0, 0.0, 0.0
    for k in range(len(wheels)):
        row = known[k]
        push = dt * row[PUSHED] * given[k]
        px += row[DIR_X] * push
        py += row[DIR_Y] * push
        pw += row[ARM_ALONG] * push
    vx, vy, w = planar_velocity(
        vehicle['mass'], vehicle['turn_inertia'], cosine, sine, resistance[0], resistance[1],
        resistance[2], resistance[3], resistance[4], resistance[5], px, py, pw)
    for k in range(len(wheels)):
        row = known[k]
        along = row[DIR_X] * vx + row[DIR_Y] * vy + row[ARM_ALONG] * w
        turns[k] = (row[TURNED] * given[k] + row[DRAG] * along
                    - row[EASE] * (row[PUSHED] * given[k] - row[GRIP] * along))


@compiled(inner=True)
def eliminate(system: Array, right: Array, count: int) -> None:
    """
    Solve ``system[:count, :count] x = right``; where that is not determined x is 0.

    :param system: overwritten.
    :param right: becomes x.
    """
    for i in range(count):
        best = i
        for j in range(i + 1, count):
            if abs(system[j, i]) > abs(system[best, i]):
                best = j
        if abs(system[best, i]) < SINGULAR:
            right[:count] = 0.0
            return
        if best != i:
            for j in range(count):
                system[i, j], system[best, j] = system[best, j], system[i, j]
            right[i], right[best] = right[best], right[i]
        for j in range(i + 1, count):
            factor = system[j, i] / system[i, i]
            for m in range(i, count):
                system[j, m] -= factor * system[i, m]
            right[j] -= factor * right[i]
    for i in range(count - 1, -1, -1):
        for j in range(i + 1, count):
            right[i] -= system[i, j] * right[j]
        right[i] /= system[i, i]


@compiled
def between(torque: float, lower: float, upper: float) -> float:
    """
    Return a torque of Newton's method, or the middle of what is left where it goes beyond that.

    It does where the torque asked for is at one of its limits, of which it knows no slope.
    """
    if lower < torque < upper or upper - lower == math.inf:
        return torque
    return 0.5 * (lower + upper)


@compiled(inner=True)
def turn_freely(
        vehicle: np.void, wheels: Records, cosine: float, sine: float, resistance: Array,
        momentum: Array, known: Array) -> None:
    """Write into `known` the spins that the present torques lead to."""
    vx, vy, w = planar_velocity(
        vehicle['mass'], vehicle['turn_inertia'], cosine, sine, resistance[0], resistance[1],
        resistance[2], resistance[3], resistance[4], resistance[5], momentum[0], momentum[1],
        momentum[2])
    for k in range(len(wheels)):
        row = known[k]
        along = row[DIR_X] * vx + row[DIR_Y] * vy + row[ARM_ALONG] * w
        row[SPIN] = (row[FREE_SPIN] - row[EASE] * (row[PUSH] - row[GRIP] * along)
                     + row[DRAG] * along)


@compiled(inner=True)
def shared(vehicle: np.void, wheels: Records, given: Array, side: int) -> None:
    """Let each wheel of a side that turns at one speed have the torques of all of these."""
    total = 0.0
    for k in range(len(wheels)):
        if wheels[k]['side'] == side:
            total += given[k]
    for k in range(len(wheels)):
        if wheels[k]['side'] == side:
            given[k] = total


@compiled(inner=True)
def push_more(dt: float, vehicle: np.void, wheels: Records, given: Array, momentum: Array,
              known: Array) -> None:
    """Let the lines in `known` and the momentum of the body have more torque on the wheels."""
    if vehicle['tied'] != 0.0:
        shared(vehicle, wheels, given, LEFT)
        shared(vehicle, wheels, given, RIGHT)
    for k in range(len(wheels)):
        row = known[k]
        push = row[PUSHED] * given[k]
        row[FREE_SPIN] += row[TURNED] * given[k]
        row[PUSH] += push
        momentum[0] += dt * row[DIR_X] * push
        momentum[1] += dt * row[DIR_Y] * push
        momentum[2] += dt * row[ARM_ALONG] * push


@lazy_kernel(
    0.0, A_VEHICLE, SOME_WHEELS, 0.0, TABLE, TABLE, TABLE, 0.0, 0.0, TABLE, TABLE)
def settle_torques(
        dt: float, vehicle: np.void, wheels: Records, pitch: float, before: Array, pid: Array,
        trial: Array, cosine: float, sine: float, room: Array, known: Array) -> None:
    """
    Find the torques that the controller asks for at the end of the step, on the present lines.

    :param before: state of its PIDs before the step, with the torques in column `TORQUE`; the
        state after it is written into `pid`.
    :param trial: room for such a state.
    :param room: shape (ROOM, n), with the rows `RESISTANCE` and `MOMENTUM` of the pass: see
        `planar_velocity`; the momentum of more torque is added.
    :param known: rows of the wheels, with the lines that they follow; changed by more torque.
    """
    count, wheel_count = channels(vehicle, wheels), len(wheels)
    off, base, given = room[OFF], room[BASE], room[GIVEN]
    asked, nudged, momentum = room[ASKED], room[NUDGED], room[MOMENTUM]
    lower, upper = room[LOWER], room[UPPER]
    lower[:], upper[:] = -math.inf, math.inf
    system, turns = room[SYSTEM:SYSTEM + PIDS], room[TURNS:TURNS + PIDS]
    for _ in range(ROUNDS):
        turn_freely(vehicle, wheels, cosine, sine, room[RESISTANCE], momentum, known)
        ask(dt, vehicle, wheels, pitch, before, pid, known, off, 0.0, asked)
        most, reach = 0.0, 0.0
        for a in range(count):
            torque = before[a, TORQUE]
            off[a] = asked[a] - torque
            most = max(most, abs(off[a]))
            if off[a] > 0.0:
                lower[a] = torque
                if upper[a] <= torque:  # by what other torques were then
                    upper[a] = math.inf
            elif off[a] < 0.0:
                upper[a] = torque
                if lower[a] >= torque:
                    lower[a] = -math.inf
        for k in range(wheel_count):
            base[k] = wheels[k]['torque']
            reach = max(reach, known[k, YIELD] * wheels[k]['radius'] * known[k, TURNED])
        if most * reach < CLOSE:
            break
        system[:, :] = 0.0
        for a in range(count):
            nudge = NUDGE * (1.0 + abs(before[a, TORQUE]))
            drive_wheels(vehicle, wheels, before, a, nudge)
            for k in range(wheel_count):
                given[k] = (wheels[k]['torque'] - base[k]) / nudge
                wheels[k]['torque'] = base[k]
            if vehicle['tied'] != 0.0:
                shared(vehicle, wheels, given, a)
            response(
                dt, vehicle, wheels, cosine, sine, room[RESISTANCE], known, given, turns[a])
            largest = 0.0
            for k in range(wheel_count):
                largest = max(largest, abs(turns[a, k]))
            system[a, a] += 1.0
            if largest > 0.0:
                part = NUDGE / largest
                ask(dt, vehicle, wheels, pitch, before, trial, known, turns[a], part, nudged)
                for b in range(count):
                    system[b, a] -= (nudged[b] - asked[b]) / part
        eliminate(system, off, count)
        for a in range(count):
            before[a, TORQUE] = between(before[a, TORQUE] + off[a], lower[a], upper[a])
        drive_wheels(vehicle, wheels, before, NONE, 0.0)
        for k in range(wheel_count):
            given[k] = wheels[k]['torque'] - base[k]
        push_more(dt, vehicle, wheels, given, momentum, known)
