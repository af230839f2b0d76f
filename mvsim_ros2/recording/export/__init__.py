# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Bags in other formats: KITTI, nuScenes, EuRoC, TUM and COCO folders.

A bag is written by `mvsim_ros2 record`, or by `ros2 bag record` from the node;
docs/ros-interface.md lists its topics. Neither ROS nor the simulator is needed.
"""
