# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The agricultural robot: bends, side slopes, and the lowest speeds."""

from collections.abc import Callable
import math

from mvsim_ros2.studies.experiments.experiment import (
    Curve, Experiment, G, integrate, Outcome, Panel, ROBOT, Row, started)

MASS, INERTIA, FRONT, REAR, STIFFNESS = 500.0, 500.0, 0.6, 0.7, 55000.0
PRINTED = (1.3, -8.0, 100.0, 200.0, 1.82, 0.208, 0.0, 0.354, 5.0)  # a0 to a8
PUBLISHED = (1.3, -22.1, 1011.0, 1078.0, 1.82, 0.208, 0.0, -0.354, 0.707)  # loads in kN
Axle = Callable[[float, float], float]  # slip angle [rad], load [N] -> force against it [N]


def linear(slip: float, load: float) -> float:
    """Return the force of an axle on linear tyres."""
    return STIFFNESS * slip


def magic_formula(coefficients: tuple[float, ...], slip: float, load: float) -> float:
    """Return the force by the coefficients a0 to a8, for a load in their unit."""
    a0, a1, a2, a3, a4, a5, a6, a7, a8 = coefficients
    D = a1 * load ** 2 + a2 * load
    B = a3 * math.sin(a4 * math.atan(a5 * load)) / (a0 * D + 1e-6)
    E = a6 * load ** 2 + a7 * load + a8
    x = B * math.degrees(slip)
    return D * math.sin(a0 * math.atan((1.0 - E) * x + E * math.atan(x)))


def as_printed(slip: float, load: float) -> float:
    """Return the force of an axle by the listing: one tyre, its load in newton."""
    return magic_formula(PRINTED, slip, load)


def as_printed_by_wheel(slip: float, load: float) -> float:
    """Return the force of an axle with two such tyres, each with its load."""
    return 2.0 * as_printed(slip, 0.5 * load)


def published(slip: float, load: float) -> float:
    """Return the force of an axle with two tyres, by the published set in kN."""
    return 2.0 * magic_formula(PUBLISHED, slip, 0.5e-3 * load)


TYRES: dict[str, tuple[Axle, Axle, dict[str, float | str]]] = {
    'linear': (linear, linear, {}),
    'Magic Formula as printed': (
        as_printed, as_printed_by_wheel, {'magic': 1.0, 'preset': 'document'}),
    'Magic Formula of 1987': (as_printed, published, {'magic': 1.0, 'preset': 'bakker87'})}


def forces(axle: Axle, speed: float, beta: float, turn: float, front: float, rear: float,
           slope: float) -> tuple[float, float]:
    """Return the forces of both axles at a motion."""
    weight = MASS * G * math.cos(slope) / (FRONT + REAR)
    return (axle(math.atan(math.tan(beta) + FRONT * turn / speed) - front, weight * REAR),
            axle(math.atan(math.tan(beta) - REAR * turn / speed) - rear, weight * FRONT))


def rates(axle: Axle, speed: float, beta: float, turn: float, front: float, rear: float,
          slope: float) -> tuple[float, float]:
    """Return the rates of side slip and yaw rate; `speed` is that along the robot."""
    push_front, push_rear = forces(axle, speed, beta, turn, front, rear, slope)
    path = speed / math.cos(beta)
    return ((G * math.sin(slope) * math.cos(beta)
             - (push_front * math.cos(beta - front) + push_rear * math.cos(beta - rear)) / MASS)
            / path - turn,
            (REAR * push_rear * math.cos(rear) - FRONT * push_front * math.cos(front)) / INERTIA)


def solved(axle: Axle, speed: float, front: float, rear: float, seconds: float,
           slope: float = 0.0) -> list[tuple[float, float]]:
    """Return side slip and yaw rate each ms."""
    found = integrate(
        lambda state: rates(axle, speed, state[0], state[1], front, rear, slope), (0.0, 0.0),
        [1e-3 * k for k in range(round(1e3 * seconds) + 1)], 1e-3)
    return [(beta, turn) for beta, turn in found.tolist()]


def listed(axle: Axle, speed: float, front: float, rear: float, seconds: float,
           slope: float = 0.0) -> tuple[float, float]:
    """Return side slip and yaw rate after a time, in the order of the listing, at 10 ms."""
    beta = turn = push_front = push_rear = 0.0
    h = 0.01
    for _ in range(round(seconds / h)):
        turn += h * (REAR * push_rear * math.cos(rear)
                     - FRONT * push_front * math.cos(front)) / INERTIA
        path = speed / math.cos(beta)
        beta += h * (G * math.sin(slope) / path - turn
                     - (push_front * math.cos(beta - front)
                        + push_rear * math.cos(beta - rear)) / (MASS * path))
        push_front, push_rear = forces(axle, speed, beta, turn, front, rear, 0.0)
    return beta, turn


