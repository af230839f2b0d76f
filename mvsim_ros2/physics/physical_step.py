# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
"""
One step of all vehicles in mode `physical`: the forces on their bodies.

Wheels and body of a vehicle are solved together for the end of the step, so that stiff tyres
hold the vehicle at rest and any step from 1 to 20 ms gives the same motion.
"""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.compiled import compiled
from mvsim_ros2.physics.caster import swivelled
from mvsim_ros2.physics.caster import TRAIL
from mvsim_ros2.physics.drivetrain import give_torques
from mvsim_ros2.physics.holding import holds
from mvsim_ros2.physics.implicit_solve import planar_velocity
from mvsim_ros2.physics.kernel import motor_torques
from mvsim_ros2.physics.kernel import STRONGEST
from mvsim_ros2.physics.layout import COS
from mvsim_ros2.physics.layout import OMEGA
from mvsim_ros2.physics.layout import SIN
from mvsim_ros2.physics.layout import TWIST_IDEAL
from mvsim_ros2.physics.layout import VX
from mvsim_ros2.physics.layout import VY
from mvsim_ros2.physics.loads import balanced
from mvsim_ros2.physics.regions import surface
from mvsim_ros2.physics.relaxation import LENGTH
from mvsim_ros2.physics.relaxation import secant
from mvsim_ros2.physics.relaxation import standing_damping
from mvsim_ros2.physics.relaxation import STIFFNESS
from mvsim_ros2.physics.relaxation import unslipped
from mvsim_ros2.physics.resistance import spin_damping
from mvsim_ros2.physics.tyres.choice import WARD_IAGNEMMA

Array = NDArray[np.float64]
Records = NDArray[np.void]

LAG = 0.15  # s; a body takes that time to pitch and roll when the load moves
PASSES = 8  # of the iteration for the stiffness of the tyres, at most
CLOSE = 1e-7  # change of slip at which it ends

# columns of what a step knows of a wheel
(DIR_X, DIR_Y, ARM_ALONG, ARM_ACROSS, LIMIT, ROLLING, MEMORY, YIELD, DAMP,
 PUSH, GRIP, SIDE_PUSH, SIDE_GRIP, FREE_SPIN, EASE, Z_X, Z_Y, SLIDE_X, SLIDE_Y, SPIN,
 F_X, F_Y) = range(22)
COLUMNS = 22


@compiled
def wheel_loads(vehicle: np.void, wheels: Records, down: float) -> None:
    """
    Write into `wheels` the normal loads [N] that balance weight and moments.

    They are linear in weight and moments as long as all wheels stay on the ground; where one
    would pull, `loads.balanced` finds who carries.

    :param vehicle: its record.
    :param wheels: records of its wheels.
    :param down: gravity into the ground [m/s^2].
    """
    mass, height = vehicle['mass'], vehicle['com_height']
    along, across = -height * vehicle['pull_along'], -height * vehicle['pull_across']
    lifts = False
    for k in range(len(wheels)):
        wheel = wheels[k]
        load = mass * (down * wheel['load_share'] + along * wheel['load_along']
                       + across * wheel['load_across'])
        wheel['normal_load'] = load
        lifts = lifts or load < 0.0
    if lifts:
        x, y = np.empty(len(wheels)), np.empty(len(wheels))
        for k in range(len(wheels)):
            x[k] = wheels[k]['x'] - vehicle['com_x']
            y[k] = wheels[k]['y'] - vehicle['com_y']
        loads = balanced(
            x, y, mass, height, down, vehicle['pull_along'], vehicle['pull_across'])
        for k in range(len(wheels)):
            wheels[k]['normal_load'] = max(loads[k], 0.0)


@compiled
def roll_along(wheels: Records, vx: float, vy: float, w: float) -> None:
    """Let wheels that push nothing roll with a body of this twist of its reference point."""
    for k in range(len(wheels)):
        wheel = wheels[k]
        direction = wheel['toe'] + wheel['steer']
        wheel['omega'] = (math.cos(direction) * (vx - w * wheel['y'])
                          + math.sin(direction) * (vy + w * wheel['x'])) / wheel['radius']
        wheel['slip_x'], wheel['slip_y'] = 0.0, 0.0
        wheel['force_long'], wheel['force_lat'] = 0.0, 0.0
        wheel['force_x'], wheel['force_y'] = 0.0, 0.0


