# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What a robot description says: its tags, values, links and what was found wrong."""
