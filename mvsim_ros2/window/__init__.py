# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
A window in the browser: a simulation as it runs, or a recorded one.

It needs viser (`pip install viser`), which serves the page and keeps what it shows in step with
this process. The window reads states and observations and sends commands through the public API of
`Simulation`, between steps. It does not measure, so a simulation gives the same states and
observations bit for bit without it.
"""
