# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Fixtures that all tests share."""

from collections.abc import Iterator
import fcntl
import gc
import os
from pathlib import Path
import sys
import tempfile
from typing import IO

from drawn_examples import load_profile
import pytest
from recipes import write_plugin

from mvsim_ros2.base import registry

PROJECT = Path(__file__).resolve().parents[1]
DOMAINS = 101  # 1 to 101: their ports lie below those that Linux hands out

load_profile()


@pytest.hookimpl(tryfirst=True)
def pytest_unconfigure() -> None:
    """
    Keep what is left from the last garbage collection, which may take long after many tests.

    A process of pytest-xdist gets SIGINT of its own 5 s after it was told to end.
    """
    gc.freeze()


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
    names = ('benchmarks', 'docs', 'examples/learn', 'launch', 'mvsim_ros2', 'scripts', 'setup.py',
             'test')
    return [PROJECT / name for name in names if (PROJECT / name).exists()]


def claim_domain(lock: IO[str], own: int = 0) -> int:
    """
    Return a ROS domain that no other test process has; it is ours while `lock` is open.

    :param own: one that is ours already.
    """
    for attempt in range(DOMAINS):
        domain = 1 + (os.getpid() + attempt) % DOMAINS
        if domain == own:
            continue
        try:
            fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, domain)
        except OSError:  # another process has it
            continue
        return domain
    pytest.exit('every ROS domain is taken by another test run', returncode=1)


@pytest.fixture(scope='session')
def domain_lock() -> Iterator[IO[str]]:
    """Provide the file in which test processes lock their domains: one, as closing unlocks."""
    locks = Path(tempfile.gettempdir()) / f'mvsim_ros2-domains-{os.getuid()}.lock'
    with locks.open('w') as lock:
        yield lock


@pytest.fixture(scope='session', autouse=True)
def domain(domain_lock: IO[str]) -> int:
    """Provide a ROS domain that no other test process of this machine uses."""
    domain = claim_domain(domain_lock)
    os.environ['ROS_DOMAIN_ID'] = str(domain)
    os.environ.setdefault('ROS_AUTOMATIC_DISCOVERY_RANGE', 'LOCALHOST')
    return domain


@pytest.fixture
def other_domain(domain_lock: IO[str], domain: int) -> Iterator[int]:
    """Provide another such domain."""
    other = claim_domain(domain_lock, domain)
    yield other
    fcntl.lockf(domain_lock, fcntl.LOCK_UN, 1, other)


@pytest.fixture
def sensor_plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Install the thermometer of docs/extending.md for a test, here and in its processes."""
    folder = tmp_path / 'installed'
    folder.mkdir()
    write_plugin(PROJECT, folder)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv('PYTHONPATH', str(folder), prepend=os.pathsep)
    registry.plugins.cache_clear()
    yield folder
    registry.plugins.cache_clear()
    for name in [name for name in sys.modules if name.partition('.')[0] == 'my_sensors']:
        del sys.modules[name]
