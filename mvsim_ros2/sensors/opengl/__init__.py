# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Rendering and ray tracing with OpenGL; the only room that needs moderngl."""
