# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Import of robot descriptions, URDF and xacro, as vehicle classes."""
