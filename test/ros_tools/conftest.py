# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The tests of the programs around the node need ROS."""

import pytest

pytest.importorskip('rclpy', reason='ROS is not installed')
pytest.importorskip('tf2_msgs', reason='the package tf2_msgs is not installed')
