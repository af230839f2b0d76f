# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The commands where ROS is missing."""

import subprocess
import sys

import pytest

WITHOUT_ROS = """
import sys

class NoRos:
    def find_spec(self, name, path=None, target=None):
        if name.partition('.')[0] == 'rclpy':
            raise ModuleNotFoundError('No module named ' + repr(name), name=name)

for name in [name for name in sys.modules if name.partition('.')[0] == 'rclpy']:
    del sys.modules[name]
sys.meta_path.insert(0, NoRos())
from mvsim_ros2.ros_tools.entry_points import {command}
sys.exit({command}())
"""


@pytest.mark.parametrize('command', [
    pytest.param('mvsim_node', id='mvsim_node'),
    pytest.param('demo_tour', id='demo_tour'),
    pytest.param('mvsim_teleop', id='mvsim_teleop'),
])
def test_without_ros_there_is_one_line_with_a_remedy(command: str) -> None:
    done = subprocess.run([sys.executable, '-c', WITHOUT_ROS.format(command=command)],
                          capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr.count('\n')) == (1, '', 1), done.stderr
    assert done.stderr.startswith(f"{command}: error: No module named 'rclpy")
    assert 'scripts/setup' in done.stderr