@compiled
def prepare(
        dt: float, gravity: float, vehicle: np.void, wheels: Records, vx: float, vy: float,
        w: float, pose: Array, heading_x: float, heading_y: float, regions: Array,
        known: Array) -> None:
    """
    Write into `known` what does not change while a step is solved.

    :param vx: velocity of the centre of mass in the plane of the vehicle [m/s]; so vy.
    :param known: shape (wheels, COLUMNS).
    """
    for k in range(len(wheels)):
        wheel, row = wheels[k], known[k]
        arm_x, arm_y = wheel['x'] - vehicle['com_x'], wheel['y'] - vehicle['com_y']
        hub_x, hub_y = vx - w * arm_y, vy + w * arm_x
        if wheel['swivels'] != 0.0:
            wheel['steer'] = swivelled(
                wheel['toe'] + wheel['steer'], hub_x, hub_y, w, TRAIL * wheel['radius'],
                dt) - wheel['toe']
        cosine, sine = 1.0, 0.0
        direction = wheel['toe'] + wheel['steer']
        if direction != 0.0:
            cosine, sine = math.cos(direction), math.sin(direction)
        mu, rolling = wheel['mu'], wheel['rolling']
        if len(regions) > 0:
            height = pose[2] + (math.cos(pose[4]) * math.sin(pose[5]) * wheel['y']
                                - math.sin(pose[4]) * wheel['x'])
            mu, rolling = surface(
                regions, pose[0] + heading_x * wheel['x'] - heading_y * wheel['y'],
                pose[1] + heading_y * wheel['x'] + heading_x * wheel['y'], height, mu, rolling)
        load, length = wheel['normal_load'], LENGTH * wheel['radius']
        roll = wheel['radius'] * wheel['omega']
        speed = max(math.sqrt(hub_x * hub_x + hub_y * hub_y), abs(roll))
        row[DIR_X], row[DIR_Y] = cosine, sine
        row[ARM_ALONG] = sine * arm_x - cosine * arm_y
        row[ARM_ACROSS] = cosine * arm_x + sine * arm_y
        row[LIMIT], row[ROLLING] = mu * load, rolling
        row[MEMORY] = 1.0 / (1.0 + dt * speed / length)
        row[YIELD] = dt / length * row[MEMORY]
        row[DAMP] = standing_damping(load, length, gravity, speed) if load > 0.0 else 0.0
        row[Z_X], row[Z_Y] = wheel['slip_x'], wheel['slip_y']
        row[SLIDE_X] = roll - (cosine * hub_x + sine * hub_y)
        row[SLIDE_Y] = sine * hub_x - cosine * hub_y
        row[SPIN] = wheel['omega']
        wheel['velocity_x'], wheel['velocity_y'] = hub_x, hub_y


@compiled
def resist(dt: float, wheel: np.void, held: bool, row: Array) -> None:
    """
    Write into `row` the line that the forces of a wheel follow: ``F = push - grip v``.

    The stiffness is the secant of the curve at the last known slip; the spin is eliminated.

    :param held: the wheel cannot turn.
    """
    load, limit, radius = wheel['normal_load'], row[LIMIT], wheel['radius']
    slip = math.sqrt(row[Z_X] * row[Z_X] + row[Z_Y] * row[Z_Y])
    stiffness = secant(limit, STIFFNESS * load, slip)
    damp = row[DAMP]
    if damp > 0.0:
        sliding = math.sqrt(row[SLIDE_X] * row[SLIDE_X] + row[SLIDE_Y] * row[SLIDE_Y])
        spare = max(limit - stiffness * slip, 0.0)
        if damp * sliding > spare:
            damp = spare / sliding
    grip = stiffness * row[YIELD] + damp
    push = stiffness * row[MEMORY] * wheel['slip_x']
    row[SIDE_PUSH], row[SIDE_GRIP] = stiffness * row[MEMORY] * wheel['slip_y'], grip
    row[FREE_SPIN], row[EASE] = 0.0, 0.0
    if not held:
        inertia = wheel['inertia'] + dt * spin_damping(
            wheel['damping'], row[ROLLING], wheel['tyre'] == WARD_IAGNEMMA, wheel['tyre_values'],
            load, radius, row[SPIN])
        row[FREE_SPIN] = (wheel['inertia'] * wheel['omega'] + dt * wheel['torque']) / inertia
        row[EASE] = dt * radius / inertia
        soft = 1.0 + grip * radius * row[EASE]
        push = (push + grip * radius * row[FREE_SPIN]) / soft
        grip /= soft
    row[PUSH], row[GRIP] = push, grip
    if wheel['swivels'] != 0.0:
        row[SIDE_PUSH], row[SIDE_GRIP] = 0.0, 0.0


