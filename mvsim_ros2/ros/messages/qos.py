# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Quality of service (QoS) of the topics, as plain data."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Qos:
    """QoS of a topic."""

    depth: int  # of the queue [messages]
    reliable: bool = True
    latched: bool = False  # late subscribers get the messages in the queue


def latched(depth: int = 1) -> Qos:
    """Return the QoS of topics whose last `depth` messages reach late subscribers."""
    return Qos(depth, latched=True)


def sensor(reliability: str) -> Qos:
    """Return the QoS of sensor topics: 'reliable', or 'best_effort', which a slow link needs."""
    return Qos(10, reliability == 'reliable')


STATE = Qos(10)  # odometry, ground truth, collision
COMMAND = Qos(10)
TRANSFORMS = Qos(100)
CLOCK = Qos(1)  # reliable, so that every subscriber matches
