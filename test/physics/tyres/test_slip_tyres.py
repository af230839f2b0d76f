# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Forces of slip on firm ground against the reference: linear, Magic Formula, Bakker, Crolla."""

import json
import math

import numpy as np
from oracles import slip
import pytest
from scipy.integrate import solve_ivp

from mvsim_ros2.physics.physical.wheels import project
from mvsim_ros2.physics.tyres import bakker, coulomb, magic_formula
from mvsim_ros2.physics.tyres.combined_slip import crolla_secant, secants
from mvsim_ros2.world.spec import BakkerTyre, MagicFormulaTyre

SURFACES = ('dry', 'wet', 'snow', 'ice')
ICE_AS_PRINTED = magic_formula.SURFACES['ice']._replace(B=10.0)
READINGS = {
    'bakker87_kN': bakker.PRESETS['bakker87'],
    'seed_raw_N': bakker.PRESETS['document'],
    'seed_kN_Eclamp1': bakker.PRESETS['document_kN'],
    'seed_kN': bakker.PRESETS['document']._replace(unit=1e-3),
}


SLIPS = {
    'seed000_ellipse': lambda roll, along: coulomb.slip(along, 0.0, roll)[0],
    'iso_kappa_v0_0.1': lambda roll, along: slip.iso(roll, along, 0.1),
    'recommended_sym_v0_0.1': lambda roll, along: slip.symmetric(roll, along, 0.1),
}


@pytest.mark.parametrize('column', SLIPS)
def test_definitions_of_slip(column, table):
    rows = table('slip_definitions.csv')
    assert len(rows) == 169
    for row in rows:
        assert SLIPS[column](row['r_omega'], row['v']) == pytest.approx(
            row[column], rel=1e-12, abs=1e-15)


def surface_of(row):
    """Return the curve of a row; `ice_doc` is the misprint, made of own coefficients."""
    return magic_formula.SURFACES.get(row['surface'], ICE_AS_PRINTED)


def test_curves_of_surfaces(table):
    """
    The Magic Formula gives the published curves of four roads, to 12 digits.

    :reference: a table of 145 numbers, computed by other code
    :figure: images/tyres_firm.png
    """
    rows = table('pacejka_surface.csv')
    assert len(rows) == 145
    for row in rows:
        assert magic_formula.coefficient(surface_of(row), row['slip']) == pytest.approx(
            row['mu_x'], rel=1e-12, abs=1e-15)


def test_peaks_of_surfaces(table):
    for row in table('pacejka_surface_peaks.csv'):
        curve = surface_of(row)
        assert curve == (row['B'], row['C'], row['D'], row['E'])
        assert magic_formula.secant(curve, 0.0) == pytest.approx(row['slope0_BCD'], rel=1e-12)
        peak = magic_formula.coefficient(curve, row['slip_peak'])
        assert peak == pytest.approx(row['mu_peak'], rel=1e-12)
        assert peak >= magic_formula.coefficient(curve, row['slip_peak'] * 0.99)
        assert peak >= magic_formula.coefficient(curve, row['slip_peak'] * 1.01)
        assert magic_formula.coefficient(curve, 1.0) == pytest.approx(
            row['mu_at_slip1'], rel=1e-12)


def test_own_coefficients_replace_those_of_the_surface():
    assert magic_formula.parameters(MagicFormulaTyre()) == magic_formula.SURFACES['dry']
    found = magic_formula.parameters(MagicFormulaTyre(surface='ice', D=0.2, E=-1.0))
    assert found == (4.0, 2.0, 0.2, -1.0)


