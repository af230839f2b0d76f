# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tyres that stop slip within a step: against the reference, their limits, and regions."""

import logging
import math

from hypothesis import given, strategies as st
import numpy as np
import pytest
from small_worlds import physics, vehicle

from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.physics.tyres import coulomb
from mvsim_ros2.physics.tyres.law import LAWS, Mounting
from mvsim_ros2.physics.tyres.on_ground import friction_regions, surface
from mvsim_ros2.world.spec import EllipseTyre, PropertyRegionSpec, WardIagnemmaTyre, WorldSpec

NONE = np.zeros(0)
WARD, ELLIPSE = (LAWS[type(tyre)].values(tyre, Mounting(0.1, 0.05, 73.6))
                 for tyre in (WardIagnemmaTyre(), EllipseTyre()))


def _mu(row):
    return float(row['mu'] if math.isnan(row['mu_ov']) else row['mu_ov'])


def _default(row, *wheel):
    return coulomb.default_step(NONE, _mu(row), *wheel)


def _ward(row, *wheel):
    return coulomb.wardiagnemma_step(
        np.array([row['A_roll'], row['R1'], row['R2']]), _mu(row), *wheel)


def _ellipse(row, *wheel):
    return coulomb.ellipse_step(
        np.array([row[name] for name in coulomb.ELLIPSE]), math.nan, *wheel)


@pytest.mark.parametrize('table, step, found_as', [
    ('default', _default, ('Fx_mvsim', 'Fy_mvsim', 'w_new_mvsim')),
    ('wi', _ward, ('Fx_mvsim', 'Fy_mvsim', 'w_new_mvsim')),
    ('ellipse', _ellipse, ('Fx_fixed', 'Fy_fixed', 'w_fixed')),
], ids=['default', 'wardiagnemma', 'ellipse'])
def test_agrees_with_the_reference_in_single_steps(shared, table, step, found_as):
    """
    400 random steps with slopes, overrides and turned wheels: 1e-10 relative.

    Those of the original, and for `ellipse` with limits that are magnitudes and wheel angles
    counted once.
    """
    rows = np.genfromtxt(
        shared / f'golden/models/friction_step_{table}.csv', delimiter=',', names=True)
    assert len(rows) == 400
    for row in rows:
        cosine, sine = math.cos(row['yaw']), math.sin(row['yaw'])
        along, across, omega = step(
            row, row['C_damping'], row['C_rr'] if math.isnan(row['crr_ov']) else row['crr_ov'],
            row['Fz'] / 9.81 + row['mass'], 9.81, row['diam'] / 2, row['Iyy'], row['w'],
            row['tau'], cosine * row['vx'] + sine * row['vy'],
            cosine * row['vy'] - sine * row['vx'], cosine * row['gx'] + sine * row['gy'],
            cosine * row['gy'] - sine * row['gx'], row['dt'])
        found = cosine * along - sine * across, sine * along + cosine * across, omega
        assert found == pytest.approx([row[name] for name in found_as], rel=1e-10, abs=1e-9)


