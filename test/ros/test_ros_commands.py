# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
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
from mvsim_ros2.ros.commands import {command}
sys.exit({command}())
"""


@pytest.mark.parametrize('command', [
    pytest.param('mvsim_node', id='mvsim_node'),
    pytest.param('demo_tour', id='demo_tour'),
    pytest.param('mvsim_teleop', id='mvsim_teleop'),
])
def test_without_ros_one_line_says_what_to_do(command: str) -> None:
    done = subprocess.run([sys.executable, '-c', WITHOUT_ROS.format(command=command)],
                          capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr.count('\n')) == (1, '', 1), done.stderr
    assert done.stderr.startswith(f"{command}: error: No module named 'rclpy")
    assert 'scripts/setup' in done.stderr
