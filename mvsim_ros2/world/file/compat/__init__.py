# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What MVSim has, and what it is here: tags, topics, tools."""
