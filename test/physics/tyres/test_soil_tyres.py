# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Traction on clay and sand against the reference, and what the printed equations cannot do."""

import math

from oracles.soil import forces, net, on_clay, on_sand, printed, self_propelled_slip
import pytest

from mvsim_ros2.physics.tyres import clay, sand
from mvsim_ros2.physics.tyres.clay import Carcass, Clay
from mvsim_ros2.physics.tyres.law import Mounting
from mvsim_ros2.physics.tyres.sand import Sand
from mvsim_ros2.world.spec import ClayTyre, SandTyre

PSI = 6894.757293168361  # Pa
INCH = 0.0254  # m
TYRES = {
    'mrzr': Carcass(9.0 * INCH, 26.0 * INCH, 6.5 * INCH),
    'hmmwv': Carcass(9.5 * INCH, 30.9 * INCH, 6.9 * INCH),
    'wes_small': Carcass(0.226, 0.704, 0.15),
}
NEAR = 1e-12


def the_clay(row, tyre='mrzr'):
    """Return the tyre of a row."""
    return Clay(TYRES[row.get('tyre', tyre)], 0.09, row['mode'] == 'vti')


def the_sand(row, reading):
    """Return tyre, cone index, load and deflection of a row."""
    return (Sand(TYRES[row['tyre']], 0.09, reading), row['CI_psi'] * PSI, row['N_newton'],
            row['delta_m'])


def test_clay_as_computed_by_the_original(table):
    """
    Every number but the one of the natural logarithm, which nobody means.

    :claim: Tyres on clay have the traction of MAVS, to 12 digits
    :reference: 972 cases, computed by MAVS
    :figure: images/tyres_soil.png
    """
    rows = table('clay.csv')
    assert len(rows) == 972
    for row in rows:
        tyre = the_clay(row)
        number = clay.mobility(tyre.carcass, row['CI_psi'] * PSI, row['N_newton'], row['delta_m'])
        assert number == pytest.approx(row['Nc'], rel=NEAR)
        assert self_propelled_slip(number) == pytest.approx(row['S_sp'], rel=NEAR)
        assert clay.resistance(number) == pytest.approx(row['R'], rel=NEAR)
        assert printed(tyre, number, row['slip']) == pytest.approx(
            row['net_coeff_clamped'], rel=NEAR, abs=1e-14)
        factor = 1.0 if tyre.vti else clay.wider(tyre.carcass)
        resisting = 0.0 if tyre.vti else row['R']
        assert net(row['T_log10'] * factor, resisting, 1.0) == pytest.approx(
            row['net_coeff_clamped'], rel=NEAR, abs=1e-14)


def test_clay_beyond_the_logarithm(table):
    """The force on the hub of a wheel that moves forward, at slips of both signs."""
    rows = table('clay_total_extension.csv')
    assert len(rows) == 486
    for row in rows:
        tyre, load = the_clay(row), 3137.0
        along, across, _ = forces(on_clay(
            tyre, row['CI_psi'] * PSI, load, load / 70e3, row['slip']), 0.09, load, 0.0, 1.0)
        assert along / load == pytest.approx(row['mu_net'], rel=NEAR, abs=1e-14)
        assert across == 0.0
        number = clay.mobility(tyre.carcass, row['CI_psi'] * PSI, load, load / 70e3)
        at = row['slip_tangent']
        curve = clay.traction_curve(tyre, number)
        slopes = [(clay.traction(curve, 0.1, at * (1 + side)) - clay.traction(curve, 0.1, at))
                  / (side * at) for side in (-1e-6, 1e-6)]
        assert slopes[0] == pytest.approx(slopes[1], rel=1e-5)
        assert clay.traction(curve, 0.1, at) / at == pytest.approx(slopes[0], rel=1e-5)


def test_sand_in_all_readings(table):
    rows = table('sand.csv')
    assert len(rows) == 378
    for row in rows:
        s = row['slip']
        for reading, numeric, traction, resistance, expected_net in (
                (sand.RESOLVED, 'Ns_gradient', 'T_gradient', 'R_minusNsu',
                 'net_resolved_TNs_minus_RNsu'),
                (sand.PRINTED, 'Ns_printed', 'T_printed', 'R_printed_plusN', 'net_printed'),
                (sand.ORIGINAL, 'Ns_printed', 'T_printed', 'R_minusN', None),
                (sand.BRIXIUS, None, 'Brixius_gross', 'Brixius_R', None)):
            given = the_sand(row, reading)
            if numeric:
                assert sand.traction_numeric(*given) == pytest.approx(row[numeric], rel=NEAR)
            gross, _, resisting = on_sand(*given, s)
            assert gross == pytest.approx(row[traction], rel=NEAR)
            assert resisting == pytest.approx(row[resistance], rel=NEAR)
            if expected_net:
                assert gross - resisting == pytest.approx(row[expected_net], rel=NEAR, abs=1e-14)
            along, _, rim = forces(on_sand(*given, s), 0.09, row['N_newton'], 0.0, 1.0)
            assert along / row['N_newton'] == pytest.approx(
                max(gross - resisting, -1.0), rel=NEAR, abs=1e-14)
            assert rim / row['N_newton'] >= -1e-15
        given = the_sand(row, sand.RESOLVED)
        assert sand.towed_numeric(*given) == pytest.approx(row['Nsu'], rel=NEAR)
        assert sand.towed(row['Ns_gradient'], -1.0) + 0.05 * clay.squeeze(
            given[0].carcass, given[3]) == pytest.approx(row['R_minusNs'], rel=NEAR)
        assert sand.brixius_number(*the_sand(row, sand.BRIXIUS)) == pytest.approx(
            row['Brixius_Bn'], rel=NEAR)


