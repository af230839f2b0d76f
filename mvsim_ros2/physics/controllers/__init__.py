# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Controllers: from commands to the torques of motors. One module each, with its record."""
