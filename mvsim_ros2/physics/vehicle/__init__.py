# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""From commands to the torques and angles of the wheels; odometry."""
