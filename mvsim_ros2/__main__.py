# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""`python -m mvsim_ros2`: the window on the demo world, or the command that is given."""

import sys

from mvsim_ros2.cli.entry_point import main

if __name__ == '__main__':
    if len(sys.argv) == 1:
        sys.argv += ['view', 'demo']
    sys.exit(main())
