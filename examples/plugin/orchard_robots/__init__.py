# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tyre, controller, vehicle class, element and sensor of an orchard, as a plugin of mvsim_ros2."""
