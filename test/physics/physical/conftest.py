# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Makers for the tests of mode physical."""

from collections.abc import Callable
import math
from typing import Any

import pytest

from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.world.spec.tyres.coulomb import DefaultTyre

STEPS = (0.001, 0.005, 0.01, 0.02)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test that takes a step `dt` with all of them."""
    if 'dt' in metafunc.fixturenames:
        metafunc.parametrize('dt', STEPS, ids=[f'{1000 * dt:g} ms' for dt in STEPS])


@pytest.fixture(scope='session')
def lone(vehicle: Callable[..., Any], physics: Callable[..., PhysicsWorld],
         ) -> Callable[..., PhysicsWorld]:
    """Return a maker of one vehicle in mode physical: kind, controller, step, its fields."""
    def make(kind: str, controller: str, dt: float = 0.005, mu: float = 0.8, C_rr: float = 0.0,
             C_damping: float = 0.0, **changes: Any) -> PhysicsWorld:
        changes.setdefault('friction', DefaultTyre(mu=mu, C_rr=C_rr, C_damping=C_damping))
        return physics(vehicle(kind, controller, **changes), simul_timestep=dt,
                       options={'mode': 'physical'})
    return make


@pytest.fixture(scope='session')
def tilt() -> Callable[..., None]:
    """Return what puts a world on a slope: climbing forward, rising to the left [rad]."""
    def put(world: PhysicsWorld, climb: float, side: float = 0.0) -> None:
        world.vehicles.pose[0, 4:6] = -climb, side
        record = world.vehicles.arrays.records[0]
        record['down_x'] = -math.sin(climb)
        record['down_y'] = -math.cos(climb) * math.sin(side)
    return put


@pytest.fixture(scope='session')
def run() -> Callable[[PhysicsWorld, float], None]:
    """Return what lets a world run for a time [s]."""
    def go(world: PhysicsWorld, seconds: float) -> None:
        world.step(round(seconds / world.dt))
    return go
