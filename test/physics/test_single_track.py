# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Single-track dynamics against the reference, its closed forms, and at low speed."""

from collections.abc import Callable
from itertools import groupby
import json
import math
from pathlib import Path
from typing import Any

from hypothesis import given, strategies as st
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
TYRED = SingleTrack(500.0, 500.0, Axle(0.6), Axle(0.7))
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


def test_steps_in_the_order_of_the_document(table: Table, cases: Cases) -> None:
    """All cases, those that swing for ever included: 1e-9."""
    compared = 0
    for name, rows in groupby(table('bicycle_euler_doc.csv'), lambda row: row['case']):
        car, drive = the_car(cases[name]), the_drive(cases[name])
        state, front, rear, steps = REST, 0.0, 0.0, 0
        for row in rows:
            while steps < round(row['t'] / 0.01):
                before = state.side_slip
                state, front, rear = single_track.document_step(
                    car, state, front, rear, drive, 0.01)
                steps += 1
            listed = drive._replace(
                speed=drive.speed / math.cos(before) * math.cos(state.side_slip))
            found = (*state[2:], *single_track.slips(car, state, listed), front, rear)
            assert found == pytest.approx(
                [row[key] for key in ('theta', 'r', 'beta', 'beta_F', 'beta_R', 'F_front',
                                      'F_rear')], rel=1e-9, abs=1e-9)
            compared += 1
    assert compared == 1650


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


def test_the_order_of_the_document_diverges_when_slow() -> None:
    """G4: with 10 ms wrong at 1.1 m/s, right at 1.2; `advance` is right at both."""
    for speed, right in ((1.1, False), (1.2, True)):
        drive = Drive(speed, 0.05)
        state, front, rear = REST, 0.0, 0.0
        for _ in range(2000):
            state, front, rear = single_track.document_step(
                PRINTED, state, front, rear, drive, 0.01)
        truth = REST
        for _ in range(2000):
            truth = single_track.advance(PRINTED, LITERAL, truth, drive, 0.01)
        curvature = math.tan(0.05) / 1.3
        assert truth.yaw_rate == pytest.approx(speed * curvature, rel=5e-3)
        assert (state.yaw_rate == pytest.approx(truth.yaw_rate, rel=1e-3)) is right


@pytest.mark.parametrize('car', [
    pytest.param(ROBOT, id='linear'), pytest.param(TYRED, id='bakker')])
def test_results_do_not_depend_on_the_step(car: SingleTrack) -> None:
    """Four seconds from standstill through the blend and into a bend: 1 to 20 ms."""
    ends = []
    for dt in (0.001, 0.005, 0.01, 0.02):
        state = REST
        for step in range(round(4.0 / dt)):
            time = step * dt
            state = single_track.advance(car, Blend(), state, Drive(time, 0.1, -0.05, 0.05), dt)
        ends.append(state)
    assert all(end == pytest.approx(ends[0], rel=0.02, abs=0.02) for end in ends)


def test_starts_stops_and_reverses() -> None:
    """At rest nothing moves, whatever the steering; slow, it rolls where the axles point."""
    steer = Drive(0.0, 0.3, -0.1, 0.2)
    state = State(1.0, 2.0, 0.5, 0.0, 0.0)
    for _ in range(1000):
        state = single_track.advance(ROBOT, Blend(), state, steer, 0.02)
    assert state[:4] == (1.0, 2.0, 0.5, 0.0)
    for speed in (0.3, -0.3):
        drive = steer._replace(speed=speed)
        for _ in range(500):
            state = single_track.advance(ROBOT, Blend(), state, drive, 0.02)
        assert state[3:] == pytest.approx(single_track.kinematic(ROBOT, drive), abs=1e-9)
    turning = State(0.0, 0.0, 0.0, 0.4, 0.0)
    for _ in range(100):
        turning = single_track.advance(ROBOT, Blend(), turning, Drive(0.0), 0.02)
    assert turning.yaw_rate == pytest.approx(0.0, abs=1e-12)


