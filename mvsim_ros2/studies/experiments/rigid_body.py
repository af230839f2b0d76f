# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
A vehicle as a rigid body: a jump, a somersault, turning over an axle and a side, a landing.

Expected values are Runge-Kutta solutions of Newton's and Euler's equations in the plane of the
motion. They are for wheels without mass, and for a quarter of a car on its suspension.
"""

from collections.abc import Callable
import math

import numpy as np

from mvsim_ros2.frames import Array
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.simulation.handles import VehicleHandle
from mvsim_ros2.studies.experiments.experiment import (
    Curve, Experiment, G, integrate, mass_of, Outcome, Panel, Row, started)

NEWTON = 'equations of motion of a rigid body'
GILLESPIE = 'T. D. Gillespie, Fundamentals of Vehicle Dynamics'
EVERY = 10  # steps of 1 ms from one row to the next
SPRING, DAMPER, TYRE, TYRE_DAMPER = 4e4, 3e3, 2e5, 300.0  # of a wheel that lands: N/m, N s/m
FALL = 0.3  # m

Rates = Callable[[Array], tuple[float, ...]]


def inertia_of(vehicle: VehicleHandle, axis: int) -> float:
    """Return the moment of inertia of the box of a chassis about x or y [kg m^2]."""
    chassis = vehicle.spec.dynamics.chassis
    sides = [point[1 - axis] for point in chassis.shape]
    wide, high = max(sides) - min(sides), chassis.zmax - chassis.zmin
    return chassis.mass * (wide * wide + high * high) / 12.0


def record(simulation: Simulation, seconds: float, row: Callable[[], tuple[float, ...]],
           ) -> tuple[list[float], Array]:
    """Run; return times from now on [s], and the states at these times."""
    times, rows = [0.0], [row()]
    while times[-1] < seconds - 1e-9:
        simulation.step(EVERY)
        times.append(round(times[-1] + EVERY * 1e-3, 6))
        rows.append(row())
    return times, np.array(rows)


def compared(case: str, quantity: str, times: list[float], exact: Array, found: Array,
             rows: tuple[int, ...]) -> tuple[list[Row], list[Curve]]:
    """Return rows at some of the times, and the curves of a quantity over time."""
    return ([Row(case, quantity.format(times[k]), float(exact[k]), float(exact[k]),
                 float(found[k])) for k in rows],
            [Curve(case, times[::2], found[::2].tolist()),
             Curve(case, times, exact.tolist(), True)])


def jump() -> Outcome:
    """Drive off the end of a ramp of 11 degrees, and fly."""
    rows, curves = [], []
    for speed in (10.0, 12.0):
        simulation, vehicle = started('jump', speed=speed)

        def centre(vehicle: VehicleHandle = vehicle) -> tuple[float, float]:
            pose = vehicle.pose
            return pose.x + 0.8 * math.sin(pose.pitch), pose.z + 0.8 * math.cos(pose.pitch)
        while vehicle.pose.x < 9.0 or vehicle.wheels['normal_load'].any():
            simulation.step()
        times, places = record(simulation, 0.3, centre)
        time = np.array(times)
        rise = (places[1] - places[0]) / time[1] + (0.0, 0.5 * G * time[1])
        exact = places[0] + np.outer(time, rise) - np.outer(time ** 2, (0.0, 0.5 * G))
        case = f'{speed:g} m/s'
        for k in (15, 30):
            rows += [Row(case, f'{name} after {times[k]:g} s [m]', float(way), float(way),
                         float(ours)) for name, way, ours in zip(
                             ('distance', 'rise'), exact[k] - exact[0], places[k] - places[0],
                             strict=True)]
        curves += [Curve(case, places[::2, 0].tolist(), places[::2, 1].tolist()),
                   Curve(case, exact[:, 0].tolist(), exact[:, 1].tolist(), True)]
    return Outcome(rows, [Panel('Off a ramp', 'x [m]', 'height of the centre of mass [m]',
                                curves)])


def turning(mass: float, inertia: float, lever: float, up: float, radius: float,
            force: float = 0.0, friction: float = 0.0) -> Rates:
    """
    Return the rates of the angle q and the turn of a body over a contact that pushes it back.

    ``I q'' = F z - N s`` and ``N = m (g + s q'' - c q'^2)``, the centre of mass s before the
    contact, z over the ground and c over the hub; F is a force or friction, ``mu N``.

    :param lever: s at rest [m]; up, c at rest; radius, of a wheel, or 0 if it leans over as well.
    """
    def rates(state: Array) -> tuple[float, ...]:
        angle, turn = state
        across = lever * math.cos(angle) - up * math.sin(angle)
        above = lever * math.sin(angle) + up * math.cos(angle)
        arm = friction * (radius + above) - across
        weight = mass * (G - above * turn * turn)
        return turn, (force * (radius + above) + arm * weight) / (
            inertia - mass * across * arm)
    return rates


def endo() -> Outcome:
    """Brake the front wheels with 1.15 of what lifts the rear ones."""
    simulation, vehicle = started('endo')
    mass = mass_of(vehicle)
    force = 1.15 * mass * G * 1.2 / 1.1
    vehicle.set_torques(-0.3 * force)
    times, found = record(simulation, 0.8, lambda: (vehicle.pose.pitch,))
    exact = integrate(turning(mass, inertia_of(vehicle, 1), 1.2, 0.8, 0.3, force), (0.0, 0.0),
                      times)
    rows, curves = compared('front brakes', 'pitch after {:g} s [rad]', times, exact[:, 0],
                            found[:, 0], (40, 60, 80))
    return Outcome(rows, [Panel('Over the front axle', 'time [s]', 'pitch [rad]', curves)])


def rollover() -> Outcome:
    """Slide sideways on roads that hold the wheels so much that the car turns over them."""
    found: tuple[list[Row], list[Curve]] = [], []
    for friction in (0.85, 0.9):
        simulation, vehicle = started('rollover', mu=friction)

        def roll(vehicle: VehicleHandle = vehicle) -> tuple[float]:
            return (abs(vehicle.pose.roll),)
        times, rolls = record(simulation, 0.4, roll)
        exact = integrate(turning(
            mass_of(vehicle), inertia_of(vehicle, 0), 0.8, 1.0, 0.0, friction=friction),
            (0.0, 0.0), times)
        rows, curves = compared(f'mu {friction:g}', 'roll after {:g} s [rad]', times, exact[:, 0],
                                rolls[:, 0], (20, 30, 40))
        found[0].extend(rows)
        found[1].extend(curves)
    return Outcome(found[0], [Panel('Tripped by its wheels', 'time [s]', 'roll [rad]', found[1])])


def somersault() -> Outcome:
    """Roll off a table of 0.8 m: over the rear wheels until they are off, then freely."""
    found: tuple[list[Row], list[Curve]] = [], []
    for speed in (1.2, 1.5):
        simulation, vehicle = started('somersault', speed=speed)
        simulation.run(0.45 / speed)  # the front wheels are at the edge
        about_hub = turning(mass_of(vehicle), inertia_of(vehicle, 1), -0.15, 0.08, 0.06)

        def pitch(vehicle: VehicleHandle = vehicle) -> tuple[float]:
            over = abs(vehicle.pose.roll) > 1.57
            return (math.pi - vehicle.pose.pitch if over else vehicle.pose.pitch,)
        times, pitches = record(simulation, 0.45, pitch)
        fine = [1e-3 * k for k in range(450)]
        exact = integrate(about_hub, (0.0, 0.0), fine)
        off = next(k for k, (angle, _) in enumerate(exact) if speed * fine[k] >= (
            0.15 * (1.0 + math.cos(angle)) + 0.08 * math.sin(angle)))
        angles = np.array([
            exact[round(1e3 * time), 0] if time < fine[off]
            else exact[off, 0] + exact[off, 1] * (time - fine[off]) for time in times])
        rows, curves = compared(f'{speed:g} m/s', 'pitch after {:g} s [rad]', times, angles,
                                pitches[:, 0], (20, 30, 40))
        found[0].extend(rows)
        found[1].extend(curves)
    return Outcome(found[0], [Panel('Off a table', 'time [s]', 'pitch [rad]', found[1])])


def landing() -> Outcome:
    """Let a car fall on its suspensions."""
    simulation, vehicle = started('landing', fall=FALL)
    simulation.run(0.1)
    sprung, unsprung = 250.0, 30.0
    sag = (sprung + unsprung) * G / TYRE

    def rates(state: Array) -> tuple[float, ...]:
        body, wheel, up, hop = state  # heights from those drawn, and how they change
        tyre = max(0.0, -TYRE * wheel - TYRE_DAMPER * hop) if wheel < 0.0 else 0.0
        force = SPRING * (wheel - body) + DAMPER * (hop - up)
        return (up, hop, force / sprung, (tyre - force) / unsprung - (
            (sprung + unsprung) * G / unsprung))
    times, found = record(simulation, 1.5, lambda: (1e3 * vehicle.pose.z,))
    exact = 1e3 * integrate(rates, (FALL - sag, FALL - sag, 0.0, 0.0), times)
    _, curves = compared('0.3 m', '', times, exact[:, 0], found[:, 0], ())
    rows, low = [], int(np.argmin(exact[:, 0]))
    for name, k in (('lowest', low), ('highest later', low + int(np.argmax(exact[low:, 0])))):
        rows.append(Row('0.3 m', f'{name} height of the body [mm]', float(exact[k, 0]),
                        float(exact[k, 0]), float(found[k, 0])))
    return Outcome(rows, [Panel('A fall onto suspensions', 'time [s]', 'height [mm]', curves)])


EXPERIMENTS = (
    Experiment('jump', 'A jump off a ramp', NEWTON, 0.01, jump),
    Experiment('somersault', 'A somersault off a table', NEWTON, 0.02, somersault),
    Experiment('endo', 'Over the front axle', f'{GILLESPIE}, ch. 3; {NEWTON}', 0.02, endo),
    Experiment('rollover', 'Tripped sideways', f'{GILLESPIE}, ch. 9; {NEWTON}', 0.03, rollover),
    Experiment('landing', 'A landing on suspensions', f'{GILLESPIE}, ch. 5', 0.02, landing))
