# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Compilation of kernels: all that touches the inside of numba and llvmlite."""
