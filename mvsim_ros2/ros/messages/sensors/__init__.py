# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
From what sensors measure to messages: one file for similar kinds.

A pure function without ROS turns an observation into its message. `MESSAGES` says for the class of
a spec which topics there are, and what else the rest has to know. Bulk data goes into a message as
one block of bytes.
"""
