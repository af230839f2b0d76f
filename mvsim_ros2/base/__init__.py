# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Helpers that every room uses: arguments, signals, random streams, registries, threads."""