@compiled
def follow(wheel: np.void, row: Array, vx: float, vy: float, w: float) -> float:
    """Write forces, spin and slip at the end of the step into `row`; return how far it moved."""
    along = row[DIR_X] * vx + row[DIR_Y] * vy + row[ARM_ALONG] * w
    across = row[DIR_X] * vy - row[DIR_Y] * vx + row[ARM_ACROSS] * w
    row[F_X] = row[PUSH] - row[GRIP] * along
    row[F_Y] = row[SIDE_PUSH] - row[SIDE_GRIP] * across
    row[SPIN] = row[FREE_SPIN] - row[EASE] * row[F_X]
    row[SLIDE_X], row[SLIDE_Y] = wheel['radius'] * row[SPIN] - along, -across
    slip_x = row[MEMORY] * wheel['slip_x'] + row[YIELD] * row[SLIDE_X]
    slip_y = 0.0
    if wheel['swivels'] == 0.0:
        slip_y = row[MEMORY] * wheel['slip_y'] + row[YIELD] * row[SLIDE_Y]
    change = abs(slip_x - row[Z_X]) + abs(slip_y - row[Z_Y])
    row[Z_X], row[Z_Y] = slip_x, slip_y
    return float(change)


@compiled
def solve(dt: float, vehicle: np.void, wheels: Records, held: bool, half: float, px: float,
          py: float, pw: float, known: Array) -> None:
    """
    Find the forces at the end of the step.

    The Kacanov iteration: solve with the secant stiffness of the last slips until these stay.

    :param half: of the angle that the body turns by in the step [rad].
    :param px: momentum at the end of the step without wheels, in axes half turned back; so
        py, and pw about the centre of mass.
    """
    cosine, sine = math.cos(half), math.sin(half)
    for _ in range(PASSES):
        xx, xy, yy, xw, yw, ww = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        qx, qy, qw = px, py, pw
        for k in range(len(wheels)):
            row = known[k]
            resist(dt, wheels[k], held and wheels[k]['swivels'] == 0.0, row)
            c, s, arm_along, arm_across = row[DIR_X], row[DIR_Y], row[ARM_ALONG], row[ARM_ACROSS]
            along, across = dt * row[GRIP], dt * row[SIDE_GRIP]
            xx += along * c * c + across * s * s
            xy += (along - across) * c * s
            yy += along * s * s + across * c * c
            xw += along * c * arm_along - across * s * arm_across
            yw += along * s * arm_along + across * c * arm_across
            ww += along * arm_along * arm_along + across * arm_across * arm_across
            push, side_push = dt * row[PUSH], dt * row[SIDE_PUSH]
            qx += c * push - s * side_push
            qy += s * push + c * side_push
            qw += arm_along * push + arm_across * side_push
        vx, vy, w = planar_velocity(
            vehicle['mass'], vehicle['turn_inertia'], cosine, sine, xx, xy, yy, xw, yw, ww,
            qx, qy, qw)
        change = 0.0
        for k in range(len(wheels)):
            change = max(change, follow(wheels[k], known[k], vx, vy, w))
        if change < CLOSE:
            break


@compiled
def take_over(wheels: Records, known: Array) -> tuple[float, float, float]:
    """
    Write the solution into `wheels`; return the sum of the forces and of their torques.

    No force exceeds the friction limit, where the iteration had not come to its end either.
    """
    total_x, total_y, total_turn = 0.0, 0.0, 0.0
    for k in range(len(wheels)):
        wheel, row = wheels[k], known[k]
        along, across = row[F_X], row[F_Y]
        force = math.sqrt(along * along + across * across)
        if force > row[LIMIT]:
            along *= row[LIMIT] / force
            across *= row[LIMIT] / force
        wheel['omega'] = row[FREE_SPIN] - row[EASE] * along
        part = unslipped(row[LIMIT], STIFFNESS * wheel['normal_load'],
                         math.sqrt(row[Z_X] * row[Z_X] + row[Z_Y] * row[Z_Y]))
        wheel['slip_x'], wheel['slip_y'] = part * row[Z_X], part * row[Z_Y]
        wheel['force_long'], wheel['force_lat'] = along, across
        wheel['force_x'] = row[DIR_X] * along - row[DIR_Y] * across
        wheel['force_y'] = row[DIR_Y] * along + row[DIR_X] * across
        total_x += wheel['force_x']
        total_y += wheel['force_y']
        total_turn += row[ARM_ALONG] * along + row[ARM_ACROSS] * across
    return total_x, total_y, total_turn


