# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Bags in other formats: KITTI odometry, EuRoC and COCO folders.

A bag is one that `mvsim_ros2 record` wrote, or that `ros2 bag record` took from the node: the
topics are those of docs/ros-interface.md. Neither ROS nor the simulator is needed.
"""
