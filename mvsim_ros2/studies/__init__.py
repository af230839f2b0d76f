# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Studies made of many runs: experiments, sweeps, tuning, SLAM benchmark."""
