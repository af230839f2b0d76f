# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Rays of many worlds at once on a graphics card with CUDA, as `raycast` casts them."""
