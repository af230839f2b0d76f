# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Rendering with OpenGL, with or without a graphics card; the only room that needs moderngl."""
