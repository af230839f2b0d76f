# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
"""The Ward-Iagnemma model against the compiled original, and its formula."""

import math
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
import numpy as np
import pytest

from mvsim_ros2.physics.tyres.wardiagnemma import rolling_resistance
from mvsim_ros2.physics.tyres.wardiagnemma import values
from mvsim_ros2.physics.tyres.wardiagnemma import wheel_step
from mvsim_ros2.world.spec.tyre import WardIagnemmaTyre

VALUES = np.array(values(WardIagnemmaTyre()))


def test_agrees_with_the_original_in_single_steps(shared: Path) -> None:
    """400 random steps as MVSim 1.2.0 makes them: 1e-10 relative."""
    table = np.genfromtxt(
        shared / 'golden/models/friction_step_wi.csv', delimiter=',', names=True)
    for row in table:
        cosine, sine = math.cos(row['yaw']), math.sin(row['yaw'])
        along, across, omega = wheel_step(
            np.array([row['A_roll'], row['R1'], row['R2']]),
            row['mu'] if math.isnan(row['mu_ov']) else row['mu_ov'], row['C_damping'],
            row['C_rr'] if math.isnan(row['crr_ov']) else row['crr_ov'],
            row['Fz'] / 9.81 + row['mass'], 9.81, row['diam'] / 2, row['Iyy'], row['w'],
            row['tau'], cosine * row['vx'] + sine * row['vy'],
            cosine * row['vy'] - sine * row['vx'], cosine * row['gx'] + sine * row['gy'],
            cosine * row['gy'] - sine * row['gx'], row['dt'])
        found = cosine * along - sine * across, sine * along + cosine * across, omega
        expected = row['Fx_mvsim'], row['Fy_mvsim'], row['w_new_mvsim']
        assert found == pytest.approx(expected, rel=1e-10, abs=1e-9)


def test_rolling_resistance_agrees_with_the_reference(shared: Path) -> None:
    """The force of the paper, to 1e-12."""
    table = np.genfromtxt(
        shared / 'golden/models/wi_rolling_resistance.csv', delimiter=',', names=True)
    for row in table:
        assert rolling_resistance(
            np.array([row['A_roll'], row['R1'], row['R2']]), row['N'], row['v'],
        ) == pytest.approx(row['F_rr'], rel=1e-12, abs=1e-12)


@given(torque=st.floats(-1e4, 1e4), vx=st.floats(-30, 30), vy=st.floats(-30, 30),
       omega=st.floats(-300, 300), dt=st.floats(1e-4, 0.05))
def test_forces_stay_within_friction_and_mirror(
        torque: float, vx: float, vy: float, omega: float, dt: float) -> None:
    """Each force is at most mu N; the mirrored motion gives the mirrored forces."""
    limit = 0.8 * 7.5 * 9.81
    along, across, spin = wheel_step(
        VALUES, 0.8, 0.01, 0.02, 7.5, 9.81, 0.1, 0.005, omega, torque, vx, vy, 0.0, 0.0, dt)
    assert max(abs(along), abs(across)) <= 1.000001 * limit and math.isfinite(spin)
    mirrored = wheel_step(
        VALUES, 0.8, 0.01, 0.02, 7.5, 9.81, 0.1, 0.005, -omega, -torque, -vx, -vy, 0.0, 0.0, dt)
    assert mirrored == (-along, -across, -spin)
