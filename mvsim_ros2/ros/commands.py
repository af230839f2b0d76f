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
"""The commands that need ROS: where it is missing, they say so in one line."""

from importlib import import_module
import sys


def mvsim_node() -> int:
    """Run the simulator node and return its exit code."""
    return _run('mvsim_node', 'mvsim_ros2.ros.node')


def demo_tour() -> int:
    """Run the demo and return its exit code."""
    return _run('demo_tour', 'mvsim_ros2.ros.demo_tour')


def mvsim_teleop() -> int:
    """Drive a robot by the keyboard and return the exit code."""
    return _run('mvsim_teleop', 'mvsim_ros2.ros.teleop')


def _run(command: str, module: str) -> int:
    """Run `main` of a module that imports ROS."""
    try:
        main = import_module(module).main
    except ModuleNotFoundError as error:
        print(f'{command}: error: {" ".join(str(error).split())}: this command needs ROS 2; '
              'source an installation, as in "source /opt/ros/jazzy/setup.bash", or run '
              f'scripts/setup in the project and then .venv/bin/{command}', file=sys.stderr)
        return 1
    code: int = main()
    return code
