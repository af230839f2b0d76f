# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Quality of service, as ROS wants it."""

from rclpy.qos import DurabilityPolicy
from rclpy.qos import QoSProfile
from rclpy.qos import ReliabilityPolicy

from mvsim_ros2.messages.qos import Qos


def profile(qos: Qos) -> QoSProfile:
    """Return the profile of a quality of service."""
    return QoSProfile(
        depth=qos.depth,
        reliability=(ReliabilityPolicy.RELIABLE if qos.reliable
                     else ReliabilityPolicy.BEST_EFFORT),
        durability=(DurabilityPolicy.TRANSIENT_LOCAL if qos.latched
                    else DurabilityPolicy.VOLATILE))
