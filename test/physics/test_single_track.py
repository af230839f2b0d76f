# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Single-track dynamics against the reference, its closed forms, and at low speed."""

from collections.abc import Callable
from itertools import groupby
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
from oracles import single_track
from oracles.single_track import Axle, Blend, Drive, SingleTrack, State
import pytest
from scipy.integrate import solve_ivp

from mvsim_ros2.physics.tyres.bakker import PRESETS

Table = Callable[[str], list[dict[str, Any]]]
Cases = dict[str, dict[str, Any]]
TYRES = {
    'bakker87': PRESETS['bakker87'], 'agri_raw_N': PRESETS['document'],
    'agri_kN': PRESETS['document']._replace(unit=1e-3), 'agri_kN_E1': PRESETS['document_kN']}
ROBOT = SingleTrack(500.0, 500.0, Axle(0.6, 55000.0), Axle(0.7, 55000.0))
PRINTED = ROBOT._replace(resolved=False)
REST = State(0.0, 0.0, 0.0, 0.0, 0.0)
LITERAL = Blend(below=0.01, above=0.02)  # dynamic at all speeds of the tables


@pytest.fixture(scope='module')
def cases(shared: Path) -> Cases:
    """Return the parameters of the cases."""
    found: Cases = json.loads((shared / 'golden/models/bicycle_cases.json').read_text())
    return found


def the_car(case: dict[str, Any]) -> SingleTrack:
    """Return the vehicle of a case: each axle one tyre, and the equations as printed."""
    def axle(distance: float) -> Axle:
        if case['tyre'] == 'linear':
            return Axle(distance, case['C'])
        return Axle(distance, 0.0, TYRES[case['tyre']], 1)
    return SingleTrack(case['M'], case['Iz'], axle(case['LF']), axle(case['LR']), 9.81, False)


def the_drive(case: dict[str, Any]) -> Drive:
    """Return speed, steering and slope of a case."""
    return Drive(
        case['V'], case['deltaF'], case['deltaR'], math.radians(case['slope_deg']))


def test_static_loads_of_the_axles(cases: Cases) -> None:
    for case in cases.values():
        assert single_track.loads(the_car(case), 0.1) == pytest.approx(
            (case['FzF'], case['FzR']), rel=1e-12)


def test_truth_of_the_differential_equations(table: Table, cases: Cases) -> None:
    """Every case that stays on the road, integrated by scipy: 1e-6, forces to their stiffness."""
    compared = 0
    for name, rows in groupby(table('bicycle_ode.csv'), lambda row: row['case']):
        car, drive = the_car(cases[name]), the_drive(cases[name])
        known = list(rows)
        done = solve_ivp(
            lambda _, y, car=car, drive=drive: single_track.derivative(car, State(*y), drive),
            (0.0, known[-1]['t']), REST, method='DOP853', rtol=1e-11, atol=1e-12,
            t_eval=[row['t'] for row in known])
        for row, y in zip(known, done.y.T, strict=True):
            state = State(*map(float, y))
            assert state == pytest.approx(
                [row[key] for key in ('x_cog', 'y_cog', 'theta', 'r', 'beta')],
                rel=1e-6, abs=1e-6)
            assert single_track.forces(car, state, drive) == pytest.approx(
                (row['F_front'], row['F_rear']), rel=1e-6, abs=1e-6 * 55000)
            compared += 1
    assert compared == 2193


def test_steady_states_and_decay_of_the_linear_vehicle(table: Table) -> None:
    """Steady states and eigenvalues of the small angles; the longest explicit step by them."""
    rows = table('bicycle_linear_steady.csv')
    assert len(rows) == 24
    for row in rows:
        small = 1e-4  # so that the angles are small
        drive = Drive(row['V'], small * row['deltaF'], small * row['deltaR'],
                      math.asin(small * math.sin(row['slope_rad'])))

        def rate(y: Any, drive: Drive = drive) -> Any:
            return np.array(single_track.derivative(PRINTED, State(0, 0, 0, *y), drive)[3:])
        jacobian = np.column_stack([
            (rate(step) - rate(-step)) / 2e-6 for step in np.eye(2) * 1e-6])
        steady = -np.linalg.solve(jacobian, rate(np.zeros(2))) / small
        assert steady == pytest.approx((row['r_ss'], row['beta_ss']), rel=1e-6, abs=1e-9)
        assert steady[0] == pytest.approx(row['r_ss_closed_form'], rel=1e-6, abs=1e-9)
        decay = sorted(np.linalg.eigvals(jacobian), key=lambda value: value.real)
        assert [part for value in decay for part in (value.real, value.imag)] == pytest.approx(
            [row[key] for key in ('ev1_re', 'ev1_im', 'ev2_re', 'ev2_im')], rel=1e-6)
        assert -2.0 / decay[0].real == pytest.approx(row['max_stable_euler_dt'], rel=1e-6)
        assert single_track.largest_rate(PRINTED, LITERAL, drive) >= -decay[0].real


def test_circle_and_slope_by_closed_forms(shared: Path) -> None:
    """A7, A8, A15."""
    forms = json.loads((shared / 'golden/models/analytic.json').read_text())
    for circle in forms['A7_kinematic_circle']:
        long = SingleTrack(1.0, 1.0, Axle(circle['l'], 1.0), Axle(0.0, 1.0))
        yaw_rate, side_slip = single_track.kinematic(long, Drive(1.0, circle['delta']))
        assert 1.0 / yaw_rate == pytest.approx(circle['R_rear'], rel=1e-12)
        assert side_slip == 0.0  # the rear axle goes where it points
    for circle in forms['A8_linear_bicycle_circle']:
        small = 1e-3
        state = REST
        for _ in range(100):
            state = single_track.advance(
                PRINTED, LITERAL, state, Drive(circle['V'], small * circle['delta']), 0.05)
        assert small * circle['V'] / state.yaw_rate == pytest.approx(circle['R'], rel=1e-5)
    slope = forms['A15_side_slope_bicycle']
    state = REST
    for _ in range(100):
        state = single_track.advance(
            PRINTED, LITERAL, state, Drive(slope['V'], slope=math.radians(slope['a_deg'])), 0.05)
    assert state.yaw_rate == pytest.approx(slope['r'], rel=1e-3)
