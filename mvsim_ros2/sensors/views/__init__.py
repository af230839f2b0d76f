# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Shared views of the scene, brought up to date when a sensor measures."""
