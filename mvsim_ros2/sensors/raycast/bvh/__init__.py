# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Ray casting with bounding volume hierarchies (BVH), where Embree is not installed."""
