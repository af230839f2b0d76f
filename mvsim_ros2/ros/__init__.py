# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The ROS 2 node: the only room that imports rclpy and message packages."""
