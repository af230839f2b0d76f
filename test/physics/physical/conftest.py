# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Makers for the tests of mode physical."""

import math

import pytest

from mvsim_ros2.world.spec import DefaultTyre

STEPS = (0.001, 0.005, 0.01, 0.02)


def pytest_generate_tests(metafunc):
    """Run each test that takes a step `dt` with all of them."""
    if 'dt' in metafunc.fixturenames:
        metafunc.parametrize('dt', STEPS, ids=[f'{1000 * dt:g} ms' for dt in STEPS])


@pytest.fixture(scope='session')
def lone(vehicle, physics):
    """Return a maker of one vehicle in mode physical: kind, controller, step, its fields."""
    def make(kind, controller, dt=0.005, mu=0.8, C_rr=0.0, C_damping=0.0, **changes):
        changes.setdefault('friction', DefaultTyre(mu=mu, C_rr=C_rr, C_damping=C_damping))
        return physics(vehicle(kind, controller, **changes), simul_timestep=dt,
                       options={'mode': 'physical'})
    return make


@pytest.fixture(scope='session')
def tilt():
    """Return what puts a world on a slope: climbing forward, rising to the left [rad]."""
    def put(world, climb, side=0.0):
        world.vehicles.pose[0, 4:6] = -climb, side
        record = world.vehicles.arrays.records[0]
        record['down_x'] = -math.sin(climb)
        record['down_y'] = -math.cos(climb) * math.sin(side)
    return put


@pytest.fixture(scope='session')
def run():
    """Return what lets a world run for a time [s]."""
    def go(world, seconds):
        world.step(round(seconds / world.dt))
    return go
