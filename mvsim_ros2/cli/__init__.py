# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The command line: `mvsim_ros2 COMMAND ...`, one module for each command.

This file imports nothing, so that Ctrl-C is caught early. A command imports what it needs when it
runs, so that `--help` need not wait for that.
"""

TYPE_CHECKING = False  # as in typing, which takes longer to import than all of this

if TYPE_CHECKING:
    from collections.abc import Sequence

INTERRUPTED = 130  # exit code, as shells have it


def main(arguments: 'Sequence[str] | None' = None) -> int:
    """
    Run one command and return the exit code.

    0 is success, 1 an error with one line on the standard error output, 2 wrong usage, 130 Ctrl-C.
    """
    interrupts = None
    try:
        if arguments is None:
            from mvsim_ros2.base.interrupts import Interrupts
            interrupts = Interrupts()
        from mvsim_ros2.cli.run_command import run_command
        return run_command(arguments, interrupts)
    except KeyboardInterrupt:
        if interrupts is None:
            import os
            os.write(2, b'interrupted\n')
        else:
            interrupts.tell()
            from mvsim_ros2.cli.terminal import drop_output
            drop_output()  # of what libraries print as they end
        return INTERRUPTED
    finally:
        if interrupts is not None:
            interrupts.leave()
