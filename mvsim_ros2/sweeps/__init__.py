# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Many runs: worlds x seeds x parameters, in processes on one machine or on a cluster.

`read_plan` turns a file into jobs, `sweep` runs them, each in a folder of its own, and
`write_summary` makes one table. A job that has its folder is done and not run again.
"""
