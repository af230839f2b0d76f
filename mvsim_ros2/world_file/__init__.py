# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Reading of world files to `WorldSpec`: tolerant parsing, expansion, binding, resources."""
