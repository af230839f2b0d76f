# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
How drive torques reach the wheels, what their motors can give, and their brakes.

Open differentials share by fixed ratios. The Torsen model of MVSim 1.2.0 takes torque from the
faster side once it turns more than `bias` times as fast as the slower one. It is a rule for
sharing torque, not a constraint of speeds. Locked and limited-slip ones share as open ones do, and
hold their sides together in mode `physical`: see `locked_axles`.
"""

import math

import numpy as np

from mvsim_ros2.frames import Array, Records
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.elementary_functions import clamp
from mvsim_ros2.physics.state.record_layout import (
    A_VEHICLE, ALL_WHEELS, FRONT_WHEELS, LEFT, NO_DRIVETRAIN, NONE, OWN, REAR_WHEELS, RIGHT, ROW,
    SOME_WHEELS)
from mvsim_ros2.world.spec.vehicle.dynamics import DynamicsSpec
from mvsim_ros2.world.spec.vehicle.parts import BrakesSpec

NEAR = 1.0  # rad/s; difference of spins at which a continuous Torsen gives 76 % of its bias


@compiled
def torsen(w1: float, w2: float, bias: float, split: float) -> tuple[float, float]:
    """
    Return the shares of torque of both sides of a Torsen differential; their sum is 1.

    :param w1: spin of the first side [rad/s]; only its magnitude counts.
    :param w2: spin of the second side [rad/s].
    :param bias: ratio of speeds up to which the split holds, at least 1.
    :param split: share of the first side where the differential does not lock.
    """
    fast, slow = max(abs(w1), abs(w2)), min(abs(w1), abs(w2))
    if slow == 0.0:
        return split, 1.0 - split
    lock = max(0.0, (fast - bias * slow) / fast)
    if abs(w1) > abs(w2):
        lock = -lock
    first, second = (1.0 + lock) * split, (1.0 - lock) * (1.0 - split)
    total = first + second
    if total <= 0.0:  # all torque was meant for the side that spins
        return split, 1.0 - split
    return first / total, second / total


@compiled
def torsen_tbr(w1: float, w2: float, ratio: float, split: float) -> tuple[float, float]:
    """
    Return the shares of both sides of a Torsen differential with a torque bias ratio.

    The slower side gets up to `ratio` times the torque of the other one by the split, times
    ``tanh(difference / NEAR)``. Unlike `torsen` it has no jumps, and a limit.

    :param w1: spin of the first side [rad/s]; only its magnitude counts.
    :param w2: spin of the second side [rad/s].
    :param ratio: torque bias ratio, at least 1.
    :param split: share of the first side where both turn at one speed.
    """
    part = math.tanh((abs(w2) - abs(w1)) / NEAR)
    if part >= 0.0:
        first = split + part * (ratio * split / (ratio * split + 1.0 - split) - split)
    else:
        first = split + part * (split - split / (split + ratio * (1.0 - split)))
    first = min(max(first, 0.0), 1.0)  # but for rounding it is between them
    return first, 1.0 - first


@compiled(inlined=True)
def share(w1: float, w2: float, bias: float, split: float, locks: float, ratio: float,
          ) -> tuple[float, float]:
    """Return the shares of both sides: open where `locks` is 0, by `torsen` where `ratio` is."""
    if locks == 0.0:
        return split, 1.0 - split
    if ratio > 0.0:
        return torsen_tbr(w1, w2, ratio, split)
    return torsen(w1, w2, bias, split)


@compiled(counted=False)
def open_shares(vehicle: np.void) -> tuple[float, float, float, float]:
    """Return the shares of `wheel_shares` that open differentials would give."""
    left, ahead = vehicle['rear_split'], vehicle['front_split']
    front = 0.0
    if vehicle['drivetrain'] == ALL_WHEELS:
        front = vehicle['front_rear_split']
    elif vehicle['drivetrain'] == FRONT_WHEELS:
        front = 1.0
    rear = 1.0 - front
    return rear * left, rear * (1.0 - left), front * ahead, front * (1.0 - ahead)


@lazy_kernel(A_VEHICLE, 0.0, 0.0, 0.0, 0.0)
def wheel_shares(
        vehicle: np.void, rear_left: float, rear_right: float, front_left: float,
        front_right: float) -> tuple[float, float, float, float]:
    """
    Return the shares of the drive torque of rear left, rear right, front left, front right.

    :param rear_left: spin of that wheel [rad/s]; so the others.
    """
    kind, ratio = vehicle['drivetrain'], vehicle['torsen_tbr']
    front, rear = 1.0, 1.0
    if kind == ALL_WHEELS:
        front, rear = share(
            front_left + front_right, rear_left + rear_right, vehicle['front_rear_bias'],
            vehicle['front_rear_split'], vehicle['centre_torsen'], ratio)
    elif kind == FRONT_WHEELS:
        rear = 0.0
    elif kind == REAR_WHEELS:
        front = 0.0
    left, right = share(
        rear_left, rear_right, vehicle['rear_bias'], vehicle['rear_split'],
        vehicle['rear_torsen'], ratio)
    ahead_left, ahead_right = share(
        front_left, front_right, vehicle['front_bias'], vehicle['front_split'],
        vehicle['front_torsen'], ratio)
    return rear * left, rear * right, front * ahead_left, front * ahead_right


@lazy_kernel(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
def limited_torque(
        torque: float, spin: float, largest: float, no_load_speed: float, power: float,
        taken: float, inertia_a_step: float) -> float:
    """
    Return what a motor gives of a torque [N m].

    A driving torque falls with the spin to 0 at no load, within the power. A braking torque has
    only the limit `largest`. A wheel that slips gets no more than what takes it to the speed of no
    load within the step.

    :param torque: demanded [N m].
    :param spin: rad/s.
    :param largest: at standstill [N m].
    :param no_load_speed: rad/s; 0 for a torque that does not fall.
    :param power: W; 0 for no limit.
    :param taken: torque that ground, bearing and brake took in the step before, forward positive
        [N m].
    :param inertia_a_step: spin inertia over the step [N m s/rad].
    """
    limit = largest
    if torque * spin >= 0.0:
        if no_load_speed > 0.0:
            left = max(no_load_speed - abs(spin), 0.0)
            against = max(taken if torque > 0.0 else -taken, 0.0)
            limit = min(limit * left / no_load_speed, against + inertia_a_step * left)
        if power > 0.0 and limit * abs(spin) > power:
            limit = power / abs(spin)
    return clamp(torque, limit)


@lazy_kernel(A_VEHICLE, 0.0, 0.0)
def engine_torque(vehicle: np.void, torque: float, spin: float) -> float:
    """
    Return what an engine gives of a torque at the wheels [N m], in its best gear.

    :param torque: demanded [N m].
    :param spin: of the wheels that it drives [rad/s].
    """
    if torque * spin < 0.0:
        return clamp(torque, vehicle['engine_braking'])
    speeds, torques = vehicle['curve_speeds'], vehicle['curve_torques']
    last, most = int(vehicle['curve_points']) - 1, 0.0
    for gear in range(int(vehicle['gears'])):
        speed = abs(spin) * vehicle['ratios'][gear]
        if speed > speeds[last]:
            continue
        given = torques[0]  # with a clutch that slips
        for k in range(last):
            if speed >= speeds[k]:
                part = (speed - speeds[k]) / (speeds[k + 1] - speeds[k])
                given = torques[k] + part * (torques[k + 1] - torques[k])
        most = max(most, given * vehicle['gains'][gear])
    return clamp(torque, most)


@lazy_kernel(A_VEHICLE, SOME_WHEELS)
def driven_spin(vehicle: np.void, wheels: Records) -> float:
    """Return the mean spin of the wheels that one torque drives, by their shares [rad/s]."""
    spin, total = 0.0, 0.0
    for k in range(len(wheels)):
        part = wheels[k]['drive']
        if vehicle['drivetrain'] != NO_DRIVETRAIN:
            part = open_shares(vehicle)[k]
        spin += part * wheels[k]['omega']
        total += part
    return spin / total


@compiled(inlined=True)
def goes_straight(vehicle: np.void) -> bool:
    """Return whether only `give_shares` changes torques on their way to the wheels."""
    return bool(vehicle['gears'] == 0.0 and vehicle['drivetrain'] == NO_DRIVETRAIN
                and vehicle['motor_torque'] == 0.0)


@compiled(inlined=True)
def give_shares(vehicle: np.void, wheels: Records, left: float, right: float) -> None:
    """Write into `wheels` their torques without a drivetrain [N m]; see `give_torques`."""
    for k in range(len(wheels)):
        wheel = wheels[k]
        side = wheel['side']
        if side == OWN:
            wheel['torque'] = wheel['command']
        elif vehicle['own_torques'] == 0.0:  # else the controller has written them
            if side == LEFT:
                wheel['torque'] = wheel['drive'] * left
            elif side == RIGHT:
                wheel['torque'] = wheel['drive'] * right


@compiled(inlined=True)
def give_torques(vehicle: np.void, wheels: Records, left: float, right: float) -> None:
    """Write into `wheels` their torques [N m], of two sides, or `left` of a drivetrain."""
    if goes_straight(vehicle):
        give_shares(vehicle, wheels, left, right)
    else:
        give_changed_torques(vehicle, wheels, left, right)


@lazy_kernel(A_VEHICLE, SOME_WHEELS, 0.0, 0.0, counted=False)
def give_changed_torques(vehicle: np.void, wheels: Records, left: float, right: float) -> None:
    """Do what `give_torques` does where an engine, a drivetrain or limits change torques."""
    largest = vehicle['motor_torque']
    speed, power = vehicle['motor_speed'], vehicle['motor_power']
    if vehicle['gears'] > 0.0:
        left = engine_torque(vehicle, left, driven_spin(vehicle, wheels))
    if vehicle['drivetrain'] != NO_DRIVETRAIN:
        shares = wheel_shares(
            vehicle, wheels[0]['omega'], wheels[1]['omega'], wheels[2]['omega'],
            wheels[3]['omega'])
        if largest > 0.0:
            spin, taken, inertia = 0.0, 0.0, 0.0
            for k in range(4):
                spin += shares[k] * wheels[k]['omega']
                if shares[k] > 0.0:
                    taken += wheels[k]['taken']
                    inertia += wheels[k]['inertia']
            left = limited_torque(
                left, spin, largest, speed, power, taken, inertia * vehicle['steps_a_second'])
        for k in range(4):
            wheels[k]['torque'] = shares[k] * left
        return
    give_shares(vehicle, wheels, left, right)
    if largest > 0.0:
        for k in range(len(wheels)):
            wheel = wheels[k]
            part = wheel['drive']  # of the motor
            wheel['torque'] = limited_torque(
                wheel['torque'], wheel['omega'], part * largest, speed, part * power,
                wheel['taken'], wheel['inertia'] * vehicle['steps_a_second'])


@lazy_kernel(SOME_WHEELS)
def turn_together(wheels: Records) -> None:
    """Give the wheels of each side their common spin, which has the same angular momentum."""
    for side in (LEFT, RIGHT):
        momentum, inertia = 0.0, 0.0
        for k in range(len(wheels)):
            if wheels[k]['side'] == side:
                momentum += wheels[k]['inertia'] * wheels[k]['omega']
                inertia += wheels[k]['inertia']
        for k in range(len(wheels)):
            if wheels[k]['side'] == side:
                wheels[k]['omega'] = momentum / inertia


@compiled(inlined=True)
def apply_torques(vehicle: np.void, wheels: Records, torques: Array) -> None:
    """Write into `wheels` what they get of the torques of the controller [N m]."""
    if vehicle['own_torques'] == 0.0 and goes_straight(vehicle):
        give_shares(vehicle, wheels, torques[0], torques[1])
    else:
        apply_changed_torques(vehicle, wheels, torques, NONE, 0.0)


@lazy_kernel(A_VEHICLE, SOME_WHEELS, ROW, 0, 0.0, counted=False)
def apply_changed_torques(
        vehicle: np.void, wheels: Records, torques: Array, more: int, by: float) -> None:
    """
    Write into `wheels` what they get of the torques of the controller, one of them changed.

    :param more: number of the torque that is larger by `by` [N m], NONE for none.
    """
    if vehicle['own_torques'] == 0.0:
        left, right = torques[0], torques[1]
        give_torques(vehicle, wheels, left + by if more == 0 else left,
                     right + by if more == 1 else right)
        return
    for k in range(len(wheels)):
        wheels[k]['torque'] = torques[k] + (by if more == k else 0.0)
    give_torques(vehicle, wheels, 0.0, 0.0)


def brake_torques(dynamics: DynamicsSpec, pressed: float, parked: float) -> Array:
    """
    Return the torque of the brakes of each wheel [N m].

    :param pressed: how far the service brake is pressed, from 0 to 1.
    :param parked: how far the parking brake is set, from 0 to 1.
    """
    brakes = dynamics.brakes or BrakesSpec()
    front, rear = (_on(dynamics, which) for which in ('front', 'rear'))
    ahead = brakes.torque if brakes.front_torque is None else brakes.front_torque
    behind = brakes.torque if brakes.rear_torque is None else brakes.rear_torque
    if brakes.balance is not None and front.any():
        total = brakes.torque * len(front)
        ahead = brakes.balance * total / front.sum()
        behind = (1.0 - brakes.balance) * total / rear.sum()
    return (pressed * ((ahead * front + behind * rear) * _on(dynamics, brakes.wheels))
            + parked * brakes.parking_torque * _on(dynamics, brakes.parking_wheels))


def _on(dynamics: DynamicsSpec, which: str) -> Array:
    """Return 1 for the wheels that are meant, else 0: those before or behind the middle."""
    front = np.asarray(dynamics.in_front)
    if which == 'all':
        return np.ones(len(front))
    return np.asarray(front if which == 'front' else ~front, float)


@lazy_kernel(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
def lasting_torque(
        torque: float, brake: float, omega: float, speed: float, mass: float, radius: float,
        inertia: float, dt: float) -> float:
    """
    Return what is left of the torque of a wheel with its brake, in mode `mvsim` [N m].

    The brake opposes the spin, or the motion of a standing wheel. It at most stops the wheel and
    its share of the vehicle.

    :param torque: of the motor [N m].
    :param brake: N m.
    :param omega: spin [rad/s].
    :param speed: of the hub along the wheel [m/s].
    :param mass: on the ground below the wheel [kg].
    """
    moving = omega if omega != 0.0 else speed
    momentum = (mass * radius * abs(speed) + inertia * abs(omega)) / dt
    if moving > 0.0:
        return torque - min(brake, momentum + max(torque, 0.0))
    if moving < 0.0:
        return torque + min(brake, momentum + max(-torque, 0.0))
    return torque - clamp(torque, brake)


@compiled
def not_reversed(omega: float, before: float, speed: float, brake: float, torque: float) -> float:
    """
    Return the spin of a braked wheel after a step, 0 where a brake would have turned it round.

    :param omega: after the step [rad/s], `before` it; for the others see `lasting_torque`.
    """
    moving = before if before != 0.0 else speed
    if abs(torque) <= brake and omega * moving < 0.0:
        return 0.0
    return omega


@compiled(counted=False)
def holds(has_pid: float, pid: Records) -> bool:
    """
    Return whether a vehicle has stopped as commanded, so that its PIDs are at rest.

    :param has_pid: not 0 where PIDs follow the command; `tracking_torques` resets them.
    :param pid: their states after this step.
    """
    return has_pid != 0.0 and pid[0]['running'] == 0.0