@compiled
def drive_physical(
        dt: float, gravity: float, vehicles: Records, wheel_start: NDArray[np.int64],
        wheels: Records, pids: Array, pose: Array, twist: Array, motion: Array, wrench: Array,
        regions: Array) -> int:
    """
    Write into `wrench` the force [N] (world frame) and torque [N m] on every body.

    Returns the first vehicle whose forces are not finite numbers, or -1. The parameters are
    those of `kernel.drive`. Bodies move in the horizontal plane: on a slope the velocity
    along the ground is larger by 1 / cos, the force on the body smaller by cos.
    """
    wrong = -1
    keep = math.exp(-dt / LAG)
    most = 0
    for i in range(len(vehicles)):
        most = max(most, wheel_start[i + 1] - wheel_start[i])
    known = np.zeros((most, COLUMNS))
    for i in range(len(vehicles)):
        vehicle = vehicles[i]
        own = wheels[wheel_start[i]:wheel_start[i + 1]]
        left, right = motor_torques(vehicle, own, pose[i, 4], pids[i], dt)
        give_torques(vehicle, own, left, right)
        if vehicle['steered'] != 0.0:
            own[2]['steer'], own[3]['steer'] = vehicle['steer_left'], vehicle['steer_right']
        wrench[i, :] = 0.0
        if vehicle['controller'] == TWIST_IDEAL or vehicle['mass'] == 0.0:  # moves as told
            roll_along(own, twist[i, 0], twist[i, 1], twist[i, 2])
            continue
        heading_x, heading_y = motion[i, COS], motion[i, SIN]
        lean_x = max(math.cos(pose[i, 4]), 0.1)
        lean_y = max(math.cos(pose[i, 5]), 0.1)
        skew = math.sin(pose[i, 4]) * math.sin(pose[i, 5])
        vy = (heading_x * motion[i, VY] - heading_y * motion[i, VX]) / lean_y
        vx = (heading_x * motion[i, VX] + heading_y * motion[i, VY] - skew * vy) / lean_x
        w = motion[i, OMEGA]
        down_x, down_y = vehicle['down_x'], vehicle['down_y']
        down = math.sqrt(max(1.0 - down_x * down_x - down_y * down_y, 0.0))
        wheel_loads(vehicle, own, gravity * down)
        prepare(dt, gravity, vehicle, own, vx, vy, w, pose[i], heading_x, heading_y, regions,
                known)
        mass, half = vehicle['mass'], min(max(0.5 * w * dt, -1.0), 1.0)
        cosine, sine = math.cos(half), math.sin(half)
        pull_x, pull_y = mass * gravity * down_x, mass * gravity * down_y
        held = holds(vehicle['controller'], pids[i])
        solve(dt, vehicle, own, held, half,
              mass * (cosine * vx + sine * vy) + dt * pull_x,
              mass * (cosine * vy - sine * vx) + dt * pull_y, vehicle['turn_inertia'] * w, known)
        force_x, force_y, turn = take_over(own, known)
        vehicle['pull_along'] = keep * vehicle['pull_along'] + (1.0 - keep) * force_x / mass
        vehicle['pull_across'] = keep * vehicle['pull_across'] + (1.0 - keep) * force_y / mass
        force_x += pull_x
        force_y += pull_y
        level_x, level_y = lean_x * force_x + skew * force_y, lean_y * force_y
        middle_x = heading_x * cosine - heading_y * sine
        middle_y = heading_y * cosine + heading_x * sine
        wrench[i, 0] = middle_x * level_x - middle_y * level_y
        wrench[i, 1] = middle_y * level_x + middle_x * level_y
        wrench[i, 2] = turn
        if wrong < 0 and not abs(force_x) + abs(force_y) + abs(turn) < STRONGEST:
            wrong = i
    return wrong
