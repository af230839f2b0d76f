# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The console script `mvsim_ros2`.

From the import of this module on, Ctrl-C ends the process with one line: this is for processes
that are one command, others import `mvsim_ros2.cli`.
"""

from mvsim_ros2.base.early_signals import end_at, SIGINT
from mvsim_ros2.cli import INTERRUPTED, main

__all__ = ['main']

end_at([SIGINT], INTERRUPTED, b'interrupted\n')
