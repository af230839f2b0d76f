# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The simulator node: `mvsim_node`."""

from collections.abc import Sequence
import sys

from mvsim_ros2.ros.interrupts import end_process, end_with_parent, Interrupts


def main(args: Sequence[str] | None = None) -> int:
    """
    Run the node until SIGINT or SIGTERM, or print its help.

    Slow imports are here, since signals end the process from now on.

    :returns: exit code: 0 after a signal, 1 after an error, which is one line on stderr.
    """
    words = list(sys.argv if args is None else args)[1:]
    own = words[:words.index('--ros-args')] if '--ros-args' in words else words
    if {'-h', '--help'} & set(own):
        from mvsim_ros2.ros.messages.settings import node_help
        print(node_help())
        return 0
    interrupts = Interrupts()
    end_with_parent()
    from mvsim_ros2.ros.run_node import run
    return run(interrupts, args)


if __name__ == '__main__':
    end_process(main())
