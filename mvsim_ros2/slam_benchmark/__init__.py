# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Benchmarks of other people's software on runs of this simulator."""
