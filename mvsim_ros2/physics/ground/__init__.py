# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The ground of vehicles: terrain, ramps, friction regions, attitude."""