speeds = st.floats(-15, 15)
angles = st.floats(-0.6, 0.6)


@given(speeds, angles, angles, st.floats(-0.5, 0.5), st.floats(-2, 2), st.floats(-1, 1),
       st.sampled_from([ROBOT, TYRED]))
def test_left_and_right_mirror(
        speed: float, front: float, rear: float, slope: float, yaw_rate: float,
        side_slip: float, car: SingleTrack) -> None:
    rate = single_track.blended_derivative(
        car, Blend(), State(0, 0, 0, yaw_rate, side_slip), Drive(speed, front, rear, slope))
    mirrored = single_track.blended_derivative(
        car, Blend(), State(0, 0, 0, -yaw_rate, -side_slip),
        Drive(speed, -front, -rear, -slope))
    assert all(math.isfinite(part) for part in rate)
    assert mirrored == pytest.approx(
        (rate.x, -rate.y, -rate.heading, -rate.yaw_rate, -rate.side_slip), abs=1e-9)


@given(speeds, angles, angles, st.floats(-0.5, 0.5), st.floats(-2, 2), st.floats(-1, 1))
def test_backward_is_forward_with_the_axles_exchanged(
        speed: float, front: float, rear: float, slope: float, yaw_rate: float,
        side_slip: float) -> None:
    state = State(0, 0, 0, yaw_rate, side_slip)
    rate = single_track.blended_derivative(
        TYRED, Blend(), state, Drive(speed, front, rear, slope))
    turned = single_track.blended_derivative(
        TYRED._replace(front=TYRED.rear, rear=TYRED.front), Blend(), state,
        Drive(-speed, rear, front, -slope))
    assert turned == pytest.approx(
        (-rate.x, -rate.y, rate.heading, rate.yaw_rate, rate.side_slip), abs=1e-9)


@given(st.lists(st.tuples(speeds, angles, angles, st.floats(-0.5, 0.5)), min_size=1,
                max_size=20), st.floats(1e-4, 0.02), st.sampled_from([ROBOT, TYRED]))
def test_stays_finite(
        drives: list[tuple[float, float, float, float]], dt: float, car: SingleTrack) -> None:
    state = REST
    for drive in drives:
        for _ in range(5):
            state = single_track.advance(car, Blend(), state, Drive(*drive), dt)
    assert all(math.isfinite(part) for part in state)


def test_side_forces_take_energy_out_of_the_motion() -> None:
    """Coasting: the velocity across and the yaw rate of a straight car die out."""
    for car in (ROBOT, TYRED):
        state = State(0.0, 0.0, 0.0, 1.0, 0.2)
        energy = math.inf
        for _ in range(200):
            now = 0.5 * 500.0 * ((3.0 * math.tan(state.side_slip))**2 + state.yaw_rate**2)
            assert now <= energy
            energy = now
            state = single_track.advance(car, Blend(), state, Drive(3.0), 0.02)
        assert energy < 1e-6


def test_the_slope_of_print_and_of_physics() -> None:
    """G2: the resolved reading takes the cosine of slope and side slip in."""
    drive = Drive(3.0, slope=0.3)
    state = REST._replace(side_slip=0.2)
    resolved, printed = TYRED, TYRED._replace(resolved=False)
    assert sum(single_track.loads(printed, 0.3)) == pytest.approx(500.0 * 9.81)
    assert sum(single_track.loads(resolved, 0.3)) == pytest.approx(500.0 * 9.81 * math.cos(0.3))
    free = Axle(0.6, 1e-9), Axle(0.7, 1e-9)
    pull = [single_track.derivative(car._replace(front=free[0], rear=free[1]), state, drive)
            .side_slip for car in (resolved, printed)]
    assert pull[0] == pytest.approx(pull[1] * math.cos(0.2), rel=1e-9)
