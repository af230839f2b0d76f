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
"""The PID and the wheel odometry against reference tables."""

import math
from pathlib import Path

import numpy as np
import pytest

from mvsim_ros2.physics.controllers.pid import braking_only
from mvsim_ros2.physics.controllers.pid import filtered_reference
from mvsim_ros2.physics.controllers.pid import pid_step
from mvsim_ros2.physics.layout import PID
from mvsim_ros2.physics.wheel_motion import wheel_odometry


@pytest.mark.parametrize('case', range(5), ids=[
    'p', 'pi', 'pid limited', 'filtered derivative anti-windup', 'filtered derivative'])
def test_pid_agrees_with_the_reference(shared: Path, case: int) -> None:
    """Outputs of 60 steps agree to 1e-12 relative."""
    table = np.genfromtxt(shared / 'golden/models/pid.csv', delimiter=',', names=True)
    rows = table[table['case'] == case]
    assert len(rows) > 10
    state = np.zeros(PID)
    for row in rows:
        output = pid_step(
            row['KP'], row['KI'], row['KD'], row['N'], row['max_out'], row['antiwindup'],
            row['err'], row['ff'], row['dt'], state)
        assert output == pytest.approx(row['u'], rel=1e-12, abs=1e-12)


def test_wheel_odometry_agrees_with_the_reference(shared: Path) -> None:
    """Velocity and yaw rate from two wheels agree to 1e-12 relative."""
    table = np.genfromtxt(shared / 'golden/models/odometry.csv', delimiter=',', names=True)
    for row in table:
        assert wheel_odometry(
            row['y_l'], row['y_r'], row['w_l'] * row['R_l'], row['w_r'] * row['R_r'],
        ) == pytest.approx((row['vx'], row['omega']), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize('order', [1, 2], ids=['first order', 'second order'])
def test_reference_filter_answers_a_step_as_in_theory(order: int) -> None:
    """After n steps 1 - a^n for one filter, 1 - a^n (1 + n (1 - a)) for two."""
    keep, n = math.exp(-0.005 / 0.1), 40
    state = np.zeros(PID)
    for _ in range(n):
        value = filtered_reference(keep, order, 1.0, state)
    expected = 1 - keep ** n if order == 1 else 1 - keep ** n * (1 + n * (1 - keep))
    assert value == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(('torque', 'speed', 'expected'), [
    (2.0, 1.0, 0.0), (-2.0, 1.0, -2.0), (2.0, -1.0, 2.0), (-2.0, -1.0, 0.0), (3.0, 0.0, 3.0),
], ids=['drives on', 'brakes', 'brakes backwards', 'drives on backwards', 'at rest'])
def test_braking_only(torque: float, speed: float, expected: float) -> None:
    """Only torque against the motion is left."""
    assert braking_only(torque, speed) == expected
