# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Draw the figures of docs/tyres.md into docs/images.

Needs matplotlib, and the models that tests compare with: `PYTHONPATH=test python
docs/figures/tyres.py`.
"""

import math

import numpy as np
from oracles import single_track, slip, soil
from oracles.single_track import Axle, Drive, State
from places import IMAGES

from mvsim_ros2.physics.physical import wheel_loads
from mvsim_ros2.physics.tyres import bakker, clay, magic_formula, sand
from mvsim_ros2.physics.tyres.clay import Carcass
from mvsim_ros2.pictures import save_figure
from mvsim_ros2.pictures.figures import COLOURS, legend, new_figure, panel

BLUE, ORANGE, GREEN, PURPLE = COLOURS[:4]
PANEL = 4.6, 3.7  # inches
PSI = 6894.757  # Pa
MRZR = Carcass(0.2286, 0.6604, 0.1651)  # tyre of a light off-road vehicle, 26x9-14
LOAD, DEFLECTION = 3137.0, 0.0448  # N, m


def across_dry(angle: float) -> float:
    """Return side force over load of a freely rolling wheel on a dry road, isotropic."""
    along = math.cos(angle)
    slips = slip.vector(along, along, -math.sin(angle), 0.0)
    return slip.isotropic(magic_formula.SURFACES['dry'], 1.0, *slips)[1]


def firm() -> None:
    """Magic Formula on four roads, and drive and side force together."""
    figure, ((left, middle, right),) = new_figure(1, 3, size=PANEL)
    slips = np.linspace(0.0, 1.0, 400)
    for (name, curve), colour in zip(
            magic_formula.SURFACES.items(), (BLUE, GREEN, PURPLE, ORANGE), strict=True):
        forces = [magic_formula.coefficient(curve, s) for s in slips]
        left.plot(slips, forces, color=colour)
        left.plot(slips[np.argmax(forces)], max(forces), 'o', color=colour, markersize=4)
        left.annotate(name, (0.78, forces[312]), (0, 5), textcoords='offset points',
                      color=colour)
    panel(left, 'Magic Formula: four roads', 'slip', 'force / load')
    left.annotate('dots: peaks', (0.98, 0.02), xycoords='axes fraction', ha='right', color='0.4')
    degrees = np.linspace(0.0, 20.0, 300)
    dry = magic_formula.SURFACES['dry']
    middle.plot(degrees, [-soil.crolla(0.09, 1.0, math.radians(a)) for a in degrees],
                color=ORANGE, label='Crolla, gamma 0.09')
    middle.plot(degrees, [across_dry(math.radians(a)) for a in degrees], color=BLUE,
                label='Magic Formula, isotropic')
    middle.plot(degrees, [-bakker.across(bakker.PRESETS['bakker87'], LOAD, math.radians(a)) / LOAD
                          for a in degrees], color=GREEN, label='Bakker 1987 at 3.1 kN')
    panel(middle, 'Side force of a rolling wheel', 'slip angle [deg]', 'force / load')
    legend(middle, loc='lower right')
    turn = np.linspace(0.0, 2.0 * math.pi, 200)
    right.plot(np.cos(turn), np.sin(turn), color='0.6', linestyle='--', linewidth=1.0, zorder=0)
    ratios = np.linspace(-1.0, 1.0, 401)
    for angle, colour in ((2.0, BLUE), (5.0, GREEN), (12.0, ORANGE)):
        along = np.cos(np.radians(angle))
        points = [slip.isotropic(dry, 1.0, *slip.vector(
            along * (1.0 + s if s < 0 else 1.0 / max(1.0 - s, 1e-6)), along,
            -math.sin(math.radians(angle)), 0.0)) for s in ratios]
        right.plot(*zip(*points, strict=True), color=colour, label=f'{angle:g} deg')
    panel(right, 'Braking to driving at a slip angle', 'force along / load',
          'force across / load')
    right.set(aspect='equal', ylim=(-0.85, 1.15), xticks=(-1.0, -0.5, 0.0, 0.5, 1.0))
    legend(right, loc='lower center', title='slip angle')
    save_figure(figure, IMAGES / 'tyres_firm.png')


def readings_of_bakker() -> None:
    """Draw the coefficients of the agricultural robot in every reading, and the published ones."""
    figure, ((left, right),) = new_figure(1, 2, size=PANEL)
    degrees = np.linspace(-20.0, 20.0, 401)
    presets = bakker.PRESETS
    for tyre, label, colour in (
            (presets['bakker87'], 'bakker87: published, kN', BLUE),
            (presets['document'], 'document: printed, N', ORANGE),
            (presets['document']._replace(unit=1e-3), 'printed numbers in kN', PURPLE),
            (presets['document_kN'], 'document_kN: E limited to 1', GREEN)):
        forces = [-bakker.across(tyre, 1320.0, math.radians(a)) for a in degrees]
        left.plot(degrees, forces, color=colour, label=label)
        right.plot(degrees, forces, color=colour)
    panel(left, 'One wheel at 1.32 kN', 'slip angle [deg]', 'force against the slip [N]')
    legend(left, loc='lower right')
    panel(right, 'Near 0: above E = 1 the force turns', 'slip angle [deg]',
          'force against the slip [N]')
    right.set(xlim=(-6, 6), ylim=(-180, 180))
    save_figure(figure, IMAGES / 'tyres_bakker.png')


def soils() -> None:
    """Net traction on clay and sand, and the resistance of sand."""
    figure, ((left, middle, right),) = new_figure(1, 3, size=PANEL)
    slips = np.linspace(-1.0, 1.0, 801)
    for mode, colour in (('mavs', BLUE), ('vti', GREEN)):
        tyre = clay.Clay(MRZR, 0.09, mode == 'vti')
        number = clay.mobility(MRZR, 20.0 * PSI, LOAD, DEFLECTION)
        left.plot(slips, [soil.forces(soil.on_clay(
            tyre, 20.0 * PSI, LOAD, DEFLECTION, s), 0.09, LOAD, 0.0, 1.0)[0] / LOAD
            for s in slips],
            color=colour, label=mode)
        left.plot(slips, [soil.printed(tyre, number, s) for s in slips], color=colour,
                  linestyle=':', label=f'{mode}, logarithm alone')
    panel(left, 'Clay, 20 psi, wheel moving forward', 'slip', 'net force / load')
    legend(left)
    positive = slips[slips >= 0.0]
    for name, colour in (('resolved', BLUE), ('brixius', GREEN), ('original', PURPLE),
                         ('printed', ORANGE)):
        sandy = sand.Sand(MRZR, 0.09, sand.READINGS[name])
        middle.plot(positive, [soil.forces(soil.on_sand(
            sandy, 60.0 * PSI, LOAD, DEFLECTION, s), 0.09, LOAD, 0.0, 1.0)[0] / LOAD
            for s in positive],
            color=colour, label=name)
    panel(middle, 'Sand, 60 psi, wheel moving forward', 'slip', 'net force / load')
    legend(middle)
    numerics = np.linspace(0.0, 1000.0, 400)
    right.plot(numerics, [sand.towed(n, -1.0) for n in numerics], color=BLUE)
    right.plot(numerics, [sand.towed(n, 1.0) for n in numerics], color=ORANGE)
    right.annotate('0.44 - 0.002287 n', (480, 0.25), color=BLUE)
    right.annotate('0.44 + 0.002287 n\n(printed)', (60, 3.6), color=ORANGE)
    panel(right, 'Motion resistance of sand', 'argument n', 'resistance / load')
    save_figure(figure, IMAGES / 'tyres_soil.png')


def motions() -> None:
    """Single track at low speed, and wheel loads of a cornering car."""
    figure, ((left, middle, right),) = new_figure(1, 3, size=PANEL)
    robot = single_track.SingleTrack(500.0, 500.0, Axle(0.6, 55e3), Axle(0.7, 55e3))
    drive, dt = Drive(1.0, 0.1), 0.01
    state, front, rear = State(0.0, 0.0, 0.0, 0.0, 0.0), 0.0, 0.0
    printed: list[float] = []
    literal = robot._replace(resolved=False)
    for _ in range(100):
        state, front, rear = single_track.document_step(literal, state, front, rear, drive, dt)
        printed.append(state.yaw_rate)
    times = dt * np.arange(1, 101)
    left.plot(times, printed, color=ORANGE, linewidth=1.0, label='steps of the document')
    state = State(0.0, 0.0, 0.0, 0.0, 0.0)
    right_rates = []
    for _ in times:
        state = single_track.advance(robot, single_track.Blend(), state, drive, dt)
        right_rates.append(state.yaw_rate)
    left.plot(times, right_rates, color=BLUE, label='advance')
    panel(left, 'Single track at 1 m/s, steps of 10 ms', 'time [s]', 'yaw rate [rad/s]')
    legend(left, loc='lower right')

    muddy = bakker.PRESETS['bakker87']._replace(road=0.3)
    robot = single_track.SingleTrack(
        500.0, 500.0, Axle(0.6, tyre=muddy), Axle(0.7, tyre=muddy))
    times = dt * np.arange(1400)
    speeds = np.interp(times, [0.0, 5.0, 10.0, 14.0], [0.0, 5.0, 0.0, -2.0])
    state, rates, rolling = State(0.0, 0.0, 0.0, 0.0, 0.0), [], []
    for speed in speeds:
        drive = Drive(float(speed), 0.2)
        state = single_track.advance(robot, single_track.Blend(), state, drive, dt)
        rates.append(state.yaw_rate)
        rolling.append(single_track.kinematic(robot, drive)[0])
    middle.plot(times, speeds / 5.0, color='0.6', linewidth=1.0, label='speed [5 m/s]')
    middle.plot(times, rolling, color=GREEN, linestyle='--', label='yaw rate without slip [rad/s]')
    middle.plot(times, rates, color=BLUE, label='yaw rate on mud [rad/s]')
    panel(middle, 'Start, stop and reverse in a bend', 'time [s]', '')
    legend(middle, loc='lower left')

    x, y = np.array([1.2, 1.2, -1.4, -1.4]), np.array([0.75, -0.75, 0.75, -0.75])
    sides = np.linspace(0.0, 16.0, 161)
    shares = np.array([wheel_loads.balanced(x, y, 1200.0, 0.6, 9.81, 0.0, a) for a in sides]) / 1e3
    for wheel, (name, colour) in enumerate((
            ('front left', BLUE), ('front right', ORANGE), ('rear left', GREEN),
            ('rear right', PURPLE))):
        right.plot(sides, shares[:, wheel], color=colour, label=name)
    right.axvline(9.81 * 0.75 / 0.6, color='0.6', linestyle='--', linewidth=1.0)
    right.annotate('rolls over', (9.81 * 0.75 / 0.6, 0.5), (6, 0), textcoords='offset points',
                   color='0.4')
    panel(right, 'Wheel loads of a car that turns left', 'acceleration to the left [m/s²]',
          'normal load [kN]')
    legend(right, loc='upper left')
    save_figure(figure, IMAGES / 'tyres_motion.png')


if __name__ == '__main__':
    for draw in (firm, readings_of_bakker, soils, motions):
        draw()
