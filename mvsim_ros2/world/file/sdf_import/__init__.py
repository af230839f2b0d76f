# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Import of SDF, the format of Gazebo: its models as robot descriptions, its worlds as worlds."""
