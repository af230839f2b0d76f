# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""MAVS on soil: the steepest slope by cone index."""

from collections.abc import Callable
import math

import numpy as np

from mvsim_ros2.studies.experiments.experiment import (
    Curve, Experiment, G, mass_of, MAVS, Outcome, Panel, Row, started)

PSI = 6894.757293168361  # Pa
INCH = 0.0254  # m
WIDTH, DIAMETER, HEIGHT, STIFFNESS = 0.2286, 0.6604, 0.1651, 70000.0  # of the tyre: m, N/m
STRENGTHS = {'clay': (12.0, 16.0, 20.0, 25.0), 'sand': (20.0, 60.0, 100.0, 200.0)}  # psi
SPIN = 1000.0  # m/s of the rims: far faster than the vehicle moves; light wheels get there at once
Net = Callable[[float, float], float]  # cone index [Pa], load [N] -> net force over load


def clay(cone_index: float, load: float) -> float:
    """Return the net traction of a spinning wheel on clay, as it is printed."""
    squeezed = load / STIFFNESS / HEIGHT
    number = cone_index * WIDTH * DIAMETER / (
        load * math.pow(1.0 - squeezed, 1.5) * math.pow(1.0 + WIDTH / DIAMETER, 0.75))
    wider = math.pow(1.0 + WIDTH / DIAMETER, 0.25)
    return (-0.5 * math.log10(21.0 / math.pow(number, 2.5)) * wider
            - 12.0 / number ** 2 - 0.007)


def sand_traction(gradient: float, load: float) -> float:
    """Return the gross traction of a spinning wheel on sand by Mason's numeric."""
    number = gradient * math.pow(WIDTH * DIAMETER, 1.5) / (STIFFNESS * HEIGHT)
    return 0.66 - 0.66 * 6.43 / (number + 16.43)


def sand_resistance(n: float, sign: float, load: float) -> float:
    """Return the motion resistance on sand; `sign` is that in X_m."""
    x = 0.44 + sign * 0.002287 * n
    return (x + math.sqrt(x * x + 0.0000457 * n + 0.08)
            + 0.05 * load / STIFFNESS / HEIGHT)


def sand(cone_index: float, load: float) -> float:
    """Return the net traction on sand with units and signs put right."""
    gradient = cone_index / (3.47 * INCH)
    towed = gradient * math.pow(WIDTH * DIAMETER, 1.5) / (
        load * (1.0 - load / STIFFNESS / HEIGHT) ** 3 * (1.0 + WIDTH / DIAMETER))
    return sand_traction(gradient, load) - sand_resistance(towed, -1.0, load)


def printed_sand(cone_index: float, load: float) -> float:
    """Return the net traction on sand as it is printed."""
    return sand_traction(cone_index / 3.47, load) - sand_resistance(load, 1.0, load)


def steepest(net: Net, cone_index: float, weight: float) -> float:
    """Return the slope [rad] with `tan(slope) = net`, each wheel with its load there."""
    slope = 0.0
    for _ in range(60):
        slope = math.atan(net(cone_index, 0.25 * weight * math.cos(slope)))
    return slope


def climbs(soil: str, cone_index: float, degrees: float) -> bool:
    """Return whether the vehicle gains speed uphill with spinning wheels."""
    simulation, vehicle = started('climbing', soil=soil, cone_index=cone_index, slope=degrees)
    vehicle.set_twist(SPIN, 0.0)
    simulation.run(0.2)
    first = vehicle.twist_body[0]
    simulation.run(0.1)
    return bool(vehicle.twist_body[0] > first)


def climbing() -> Outcome:
    """Find the steepest slope that is climbed, by bisection."""
    rows, curves = [], []
    _, vehicle = started('climbing')
    weight = mass_of(vehicle) * G
    for soil, literal, resolved in (('clay', clay, clay), ('sand', printed_sand, sand)):
        found = []
        for strength in STRENGTHS[soil]:
            low, high = -20.0, 45.0
            for _ in range(9):
                middle = 0.5 * (low + high)
                low, high = (
                    (middle, high) if climbs(soil, strength * PSI, middle) else (low, middle))
            found.append(0.5 * (low + high))
            rows.append(Row(
                f'{soil}, {strength:g} psi', 'steepest slope [deg]',
                math.degrees(steepest(literal, strength * PSI, weight)),
                math.degrees(steepest(resolved, strength * PSI, weight)), found[-1]))
        grid = np.linspace(STRENGTHS[soil][0], STRENGTHS[soil][-1], 60).tolist()
        curves += [Curve(soil, list(STRENGTHS[soil]), found), Curve(soil, grid, [
            math.degrees(steepest(resolved, each * PSI, weight)) for each in grid], True)]
    return Outcome(rows, [Panel(
        'Climbing', 'cone index [psi]', 'steepest slope [deg]', curves)])


EXPERIMENTS = (
    Experiment(
        'climbing', 'Climbing on clay and sand, by cone index', MAVS, 0.02, climbing,
        'on sand, CI / 3.47 is a gradient per inch, and X_m must decrease with its argument. This '
        'argument is the numeric of a towed wheel, not the load in newton. With the printed '
        'formulas no vehicle moves'),)
