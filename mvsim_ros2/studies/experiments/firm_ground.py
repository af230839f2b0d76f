# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""MAVS on firm ground: the Magic Formula on four roads, Crolla's side force, tyres as springs."""

import math

import numpy as np

from mvsim_ros2.frames import Array
from mvsim_ros2.studies.experiments.experiment import (
    Curve, Experiment, G, integrate, mass_of, MAVS, Outcome, Panel, Row, speeds_over_time, started)

# B C D E of the table; ice has B 10 there, and 4 in the source code of MAVS
ROADS = {'dry': (10.0, 1.9, 1.0, 0.97), 'wet': (12.0, 2.3, 0.82, 1.0),
         'snow': (5.0, 2.0, 0.3, 1.0), 'ice': (4.0, 2.0, 0.1, 1.0)}
PRINTED_ICE = (10.0, 2.0, 0.1, 1.0)
ICE = 'B of ice is 10 on the page and 4 in the source code of MAVS; the force lacks the load'
CROLLA = 0.09  # rad
STIFFNESS, DAMPING = 70000.0, 3121.5  # of a tyre: N/m, N s/m


def magic_formula(curve: tuple[float, float, float, float], slip: float) -> float:
    """Return force over load, the formula of the document."""
    B, C, D, E = curve
    return D * math.sin(C * math.atan(B * slip - E * (B * slip - math.atan(B * slip))))


def printed(road: str) -> tuple[float, float, float, float]:
    """Return the coefficients of a road as they are printed."""
    return PRINTED_ICE if road == 'ice' else ROADS[road]


def stops() -> Outcome:
    """Lock all wheels at 15 m/s."""
    rows, curves = [], []
    for road, curve in ROADS.items():
        simulation, vehicle = started('stops', road=road)
        vehicle.set_brake(1.0)
        times, speeds = speeds_over_time(simulation, vehicle, 15.0, 60.0, 10)
        way, slower = (15.0 ** 2 / (2.0 * magic_formula(each, 1.0) * G)
                       for each in (printed(road), curve))
        rows.append(Row(road, 'stopping distance from 15 m/s [m]', way, slower, vehicle.pose.x))
        last = 15.0 / (magic_formula(curve, 1.0) * G)
        curves += [Curve(road, times, speeds), Curve(road, [0.0, last], [15.0, 0.0], True)]
    return Outcome(rows, [Panel('Stops with locked wheels', 'time [s]', 'speed [m/s]', curves)])


def peak_slip(curve: tuple[float, float, float, float]) -> float:
    """Return the slip at which the formula is largest."""
    slips = np.linspace(0.0, 1.0, 10001)
    return float(slips[np.argmax([magic_formula(curve, slip) for slip in slips])])


def traction() -> Outcome:
    """Brake harder and harder from 20 m/s, until the wheels lock."""
    rows, curves = [], []
    for road, curve in ROADS.items():
        simulation, vehicle = started('traction', road=road)
        full = vehicle.wheels['normal_load'][0] * 0.3302 * curve[2] / 20000.0
        slips: list[float] = []
        forces: list[float] = []
        while (not slips or slips[-1] < 0.98) and simulation.time < 5.0:
            vehicle.set_brake(min(1.1, 0.2 + simulation.time) * full)
            simulation.step(1)
            wheel = vehicle.wheels[0]
            slips.append(1.0 - float(wheel['omega'] * wheel['radius'] / wheel['velocity_x']))
            forces.append(-float(wheel['force_long'] / wheel['normal_load']))
        rows += [
            Row(road, 'largest force over load', printed(road)[2], curve[2], max(forces)),
            Row(road, 'slip at the largest force', peak_slip(printed(road)), peak_slip(curve),
                slips[int(np.argmax(forces))])]
        grid = np.linspace(0.0, 1.0, 101).tolist()
        curves += [Curve(road, slips[::8], forces[::8]),
                   Curve(road, grid, [magic_formula(curve, slip) for slip in grid], True)]
    return Outcome(rows, [Panel('A growing brake', 'slip', 'force / load', curves)])


