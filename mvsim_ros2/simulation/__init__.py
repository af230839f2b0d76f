# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The simulation: its loop and clock, and the handles through which scripts use it."""

from typing import TYPE_CHECKING

from mvsim_ros2.base.lazy import lazy_names

if TYPE_CHECKING:
    from mvsim_ros2.simulation.simulation import Simulation
else:
    __getattr__, __dir__ = lazy_names(__name__)

__all__ = ['Simulation']
