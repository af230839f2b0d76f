# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Box2D: its bodies, their shapes, contacts and joints; nothing else touches them."""
