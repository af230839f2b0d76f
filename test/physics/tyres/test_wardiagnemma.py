# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The Ward-Iagnemma model against the compiled original, and its formula."""

from pathlib import Path

import numpy as np
import pytest

from mvsim_ros2.physics.tyres.coulomb import rolling_resistance


def test_rolling_resistance_agrees_with_the_reference(shared: Path) -> None:
    """The force of the paper, to 1e-12."""
    table = np.genfromtxt(
        shared / 'golden/models/wi_rolling_resistance.csv', delimiter=',', names=True)
    for row in table:
        assert rolling_resistance(
            np.array([row['A_roll'], row['R1'], row['R2']]), row['N'], row['v'],
        ) == pytest.approx(row['F_rr'], rel=1e-12, abs=1e-12)
