# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""World file text to `WorldSpec`: tolerant reading, expansion, typed binding, resources."""
