# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The ellipse model: its table, its limits, and vehicles that behave."""

from collections.abc import Callable
import math
from pathlib import Path

import numpy as np
import pytest

from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.physics.tyres.ellipse import LAW, limits, slip
from mvsim_ros2.physics.tyres.law import Mounting
from mvsim_ros2.world.spec.tyres.coulomb import EllipseTyre

VALUES = LAW.values(EllipseTyre(), Mounting(0.1, 0.05, 73.6))


def test_limits_agree_with_the_reference(shared: Path) -> None:
    """Both limits, to 1e-12."""
    table = np.genfromtxt(shared / 'golden/models/ellipse_caps.csv', delimiter=',', names=True)
    for row in table:
        assert limits(VALUES, row['Fz'], row['slip_ratio'], row['slip_angle']) == pytest.approx(
            (row['Fx_cap'], row['Fy_cap']), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(('vx', 'vy', 'rim', 'expected'), [
    (1.0, 0.0, 1.0, (0.0, 0.0)), (1.0, 0.1, 2.0, (0.5, math.atan(0.1))),
    (-1.0, 0.1, -2.0, (-0.5, math.atan(0.1))), (1.0, 0.0, 0.0, (-1.0, 0.0)),
    (0.0, 0.0005, 0.0, (1.0, 0.0)),
], ids=['rolls', 'drives', 'drives backwards', 'locked', 'stands'])
def test_slip(vx: float, vy: float, rim: float, expected: tuple[float, float]) -> None:
    """Slip ratio and angle as defined, also backwards and at rest."""
    assert slip(vx, vy, rim) == pytest.approx(expected)


@pytest.mark.parametrize('kind', ['diff2', 'diff4', 'ack'])
def test_follows_its_command(
        vehicle: Callable, physics: Callable[..., PhysicsWorld], kind: str) -> None:
    """A vehicle told to drive 1 m/s in a curve does about that, and mirrors it."""
    runs = []
    for side in (1, -1):
        world = physics(vehicle(kind, 'twist_front' if kind == 'ack' else 'pid',
                                friction=EllipseTyre()))
        world.vehicles.set_twist(0, 1.0, side * 0.3)
        world.step(2000)
        runs.append(world.vehicles.twist_body[0] * (1, side, side))
    assert np.hypot(*runs[0][:2]) == pytest.approx(1.0, abs=0.1)
    assert runs[0] == pytest.approx(runs[1], abs=1e-3)