def side_forces() -> Outcome:
    """Let a rolling vehicle slide sideways."""
    rows, curves = [], []
    for road in ('dry', 'ice'):
        most = ROADS[road][2]
        angles, forces = [], []
        for degrees in (1.0, 2.0, 4.0, 7.0, 10.0, 15.0):
            simulation, vehicle = started(
                'side_forces', road=road, aside=10.0 * math.tan(math.radians(degrees)))
            simulation.run(0.01)
            ahead, aside, _ = vehicle.twist_body
            wheel = vehicle.wheels[0]
            angles.append(math.atan2(aside, ahead))
            forces.append(-float(wheel['force_lat'] / wheel['normal_load']))
            if degrees in (2.0, 4.0, 10.0):
                rows.append(Row(
                    f'{road}, {degrees:g} deg', 'side force over load', 0.0,
                    most * (1.0 - math.exp(-angles[-1] / CROLLA)), forces[-1]))
        grid = np.linspace(0.0, 15.0, 61)
        curves += [Curve(road, np.degrees(angles).tolist(), forces),
                   Curve(road, grid.tolist(), (
                       most * (1.0 - np.exp(-np.radians(grid) / CROLLA))).tolist(), True)]
    return Outcome(rows, [Panel(
        'Side force of rolling wheels', 'slip angle [deg]', 'force / load', curves)])


def falls(mass: float, pulls: bool) -> tuple[list[float], list[float]]:
    """
    Return times [s] and deflections [m] of a tyre whose ground sinks by 30 mm within 30 ms.

    :param pulls: as it is printed, `k delta - c v` without a bound: the tyre holds on.
    """
    def rates(state: Array) -> tuple[float, float, float]:
        time, rise, rate = state.tolist()
        ground = -min(max(time - 0.1, 0.0), 0.03)
        load = STIFFNESS * (ground - rise) + DAMPING * (-1.0 * (0.1 < time < 0.13) - rate)
        return 1.0, rate, (load if pulls else max(load, 0.0)) / mass - G

    times = [1e-4 * k for k in range(1, 12001)]
    states = integrate(rates, (0.0, -mass * G / STIFFNESS, 0.0), times)
    return times, (-np.clip(states[:, 0] - 0.1, 0.0, 0.03) - states[:, 1]).tolist()


def bounce() -> Outcome:
    """Let the ground sink below a vehicle."""
    simulation, vehicle = started('bounce')
    mass = 0.25 * mass_of(vehicle)
    times, rises = [], []
    while simulation.time < 1.2:
        simulation.step(1)
        times.append(simulation.time)
        rises.append(1e3 * vehicle.pose.z)
    simulation.run(10.0)
    deepest, when = [], []
    for pulls in (True, False):
        moments, ways = falls(mass, pulls)
        lowest = int(np.argmax(ways))
        deepest.append(1e3 * ways[lowest])
        when.append(moments[lowest])
    lowest = int(np.argmin(rises))
    rest = 1e3 * mass * G / STIFFNESS
    rows = [Row('at rest', 'deflection [mm]', rest, rest, -30.0 - 1e3 * vehicle.pose.z),
            Row('ground sinks', 'largest deflection [mm]', deepest[0], deepest[1],
                -30.0 - rises[lowest]),
            Row('ground sinks', 'time of the largest deflection [s]', when[0], when[1],
                times[lowest])]
    exact = [-1e3 * (way + min(max(time - 0.1, 0.0), 0.03))
             for time, way in zip(moments, ways, strict=True)]
    return Outcome(rows, [Panel('The ground sinks by 30 mm', 'time [s]', 'height [mm]', [
        Curve('70 kN/m', times[::20], rises[::20]),
        Curve('70 kN/m', moments[::20], exact[::20], True)])])


EXPERIMENTS = (
    Experiment('stops', 'Stops on dry and wet road, snow and ice', MAVS, 0.01, stops, ICE),
    Experiment('traction', 'The curve of the Magic Formula on four roads', MAVS, 0.05, traction,
               ICE),
    Experiment('side_forces', "Side forces by Crolla's curve", MAVS, 0.01, side_forces,
               'the lateral limit is the lateral force itself; with the longitudinal force '
               'instead, a coasting vehicle has no side force. The limit must be D of the road'),
    Experiment('bounce', 'Tyres as springs and dampers', MAVS, 0.01, bounce,
               'the load becomes negative, but a tyre that lifts off must not pull'))
