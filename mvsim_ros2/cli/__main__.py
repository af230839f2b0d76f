# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The command line as `python -m mvsim_ros2.cli`."""

import sys

from mvsim_ros2.cli.entry_point import main

if __name__ == '__main__':
    sys.exit(main())
