# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Compilation of kernels; the only room that uses internals of numba and llvmlite."""
