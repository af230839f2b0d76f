# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Worlds: what they hold (`spec`) and how their files are read (`file`)."""
