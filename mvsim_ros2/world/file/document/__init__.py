# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The text of a world file as a tree of tags: repaired, included, expanded."""
