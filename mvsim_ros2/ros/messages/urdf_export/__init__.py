# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The robot description (URDF) of a vehicle, and its frames."""