@pytest.mark.parametrize('variant', [pytest.param(name, id=name) for name in READINGS])
def test_coefficients_that_follow_the_load(variant, table):
    """The table has the sign of its document, positive force for positive slip."""
    rows = [row for row in table('agri_pacejka.csv') if row['variant'] == variant]
    assert len(rows) == 135
    tyre = READINGS[variant]
    for row in rows:
        B, C, D, E = found = bakker.curve(tyre, row['Fz_N'])
        assert found == pytest.approx([row[name] for name in 'BCDE'], rel=1e-12)
        assert B * C * D == pytest.approx(row['BCD_N_per_deg'], rel=1e-12)
        assert -bakker.across(tyre, row['Fz_N'], math.radians(row['slip_deg'])) == (
            pytest.approx(row['F_N_seed_sign'], rel=1e-12, abs=1e-9))


@pytest.mark.parametrize('spec, expected', [
    pytest.param(BakkerTyre(), bakker.PRESETS['bakker87'], id='default'),
    pytest.param(BakkerTyre(preset='document'), READINGS['seed_raw_N'], id='as printed'),
    pytest.param(BakkerTyre(road_factor=0.5, a8=0.5), bakker.PRESETS['bakker87']._replace(
        road=0.5, a8=0.5), id='soil, own a8'),
])
def test_presets_of_bakker(spec, expected):
    assert bakker.parameters(spec) == expected


def test_the_wheels_of_an_axle_hold_more_than_one_call_for_all():
    """G13: at 2641 N an axle of two wheels holds 2593 N, one tyre with the load 2516 N."""
    tyre, load = bakker.PRESETS['bakker87'], 2641.1538461538466
    angles = [math.radians(degree / 10) for degree in range(1, 300)]
    for wheels, most in ((1, 2516.0), (2, 2593.0)):
        assert max(-wheels * bakker.across(tyre, load / wheels, angle) for angle in angles) == (
            pytest.approx(most, abs=1.0))


def test_the_road_factor_keeps_the_stiffness():
    tyre = bakker.PRESETS['bakker87']
    soil = tyre._replace(road=0.4)
    small = 1e-7  # rad
    assert bakker.across(soil, 1300.0, small) == pytest.approx(
        bakker.across(tyre, 1300.0, small), rel=1e-8)
    assert bakker.curve(soil, 1300.0)[2] == 0.4 * bakker.curve(tyre, 1300.0)[2]
    assert -bakker.across(tyre, 2641.1538461538466, small) / small == pytest.approx(48925, abs=1)


def test_an_overloaded_tyre_keeps_its_largest_force():
    tyre = bakker.PRESETS['bakker87']
    peaks = [bakker.curve(tyre, load)[2] for load in (20e3, 22.9e3, 30e3, 60e3)]
    assert peaks == sorted(peaks) and peaks[-1] == peaks[-2]


def test_side_force_of_crolla(table):
    rows = table('crolla.csv')
    assert len(rows) == 39
    for row in rows:
        sine = math.sin(abs(row['alpha_rad']))
        assert sine * crolla_secant(row['gamma'], 100.0, sine) == pytest.approx(
            100.0 * abs(row['factor']), rel=1e-12, abs=1e-15)


def test_the_linear_tyre_is_linear_up_to_the_limit():
    stiffness = np.array([1000.0, 2000.0])
    for ratio, expected in (
            (0.1, (100.0, 200.0)), (0.4, (500.0 / math.sqrt(5.0), 1000.0 / math.sqrt(5.0)))):
        aside = math.sin(ratio)
        along, across = secants(stiffness, 0.5, 1000.0, ratio, aside, 500.0)
        assert (along * ratio, across * aside) == pytest.approx(expected)


@pytest.mark.parametrize('force, limits, expected', [
    pytest.param((300.0, -400.0), (1000.0, 500.0), (300.0, -400.0), id='within'),
    pytest.param((800.0, 800.0), (1000.0, 500.0),
                 (800.0 / math.hypot(0.8, 1.6), 800.0 / math.hypot(0.8, 1.6)), id='beyond'),
    pytest.param((800.0, 800.0), (0.0, 500.0), (0.0, 500.0), id='no drive'),
    pytest.param((800.0, 800.0), (0.0, 0.0), (0.0, 0.0), id='no load'),
])
def test_the_friction_ellipse(force, limits, expected):
    assert project(*force, *limits) == pytest.approx(expected)


