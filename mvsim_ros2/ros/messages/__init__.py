# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Topics, frames and messages, without ROS."""

from typing import TYPE_CHECKING

from mvsim_ros2.base.lazy import lazy_names

if TYPE_CHECKING:
    from mvsim_ros2.ros.messages.settings import Settings
else:
    __getattr__, __dir__ = lazy_names(__name__)

__all__ = ['Settings']