def test_the_resistance_of_sand_falls_to_that_of_hard_ground(table):
    rows = table('sand_R_curve.csv')
    assert len(rows) == 19
    for row in rows:
        n = row['numeric_n']
        assert sand.towed(n, 1.0) == pytest.approx(row['R_printed_sign'], rel=NEAR)
        # the table subtracts nearly equal numbers where n is large
        assert sand.towed(n, -1.0) == pytest.approx(
            row['R_right_sign'], rel=NEAR, abs=2e-16 * max(n * 0.002287, 1.0))
    assert sand.towed(1e9, -1.0) == pytest.approx(0.0000457 / (2 * 0.002287), rel=1e-5)


@pytest.mark.parametrize('reading', [
    pytest.param(sand.RESOLVED, id='resolved'), pytest.param(sand.BRIXIUS, id='brixius')])
def test_sand_climbs_better_the_harder_and_the_lighter(reading):
    tyre = Sand(TYRES['mrzr'], 0.09, reading)

    def climb(psi, load):
        """Return the slope that the wheel can climb, for a given deflection."""
        return max(forces(on_sand(
            tyre, psi * PSI, load, 0.04, s / 100), 0.09, load, 0.0, 1.0)[0] / load
                   for s in range(101))
    harder = [climb(psi, 3137.0) for psi in (20.0, 60.0, 100.0, 250.0)]
    lighter = [climb(100.0, load) for load in (5700.0, 4000.0, 3137.0, 2000.0)]
    assert harder == sorted(harder) and lighter == sorted(lighter)


@pytest.mark.parametrize('vti', [pytest.param(False, id='mavs'), pytest.param(True, id='vti')])
def test_clay_climbs_better_the_harder_and_the_lighter(vti):
    tyre = Clay(TYRES['mrzr'], 0.09, vti)

    def climb(psi, load):
        return forces(on_clay(
            tyre, psi * PSI, load, 0.04, 1.0), 0.09, load, 0.0, 1.0)[0] / load
    harder = [climb(psi, 3137.0) for psi in (10.0, 20.0, 30.0, 40.0)]
    lighter = [climb(20.0, load) for load in (5700.0, 4000.0, 3137.0, 2000.0)]
    assert harder == sorted(harder) and lighter == sorted(lighter)


def test_the_mobility_number_of_vti_is_zero_pull_at_the_self_propelled_slip():
    """M13: by its name, the slip at which the pull is 0; as printed it is -R."""
    for vti in (True, False):
        tyre = Clay(TYRES['mrzr'], 0.09, vti)
        number = clay.mobility(tyre.carcass, 60.0 * PSI, 3137.0, 3137.0 / 70e3)
        pull = printed(tyre, number, self_propelled_slip(number))
        assert pull == pytest.approx(0.0 if vti else -clay.resistance(number), abs=1e-12)
        assert printed(tyre, number, 0.0) == printed(tyre, number, -0.3) == -1.0


def test_a_standing_wheel_is_left_alone():
    """No slip, no motion: no force; as printed MAVS would brake with the whole load."""
    for law, tyre in ((on_clay, Clay(TYRES['mrzr'], 0.09, False)),
                      (on_sand, Sand(TYRES['mrzr'], 0.09, 0))):
        assert forces(
            law(tyre, PSI, 3e3, 0.04, 0.0), 0.09, 3e3, 0.0, 0.0) == (0.0, 0.0, 0.0)


def test_the_numbers_of_a_spec():
    wheel = Mounting(radius=0.3, width=0.2, load=100.0)
    found = clay.LAW.values(ClayTyre(mode='vti', section_height=0.1), wheel)
    assert dict(zip(clay.COLUMNS, found)) == {
        'width': 0.2, 'diameter': 0.6, 'section_height': 0.1, 'gamma': 0.09,
        'cone_index': 1723689.0, 'vertical_stiffness': 300e3, 'vti': 1.0}
    found = sand.LAW.values(SandTyre(reading='brixius', gamma=0.1), wheel)
    assert clay.carcass(found) == (0.2, 0.6, 0.165)
    assert dict(zip(sand.COLUMNS, found))['gamma'] == 0.1
    assert dict(zip(sand.COLUMNS, found))['reading'] == sand.BRIXIUS
    assert math.isclose(ClayTyre().cone_index, 250.0 * PSI, rel_tol=1e-6)