def test_limits_and_resistances_agree_with_the_reference(shared):
    """To 1e-12: both limits of the ellipse, the force of the paper of Ward and Iagnemma."""
    for row in np.genfromtxt(shared / 'golden/models/ellipse_caps.csv', delimiter=',', names=True):
        assert coulomb.limits(
            ELLIPSE, row['Fz'], row['slip_ratio'], row['slip_angle']) == pytest.approx(
                (row['Fx_cap'], row['Fy_cap']), rel=1e-12, abs=1e-12)
    for row in np.genfromtxt(
            shared / 'golden/models/wi_rolling_resistance.csv', delimiter=',', names=True):
        assert coulomb.rolling_resistance(
            np.array([row['A_roll'], row['R1'], row['R2']]), row['N'], row['v'],
        ) == pytest.approx(row['F_rr'], rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(('vx', 'vy', 'rim', 'expected'), [
    (1.0, 0.0, 1.0, (0.0, 0.0)), (1.0, 0.1, 2.0, (0.5, math.atan(0.1))),
    (-1.0, 0.1, -2.0, (-0.5, math.atan(0.1))), (1.0, 0.0, 0.0, (-1.0, 0.0)),
    (0.0, 0.0005, 0.0, (1.0, 0.0)),
], ids=['rolls', 'drives', 'drives backwards', 'locked', 'stands'])
def test_slip(vx, vy, rim, expected):
    """Slip ratio and angle as defined, also backwards and at rest."""
    assert coulomb.slip(vx, vy, rim) == pytest.approx(expected)


@pytest.mark.parametrize('step, first, most_along, most_across', [
    (coulomb.default_step, (NONE, 0.8), 0.8, 0.8),
    (coulomb.wardiagnemma_step, (WARD, 0.8), 0.8, 0.8),
    (coulomb.ellipse_step, (ELLIPSE, math.nan), 0.75, 0.85),
], ids=['default', 'wardiagnemma', 'ellipse'])
@given(torque=st.floats(-1e4, 1e4), vx=st.floats(-30, 30), vy=st.floats(-30, 30),
       omega=st.floats(-300, 300), dt=st.floats(1e-4, 0.05))
def test_forces_stay_within_their_limits_and_mirror(
        step, first, most_along, most_across, torque, vx, vy, omega, dt):
    """No force beyond its largest one; left and right are alike."""
    load, built = 7.5 * 9.81, (0.01, 0.02, 7.5, 9.81, 0.1, 0.005)
    along, across, spin = step(*first, *built, omega, torque, vx, vy, 0.0, 0.0, dt)
    assert abs(along) <= 1.000001 * most_along * load and math.isfinite(spin)
    assert abs(across) <= 1.000001 * most_across * load
    mirrored = step(*first, *built, omega, torque, vx, -vy, 0.0, 0.0, dt)
    assert mirrored == (along, -across, spin)


@pytest.mark.parametrize('step, first', [
    (coulomb.default_step, (NONE, 0.8)), (coulomb.wardiagnemma_step, (WARD, 0.8)),
], ids=['default', 'wardiagnemma'])
@given(torque=st.floats(-1e4, 1e4), vx=st.floats(-30, 30), omega=st.floats(-300, 300),
       dt=st.floats(1e-4, 0.05))
def test_ahead_and_back_are_alike(step, first, torque, vx, omega, dt):
    """Backwards each force turns round; not for `ellipse`, whose slip is over the rim's speed."""
    built = (0.01, 0.02, 7.5, 9.81, 0.1, 0.005)
    along, across, spin = step(*first, *built, omega, torque, vx, 0.5, 0.0, 0.0, dt)
    assert step(*first, *built, -omega, -torque, -vx, 0.5, 0.0, 0.0, dt) == (-along, across, -spin)


def test_no_gravity_no_friction():
    """A wheel without load transmits nothing."""
    assert coulomb.default_step(
        NONE, 0.8, 0.0, 0.0, 7.5, 0.0, 0.1, 0.005, 0.0, 1.0, 2.0, 1.0, 0.0, 0.0, 0.01) == (
            0.0, 0.0, pytest.approx(2.0))


def region(what='friction_mu', value=0.2, **extent):
    """Return a region of 2 m by 2 m at the origin."""
    return PropertyRegionSpec(property_name=what, value_double=value, **extent)


REGIONS = friction_regions(WorldSpec(elements=(
    region(value=0.1), region(value=0.3, x_max=5.0), region('friction_C_rr', 0.05, z_max=0.5),
    region('gps_no_coverage', None))))


@pytest.mark.parametrize(('point', 'expected'), [
    ((0.0, 0.0, 0.0), (0.1, 0.05)), ((1.0, -1.0, 0.5), (0.1, 0.05)),
    ((3.0, 0.0, 0.0), (0.3, 0.01)), ((0.0, 0.0, 0.6), (0.1, 0.01)),
    ((6.0, 0.0, 0.0), (0.8, 0.01)),
], ids=['first in the file', 'border', 'second', 'above', 'outside'])
def test_surface(point, expected):
    """The first region of a property that holds the point counts, else the tyre."""
    assert surface(REGIONS, *point, 0.8, 0.01) == expected


def test_wheels_in_a_region_slip():
    """Only the wheels on ice are limited by it, wherever the vehicle looks."""
    ice = region(value=0.01, x_min=0.1, x_max=2.0, y_min=-2.0, y_max=2.0)
    world = physics(vehicle('diff2', 'raw'), elements=(ice,))
    world.vehicles.set_torques(0, (3.0, 3.0))
    world.step(400)
    omega = world.vehicles.wheels['omega'] * 0.1
    assert np.all(omega > 10 * world.vehicles.twist_body[0, 0])
    assert np.all(np.abs(world.vehicles.wheels['force_long']) < 0.011 * 9.81 * 8.5)


def test_negative_friction_is_refused():
    """A negative value is an error that says where."""
    with pytest.raises(PhysicsError, match='friction_mu is -0.1'):
        physics(vehicle(), elements=(region(value=-0.1),))


def test_a_region_without_a_number_is_reported(caplog):
    """Friction that is not a number has no effect, and a warning says so."""
    with caplog.at_level(logging.WARNING):
        physics(vehicle(), elements=(region(value=None),))
    assert 'friction_mu has no value_double' in caplog.text