@pytest.mark.parametrize('surface', [pytest.param(name, id=name) for name in SURFACES])
def test_a_wheel_that_drives_and_brakes_a_quarter_of_a_car(surface, table):
    """The reference solution of spin and speed, with this slip and this curve: 1e-6."""
    rows = [row for row in table('single_wheel_ode.csv') if row['surface'] == surface]
    assert len(rows) == 81
    mass, radius, inertia, curve = 300.0, 0.3, 1.0, magic_formula.SURFACES[surface]

    def rate(torque, state):
        speed, spin, _ = state
        force = mass * 9.81 * magic_formula.coefficient(
            curve, slip.symmetric(spin * radius, speed, 0.1))
        return [force / mass, (torque - radius * force) / inertia, speed]

    state = [rows[0]['v'], rows[0]['omega'], rows[0]['x']]
    for second, torque in enumerate((600.0, 1200.0, -700.0, 0.0)):
        span = [row for row in rows if second - 1e-9 <= row['t'] <= second + 1 + 1e-9]
        done = solve_ivp(
            lambda _, y, torque=torque: rate(torque, y), (second, second + 1), state,
            method='Radau', rtol=1e-10, atol=1e-11, t_eval=[
                min(row['t'], second + 1) for row in span])
        for row, (speed, spin, way) in zip(span, done.y.T, strict=True):
            assert (speed, spin, way) == pytest.approx(
                (row['v'], row['omega'], row['x']), rel=1e-6, abs=1e-6)
            assert slip.symmetric(spin * radius, speed, 0.1) == pytest.approx(
                row['slip'], abs=1e-6)
        state = list(done.y[:, -1])


def test_how_fast_the_spin_of_a_wheel_settles(table):
    """Decay rate of the spin by the slope of slip and curve; explicit steps end at 2 / rate."""
    rows = table('stiffness.csv')
    assert len(rows) == 24
    curves = {
        'car dry': magic_formula.SURFACES['dry'], 'car ice': magic_formula.SURFACES['ice'],
        'robot dry': magic_formula.SURFACES['dry'],
        'ellipse robot': magic_formula.MagicFormula(7.5, 1.0, 1.0, 0.0)}
    for row in rows:
        assert magic_formula.secant(curves[row['case']], 0.0) == pytest.approx(
            row['dmu_dslip'], rel=1e-12)
        force = [row['N'] * magic_formula.coefficient(curves[row['case']], slip.iso(
            row['v'] + roll, row['v'], 1e-3)) for roll in (-1e-7, 1e-7)]
        rate = row['R']**2 / row['I'] * (force[1] - force[0]) / 2e-7
        assert rate == pytest.approx(row['lambda_1_per_s'], rel=1e-6)
        assert 2.0 / rate == pytest.approx(row['explicit_euler_dt_max'], rel=1e-6)
        assert 1.0 / rate == pytest.approx(row['non_oscillating_dt_max'], rel=1e-6)


def test_stops_in_the_order_of_the_surfaces(shared):
    """A locked wheel slides v^2 / 2 mu g, the farther the slipperier the road."""
    cases = json.loads((shared / 'golden/models/analytic.json').read_text())['A5_stop_locked']
    for case in cases:
        limit = case['mu'] * 9.81
        along, across = secants(np.full(2, 1e9), case['mu'], 9.81, 1.0, 1e-12, limit)
        assert case['v0']**2 / (2.0 * along) == pytest.approx(case['d'], rel=1e-12)
        assert across * 1e-12 < 1e-9
    distances = [-1.0 / magic_formula.coefficient(magic_formula.SURFACES[name], -1.0)
                 for name in SURFACES]
    assert distances == sorted(distances)
