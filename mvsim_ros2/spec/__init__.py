# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The world as frozen data: dataclasses that say what a world file may hold."""
