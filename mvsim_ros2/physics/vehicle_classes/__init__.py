# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Vehicle classes: what drives which wheel, and how it is steered. One module for each kind."""
