# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Commands of the vehicles in the yard, as a script gives them."""

from collections.abc import Iterator
import math
from pathlib import Path

import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.errors import ControllerError

WORLD = Path(__file__).resolve().parents[2] / 'worlds' / 'yard.world.xml'


@pytest.fixture
def yard() -> Iterator[Simulation]:
    """Return the yard, without sensors."""
    yield Simulation.from_file(WORLD, sensors=False)


def test_sideways(yard: Simulation) -> None:
    """Mecanum wheels go to the left; so does a tractor with both axles steered, ahead too."""
    robot, tractor = yard.vehicles['mecanum'], yard.vehicles['tractor']
    robot.set_twist(0.0, 0.0, 0.3)
    tractor.set_twist(0.8, 0.0, 0.3)
    yard.run(3.0)
    assert robot.twist_body == pytest.approx([0.0, 0.3, 0.0], abs=0.03)
    assert tractor.twist_body == pytest.approx([0.8, 0.3, 0.0], abs=0.05)


def test_a_tractor_is_steered_with_a_twist_controller(yard: Simulation) -> None:
    """By speed and angle; the rear axle follows its ratio, or an angle of its own."""
    tractor = yard.vehicles['tractor']
    tractor.set_steering(1.0, 0.2)
    yard.run(2.0)
    assert tractor.wheels['steer'] == pytest.approx([0.2, -0.2])
    v, _, turn = tractor.twist_body
    assert turn == pytest.approx(v * 2.0 * math.tan(0.2) / 1.3, rel=0.01)
    tractor.set_steering(1.0, 0.2, rear=0.1)
    yard.run(0.5)
    assert tractor.wheels['steer'] == pytest.approx([0.2, 0.1])


def test_brakes(yard: Simulation) -> None:
    """They stop the tractor against its motor, and release it."""
    tractor = yard.vehicles['tractor']
    tractor.set_twist(1.0, 0.0)
    yard.run(2.0)
    tractor.set_brake(1.0)
    tractor.set_twist(0.0, 0.0)
    yard.run(1.5)
    assert abs(tractor.twist_body[0]) < 1e-3
    tractor.set_brake(0.0)
    tractor.set_parking_brake(True)
    assert tractor.wheels['brake'].tolist() == [0.0, 300.0]
    tractor.set_parking_brake(False)
    tractor.set_twist(1.0, 0.0)
    yard.run(2.0)
    assert tractor.twist_body[0] == pytest.approx(1.0, abs=0.1)
    with pytest.raises(ControllerError, match='has no brake'):
        yard.vehicles['mecanum'].set_brake(0.5)


def test_brakes_and_steering_are_in_a_snapshot(yard: Simulation) -> None:
    """A run that is continued is the same run."""
    tractor = yard.vehicles['tractor']
    tractor.set_twist(1.0, 0.3)
    tractor.set_brake(0.1)
    yard.run(0.3)
    state = yard.snapshot()
    yard.run(1.0)
    there = tractor.pose, tractor.wheels.tobytes()
    yard.restore(state)
    yard.run(1.0)
    assert (tractor.pose, tractor.wheels.tobytes()) == there
