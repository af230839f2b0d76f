# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The record of an experiment, its table, its world, its figure and its report."""

from collections.abc import Callable, Sequence
import csv
from dataclasses import dataclass
import math
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mvsim_ros2.base.files import replaced
from mvsim_ros2.base.package_files import world_path
from mvsim_ros2.errors import RecordingError
from mvsim_ros2.frames import Array
from mvsim_ros2.pictures.figures import COLOURS, legend, new_figure, panel
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.simulation.handles import VehicleHandle
from mvsim_ros2.world.file.load import load_world

G = 9.81  # m/s^2
MVSIM = "MVSim's page on physics models"
MANUAL = "MVSim's manual of 2022"
MAVS = 'MAVS, vehicle-terrain interaction'
ROBOT = 'simulator of an agricultural robot, dynamic single track'


class Row(NamedTuple):
    """One number: as it is printed, as it must be, as it comes out here."""

    case: str
    quantity: str  # with its unit
    printed: float  # what the document gives, taken literally; nan where it says nothing
    expected: float  # the same with its errors in print resolved
    ours: float

    @property
    def difference(self) -> float:
        """Return the deviation from what is expected, relative to it."""
        return self.ours / self.expected - 1.0


class Curve(NamedTuple):
    """A line, or points, of a figure."""

    label: str  # curves of the same label have the same colour
    x: list[float]
    y: list[float]
    is_expected: bool = False  # drawn as a line below the points of what was run


class Panel(NamedTuple):
    """One plot of a figure."""

    title: str
    x: str
    y: str
    curves: list[Curve]


class Outcome(NamedTuple):
    """The results of an experiment."""

    rows: list[Row]
    panels: list[Panel]


@dataclass(frozen=True)
class Experiment:
    """An experiment: its world is `worlds/experiments/NAME.world.xml`."""

    name: str
    title: str
    document: str
    bound: float  # largest deviation of a row, relative
    run: Callable[[], Outcome]
    errors: str = ''  # what is wrong in print, and how it is read


def started(name: str, **variables: float | str) -> tuple[Simulation, VehicleHandle]:
    """Return a simulation of the world of an experiment, and its vehicle."""
    texts = {key: value if isinstance(value, str) else f'{value:.12g}'
             for key, value in variables.items()}
    simulation = Simulation(
        load_world(world_path(f'experiments/{name}'), texts, strict=True), sensors=False)
    return simulation, next(iter(simulation.vehicles.values()))


def mass_of(vehicle: VehicleHandle) -> float:
    """Return the mass of a vehicle with its wheels [kg]."""
    dynamics = vehicle.spec.dynamics
    return dynamics.chassis.mass + sum(wheel.mass for wheel in dynamics.wheels)


def rolling_mass(vehicle: VehicleHandle) -> float:
    """Return the mass that a force along moves: with I / R^2 of its rolling wheels [kg]."""
    return mass_of(vehicle) + sum(
        wheel.spin_inertia / wheel.radius ** 2 for wheel in vehicle.spec.dynamics.wheels)


def speed_of(vehicle: VehicleHandle) -> float:
    """Return the speed along the ground [m/s]."""
    ahead, aside, _ = vehicle.twist_body
    return math.hypot(ahead, aside)


def speeds_over_time(simulation: Simulation, vehicle: VehicleHandle, first: float, seconds: float,
                     every: int) -> tuple[list[float], list[float]]:
    """
    Run until a vehicle that moved stands, or for some time; return times [s] and speeds [m/s].

    :param first: speed at the start [m/s].
    """
    times, speeds = [0.0], [first]
    while simulation.time < seconds and (speeds[-1] > 1e-3 or first == 0.0):
        simulation.step(every)
        times.append(simulation.time)
        speeds.append(speed_of(vehicle))
    return times, speeds


def integrate(rates: Callable[[Array], Sequence[float]], start: Sequence[float],
              times: Sequence[float], step: float = 2e-4) -> Array:
    """
    Return the states at some times [s], shape (n, len(start)), by the method of Runge and Kutta.

    :param start: state at the time 0.
    :param step: the longest [s].
    """
    def rate(state: Array) -> Array:
        return np.array(rates(state))

    state, time, states = np.array(start, float), 0.0, []
    for moment in times:
        while time < moment - 1e-9:
            h = min(step, moment - time)
            a = rate(state)
            b = rate(state + 0.5 * h * a)
            c = rate(state + 0.5 * h * b)
            state = state + h / 6.0 * (a + 2.0 * b + 2.0 * c + rate(state + h * c))
            time += h
        states.append(state)
    return np.array(states)


COLUMNS = ('case', 'quantity', 'printed', 'expected', 'ours', 'difference [%]')
MOST_POINTS = 60  # of a curve that was run
SIZE = 7.0, 3.0  # of a panel with its legend [inches]
GREY = '0.35'


def cells(row: Row) -> list[str]:
    """Return the texts of a row, in the order of `COLUMNS`."""
    return [row.case, row.quantity, *(f'{each:.4g}' for each in (
        row.printed, row.expected, row.ours)), f'{100.0 * row.difference:+.2f}']


def save_table(outcome: Outcome, path: Path) -> None:
    """Write the table as CSV; raise `RecordingError` where it cannot be written."""
    try:
        with replaced(path) as new, new.open('w', newline='', encoding='utf-8') as file:
            writer = csv.writer(file, lineterminator='\n')
            writer.writerow(COLUMNS)
            writer.writerows(map(cells, outcome.rows))
    except OSError as error:
        raise RecordingError(f'{path}: the table cannot be written: {error}') from error


def experiment_figure(experiment: Experiment, outcome: Outcome) -> Any:
    """Return a figure: points for what was run, lines for what is expected."""
    only = len(outcome.panels) == 1
    figure, axes = new_figure(1, len(outcome.panels), '' if only else experiment.title, SIZE)
    for each, one in zip(outcome.panels, axes[0], strict=True):
        panel(one, experiment.title if only else each.title, each.x, each.y)
        labels = list(dict.fromkeys(curve.label for curve in each.curves))
        for curve in each.curves:
            colour = COLOURS[labels.index(curve.label) % len(COLOURS)]
            if curve.is_expected:
                one.plot(curve.x, curve.y, color=colour, linewidth=1.2)
            else:
                every = -(-len(curve.x) // MOST_POINTS)
                one.plot(curve.x[::every], curve.y[::every], '.', color=colour, markersize=5.0)
        kinds = [one.plot([], [], '-' if expected else '.', color=GREY,
                          label='expected' if expected else 'run')[0]
                 for expected in sorted({curve.is_expected for curve in each.curves})]
        names = [one.plot([], [], 's', color=COLOURS[k % len(COLOURS)], label=label)[0]
                 for k, label in enumerate(labels)]
        legend(one, handles=[*kinds, *names], loc='upper left', bbox_to_anchor=(1.0, 1.0))
    return figure
