# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Launch files run by the real launch, in a process of its own."""

from collections.abc import Callable, Iterator
import os
from pathlib import Path
import signal
import subprocess
import sys
import tempfile

import pytest

pytest.importorskip('rclpy', reason='ROS is not installed')

TIMEOUT = 300.0  # s
LAUNCH = """
import sys
from launch import LaunchDescription
from launch import LaunchService
from launch.actions import IncludeLaunchDescription

service = LaunchService()
service.include_launch_description(IncludeLaunchDescription(
    sys.argv[1], launch_arguments=[tuple(each.split(':=', 1)) for each in sys.argv[2:]]))
sys.exit(service.run())
"""
NODE = """#!{python}
from mvsim_ros2.ros.tools.entry_points import {name}
{name}()
"""


def install(prefix: Path, package: str, share: Path) -> None:
    """Make a ROS package in a prefix, with a folder as its share folder."""
    index = prefix / 'share/ament_index/resource_index/packages'
    index.mkdir(parents=True, exist_ok=True)
    (index / package).touch()
    (prefix / 'share' / package).symlink_to(share)


class Launch:
    """A launch file in a child process."""

    def __init__(self, file: Path, *arguments: str) -> None:
        """
        Start it.

        :param arguments: each name:=value.
        """
        self._output = tempfile.TemporaryFile('w+')
        self.process = subprocess.Popen(
            [sys.executable, '-c', LAUNCH, str(file), *arguments], stdout=self._output,
            stderr=subprocess.STDOUT, env={**os.environ, 'PYTHONUNBUFFERED': '1'})

    @property
    def errors(self) -> str:
        self._output.seek(0)
        return self._output.read()

    def end(self) -> int:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        return self.process.wait(TIMEOUT)


@pytest.fixture(scope='session')
def prefix(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a prefix in which this package is installed."""
    prefix = tmp_path_factory.mktemp('prefix')
    install(prefix, 'mvsim_ros2', project)
    folder = prefix / 'lib/mvsim_ros2'
    folder.mkdir(parents=True)
    for name in 'mvsim_node', 'policy_node':
        program = folder / name
        program.write_text(NODE.format(python=sys.executable, name=name))
        program.chmod(0o755)
    return prefix


@pytest.fixture
def launch(project: Path, prefix: Path, domain: int, monkeypatch: pytest.MonkeyPatch,
           ) -> Iterator[Callable[..., Launch]]:
    """Return what starts a launch file, by its name and its arguments."""
    pytest.importorskip('launch_ros', reason='ROS 2 launch is not installed')
    monkeypatch.setenv('AMENT_PREFIX_PATH', str(prefix), prepend=os.pathsep)
    monkeypatch.setenv('PYTHONPATH', str(project), prepend=os.pathsep)
    started: list[Launch] = []

    def start(name: str, *arguments: str) -> Launch:
        started.append(Launch(project / f'launch/{name}.launch.py', *arguments))
        return started[-1]

    yield start
    for each in started:
        each.end()
