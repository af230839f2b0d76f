# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Fixtures of the ROS tests."""

from collections.abc import Iterator

import pytest

pytest.importorskip('rclpy', reason='ROS is not installed')
pytest.importorskip('tf2_msgs', reason='the package tf2_msgs is not installed')


@pytest.fixture(scope='module')
def patch() -> Iterator[pytest.MonkeyPatch]:
    """Provide a monkeypatch for the whole file."""
    with pytest.MonkeyPatch.context() as each:
        yield each
