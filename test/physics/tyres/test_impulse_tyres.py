# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The tyres that stop slip within a step: single steps against the reference, and their limits."""

from collections.abc import Callable
import math
from pathlib import Path

from hypothesis import given, strategies as st
import numpy as np
import pytest

from mvsim_ros2.physics.tyres import default, ellipse, wardiagnemma
from mvsim_ros2.physics.tyres.law import Mounting
from mvsim_ros2.world.spec.tyres.coulomb import EllipseTyre, WardIagnemmaTyre

Step = Callable[..., tuple[float, float, float]]
ON_WHEEL = Mounting(0.1, 0.05, 73.6)
NONE = np.zeros(0)
WARD = wardiagnemma.LAW.values(WardIagnemmaTyre(), ON_WHEEL)
ELLIPSE = ellipse.LAW.values(EllipseTyre(), ON_WHEEL)


def _mu(row: np.void) -> float:
    return float(row['mu'] if math.isnan(row['mu_ov']) else row['mu_ov'])


def _default(row: np.void, *wheel: float) -> tuple[float, float, float]:
    return default.wheel_step(NONE, _mu(row), *wheel)


def _ward(row: np.void, *wheel: float) -> tuple[float, float, float]:
    return wardiagnemma.wheel_step(
        np.array([row['A_roll'], row['R1'], row['R2']]), _mu(row), *wheel)


def _ellipse(row: np.void, *wheel: float) -> tuple[float, float, float]:
    return ellipse.wheel_step(
        np.array([row[name] for name in ellipse.COLUMNS]), math.nan, *wheel)


@pytest.mark.parametrize('table, step, found_as', [
    ('default', _default, ('Fx_mvsim', 'Fy_mvsim', 'w_new_mvsim')),
    ('wi', _ward, ('Fx_mvsim', 'Fy_mvsim', 'w_new_mvsim')),
    ('ellipse', _ellipse, ('Fx_fixed', 'Fy_fixed', 'w_fixed')),
], ids=['default', 'wardiagnemma', 'ellipse'])
def test_agrees_with_the_reference_in_single_steps(
        shared: Path, table: str, step: Step, found_as: tuple[str, ...]) -> None:
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


@pytest.mark.parametrize('step, first, most_along, most_across', [
    (default.wheel_step, (NONE, 0.8), 0.8, 0.8), (wardiagnemma.wheel_step, (WARD, 0.8), 0.8, 0.8),
    (ellipse.wheel_step, (ELLIPSE, math.nan), 0.75, 0.85),
], ids=['default', 'wardiagnemma', 'ellipse'])
@given(torque=st.floats(-1e4, 1e4), vx=st.floats(-30, 30), vy=st.floats(-30, 30),
       omega=st.floats(-300, 300), dt=st.floats(1e-4, 0.05))
def test_forces_stay_within_their_limits_and_mirror(
        step: Step, first: tuple[object, ...], most_along: float, most_across: float,
        torque: float, vx: float, vy: float, omega: float, dt: float) -> None:
    """No force beyond its largest one; left and right are alike."""
    load, built = 7.5 * 9.81, (0.01, 0.02, 7.5, 9.81, 0.1, 0.005)
    along, across, spin = step(*first, *built, omega, torque, vx, vy, 0.0, 0.0, dt)
    assert abs(along) <= 1.000001 * most_along * load and math.isfinite(spin)
    assert abs(across) <= 1.000001 * most_across * load
    mirrored = step(*first, *built, omega, torque, vx, -vy, 0.0, 0.0, dt)
    assert mirrored == (along, -across, spin)


@pytest.mark.parametrize('step, first', [
    (default.wheel_step, (NONE, 0.8)), (wardiagnemma.wheel_step, (WARD, 0.8)),
], ids=['default', 'wardiagnemma'])
@given(torque=st.floats(-1e4, 1e4), vx=st.floats(-30, 30), omega=st.floats(-300, 300),
       dt=st.floats(1e-4, 0.05))
def test_ahead_and_back_are_alike(
        step: Step, first: tuple[object, ...], torque: float, vx: float, omega: float,
        dt: float) -> None:
    """Backwards each force turns round; not for `ellipse`, whose slip is over the rim's speed."""
    built = (0.01, 0.02, 7.5, 9.81, 0.1, 0.005)
    along, across, spin = step(*first, *built, omega, torque, vx, 0.5, 0.0, 0.0, dt)
    assert step(*first, *built, -omega, -torque, -vx, 0.5, 0.0, 0.0, dt) == (
        -along, across, -spin)


def test_no_gravity_no_friction() -> None:
    """A wheel without load transmits nothing."""
    assert default.wheel_step(
        NONE, 0.8, 0.0, 0.0, 7.5, 0.0, 0.1, 0.005, 0.0, 1.0, 2.0, 1.0, 0.0, 0.0, 0.01) == (
            0.0, 0.0, pytest.approx(2.0))
