# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Formulas that several tyre laws share: soil, side force, friction ellipse."""
