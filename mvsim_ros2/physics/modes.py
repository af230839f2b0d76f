# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Physics modes: by which equations the wheels push the vehicles."""

MVSIM, PHYSICAL = 'mvsim', 'physical'
MODES = (MVSIM, PHYSICAL)
CHASSIS_DAMPING = {MVSIM: 0.1, PHYSICAL: 0.0}  # 1/s; of a chassis that has none of its own
