# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Entry points of the commands that need ROS; without ROS they print an error of one line.

From the import of this module on, signals end the process with exit code 0, as they do later.
"""

import sys

from mvsim_ros2.base.early_signals import end_at, SIGINT, SIGTERM

TYPE_CHECKING = False  # as in typing, which takes longer to import than all of this

if TYPE_CHECKING:
    from typing import NoReturn  # noqa: I300

end_at([SIGINT, SIGTERM], 0)


def mvsim_node() -> 'NoReturn':
    """Run the simulator node, and end the process with its exit code."""
    from mvsim_ros2.ros.interrupts import end_process
    end_process(_run('mvsim_node', 'mvsim_ros2.ros.node'))


def demo_tour() -> int:
    """Run the demo and return its exit code."""
    return _run('demo_tour', 'mvsim_ros2.ros.tools.demo_tour')


def mvsim_teleop() -> int:
    """Drive a robot with the keyboard and return the exit code."""
    return _run('mvsim_teleop', 'mvsim_ros2.ros.tools.teleop')


def mvsim_create() -> int:
    """Spawn a robot and return the exit code."""
    return _run('mvsim_create', 'mvsim_ros2.ros.tools.create')


def policy_node() -> int:
    """Drive a robot by a trained policy and return the exit code."""
    return _run('policy_node', 'mvsim_ros2.ros.tools.policy_node')


def _run(command: str, module: str) -> int:
    """Run `main` of a module; that, or its call, imports ROS."""
    from importlib import import_module
    import signal
    try:
        code: int = import_module(module).main()
    except ModuleNotFoundError as error:
        print(f'{command}: error: {" ".join(str(error).split())}: this command needs ROS 2; '
              'source an installation, as in "source /opt/ros/jazzy/setup.bash", or run '
              f'scripts/setup in the project and then .venv/bin/{command}', file=sys.stderr)
        return 1
    for each in SIGINT, SIGTERM:  # what is done is done, and only Python's own end is left
        signal.signal(each, signal.SIG_IGN)
    return code
