# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Bags in other formats: KITTI, nuScenes, EuRoC, TUM and COCO folders.

A bag is written by `mvsim_ros2 record`, or by `ros2 bag record` from the node; its topics are
those of docs/ros-interface.md. Neither ROS nor the simulator is needed.
"""
