# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Columns of what a step of mode `physical` knows of a wheel."""

(DIR_X, DIR_Y, ARM_ALONG, ARM_ACROSS, LAW, CURVE, FRICTION, LIMIT, LIMIT_ACROSS, ROLLING, SOIL,
 MEMORY, YIELD, DAMP, SHARE, PUSH, GRIP, SIDE_PUSH, SIDE_GRIP, SOIL_DRAG, FREE_SPIN, EASE, DRAG,
 Z_X, Z_Y, SLIDE_X, SLIDE_Y, SPIN, F_X, F_Y, BRAKING, STARTED, TURNED, PUSHED, SIDE_MEMORY,
 SIDE_YIELD) = range(36)
COLUMNS = 36
