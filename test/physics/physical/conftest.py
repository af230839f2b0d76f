# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Steps of the tests of mode physical."""

STEPS = (0.001, 0.005, 0.01, 0.02)


def pytest_generate_tests(metafunc):
    """Run each test that takes a step `dt` with all of them."""
    if 'dt' in metafunc.fixturenames:
        metafunc.parametrize('dt', STEPS, ids=[f'{1000 * dt:g} ms' for dt in STEPS])
