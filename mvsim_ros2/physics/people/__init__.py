# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""People: how they walk, on a path or by models of pedestrians."""
