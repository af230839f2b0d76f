# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The help of the simulator node."""

from dataclasses import fields
import textwrap

from mvsim_ros2.ros.messages.settings import Settings, TYPE_NAMES

USAGE = """\
usage: mvsim_node [--help] --ros-args -p world:=WORLD [-p NAME:=VALUE ...]

Simulates a world for ROS 2. WORLD is the path of a world file, or the name of a world of this
package. SIGINT and SIGTERM end it.

parameters:
"""


def node_help() -> str:
    """Return usage and parameters of the node."""
    lines = []
    for item in fields(Settings):
        default = list(item.default) if isinstance(item.default, tuple) else item.default
        kind = TYPE_NAMES[type(default)]
        about = textwrap.fill(item.metadata['doc'], 95, initial_indent='    ',
                              subsequent_indent='    ')
        lines += [f'  {item.name} ({kind}, {default!r})', about]
    return USAGE + '\n'.join(lines)
