# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Features of MVSim and their equivalents here: tags, topics, tools."""
