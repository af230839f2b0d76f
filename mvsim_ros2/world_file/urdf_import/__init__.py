# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Robot descriptions, URDF and xacro, as vehicle classes."""
