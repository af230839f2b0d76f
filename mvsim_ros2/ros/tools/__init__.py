# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Programs around the node: demo tour, keyboard teleoperation, entry points."""