def driven(name: str, speed: float, front: float, rear: float, seconds: float,
           **variables: float | str) -> tuple[float, float, list[float], list[float]]:
    """Return side slip and yaw rate at the end, times and yaw rates, of a run."""
    simulation, vehicle = started(name, speed=speed, **variables)
    vehicle.set_steering(speed, front, rear)
    times, turns = [], []
    while simulation.time < seconds - 1e-9:
        simulation.run(0.1)
        times.append(simulation.time)
        turns.append(float(vehicle.twist_body[2]))
    ahead, aside, turn = vehicle.twist_body
    return math.atan2(aside, ahead), float(turn), times, turns


def cornering() -> Outcome:
    """Steer 0.1 rad at 2 m/s, the front axle alone and both axles against each other."""
    rows, curves = [], []
    for tyre, (literal, axle, variables) in TYRES.items():
        for case, rear in (('front', 0.0), ('both', -0.1)):
            printed = listed(literal, 2.0, 0.1, rear, 4.0)
            exact = solved(axle, 2.0, 0.1, rear, 4.0)
            beta, turn = exact[-1]
            found = driven('cornering', 2.0, 0.1, rear, 4.0, **variables)
            rows.append(Row(f'{tyre}, {case}', 'yaw rate [rad/s]', printed[1], turn, found[1]))
            if not rear:
                rows.append(Row(f'{tyre}, {case}', 'side slip [rad]', printed[0], beta,
                                found[0]))
                curves += [Curve(tyre, found[2][::2], found[3][::2]), Curve(
                    tyre, found[2], [exact[round(1e3 * time)][1] for time in found[2]], True)]
    return Outcome(rows, [Panel('Front axle steered by 0.1 rad', 'time [s]', 'yaw rate [rad/s]',
                                curves)])


def side_slope() -> Outcome:
    """Drive straight ahead at 2 m/s across slopes whose left side is low."""
    rows, curves = [], []
    for tyre, (literal, axle, variables) in TYRES.items():
        slips = []
        for degrees in (5.0, 10.0, 15.0):
            slope = math.radians(degrees)
            printed = listed(literal, 2.0, 0.0, 0.0, 3.0, slope)
            beta, turn = solved(axle, 2.0, 0.0, 0.0, 3.0, slope)[-1]
            found = driven('side_slope', 2.0, 0.0, 0.0, 3.0, slope=degrees, **variables)
            slips.append(math.degrees(found[0]))
            rows.append(Row(f'{tyre}, {degrees:g} deg', 'side slip [deg]',
                            math.degrees(printed[0]), math.degrees(beta), slips[-1]))
            if degrees == 10.0:
                rows.append(Row(f'{tyre}, {degrees:g} deg', 'yaw rate [mrad/s]',
                                1e3 * printed[1], 1e3 * turn, 1e3 * found[1]))
        grid = [4.0 * k for k in range(5)]
        curves += [Curve(tyre, [5.0, 10.0, 15.0], slips), Curve(tyre, grid, [math.degrees(
            solved(axle, 2.0, 0.0, 0.0, 2.0, math.radians(each))[-1][0]) for each in grid], True)]
    return Outcome(rows, [Panel('Drift', 'slope [deg]', 'side slip [deg]', curves)])


def slow_speeds() -> Outcome:
    """Steer 0.1 rad at low speeds, steps of 10 ms."""
    rows, found, expected, listing = [], [], [], []
    speeds = (0.3, 0.6, 0.9, 1.2, 2.0)
    factor = MASS * (REAR - FRONT) / ((FRONT + REAR) * STIFFNESS)  # s^2/m
    for speed in speeds:
        printed = listed(linear, speed, 0.1, 0.0, 6.0)[1]
        listing.append(min(max(printed / speed, -0.15), 0.15))
        exact = solved(linear, speed, 0.1, 0.0, 6.0)[-1][1]
        ours = driven('slow_speeds', speed, 0.1, 0.0, 6.0)[1]
        rows.append(Row(f'{speed:g} m/s', 'yaw rate [rad/s]', printed, exact, ours))
        found.append(ours / speed)
        expected.append(0.1 / (FRONT + REAR + factor * speed ** 2))
    return Outcome(rows, [Panel(
        'Steered by 0.1 rad, steps of 10 ms', 'speed [m/s]', 'yaw rate / speed [rad/m]', [
            Curve('here', list(speeds), found), Curve('here', list(speeds), expected, True),
            Curve('the listing', list(speeds), listing)])])


EXPERIMENTS = (
    Experiment('cornering', 'Bends on linear tyres and the Magic Formula', ROBOT, 0.02,
               cornering, 'the listing uses the coefficients a0 to a8 with loads in newton. The '
               'tyre then is a straight line of 56 N/deg. The published set is for kN, with other '
               'signs, and gives the stiffness of the linear tyres in the document'),
    Experiment('side_slope', 'Drift on side slopes', ROBOT, 0.03, side_slope,
               'gravity across the path lacks cos beta, the loads lack cos a. For units, see '
               'Bends on linear tyres'),
    Experiment('slow_speeds', 'Bends at the lowest speeds', ROBOT, 0.02, slow_speeds,
               'the listing takes explicit steps of 10 ms. With its stiffness they are unstable '
               'below 1.1 m/s'))
