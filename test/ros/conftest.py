# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Fixtures of the ROS tests: a domain of their own, a client."""

from collections.abc import Iterator
import fcntl
import os
from pathlib import Path
import tempfile

import pytest

pytest.importorskip('rclpy', reason='ROS is not there')
pytest.importorskip('tf2_msgs', reason='the package tf2_msgs is not there')

os.environ['ROS_AUTOMATIC_DISCOVERY_RANGE'] = 'LOCALHOST'


@pytest.fixture(scope='session')
def domain() -> Iterator[int]:
    """Provide a ROS domain that no other test process of this machine uses meanwhile."""
    for number in range(1, 102):
        path = Path(tempfile.gettempdir()) / f'mvsim_ros2_domain_{number}.lock'
        with path.open('w') as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                continue
            yield number
            return
    pytest.fail('all ROS domains are in use')


@pytest.fixture(scope='module')
def patch() -> Iterator[pytest.MonkeyPatch]:
    """Provide a monkeypatch for the whole file."""
    with pytest.MonkeyPatch.context() as each:
        yield each
