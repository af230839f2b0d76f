# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Fixtures that all tests share."""

from collections.abc import Iterator
import fcntl
import os
from pathlib import Path
import tempfile
from typing import IO

from hypothesis import HealthCheck
from hypothesis import settings
import pytest

pytest_plugins = ['scene_fixtures']

PROJECT = Path(__file__).resolve().parents[1]
DOMAINS = 101  # 1 to 101: their ports lie below those that Linux hands out

# How long an example takes depends on the machine, and on whether a kernel is compiled first.
settings.register_profile(
    'untimed', deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile('untimed')


@pytest.fixture(scope='session')
def shared() -> Path:
    """Return the folder of reference data beside the project; skip where there is none."""
    folder = PROJECT.parent / 'shared'
    if not folder.is_dir():
        pytest.skip('no reference data beside the project')
    return folder


@pytest.fixture(scope='session')
def project() -> Path:
    """Return the root of the project."""
    return PROJECT


@pytest.fixture(scope='session')
def python_sources() -> list[Path]:
    """Return the folders and files that hold the Python code of the project."""
    names = ('benchmarks', 'docs', 'launch', 'mvsim_ros2', 'scripts', 'setup.py', 'test')
    return [PROJECT / name for name in names if (PROJECT / name).exists()]


def claim_domain(lock: IO[str]) -> int:
    """Return a ROS domain that no other test process has; it is ours while `lock` is open."""
    for attempt in range(DOMAINS):
        domain = 1 + (os.getpid() + attempt) % DOMAINS
        try:
            fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, domain)
        except OSError:  # another process has it
            continue
        return domain
    pytest.exit('every ROS domain is taken by another test run', returncode=1)


@pytest.fixture(scope='session', autouse=True)
def domain() -> Iterator[int]:
    """Provide a ROS domain that no other test process of this machine uses."""
    locks = Path(tempfile.gettempdir()) / f'mvsim_ros2-domains-{os.getuid()}.lock'
    with locks.open('w') as lock:
        domain = claim_domain(lock)
        os.environ['ROS_DOMAIN_ID'] = str(domain)
        os.environ.setdefault('ROS_AUTOMATIC_DISCOVERY_RANGE', 'LOCALHOST')
        yield domain
